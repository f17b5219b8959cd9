//! The ICPC folders of submissions, with the verdicts that each permits and requires.

use std::fmt;

use crate::verdict::Verdict;

/// A folder of submissions that states their verdicts. It also stands for what it states where no folder exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictFolder {
    /// `accepted`
    Accepted,
    /// `slow_accepted`
    SlowAccepted,
    /// `wrong_answer`
    WrongAnswer,
    /// `time_limit_exceeded`
    TimeLimit,
    /// `run_time_error`
    RunTimeError,
    /// `memory_limit_exceeded`
    MemoryLimit,
    /// `output_limit_exceeded`
    OutputLimit,
    /// `compile_error`
    CompileError,
    /// `brute_force`
    BruteForce,
    /// `rejected`
    Rejected,
    /// `partially_accepted`
    PartiallyAccepted,
}

impl VerdictFolder {
    /// Every folder, in the order of messages.
    pub const ALL: [Self; 11] = [
        Self::Accepted,
        Self::SlowAccepted,
        Self::WrongAnswer,
        Self::TimeLimit,
        Self::RunTimeError,
        Self::MemoryLimit,
        Self::OutputLimit,
        Self::CompileError,
        Self::BruteForce,
        Self::Rejected,
        Self::PartiallyAccepted,
    ];

    /// The name, and the verdicts that it permits and requires.
    const fn row(self) -> (&'static str, &'static [Verdict], &'static [Verdict]) {
        use Verdict::{
            Accepted as AC, CompileError as CE, MemoryLimit as MLE, OutputLimit as OLE,
            RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA,
        };
        match self {
            Self::Accepted => ("accepted", &[AC], &[AC]),
            Self::SlowAccepted => ("slow_accepted", &[AC, TLE], &[AC, TLE]),
            Self::WrongAnswer => ("wrong_answer", &[AC, WA], &[WA]),
            Self::TimeLimit => ("time_limit_exceeded", &[AC, TLE], &[TLE]),
            Self::RunTimeError => ("run_time_error", &[AC, RTE, MLE, OLE], &[RTE, MLE, OLE]),
            Self::MemoryLimit => ("memory_limit_exceeded", &[AC, MLE], &[MLE]),
            Self::OutputLimit => ("output_limit_exceeded", &[AC, OLE], &[OLE]),
            Self::CompileError => ("compile_error", &[CE], &[CE]),
            Self::BruteForce => ("brute_force", &[AC, RTE, MLE, OLE, TLE], &[RTE, MLE, OLE, TLE]),
            Self::Rejected => {
                ("rejected", &[AC, WA, RTE, MLE, OLE, TLE, CE], &[WA, RTE, MLE, OLE, TLE, CE])
            }
            Self::PartiallyAccepted => {
                ("partially_accepted", &[AC, WA, RTE, MLE, OLE, TLE], &[WA, RTE, MLE, OLE, TLE])
            }
        }
    }

    /// The name in the package format.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The verdicts that each case may get.
    #[must_use]
    pub const fn permitted(self) -> &'static [Verdict] {
        self.row().1
    }

    /// The verdicts of which some case must get one. The first of several is the one that gives the folder its name.
    #[must_use]
    pub const fn required(self) -> &'static [Verdict] {
        self.row().2
    }

    /// The folder with this name in the package format.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|folder| folder.name() == name)
    }
}

impl fmt::Display for VerdictFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
