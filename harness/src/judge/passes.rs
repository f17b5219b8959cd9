//! The passes of one case: the result of each, whether another one follows, and the result of all together.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::run::{Run, TranscriptScope};
use super::transcript::Transcript;
use crate::attempts::Attempt;
use crate::checker::{CheckOutcome, Checked, Feedback};
use crate::decide;
use crate::sandbox::{Execution, Usage};
use crate::verdict::Verdict;

/// The number of transcript lines that are shown for a failure.
const LINES: usize = 20;

/// A finished pass.
pub(super) struct Pass {
    pub(super) execution: Execution,
    pub(super) verdict: Verdict,
    reason: Option<String>,
    /// The result of the checker or the interactor, if it decided.
    checked: Option<Checked>,
    pub(super) transcript: Option<Transcript>,
    /// Whether its CPU time and load allow a decision: see [`attempts`](crate::attempts).
    attempt: Attempt,
}

impl Pass {
    /// The pass with its transcript.
    pub(super) fn with(self, transcript: Option<Transcript>) -> Self {
        Self { transcript, ..self }
    }

    /// The pass with the facts about its time.
    pub(super) fn timed(self, attempt: Attempt) -> Self {
        Self { attempt, ..self }
    }

    /// A pass whose verdict follows from the execution alone.
    pub(super) fn without_check(execution: Execution, verdict: Verdict, evidence: String) -> Self {
        Self {
            execution,
            verdict,
            reason: Some(evidence),
            checked: None,
            transcript: None,
            attempt: Attempt::default(),
        }
    }

    /// A pass whose verdict follows from the result of the checker or the interactor.
    pub(super) fn checked(execution: Execution, checked: Checked) -> Self {
        Self {
            execution,
            verdict: decide::of_check(&checked.outcome),
            reason: reason(&checked),
            checked: Some(checked),
            transcript: None,
            attempt: Attempt::default(),
        }
    }

    /// The input of the next pass, if there is one. The validator may request another pass only if it accepts this one,
    /// and only up to the problem's maximum.
    pub(super) fn next_input(
        &mut self,
        feedback: &mut Feedback,
        number: u32,
        most: u32,
    ) -> Option<PathBuf> {
        let checked = self.checked.as_ref()?;
        if matches!(checked.outcome, CheckOutcome::Fault(_)) || !feedback.asks_for_a_pass() {
            return None;
        }
        let fault = if checked.outcome != CheckOutcome::Accepted {
            "the output validator requests another pass but rejects this one".to_owned()
        } else if number >= most {
            format!("the output validator requests more than {most} passes")
        } else {
            match feedback.take_next_input() {
                Ok(input) => return Some(input),
                Err(why) => format!("the output validator requests an invalid next pass: {why}"),
            }
        };
        self.verdict = Verdict::JudgeError;
        self.reason = Some(fault);
        None
    }
}

/// The reason of the checker's verdict, in one paragraph.
fn reason(checked: &Checked) -> Option<String> {
    match &checked.outcome {
        CheckOutcome::Accepted => None,
        CheckOutcome::Wrong(mismatch) => Some(mismatch.headline.clone()),
        CheckOutcome::Unchecked => Some(String::from("no answer to compare with")),
        CheckOutcome::Fault(words) => Some(words.clone()),
    }
}

/// The sum of the passes so far. The time is that of the slowest pass.
#[derive(Default)]
pub(super) struct PassTotals {
    usage: Usage,
    transcript: Option<String>,
    attempt: Attempt,
}

impl PassTotals {
    pub(super) fn add(&mut self, pass: &mut Pass, number: u32, record: TranscriptScope) {
        let used = pass.execution.usage;
        let peak = used.peak_memory.max(self.usage.peak_memory);
        if number == 1 || used.cpu() > self.usage.cpu() {
            self.usage = used;
        }
        self.usage.peak_memory = peak;
        self.attempt.join(&pass.attempt);
        let Some(transcript) = pass.transcript.take() else {
            return;
        };
        match record {
            // Of the last pass only: a later pass replaces it.
            TranscriptScope::Nothing | TranscriptScope::End => {
                self.transcript = Some(transcript.last(LINES))
            }
            TranscriptScope::Everything => {
                let text = self.transcript.get_or_insert_default();
                if number > 1 {
                    // Writing to a `String` cannot fail.
                    let _ = writeln!(text, "pass {number}");
                }
                text.push_str(&transcript.whole());
            }
        }
    }

    /// The result of the case, which is that of its last pass.
    pub(super) fn into_run(self, pass: Pass, number: u32) -> Run {
        let reason = match pass.reason {
            Some(why) if number > 1 => Some(format!("pass {number}: {why}")),
            reason => reason,
        };
        Run {
            verdict: pass.verdict,
            reason,
            exit: Some(pass.execution.exit),
            usage: self.usage,
            diff: None,
            stderr: pass.execution.stderr_tail,
            nearness: None,
            disturbance: None,
            attempt: self.attempt,
            transcript: self.transcript,
            messages: Vec::new(),
            score: None,
            checked: pass.checked.map(|checked| (checked, pass.execution.stdout)),
        }
    }
}
