//! The results of programs on an input, and which of them are failures.

use std::time::Duration;

use super::programs::StressPrograms;
use crate::sandbox::{Captured, Exit};
use crate::verdict::Verdict;

/// The kind of a failure. Shrinking keeps it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FailureKind {
    /// The index of the program that fails.
    pub(crate) contestant: usize,
    pub(crate) verdict: Verdict,
    /// How it ended, if that is the failure.
    pub(super) exit: Option<Exit>,
}

/// The result of a program in a trial.
#[derive(Debug)]
pub(crate) struct Performance {
    pub(crate) verdict: Verdict,
    pub(crate) reason: Option<String>,
    pub(super) exit: Option<Exit>,
    pub(super) cpu: Duration,
    pub(crate) output: Captured,
    /// The last bytes of standard error.
    pub(crate) messages: Vec<u8>,
    /// The lines around the first difference.
    pub(crate) difference: Option<String>,
    /// The last messages between the program and the interactor.
    pub(crate) transcript: Option<String>,
}

impl Performance {
    pub(crate) fn is_accepted(&self) -> bool {
        self.verdict == Verdict::Accepted
    }

    pub(super) fn is_over_a_limit(&self) -> bool {
        matches!(self.verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit)
    }

    /// Whether it printed an output that a checker can read.
    pub(super) fn has_output(&self) -> bool {
        matches!(self.verdict, Verdict::Accepted | Verdict::Ran | Verdict::WrongAnswer)
    }

    pub(super) fn fails(&self) -> bool {
        !matches!(self.verdict, Verdict::Accepted | Verdict::Ran)
    }
}

/// Whether a reference has an answer.
pub(super) fn is_answered(programs: &StressPrograms, results: &[Option<Performance>]) -> bool {
    let mut all = results.iter().enumerate();
    all.any(|(index, one)| {
        programs.is_reference(index) && one.as_ref().is_some_and(Performance::is_accepted)
    })
}

/// The failures among these results that count.
pub(super) fn failures(
    programs: &StressPrograms,
    results: &[Option<Performance>],
) -> Vec<FailureKind> {
    let all = results.iter().enumerate();
    let failures = all.filter_map(|(contestant, one)| {
        let one = one.as_ref().filter(|one| one.fails())?;
        let source = &programs.contestants[contestant].source;
        if source.may_be_slow && one.is_over_a_limit() {
            return None;
        }
        Some(FailureKind {
            contestant,
            verdict: one.verdict,
            exit: one.exit.filter(|_| one.verdict == Verdict::RunTimeError),
        })
    });
    failures.collect()
}
