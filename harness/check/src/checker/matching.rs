//! Finds how far two pieces of text match under the token rules, at the speed of memory.
//!
//! These are pure functions on bytes in buffers; the token checker decides where a piece ends.

use super::window::is_blank;

/// The number of bytes that are compared at a time.
const STEP: usize = 16;

/// The index of the first difference between two pieces; a missing byte is a difference.
pub(super) fn first_difference(x: &[u8], y: &[u8], case_sensitive: bool) -> Option<usize> {
    let same = |(p, q): (&u8, &u8)| {
        if case_sensitive { p == q } else { p.eq_ignore_ascii_case(q) }
    };
    let shared = x.len().min(y.len());
    let first = x.iter().zip(y).position(|pair| !same(pair));
    first.or((x.len() != y.len()).then_some(shared))
}

/// Skips blanks and tokens whose text matches; returns the number of bytes skipped in each slice.
/// Both slices start where a token has just ended, or where one starts. If `blanks_matter`, only
/// equal blanks match. The last bytes of the slices, less than [`STEP`], are not skipped.
///
/// Most texts are equal for long stretches. These are compared [`STEP`] bytes at a time, which is
/// more than most tokens have. Only where they differ is it checked whether blanks or case explain
/// the difference.
pub(super) fn skip_matching(
    output: &[u8],
    answer: &[u8],
    case_sensitive: bool,
    blanks_matter: bool,
) -> (usize, usize) {
    let (mut at, mut opposite) = (0, 0);
    while let (Some(x), Some(y)) = (next_step(output, at), next_step(answer, opposite)) {
        if x == y {
            at += STEP;
            opposite += STEP;
            continue;
        }
        let first = first_byte(x ^ y);
        let (got, expected) = (output[at + first], answer[opposite + first]);
        if is_blank(got) || is_blank(expected) {
            at += first;
            opposite += first;
            let after_blank = at > 0 && is_blank(output[at - 1]);
            if blanks_matter || !ends_both(got, expected, after_blank) {
                break;
            }
            at += blanks(&output[at..]);
            opposite += blanks(&answer[opposite..]);
        } else {
            let alike = if case_sensitive {
                first
            } else {
                alike_but_case(&output[at..], &answer[opposite..])
            };
            at += alike;
            opposite += alike;
            // Otherwise the next step looks at the difference again, which may be a blank.
            if alike == 0 || case_sensitive {
                break;
            }
        }
    }
    // A token that differs, or that the slices do not hold whole, stays from its start on; everything
    // before it matched.
    let token =
        output[..at].iter().rev().take_while(|&&byte| !is_blank(byte)).count().min(opposite);
    (at - token, opposite - token)
}

/// Whether two differing bytes both end the token before them, so that no token continues on one
/// side only.
fn ends_both(got: u8, expected: u8, after_blank: bool) -> bool {
    match (is_blank(got), is_blank(expected)) {
        (true, true) => true,
        (false, false) => false,
        _ => after_blank,
    }
}

#[inline]
pub(super) fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_blank(byte)).count()
}

/// The number of leading bytes that match if case is ignored, up to the last whole step.
fn alike_but_case(output: &[u8], answer: &[u8]) -> usize {
    let mut alike = 0;
    while let (Some(x), Some(y)) = (next_step(output, alike), next_step(answer, alike)) {
        let gap = lower_case(x) ^ lower_case(y);
        if gap != 0 {
            return alike + first_byte(gap);
        }
        alike += STEP;
    }
    alike
}

/// The next [`STEP`] bytes from `at` on, the first as the lowest.
#[inline]
fn next_step(text: &[u8], at: usize) -> Option<u128> {
    Some(u128::from_le_bytes(*text.get(at..)?.first_chunk()?))
}

/// The index of the first byte that is not 0; `bytes` must have one.
#[inline]
fn first_byte(bytes: u128) -> usize {
    (bytes.trailing_zeros() / 8) as usize
}

/// Sixteen bytes with ASCII letters in lower case and all others unchanged.
pub(super) fn lower_case(bytes: u128) -> u128 {
    const EACH: u128 = u128::MAX / 255;
    const HIGH: u128 = 0x80 * EACH;
    // With its high bit cleared, no byte carries into the next; the high bit then shows `≥ A` and
    // `> Z`.
    let low = bytes & !HIGH;
    let from_a = low + (0x80 - 0x41) * EACH;
    let past_z = low + (0x7f - 0x5a) * EACH;
    let upper = (from_a & !past_z) & !bytes & HIGH;
    bytes | upper >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_bytes_are_lowered_like_one() {
        for byte in 0..=255 {
            for other in [0, b'A', b'z', 0xff] {
                let text = [[other, byte, other, byte], [byte, other, other, byte]].concat();
                let text: [u8; 16] = text.repeat(2).try_into().unwrap();
                let expected = u128::from_le_bytes(text.map(|byte: u8| byte.to_ascii_lowercase()));
                assert_eq!(lower_case(u128::from_le_bytes(text)), expected, "{text:?}");
            }
        }
    }

    #[test]
    fn skipping_stops_at_the_start_of_an_undecided_token() {
        for (output, answer, expected) in [
            (" 1 2 3 ", " 1 2 3 ", (7, 7)),
            (" 1  2 34 ", " 1 2 35 ", (6, 5)),
            (" 1\r\n2\r\nAB ", " 1\n2\nab ", (10, 8)),
            (" 12 3 ", " 1 23 ", (1, 1)),
            (" 1 abcdefgh ", " 1 abcdefghi", (3, 3)),
            (" 1 aBcdefghijklmnopqrSTu ", " 1 abCdefghijklmnopqrstu ", (25, 25)),
            (" 1 aBcdefghijklmnopqrSTuv ", " 1 abCdefghijklmnopqrstu ", (3, 3)),
            ("A  12 ", "a 12 ", (6, 5)),
            ("", "", (0, 0)),
        ] {
            // The last bytes are not skipped, so there must be others after these.
            let [output, answer] = [(output, '<'), (answer, '>')]
                .map(|(text, next)| format!("{text}{next}0123456789abcdef"));
            let found = skip_matching(output.as_bytes(), answer.as_bytes(), false, false);
            assert_eq!(found, expected, "{output:?} {answer:?}");
        }
    }
}
