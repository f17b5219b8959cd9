//! The exit status: the one place that turns a result into a number.

use std::process::ExitCode;

use crate::event::Summary;

/// The result of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandExit {
    /// Everything is as expected.
    Expected,
    /// A verdict is not as expected.
    Unexpected,
    /// Bad usage, a broken problem, a fault of the judge, a language that is not installed.
    Fault,
    /// Nothing was selected by the filters.
    NothingSelected,
    /// The measurements allow no answer.
    Inconclusive,
    /// There is nothing to compare with, or it was made under different conditions.
    NoBase,
    /// Interrupted by this signal.
    Interrupted(i32),
}

impl CommandExit {
    /// The exit of a run with this summary.
    pub(crate) fn of(summary: &Summary) -> Self {
        if summary.not_judged > 0 {
            Self::Fault
        } else if summary.unexpected > 0 {
            Self::Unexpected
        } else {
            Self::Expected
        }
    }

    /// The exit status as a number.
    pub(crate) fn code(self) -> u8 {
        match self {
            Self::Expected => 0,
            Self::Unexpected => 1,
            Self::Fault => 2,
            Self::Inconclusive => 3,
            Self::NothingSelected | Self::NoBase => 4,
            Self::Interrupted(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        }
    }

    /// The worse of the exits of two steps.
    pub(crate) fn worse(self, other: Self) -> Self {
        match (self, other) {
            (Self::Expected, other) => other,
            (Self::Unexpected, Self::Fault) => other,
            _ => self,
        }
    }

    /// A fault if `fault`, unless this exit is more important.
    pub(crate) fn or_fault(self, fault: bool) -> Self {
        if fault && matches!(self, Self::Expected | Self::Unexpected) { Self::Fault } else { self }
    }
}

impl From<CommandExit> for ExitCode {
    fn from(exit: CommandExit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_outweighs_an_unexpected_verdict_and_a_signal_outweighs_both() {
        let table = [
            (Summary::default(), 0),
            (Summary { met: 3, ..Summary::default() }, 0),
            (Summary { unexpected: 1, ..Summary::default() }, 1),
            (Summary { unexpected: 1, not_judged: 1, ..Summary::default() }, 2),
        ];
        for (summary, code) in table {
            assert_eq!(CommandExit::of(&summary).code(), code);
        }
        assert_eq!(CommandExit::Interrupted(2).or_fault(true).code(), 130);
        assert_eq!(CommandExit::Interrupted(15).code(), 143);
        assert_eq!(CommandExit::Unexpected.or_fault(true).code(), 2);
    }
}
