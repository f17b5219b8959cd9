//! The verdicts, as data. The module `decide` derives them from the facts.

use std::fmt;

/// The decision of the judge on a case, or on a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// AC: accepted.
    Accepted,
    /// RAN: run only, because there is no answer to compare with.
    Ran,
    /// WA: wrong answer.
    WrongAnswer,
    /// RTE: killed by a signal, or ended with a non-zero exit code.
    RunTimeError,
    /// OLE: wrote more than the output limit.
    OutputLimit,
    /// TLE: exceeded the CPU or wall time limit.
    TimeLimit,
    /// MLE: exceeded the memory limit.
    MemoryLimit,
    /// CE: did not compile.
    CompileError,
    /// JE: the judge could not judge (its sandbox, a checker, a missing answer).
    JudgeError,
    /// SKIP: not run, because an earlier case made it unnecessary or the run was interrupted.
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

    /// The usual abbreviation: `AC`, `WA`, …
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
