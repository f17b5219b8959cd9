//! Runs in a row, of which the next is asked for while one goes on: then the launcher begins it without waiting for us.

use super::super::processors::Processors;
use super::super::protocol::Request;
use super::{Requested, Runner, Streams};
use crate::error::SandboxError;
use crate::execution::Execution;
use crate::job::Turn;

impl Runner {
    /// Runs `now` to its end; `next` begins as soon as that is over, without waiting for the caller, who is to ask for it
    /// in the next call and say that it has `begun`. If another is run then, what has begun is killed first.
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
                // What fails here fails again when its turn comes, and is told then.
                let streams = Self::reading(next);
                runner.ahead = streams
                    .and_then(|streams| runner.ask(next.job, streams))
                    .ok();
            }
            let followed = runner.follow(now.job, begun);
            // To wake us the launcher may have kept us to its own.
            if let Some(processors) = processors {
                processors.roam();
            }
            followed
        });
        match first {
            Err(SandboxError::Launcher(_)) => self.run_streams(now.job, Self::reading(now)?),
            other => other,
        }
    }

    /// Ends a run that nobody wants any more.
    pub(super) fn abandon(&mut self, begun: Option<Requested>) -> Result<(), SandboxError> {
        let Some(Requested { number, drain, .. }) = begun else {
            return Ok(());
        };
        drop(drain);
        self.send(&Request::Kill(number), &[])?;
        self.receive().map(drop)
    }

    /// The streams of a program that reads a copy of a file.
    fn reading(turn: Turn<'_>) -> Result<Streams, SandboxError> {
        Ok(Streams {
            stdin: turn.copy()?,
            stdout: None,
            peer: None,
        })
    }
}
