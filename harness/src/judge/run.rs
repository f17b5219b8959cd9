//! One run of a submission on a case: what runs, how, and its result.

use std::fmt::Write as _;

use crate::attempts::Attempt;
use crate::checker::Checked;
use crate::decide::{self, Judgement};
use crate::event::{DifferenceOffsets, Disturbance, Nearness, ShownText, ShownTranscript};
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Execution, Limits, Usage};
use crate::submission::Submission;
use crate::verdict::Verdict;

use super::build::ReadySubmission;
use super::exception;

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

impl Subject<'_> {
    /// The limits of the runs.
    pub(super) fn limits(&self) -> &Limits {
        self.ready.limits.on(self.case)
    }

    /// Whether the output is one text that is compared with the answer, and no dialogue.
    pub(super) fn is_one_text(&self) -> bool {
        !self.ready.interactive && !self.ready.multi_pass
    }
}

/// The circumstances of a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances {
    /// The limits of the run.
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

/// One run of a submission on a case: a pass, or all passes so far.
pub(super) struct Run {
    pub(super) judgement: Judgement,
    /// The execution of the last pass, with the usage of the slowest one; `None` if nothing was run.
    pub(super) execution: Option<Execution>,
    /// The result of the checker or the interactor, if it decided.
    pub(super) checked: Option<Checked>,
    /// Whether its CPU time and load allow a decision: see [`attempts`](crate::attempts).
    pub(super) attempt: Attempt,
    pub(super) nearness: Option<Nearness>,
    pub(super) disturbance: Option<Disturbance>,
    /// The messages between interactor and submission.
    pub(super) transcript: Option<ShownTranscript>,
    pub(super) score: Option<f64>,
    /// The difference between output and answer, rendered.
    pub(super) diff: Option<String>,
    /// Where they differ first.
    pub(super) difference: Option<DifferenceOffsets>,
    /// The output as it is shown, if users need to see it.
    pub(super) output: Option<ShownText>,
    /// Indices of the expectation's rules whose message the checker printed.
    pub(super) messages: Vec<usize>,
}

impl Run {
    /// A case for which no program was run.
    pub(super) fn without_execution(judgement: Judgement) -> Self {
        Self {
            judgement,
            execution: None,
            checked: None,
            attempt: Attempt::default(),
            nearness: None,
            disturbance: None,
            transcript: None,
            score: None,
            diff: None,
            difference: None,
            output: None,
            messages: Vec::new(),
        }
    }

    /// A run of a program in a language, given by its id, whose verdict follows from the execution alone.
    pub(super) fn without_check(
        execution: Execution,
        (verdict, mut evidence): (Verdict, String),
        language: &str,
    ) -> Self {
        let cause = match verdict {
            Verdict::RunTimeError => exception::of_run(language, &execution),
            Verdict::OutputLimit => exception::of_traceback(language, &execution),
            _ => None,
        };
        if let Some(cause) = cause {
            let _ = write!(evidence, ": {cause}");
        }
        Self {
            execution: Some(execution),
            ..Self::without_execution(Judgement::new(verdict, evidence))
        }
    }

    /// A run whose verdict follows from the result of the checker or the interactor.
    pub(super) fn checked(execution: Execution, checked: Checked) -> Self {
        let judgement = decide::of_check(&checked.outcome);
        Self {
            execution: Some(execution),
            checked: Some(checked),
            ..Self::without_execution(judgement)
        }
    }

    /// The verdict so far.
    pub(super) fn verdict(&self) -> Verdict {
        self.judgement.verdict
    }

    /// The resources that it used.
    pub(super) fn usage(&self) -> Usage {
        let execution = self.execution.as_ref();
        execution.map(|execution| execution.usage).unwrap_or_default()
    }
}
