//! Requests the next run while one goes on, so that the launcher starts it without waiting for the judge.

use super::super::processors::Processors;
use super::super::protocol::JudgeRequest;
use super::{ProgramStreams, Requested, Runner};
use crate::error::SandboxError;
use crate::execution::Execution;
use crate::job::Turn;

impl Runner {
    /// Runs `now` to its end. `next` starts as soon as `now` ends, without waiting for the caller. The caller passes it as
    /// `now` in the next call, with `begun` set. If the next call runs something else, the started run is killed first.
    pub fn run_ahead(
        &mut self,
        now: Turn<'_>,
        begun: bool,
        next: Option<Turn<'_>>,
    ) -> Result<Execution, SandboxError> {
        let first = self.with_launcher(|runner| {
            let begun = match runner.ahead.take() {
                Some(ahead) if begun => ahead,
                other => {
                    runner.abandon(other)?;
                    let streams = Self::reading(now)?;
                    runner.ask(now.job, streams)?
                }
            };
            let processors = next.map(|_| Processors::of_ours());
            if let Some(next) = next {
                // If this fails, it fails again in the next call, which reports it.
                let streams = Self::reading(next);
                runner.ahead = streams
                    .and_then(|streams| runner.ask(next.job, streams))
                    .ok();
            }
            let followed = runner.follow(now.job, begun);
            // To wake this thread, the launcher may have restricted it to the launcher's processors.
            if let Some(mut processors) = processors {
                processors.roam();
            }
            followed
        });
        match first {
            Err(SandboxError::Launcher(_)) => self.run_streams(now.job, Self::reading(now)?),
            other => other,
        }
    }

    /// Ends a run that was requested in advance and is not needed.
    pub(super) fn abandon(&mut self, begun: Option<Requested>) -> Result<(), SandboxError> {
        let Some(Requested {
            number,
            drain,
            _busy,
            ..
        }) = begun
        else {
            return Ok(());
        };
        drop(drain);
        self.send(&JudgeRequest::Kill(number), &[])?;
        self.receive().map(drop)
    }

    /// The streams of a program that reads a copy of a file.
    fn reading(turn: Turn<'_>) -> Result<ProgramStreams, SandboxError> {
        Ok(ProgramStreams::captured(turn.copy()?))
    }
}
