//! Natural order: `2` before `10`, the way test cases are usually numbered.

use std::cmp::Ordering;

/// Compares runs of digits as numbers and everything else byte by byte. The order is total: names
/// with equal numbers (`1`, `01`) are compared by their bytes.
pub fn compare(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a.as_bytes(), b.as_bytes());
    while let (Some(x), Some(y)) = (left.first(), right.first()) {
        if x.is_ascii_digit() && y.is_ascii_digit() {
            let (number_x, rest_x) = split_number(left);
            let (number_y, rest_y) = split_number(right);
            // Without leading zeros the longer number is the larger one, whatever its length.
            let order = number_x.len().cmp(&number_y.len()).then_with(|| number_x.cmp(number_y));
            if order.is_ne() {
                return order;
            }
            (left, right) = (rest_x, rest_y);
        } else if x == y {
            (left, right) = (&left[1..], &right[1..]);
        } else {
            return x.cmp(y);
        }
    }
    left.len().cmp(&right.len()).then_with(|| a.cmp(b))
}

/// The leading digits without their leading zeros, and what follows.
fn split_number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    let zeros = text[..end].iter().position(|byte| *byte != b'0').unwrap_or(end);
    (&text[zeros..end], &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn orders_numbers_by_value() {
        let mut names = [
            "sample-10",
            "sample-2",
            "10",
            "9",
            "09",
            "010",
            "1a",
            "1",
            "a/2/x",
            "a/10/b",
            "",
            "99999999999999999999999",
            "100000000000000000000000",
            "sample",
        ];
        names.sort_by(|a, b| compare(a, b));
        assert_eq!(
            names,
            [
                "",
                "1",
                "1a",
                "09",
                "9",
                "010",
                "10",
                "99999999999999999999999",
                "100000000000000000000000",
                "a/2/x",
                "a/10/b",
                "sample",
                "sample-2",
                "sample-10",
            ]
        );
    }

    proptest! {
        #[test]
        fn is_a_total_order(
            a in "[a0-2./]{0,6}", b in "[a0-2./]{0,6}", c in "[a0-2./]{0,6}",
        ) {
            prop_assert_eq!(compare(&a, &b), compare(&b, &a).reverse());
            prop_assert_eq!(compare(&a, &b).is_eq(), a == b);
            if compare(&a, &b).is_lt() && compare(&b, &c).is_lt() {
                prop_assert!(compare(&a, &c).is_lt());
            }
        }

        #[test]
        fn orders_plain_numbers_as_numbers(a: u64, b: u64) {
            prop_assert_eq!(compare(&a.to_string(), &b.to_string()), a.cmp(&b));
        }
    }
}
