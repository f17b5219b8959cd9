//! Unsigned decimals of arbitrary size, with only the operations that an exact tolerance test
//! needs.
//!
//! A value is `0.d₁d₂… × 10^exponent`. Only sums, products and comparisons are needed: the
//! tolerance rule has no division.

use std::cmp::Ordering;

/// Two decimals whose exponents differ by more than this have no digit position in common, because
/// a number keeps fewer digits.
const APART: i64 = 4096;

/// The value, which is zero if there are no digits. Neither the first nor the last digit is 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Decimal {
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    /// Builds a value from digits 0–9, the most significant first.
    pub(super) fn new(mut digits: Vec<u8>, mut exponent: i64) -> Self {
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..zeros);
        while digits.last() == Some(&0) {
            digits.pop();
        }
        exponent = exponent.saturating_sub(i64::try_from(zeros).unwrap_or(i64::MAX));
        if digits.is_empty() {
            exponent = 0;
        }
        Self { digits, exponent }
    }

    /// Builds a value from a finite, non-negative number, as the shortest decimal that reads as
    /// that number: the tolerance `1e-6` means a millionth, not the binary fraction next to it.
    pub(super) fn from_f64(value: f64) -> Self {
        let text = format!("{value:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = mantissa.bytes().filter(u8::is_ascii_digit);
        let exponent: i64 = exponent.parse().unwrap_or(0);
        Self::new(digits.map(|byte| byte - b'0').collect(), exponent + 1)
    }

    /// Its digits and its exponent.
    pub(super) fn text(&self) -> Vec<u8> {
        let digits: Vec<u8> = self.digits.iter().map(|digit| digit + b'0').collect();
        [b"0.", &digits[..], b"e", self.exponent.to_string().as_bytes()].concat()
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The exact product.
    pub(super) fn times(&self, other: &Self) -> Self {
        let mut product = vec![0_u32; self.digits.len() + other.digits.len()];
        for (i, &x) in self.digits.iter().enumerate().rev() {
            let mut carry = 0;
            for (j, &y) in other.digits.iter().enumerate().rev() {
                let sum = product[i + j + 1] + u32::from(x) * u32::from(y) + carry;
                product[i + j + 1] = sum % 10;
                carry = sum / 10;
            }
            product[i] += carry;
        }
        Self::new(
            product.into_iter().map(low_digit).collect(),
            self.exponent.saturating_add(other.exponent),
        )
    }

    /// Compares `self` with `left + right`.
    pub(super) fn cmp_sum(&self, left: &Self, right: &Self) -> Ordering {
        let (large, small) = if left >= right { (left, right) } else { (right, left) };
        if small.is_zero() {
            return self.cmp(large);
        }
        if large.exponent.saturating_sub(small.exponent) > APART {
            // `small` lies below the last digit of both others, so it decides only a tie.
            return self.cmp(large).then(Ordering::Less);
        }
        self.cmp(&large.plus_close(small))
    }

    /// The exact sum with a smaller value that lies at most [`APART`] places below.
    fn plus_close(&self, small: &Self) -> Self {
        let shift = usize::try_from(self.exponent - small.exponent).unwrap_or(0);
        let places = self.digits.len().max(shift + small.digits.len());
        let mut sum = vec![0_u8; places + 1];
        sum[1..=self.digits.len()].copy_from_slice(&self.digits);
        let mut carry = 0;
        for place in (0..places).rev() {
            let below = place.checked_sub(shift).and_then(|i| small.digits.get(i));
            let total = sum[place + 1] + below.copied().unwrap_or(0) + carry;
            sum[place + 1] = total % 10;
            carry = total / 10;
        }
        sum[0] = carry;
        Self::new(sum, self.exponent + 1)
    }
}

fn low_digit(value: u32) -> u8 {
    u8::try_from(value).expect("every place of a product holds one digit")
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_zero(), other.is_zero()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // There are no trailing zeros: if one number starts with the other, the longer is the
            // larger.
            (false, false) => {
                self.exponent.cmp(&other.exponent).then_with(|| self.digits.cmp(&other.digits))
            }
        }
    }
}
