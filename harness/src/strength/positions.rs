//! Numbers at fixed places of inputs, and the furthest values that a validator accepts there.

use std::collections::BTreeMap;
use std::ops::Range;

/// Only the first lines, and the first tokens of each, can be at the same place in every input.
const LINES: usize = 3;
const TOKENS: usize = 8;

/// No value is tried that is further away from those that occur.
const FURTHEST: i128 = 4_000_000_000_000_000_000;

/// A place in an input: the line and the token in it, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenPlace {
    pub(super) line: usize,
    pub(super) token: usize,
}

/// An integer in an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlacedInteger {
    pub(super) value: i128,
    pub(super) range: Range<usize>,
}

/// The integers at the first places of an input.
pub(super) fn integers(text: &str) -> BTreeMap<TokenPlace, PlacedInteger> {
    let mut found = BTreeMap::new();
    let mut start = 0;
    for (line, content) in text.split_inclusive('\n').take(LINES).enumerate() {
        let mut at = 0;
        for (token, word) in content.split_whitespace().take(TOKENS).enumerate() {
            at += content[at..].find(word).unwrap_or(0);
            let range = start + at..start + at + word.len();
            at += word.len();
            if let Ok(value) = word.parse() {
                let place = TokenPlace { line: line + 1, token: token + 1 };
                found.insert(place, PlacedInteger { value, range });
            }
        }
        start += content.len();
    }
    found
}

/// The furthest value that was accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FurthestValue {
    pub(super) value: i128,
    /// Whether the next value is not accepted. Otherwise the search ended, and values further away may be accepted.
    pub(super) is_bound: bool,
}

/// The furthest value in one direction that is accepted, if a value beyond `from` is: `direction` is 1 or -1. Values
/// between accepted ones are taken to be accepted too.
pub(super) fn furthest<E>(
    from: i128,
    direction: i128,
    accepts: &mut dyn FnMut(i128) -> Result<bool, E>,
) -> Result<Option<FurthestValue>, E> {
    if !accepts(from + direction)? {
        return Ok(None);
    }
    let (mut good, mut bad) = (1, 2);
    while bad <= FURTHEST && accepts(from + direction * bad)? {
        good = bad;
        bad *= 2;
    }
    let is_bound = bad <= FURTHEST;
    while is_bound && bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if accepts(from + direction * middle)? {
            good = middle;
        } else {
            bad = middle;
        }
    }
    let value = from + direction * good;
    Ok(Some(FurthestValue { value, is_bound }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn integers_are_found_at_their_places() {
        let text = "3 x  -7\n\n  12 12\n5\n";
        let found: Vec<_> = integers(text)
            .into_iter()
            .map(|(place, number)| (place.line, place.token, number.value, &text[number.range]))
            .collect();
        let expected = [(1, 1, 3, "3"), (1, 3, -7, "-7"), (3, 1, 12, "12"), (3, 2, 12, "12")];
        assert_eq!(found, expected);
    }

    #[test]
    fn where_the_search_ends_is_no_bound() {
        let found = furthest(7, 1, &mut |_| Ok::<_, ()>(true)).unwrap().unwrap();
        assert!(!found.is_bound && found.value > 1_000_000_000_000_000_000);
    }

    proptest! {
        #[test]
        fn the_furthest_value_is_the_bound(from in -1000i128..1000, more in 0i128..1_000_000_000_000, up in any::<bool>()) {
            let direction = if up { 1 } else { -1 };
            let mut asked = 0;
            let found = furthest(from, direction, &mut |value| {
                asked += 1;
                Ok::<_, ()>((value - from) * direction <= more)
            });
            let expected = (more > 0).then_some(FurthestValue {
                value: from + direction * more,
                is_bound: true,
            });
            prop_assert_eq!(found, Ok(expected));
            prop_assert!(asked < 90);
        }
    }
}
