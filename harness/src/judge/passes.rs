//! The passes of one case: joins the results of a run so far with its next pass.

use super::run::{Run, TranscriptScope};
use super::transcript::Transcript;
use crate::attempts::Attempt;
use crate::event::ShownTranscript;
use crate::sandbox::Usage;

/// The number of transcript lines that are shown for a failure.
const LINES: usize = 20;

impl Run {
    /// This pass, which has this number, as the end of the run whose `earlier` passes were these. The time is that of
    /// the slowest pass, the peak memory is the highest, and the output is that of the last pass, as the report shows it.
    pub(super) fn after(
        mut self,
        earlier: Option<Self>,
        number: u32,
        scope: TranscriptScope,
    ) -> Self {
        if number > 1 {
            let reason = self.judgement.reason.take();
            self.judgement.reason = reason.map(|why| format!("pass {number}: {why}"));
        }
        let Some(earlier) = earlier else {
            let mut attempt = Attempt::default();
            attempt.join(&self.attempt);
            return Self { attempt, ..self };
        };
        let before = earlier.usage();
        if let Some(execution) = &mut self.execution {
            let peak_memory = execution.usage.peak_memory.max(before.peak_memory);
            let output = execution.usage.output;
            let slowest =
                if execution.usage.cpu() <= before.cpu() { before } else { execution.usage };
            execution.usage = Usage { peak_memory, output, ..slowest };
        }
        let mut attempt = earlier.attempt;
        attempt.join(&self.attempt);
        let transcript = match (scope, earlier.transcript, self.transcript) {
            (TranscriptScope::Everything, Some(before), Some(last)) => {
                Some(before.followed_by(last))
            }
            // Of the last pass only.
            (_, before, last) => last.or(before),
        };
        Self { attempt, transcript, ..self }
    }
}

/// The transcript of the pass with this number, as far as it is shown.
pub(super) fn shown(
    transcript: &Transcript,
    number: u32,
    scope: TranscriptScope,
) -> ShownTranscript {
    match scope {
        TranscriptScope::Nothing | TranscriptScope::End => transcript.last(LINES),
        TranscriptScope::Everything if number > 1 => {
            transcript.whole().after_note(format!("pass {number}"))
        }
        TranscriptScope::Everything => transcript.whole(),
    }
}
