//! Finds how far two pieces of text match under the token rules, at the speed of memory.
//!
//! These are pure functions on bytes in buffers; the token checker decides where a piece ends.

use super::window::is_blank;

/// The index of the first difference between two pieces; a missing byte is a difference.
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

/// Skips blanks and tokens whose text matches and that lie wholly in both slices; returns the
/// number of bytes skipped in each. Both slices start where a token has just ended.
///
/// Most texts are equal for long stretches. These are compared sixteen bytes at a time, which is
/// more than most tokens have. Only where they differ is it checked whether blanks explain the
/// difference.
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
            // A token that differs, or that the slices do not hold whole, stays from its start on;
            // everything before it matched.
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

/// Whether two differing bytes both end the token before them, so that no token continues on one
/// side only.
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

/// The number of leading bytes that match, ignoring case unless `case_sensitive`.
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
