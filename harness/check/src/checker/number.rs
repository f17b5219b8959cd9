//! Numbers as the ICPC default output validator reads them, and its tolerance rule.
//!
//! A token is a number if it matches `[+-]?(\d*\.\d+|\d+\.|\d+)([eE][+-]?\d+)?`; integers are
//! included, while `inf`, `nan` and hexadecimal numbers are not. A token of any length is read
//! piece by piece: the first [`KEPT_DIGITS`] significant digits are kept, and all later digits
//! together count as one digit `1` (or as nothing if they are all zeros). Exponents are limited to
//! ±[`LAST_EXPONENT`].

use super::TokenOptions;
use super::decimal::Decimal;

/// More digits than the longest halfway point between two doubles has.
const KEPT_DIGITS: usize = 1000;
/// Far beyond the exponent of any double or any sensible answer, and far within `i64`.
const LAST_EXPONENT: i64 = 1_000_000_000_000_000;
/// Numbers up to this many bytes are first compared as doubles.
const SHORT: u64 = 40;
/// The relative error of each double is at most 2⁻⁵¹, so 2⁻⁵⁰ of the magnitudes involved covers both
/// of them and the subtraction.
const ROUNDING: f64 = f64::EPSILON * 4.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum NumberState {
    #[default]
    Start,
    Sign,
    Integer,
    /// A decimal point with no digit before it.
    BarePoint,
    /// A decimal point after digits.
    Point,
    Fraction,
    ExponentStart,
    ExponentSign,
    Exponent,
    NotANumber,
}

/// Reads one number from its bytes, piece by piece.
#[derive(Debug, Clone, Default)]
pub(super) struct NumberReader {
    state: NumberState,
    negative: bool,
    digits: Vec<u8>,
    /// Whether any dropped digit is not 0.
    rest: bool,
    /// The position of the decimal point, in digits to the right of the first kept one.
    point: i64,
    exponent: i64,
    exponent_negative: bool,
}

impl NumberReader {
    /// Resets the value but keeps the allocated memory.
    pub(super) fn clear(&mut self) {
        let mut digits = std::mem::take(&mut self.digits);
        digits.clear();
        *self = Self { digits, ..Self::default() };
    }

    /// Copies `other` into this value without a new allocation.
    pub(super) fn copy_from(&mut self, other: &Self) {
        let mut digits = std::mem::take(&mut self.digits);
        digits.clear();
        digits.extend_from_slice(&other.digits);
        *self = Self { digits, ..*other };
    }

    /// Reads the next piece of the token.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.state == NumberState::NotANumber {
                return;
            }
            self.state = self.step(byte);
        }
    }

    fn step(&mut self, byte: u8) -> NumberState {
        use NumberState::{
            BarePoint, Exponent, ExponentSign, ExponentStart, Fraction, Integer, NotANumber, Point,
            Sign, Start,
        };
        match (self.state, byte) {
            (Start, b'+' | b'-') => {
                self.negative = byte == b'-';
                Sign
            }
            (Start | Sign | Integer, b'0'..=b'9') => {
                self.digit(byte - b'0', false);
                Integer
            }
            (Start | Sign, b'.') => BarePoint,
            (Integer, b'.') => Point,
            (BarePoint | Point | Fraction, b'0'..=b'9') => {
                self.digit(byte - b'0', true);
                Fraction
            }
            (Integer | Point | Fraction, b'e' | b'E') => ExponentStart,
            (ExponentStart, b'+' | b'-') => {
                self.exponent_negative = byte == b'-';
                ExponentSign
            }
            (ExponentStart | ExponentSign | Exponent, b'0'..=b'9') => {
                let grown = self.exponent * 10 + i64::from(byte - b'0');
                self.exponent = grown.min(LAST_EXPONENT);
                Exponent
            }
            _ => NotANumber,
        }
    }

    fn digit(&mut self, digit: u8, fraction: bool) {
        if self.digits.is_empty() && digit == 0 {
            self.point -= i64::from(fraction);
            return;
        }
        self.point += i64::from(!fraction);
        if self.digits.len() < KEPT_DIGITS {
            self.digits.push(digit);
        } else {
            self.rest |= digit != 0;
        }
    }

    /// Whether the token, after all of it was read, is a number without a point and without an exponent.
    pub(super) fn is_integer(&self) -> bool {
        self.state == NumberState::Integer
    }

    /// Whether two tokens, after all of both were read, are the same number.
    pub(super) fn equals(&self, other: &Self) -> bool {
        let (one, two) = (self.magnitude(), other.magnitude());
        one == two && (self.negative == other.negative || one.is_zero())
    }

    /// Whether the whole token, after all of it was read, is a number.
    pub(super) fn is_number(&self) -> bool {
        matches!(
            self.state,
            NumberState::Integer
                | NumberState::Point
                | NumberState::Fraction
                | NumberState::Exponent
        )
    }

    fn magnitude(&self) -> Decimal {
        let mut digits = self.digits.clone();
        if self.rest {
            digits.push(1);
        }
        let exponent = if self.exponent_negative { -self.exponent } else { self.exponent };
        Decimal::new(digits, self.point + exponent)
    }
}

/// A number in the one way that all tokens with its value share: its sign, digits and exponent. `None`: it is none.
pub(super) fn canonical(token: &[u8]) -> Option<Vec<u8>> {
    let mut number = NumberReader::default();
    number.feed(token);
    if !number.is_number() {
        return None;
    }
    let magnitude = number.magnitude();
    let sign: &[u8] = if number.negative && !magnitude.is_zero() { b"-" } else { b"" };
    Some([sign, &magnitude.text()].concat())
}

/// The tolerances of a comparison, converted for use.
#[derive(Debug, Clone)]
pub(super) struct Tolerance {
    absolute: Option<(f64, Decimal)>,
    relative: Option<(f64, Decimal)>,
    /// Whether integers of the answer must be equal as texts.
    pub(super) exact_integers: bool,
}

impl Tolerance {
    /// Reads the tolerances; `None` if the options set none.
    pub(super) fn of(options: &TokenOptions) -> Option<Self> {
        let both = |value: f64| (value, Decimal::from_f64(value));
        (options.float_absolute.is_some() || options.float_relative.is_some()).then(|| Self {
            absolute: options.float_absolute.map(both),
            relative: options.float_relative.map(both),
            exact_integers: options.exact_integers,
        })
    }

    /// Whether |s − a| ≤ absolute or |s − a| ≤ relative · |a|, as in exact arithmetic.
    pub(super) fn allows(&self, output: Read<'_>, answer: Read<'_>) -> bool {
        if let (Some(s), Some(a)) = (output.short(), answer.short())
            && let Some(decided) = self.allows_doubles(s, a)
        {
            return decided;
        }
        self.allows_exactly(output.number, answer.number)
    }

    /// Decides if rounding cannot change the result.
    fn allows_doubles(&self, s: f64, a: f64) -> Option<bool> {
        // The bound on the rounding does not hold for subnormal and infinite values.
        let ordinary = |x: f64| x == 0.0 || (1e-250..1e250).contains(&x.abs());
        if !ordinary(s) || !ordinary(a) {
            return None;
        }
        if self.surely_allows(s, a) {
            return Some(true);
        }
        let (gap, slack) = gap_and_slack(s, a);
        let beyond = |bound: f64| gap - slack > bound * (1.0 + ROUNDING) && gap > 1e-250;
        let rejected = self.absolute.as_ref().is_none_or(|(bound, _)| beyond(*bound))
            && (self.relative.as_ref()).is_none_or(|(factor, _)| beyond(factor * a.abs()));
        rejected.then_some(false)
    }

    /// Whether a tolerance allows the difference however the doubles were rounded. Each is 0 or in
    /// the range of normal doubles.
    #[inline]
    pub(super) fn surely_allows(&self, s: f64, a: f64) -> bool {
        let (gap, slack) = gap_and_slack(s, a);
        let within = |bound: f64| gap + slack <= bound * (1.0 - ROUNDING) && bound > 1e-250;
        self.absolute.as_ref().is_some_and(|(bound, _)| within(*bound))
            || (self.relative.as_ref()).is_some_and(|(factor, _)| within(factor * a.abs()))
    }

    fn allows_exactly(&self, output: &NumberReader, answer: &NumberReader) -> bool {
        let (s, a) = (output.magnitude(), answer.magnitude());
        let same_sign = output.negative == answer.negative;
        let within = |bound: &Decimal| {
            if same_sign {
                let (large, small) = if s >= a { (&s, &a) } else { (&a, &s) };
                large.cmp_sum(small, bound).is_le()
            } else {
                bound.cmp_sum(&s, &a).is_ge()
            }
        };
        self.absolute.as_ref().is_some_and(|(_, bound)| within(bound))
            || (self.relative.as_ref()).is_some_and(|(_, factor)| within(&a.times(factor)))
    }
}

/// The distance of two numbers, and how far it may be wrong.
#[inline]
fn gap_and_slack(s: f64, a: f64) -> (f64, f64) {
    ((s - a).abs(), (s.abs() + a.abs()) * ROUNDING)
}

/// A token that was read as a number, with the part of its text that is available.
#[derive(Debug, Clone, Copy)]
pub(super) struct Read<'a> {
    pub(super) number: &'a NumberReader,
    /// The token's first bytes.
    pub(super) head: &'a [u8],
    /// The token's length.
    pub(super) length: u64,
}

impl<'a> Read<'a> {
    /// A token whose whole text is available.
    pub(super) fn whole(number: &'a NumberReader, head: &'a [u8]) -> Self {
        Self { number, head, length: head.len() as u64 }
    }

    /// The nearest double, for a short token whose text is complete.
    pub(super) fn short(&self) -> Option<f64> {
        if self.length > SHORT || self.head.len() as u64 != self.length {
            return None;
        }
        let value: f64 = std::str::from_utf8(self.head).ok()?.parse().ok()?;
        let underflowed = value == 0.0 && !self.number.digits.is_empty();
        (!underflowed).then_some(value)
    }
}
