//! Reads the input of a test case from its start to its end.

use super::value::MOST_DIGITS;

/// Why the input does not continue as wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum ScanError {
    #[error("the input ends")]
    End,
    #[error("expected a digit")]
    Digit,
    #[error("the number has more than {MOST_DIGITS} characters")]
    TooLong,
    #[error("the number starts with a zero")]
    LeadingZero,
    #[error("the exponent starts with a zero")]
    ExponentZero,
    #[error("`-` must be before a number that is not 0")]
    Minus,
    #[error("expected an exponent")]
    Exponent,
    #[error("expected exactly one digit, not 0, before the decimal point")]
    Scientific,
}

/// A number in floating-point notation.
pub(super) struct ScannedFloat {
    pub(super) text: String,
    pub(super) decimals: usize,
}

pub(super) struct Scanner<'a> {
    input: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(input: &'a [u8]) -> Self {
        Self { input, at: 0 }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.input.get(self.at).copied()
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.input[self.at..]
    }

    /// Takes a byte if it is this one.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> usize {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        self.at - start
    }

    /// The number that starts at `start`.
    fn number_from(&self, start: usize) -> Result<String, ScanError> {
        let number = &self.input[start..self.at];
        if number.len() > MOST_DIGITS {
            return Err(ScanError::TooLong);
        }
        Ok(String::from_utf8_lossy(number).into_owned())
    }

    /// An integer without leading zeros.
    pub(super) fn integer(&mut self) -> Result<String, ScanError> {
        let start = self.at;
        let is_negative = self.take(b'-');
        let first = self.peek();
        match (self.digits(), first) {
            (0, None) => Err(ScanError::End),
            (0, _) => Err(ScanError::Digit),
            (_, Some(b'0')) if is_negative => Err(ScanError::Minus),
            (2.., Some(b'0')) => Err(ScanError::LeadingZero),
            _ => self.number_from(start),
        }
    }

    /// A number without leading zeros. `wants_exponent`: whether it must have one, or must not; `None`: it may.
    /// `is_normal`: an exponent follows exactly one digit before the point, which is not 0.
    pub(super) fn float(
        &mut self,
        wants_exponent: Option<bool>,
        is_normal: bool,
    ) -> Result<ScannedFloat, ScanError> {
        let start = self.at;
        self.take(b'-');
        let first = self.peek();
        let whole = self.digits();
        if whole == 0 {
            return Err(if first.is_none() { ScanError::End } else { ScanError::Digit });
        }
        let has_point = self.take(b'.');
        let decimals = if has_point { self.digits() } else { 0 };
        if first == Some(b'0') && whole > 1 {
            return Err(ScanError::LeadingZero);
        }
        if has_point && decimals == 0 {
            return Err(ScanError::Digit);
        }
        let is_there = matches!(self.peek(), Some(b'e' | b'E'));
        if wants_exponent == Some(true) && !is_there {
            return Err(ScanError::Exponent);
        }
        if is_there && wants_exponent != Some(false) {
            self.exponent()?;
            if is_normal && (first == Some(b'0') || whole != 1 || !has_point) {
                return Err(ScanError::Scientific);
            }
        }
        Ok(ScannedFloat { text: self.number_from(start)?, decimals })
    }

    fn exponent(&mut self) -> Result<(), ScanError> {
        self.at += 1;
        if !self.take(b'-') {
            self.take(b'+');
        }
        let first = self.peek();
        match self.digits() {
            0 => Err(ScanError::Digit),
            2.. if first == Some(b'0') => Err(ScanError::ExponentZero),
            _ => Ok(()),
        }
    }

    /// The line and the column of a place, counted from 1.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let before = &self.input[..at.min(self.input.len())];
        let line = memchr::memchr_iter(b'\n', before).count() + 1;
        let start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
        (line, before.len() - start + 1)
    }
}
