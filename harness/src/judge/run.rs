//! One run of a submission on a case: what runs, how, and its result.

use crate::attempts::Attempt;
use crate::checker::Checked;
use crate::event::{Disturbance, Nearness};
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, Exit, Limits, Usage};
use crate::submission::Submission;
use crate::verdict::Verdict;

use super::build::ReadySubmission;

/// A submission and the case on which it is judged.
pub(super) struct Subject<'a> {
    pub(super) submission: &'a Submission,
    pub(super) problem: &'a Problem,
    pub(super) ready: &'a ReadySubmission,
    pub(super) case: &'a TestCase,
    /// The index of the submission, and that of the case.
    pub(super) number: usize,
    pub(super) index: usize,
}

/// The circumstances of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances {
    /// The submission's limits.
    pub(super) limits: Limits,
    /// The number of our other workers, which may run something in parallel; `None` for a run alone.
    pub(super) workers: Option<u32>,
    /// The part of the transcript that is recorded.
    pub(super) record: TranscriptScope,
}

/// The part of a transcript that is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TranscriptScope {
    Nothing,
    /// The last lines.
    End,
    Everything,
}

/// One run of one case.
pub(super) struct Run {
    pub(super) verdict: Verdict,
    pub(super) reason: Option<String>,
    pub(super) exit: Option<Exit>,
    pub(super) usage: Usage,
    pub(super) diff: Option<String>,
    pub(super) stderr: Vec<u8>,
    pub(super) nearness: Option<Nearness>,
    pub(super) disturbance: Option<Disturbance>,
    /// Whether its CPU time and load allow a decision: see [`attempts`](crate::attempts).
    pub(super) attempt: Attempt,
    /// The messages between interactor and submission, rendered.
    pub(super) transcript: Option<String>,
    /// Indices of the expectation's rules whose message the checker printed.
    pub(super) messages: Vec<usize>,
    /// The result of the checker, if it decided, and the output that it checked.
    pub(super) checked: Option<(Checked, Captured)>,
    pub(super) score: Option<f64>,
}

impl Run {
    pub(super) fn fault(reason: String) -> Self {
        Self {
            verdict: Verdict::JudgeError,
            reason: Some(reason),
            exit: None,
            usage: Usage::default(),
            diff: None,
            stderr: Vec::new(),
            nearness: None,
            disturbance: None,
            attempt: Attempt::default(),
            transcript: None,
            messages: Vec::new(),
            checked: None,
            score: None,
        }
    }
}
