//! The values of variables and expressions.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_rational::BigRational;

/// The largest number of digits of a number. The time for reading a number grows with their square.
pub(super) const MOST_DIGITS: usize = 10_000;

/// The largest exponent of a number in floating-point notation. A larger one is read as this one: such a number is
/// outside every useful range in both cases.
const LARGEST_EXPONENT: usize = 20_000;

#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum GrammarValue {
    Integer(BigInt),
    Float(BigRational),
    Text(Vec<u8>),
}

impl GrammarValue {
    /// The order of two values; `None` for a number and a string.
    pub(super) fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Integer(one), Self::Integer(other)) => Some(one.cmp(other)),
            (Self::Text(one), Self::Text(other)) => Some(one.cmp(other)),
            _ => Some(self.as_fraction()?.cmp(&other.as_fraction()?)),
        }
    }

    /// The number as a fraction; `None` for a string.
    pub(super) fn as_fraction(&self) -> Option<BigRational> {
        match self {
            Self::Integer(number) => Some(BigRational::from_integer(number.clone())),
            Self::Float(number) => Some(number.clone()),
            Self::Text(_) => None,
        }
    }

    /// The value under which an array finds it: equal numbers are one value.
    pub(super) fn as_key(&self) -> Self {
        match self {
            Self::Float(number) if number.is_integer() => Self::Integer(number.to_integer()),
            other => other.clone(),
        }
    }

    /// The memory of the number or the text.
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Self::Integer(number) => number.bits() / 8,
            Self::Float(number) => (number.numer().bits() + number.denom().bits()) / 8,
            Self::Text(text) => text.len() as u64,
        }
    }

    /// The value as it is shown in a message.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::Float(number) => number.to_string(),
            Self::Text(text) => format!("\"{}\"", text.escape_ascii()),
        }
    }
}

/// The integer with these digits, which may have a minus before them.
pub(super) fn integer(digits: &str) -> BigInt {
    digits.parse().unwrap_or_default()
}

/// The number in floating-point notation: digits, perhaps with a point, perhaps with an exponent.
pub(super) fn fraction(number: &str) -> BigRational {
    let at = number.find(['e', 'E']).unwrap_or(number.len());
    let (digits, exponent) = (&number[..at], number.get(at + 1..).unwrap_or("0"));
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, ""));
    let is_small = exponent.starts_with('-');
    let size: usize = exponent.trim_start_matches(['+', '-']).parse().unwrap_or(LARGEST_EXPONENT);
    let power = |size: usize| BigInt::from(10).pow(u32::try_from(size).unwrap_or(u32::MAX));
    let value = BigRational::new(integer(&format!("{whole}{decimals}")), power(decimals.len()));
    let size = power(size.min(LARGEST_EXPONENT));
    if is_small { value / size } else { value * size }
}
