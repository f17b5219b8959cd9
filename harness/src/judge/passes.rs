//! The passes of one case: what each came to, whether there is another one, and what they come to together.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::case::Run;
use super::play::Record;
use super::transcript::Transcript;
use crate::attempts::Attempt;
use crate::checker::{CheckOutcome, Checked, Feedback};
use crate::sandbox::{Execution, Usage};
use crate::verdict::{self, Verdict};

/// How many lines of a talk explain a failure.
const LINES: usize = 20;

/// One pass over.
pub(super) struct Pass {
    pub(super) execution: Execution,
    pub(super) verdict: Verdict,
    reason: Option<String>,
    /// What the checker or the interactor said, if it had the word.
    said: Option<Checked>,
    pub(super) transcript: Option<Transcript>,
    /// What it says about time.
    attempt: Attempt,
}

impl Pass {
    /// With what was said in it.
    pub(super) fn with(self, transcript: Option<Transcript>) -> Self {
        Self { transcript, ..self }
    }

    /// With what it says about time.
    pub(super) fn timed(self, attempt: Attempt) -> Self {
        Self { attempt, ..self }
    }

    /// Settled by what the submission did.
    pub(super) fn settled(execution: Execution, verdict: Verdict, evidence: String) -> Self {
        Self {
            execution,
            verdict,
            reason: Some(evidence),
            said: None,
            transcript: None,
            attempt: Attempt::default(),
        }
    }

    /// Settled by what the checker or the interactor said.
    pub(super) fn said(execution: Execution, said: Checked) -> Self {
        Self {
            execution,
            verdict: verdict::of_check(&said.outcome),
            reason: reason(&said),
            said: Some(said),
            transcript: None,
            attempt: Attempt::default(),
        }
    }

    /// The input of the next pass, if there is one. The validator may ask for one only when it accepts, and not
    /// more often than the problem allows.
    pub(super) fn next_input(
        &mut self,
        feedback: &mut Feedback,
        number: u32,
        most: u32,
    ) -> Option<PathBuf> {
        let said = self.said.as_ref()?;
        if matches!(said.outcome, CheckOutcome::Fault(_)) || !feedback.asks_for_a_pass() {
            return None;
        }
        let fault = if said.outcome != CheckOutcome::Accepted {
            "the output validator asks for another pass, but rejects this one".to_owned()
        } else if number >= most {
            format!("the output validator asks for more than {most} passes")
        } else {
            match feedback.take_next_input() {
                Ok(input) => return Some(input),
                Err(why) => format!("the output validator's next pass: {why}"),
            }
        };
        self.verdict = Verdict::JudgeError;
        self.reason = Some(fault);
        None
    }
}

/// What explains the checker's verdict, in one paragraph.
fn reason(checked: &Checked) -> Option<String> {
    match &checked.outcome {
        CheckOutcome::Accepted => None,
        CheckOutcome::Wrong(mismatch) => Some(mismatch.headline.clone()),
        CheckOutcome::Unchecked => Some(String::from("no answer to compare with")),
        CheckOutcome::Fault(words) => Some(words.clone()),
    }
}

/// What the passes used: the time is that of the slowest one.
#[derive(Default)]
pub(super) struct Sum {
    usage: Usage,
    transcript: Option<String>,
    attempt: Attempt,
}

impl Sum {
    pub(super) fn add(&mut self, pass: &mut Pass, number: u32, record: Record) {
        let used = pass.execution.usage;
        let peak = used.peak_memory.max(self.usage.peak_memory);
        if number == 1 || used.cpu() > self.usage.cpu() {
            self.usage = used;
        }
        self.usage.peak_memory = peak;
        self.attempt.join(&pass.attempt);
        let Some(talk) = pass.transcript.take() else {
            return;
        };
        match record {
            // Of the last pass only.
            Record::Nothing | Record::End => self.transcript = Some(talk.last(LINES)),
            Record::Everything => {
                let text = self.transcript.get_or_insert_default();
                if number > 1 {
                    // Writing to a `String` cannot fail.
                    let _ = writeln!(text, "pass {number}");
                }
                text.push_str(&talk.whole());
            }
        }
    }

    /// The case's result: that of its last pass.
    pub(super) fn settle(self, pass: Pass, number: u32) -> Run {
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
            checked: pass.said.map(|said| (said, pass.execution.stdout)),
        }
    }
}
