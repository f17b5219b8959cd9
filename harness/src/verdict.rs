//! The verdict on one case, and the one pure function that sets which fact wins.
//!
//! Last in the flow before the report: it sees what the sandbox observed and what the checker said,
//! and touches neither.

use std::fmt;

use crate::checker::CheckOutcome;
use crate::sandbox::{Execution, Exit, LimitKind};

/// The judge's word on a case, or on a submission over its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// AC: accepted.
    Accepted,
    /// Run only: there is no answer to compare with, so nobody can say that it is right.
    Ran,
    /// WA: wrong answer.
    WrongAnswer,
    /// RTE: ended by a signal or with a non-zero exit code.
    RunTimeError,
    /// OLE: wrote more than the output limit.
    OutputLimit,
    /// TLE: over the CPU or wall limit.
    TimeLimit,
    /// MLE: over the memory limit.
    MemoryLimit,
    /// CE: did not compile.
    CompileError,
    /// JE: the judge could not judge (its sandbox, a checker, a missing answer).
    JudgeError,
    /// Not run: an earlier case settled it, or the run was interrupted.
    Skipped,
}

impl Verdict {
    /// Every verdict, in the order of [`Verdict::Accepted`] to [`Verdict::Skipped`].
    pub const ALL: [Self; 10] = [
        Self::Accepted,
        Self::Ran,
        Self::WrongAnswer,
        Self::RunTimeError,
        Self::OutputLimit,
        Self::TimeLimit,
        Self::MemoryLimit,
        Self::CompileError,
        Self::JudgeError,
        Self::Skipped,
    ];

    /// The field's abbreviation: `AC`, `WA`, …
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Ran => "RAN",
            Self::WrongAnswer => "WA",
            Self::RunTimeError => "RTE",
            Self::OutputLimit => "OLE",
            Self::TimeLimit => "TLE",
            Self::MemoryLimit => "MLE",
            Self::CompileError => "CE",
            Self::JudgeError => "JE",
            Self::Skipped => "SKIP",
        }
    }

    /// In words: `wrong answer`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Ran => "run only",
            Self::WrongAnswer => "wrong answer",
            Self::RunTimeError => "run-time error",
            Self::OutputLimit => "output limit exceeded",
            Self::TimeLimit => "time limit exceeded",
            Self::MemoryLimit => "memory limit exceeded",
            Self::CompileError => "compile error",
            Self::JudgeError => "judge error",
            Self::Skipped => "skipped",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// What precedes the checker: the verdict that the execution alone settles, if it does.
///
/// The order is MLE, TLE, OLE, RTE; a program that passes all of them is for the checker.
#[must_use]
pub fn before_checking(execution: &Execution) -> Option<Verdict> {
    match execution.exit {
        Exit::Killed(LimitKind::Memory) => Some(Verdict::MemoryLimit),
        Exit::Killed(LimitKind::Cpu | LimitKind::Wall) => Some(Verdict::TimeLimit),
        Exit::Killed(LimitKind::Output) => Some(Verdict::OutputLimit),
        Exit::Killed(LimitKind::Processes) | Exit::Signal(_) => Some(Verdict::RunTimeError),
        Exit::Code(0) => None,
        Exit::Code(_) => Some(Verdict::RunTimeError),
    }
}

/// The verdict on a case whose program ended by itself with exit code 0.
#[must_use]
pub fn after_checking(outcome: &CheckOutcome) -> Verdict {
    match outcome {
        CheckOutcome::Accepted => Verdict::Accepted,
        CheckOutcome::Wrong(_) => Verdict::WrongAnswer,
        CheckOutcome::Unchecked => Verdict::Ran,
        CheckOutcome::Fault(_) => Verdict::JudgeError,
    }
}
