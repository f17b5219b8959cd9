//! The score of one case, and the faults of programs that give it.

use crate::notice::{Code, Notice};

/// The score of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct CaseScore {
    /// The points, if the problem gives scores.
    pub(crate) points: Option<f64>,
    /// Whether an output that is accepted in part is wrong.
    pub(crate) part_is_wrong: bool,
}

impl CaseScore {
    pub(super) fn of(points: Option<f64>) -> Self {
        Self { points, part_is_wrong: false }
    }
}

/// A fault of the validator.
pub(super) fn fault(message: impl Into<String>) -> Notice {
    Code::FailingProgram.says(message)
}

/// The only number in a file, in decimal notation.
pub(super) fn number(file: &str, text: &[u8]) -> Result<f64, Notice> {
    let broken = || {
        let shown = crate::printable::one_line(text.trim_ascii(), 40);
        fault(format!("{file} does not contain a number: `{shown}`"))
    };
    let word = std::str::from_utf8(text).map_err(|_| broken())?.trim();
    let digits = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    if !word.bytes().all(digits) {
        return Err(broken());
    }
    let number: f64 = word.parse().map_err(|_| broken())?;
    if number.is_finite() { Ok(number) } else { Err(broken()) }
}
