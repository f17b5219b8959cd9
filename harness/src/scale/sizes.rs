//! A range of sizes: `1e3..1e6`.

use std::str::FromStr;

/// The largest valid size.
const LARGEST: f64 = 1e15;

/// From the smallest to the largest size, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sizes {
    low: u64,
    high: u64,
}

impl Sizes {
    /// Whether `n` is within the range.
    pub(crate) fn contains(self, n: u64) -> bool {
        (self.low..=self.high).contains(&n)
    }

    /// About `count` sizes with a constant ratio between neighbours; fewer if the range has fewer whole numbers.
    pub(crate) fn spread(self, count: usize) -> Vec<u64> {
        let (low, high) = (self.low as f64, self.high as f64);
        let steps = count.max(2) - 1;
        let at = |step: usize| (low * (high / low).powf(step as f64 / steps as f64)).round();
        let mut sizes: Vec<u64> = (0..=steps).map(|step| at(step) as u64).collect();
        sizes.dedup();
        sizes
    }
}

/// Why a text is not a range of sizes.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SizesError {
    #[error("expected a range such as `1e3..1e6`")]
    NotARange,
    #[error("`{high}` is not larger than `{low}`")]
    Empty { low: u64, high: u64 },
    #[error("`{0}` is not a number")]
    NotANumber(String),
    #[error("`{0}` is not a whole number from 1 to 1e15")]
    NotASize(String),
}

impl FromStr for Sizes {
    type Err = SizesError;

    fn from_str(text: &str) -> Result<Self, SizesError> {
        let (low, high) = text.split_once("..").ok_or(SizesError::NotARange)?;
        let (low, high) = (size(low)?, size(high.trim_start_matches('='))?);
        if low < high { Ok(Self { low, high }) } else { Err(SizesError::Empty { low, high }) }
    }
}

/// Parses a whole number in any usual notation: `1000`, `1_000`, `1e3`, `2.5e6`.
fn size(text: &str) -> Result<u64, SizesError> {
    let digits: String = text.trim().chars().filter(|c| *c != '_').collect();
    let number: f64 = digits.parse().map_err(|_| SizesError::NotANumber(text.to_owned()))?;
    if (1.0..=LARGEST).contains(&number) && number.fract() == 0.0 {
        Ok(number as u64)
    } else {
        Err(SizesError::NotASize(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_parsed_in_any_usual_notation() {
        for text in ["1e3..1e6", "1000..1000000", "1_000..=1_000_000", " 1e3 .. 1000e3 "] {
            assert_eq!(text.parse(), Ok(Sizes { low: 1000, high: 1_000_000 }), "{text}");
        }
        let table = [
            ("1e3", "expected a range such as `1e3..1e6`"),
            ("1e3..1e3", "`1000` is not larger than `1000`"),
            ("1e6..1e3", "`1000` is not larger than `1000000`"),
            ("0..9", "`0` is not a whole number from 1 to 1e15"),
            ("1..1.5", "`1.5` is not a whole number from 1 to 1e15"),
            ("1..inf", "`inf` is not a whole number from 1 to 1e15"),
            ("a..9", "`a` is not a number"),
            ("1..", "`` is not a number"),
            ("-5..9", "`-5` is not a whole number from 1 to 1e15"),
        ];
        for (text, message) in table {
            assert_eq!(text.parse::<Sizes>().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn sizes_have_a_constant_ratio() {
        let spread = |text: &str, count| text.parse::<Sizes>().unwrap().spread(count);
        assert_eq!(spread("1e3..1e6", 4), [1000, 10_000, 100_000, 1_000_000]);
        assert_eq!(spread("1..4", 16), [1, 2, 3, 4]);
        assert_eq!(spread("1..1e15", 2), [1, 1_000_000_000_000_000]);
    }
}
