//! How far two stretches of text match under the rules of tokens, at the speed of memory.
//!
//! Pure functions over bytes in buffers; where a stretch ends is for the token checker to say.

use super::window::is_blank;

/// Where two pieces first differ, a missing byte being a difference.
pub(super) fn first_difference(x: &[u8], y: &[u8], case_sensitive: bool) -> Option<usize> {
    let same = |(p, q): (&u8, &u8)| {
        if case_sensitive {
            p == q
        } else {
            p.eq_ignore_ascii_case(q)
        }
    };
    let shared = x.len().min(y.len());
    let first = x.iter().zip(y).position(|pair| !same(pair));
    first.or((x.len() != y.len()).then_some(shared))
}

/// Skips blanks and tokens that match in their text and lie wholly in both slices; returns how
/// far that goes in each. Both slices begin where a token has just ended.
///
/// Texts run alike for long stretches, so those are compared sixteen bytes at a time, more than
/// most tokens have, and only where they part is it asked whether blanks explain it.
pub(super) fn skip_matching(output: &[u8], answer: &[u8], case_sensitive: bool) -> (usize, usize) {
    let (mut at, mut opposite) = (0, 0);
    loop {
        let alike = matching_prefix(&output[at..], &answer[opposite..], case_sensitive);
        at += alike;
        opposite += alike;
        let after_blank = at > 0 && is_blank(output[at - 1]);
        match (output.get(at), answer.get(opposite)) {
            (Some(&got), Some(&expected)) if ends_both(got, expected, after_blank) => {
                at += blanks(&output[at..]);
                opposite += blanks(&answer[opposite..]);
            }
            // The token that differs, or that the slices do not hold whole, is left from its start
            // on; up to here it was the same on both sides.
            _ => {
                let begun = output[..at]
                    .iter()
                    .rev()
                    .take_while(|&&byte| !is_blank(byte));
                let begun = begun.count().min(opposite);
                return (at - begun, opposite - begun);
            }
        }
    }
}

/// Whether two differing bytes leave no token behind that went on on one side only.
fn ends_both(got: u8, expected: u8, after_blank: bool) -> bool {
    match (is_blank(got), is_blank(expected)) {
        (true, true) => true,
        (false, false) => false,
        _ => after_blank,
    }
}

pub(super) fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_blank(byte)).count()
}

/// How many leading bytes agree; with upper and lower case as one unless `case_sensitive`.
fn matching_prefix(output: &[u8], answer: &[u8], case_sensitive: bool) -> usize {
    let (words, _) = output.as_chunks::<16>();
    let (opposite, _) = answer.as_chunks::<16>();
    let mut length = 0;
    for (x, y) in words.iter().zip(opposite) {
        let (x, y) = (u128::from_le_bytes(*x), u128::from_le_bytes(*y));
        if x != y {
            let gap = if case_sensitive {
                x ^ y
            } else {
                lower_case(x) ^ lower_case(y)
            };
            if gap != 0 {
                return length + (gap.trailing_zeros() / 8) as usize;
            }
        }
        length += 16;
    }
    let rest = first_difference(&output[length..], &answer[length..], case_sensitive);
    length + rest.unwrap_or(output.len() - length)
}

/// Sixteen bytes with ASCII letters in lower case, the others as they are.
pub(super) fn lower_case(bytes: u128) -> u128 {
    const EACH: u128 = u128::MAX / 255;
    const HIGH: u128 = 0x80 * EACH;
    // Without its high bit no byte carries into the next; the high bit then tells `≥ A`, `> Z`.
    let low = bytes & !HIGH;
    let from_a = low + (0x80 - 0x41) * EACH;
    let past_z = low + (0x7f - 0x5a) * EACH;
    let upper = (from_a & !past_z) & !bytes & HIGH;
    bytes | upper >> 2
}
