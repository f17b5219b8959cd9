//! Requests a run in advance, so that the launcher starts it without waiting for the judge: behind the run that goes on,
//! or while the judge follows the run of another runner.

use super::super::processors::Processors;
use super::super::protocol::JudgeRequest;
use super::super::quota;
use super::at_once::runners_at_work;
use super::{ProgramStreams, Requested, Runner};
use crate::error::{SandboxError, io_error};
use crate::execution::Execution;
use crate::input::Input;
use crate::job::{Job, Turn};

/// The maximum size, in bytes, of an input that is copied while another program runs, because that must be quick.
const MOST_AHEAD: u64 = 1 << 20;

impl Runner {
    /// Whether [`Runner::run_ahead`] starts its `next` now: not if the programs use up a quota of CPU time.
    #[must_use]
    pub fn runs_ahead() -> bool {
        // Before a run, this runner is not at work yet.
        !quota::is_used_up(quota::known(), runners_at_work().max(1))
    }

    /// Runs `now` to its end. `next` starts as soon as `now` ends, without waiting for the caller. The caller passes it as
    /// `now` in the next call, with `begun` set. If the next call runs something else, the started run is killed first. An input
    /// that takes long to copy makes `next` wait for its turn, and so does a quota of CPU time that the programs use up.
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
                    let streams = Self::reading(now, u64::MAX)?;
                    runner.ask(now.job, streams)?
                }
            };
            let next = next.filter(|_| Self::runs_ahead());
            let processors = next.map(|_| Processors::of_ours());
            if let Some(next) = next {
                // If this fails, it fails again in the next call, which reports it.
                let streams = Self::reading(next, MOST_AHEAD);
                runner.ahead = streams.and_then(|streams| runner.ask(next.job, streams)).ok();
            }
            let followed = runner.follow(now.job, begun);
            // To wake this thread, the launcher may have restricted it to the launcher's processors.
            if let Some(mut processors) = processors {
                processors.roam();
            }
            followed
        });
        let followed = match first {
            Err(SandboxError::Launcher(_)) => {
                self.run_streams(now.job, Self::reading(now, u64::MAX)?)
            }
            other => other,
        };
        self.settle(now.job, followed?, || now.copy(u64::MAX))
    }

    /// Requests a run of `job`, which starts at once, and returns without waiting for it. The caller follows it with
    /// [`Runner::run_requested`]. If anything else runs here first, the requested run is killed, and so it is by
    /// [`Runner::withdraw`]. Until the caller follows it, nobody reads standard error, so a program that writes more to it
    /// than a pipe holds waits, and the time of waiting counts towards its wall time.
    pub fn request(&mut self, job: &Job, input: &Input) {
        // A pipe can be read only once.
        if matches!(input, Input::Pipe(_)) {
            return;
        }
        // If this fails, it fails again in the run itself, which reports it.
        let _ = self.with_launcher(|runner| {
            let earlier = runner.ahead.take();
            runner.abandon(earlier)?;
            let stdin = input.copy().map_err(io_error("cannot copy the input"))?;
            runner.ahead = Some(runner.ask(job, ProgramStreams::captured(stdin))?);
            Ok(())
        });
    }

    /// Runs `job` to its end. It has started already if the last call was [`Runner::request`] with the same job and input.
    pub fn run_requested(&mut self, job: &Job, input: Input) -> Result<Execution, SandboxError> {
        let followed = self.with_launcher(|runner| {
            let begun = runner.ahead.take();
            begun.map(|begun| runner.follow(job, begun)).transpose()
        });
        let stdin = || input.copy().map_err(io_error("cannot copy the input"));
        let followed = match followed {
            Ok(Some(followed)) => followed,
            Ok(None) => return self.run(job, input),
            // Once more: see `run_or_again`.
            Err(SandboxError::Launcher(_)) => {
                self.run_streams(job, ProgramStreams::captured(stdin()?))?
            }
            Err(error) => return Err(error),
        };
        self.settle(job, followed, stdin)
    }

    /// Kills the run that [`Runner::request`] started, if nobody has followed it.
    pub fn withdraw(&mut self) {
        if self.ahead.is_some() {
            // If this fails, the next run gets a new launcher.
            let _ = self.with_launcher(|runner| {
                let begun = runner.ahead.take();
                runner.abandon(begun)
            });
        }
    }

    /// Ends a run that was requested in advance and is not needed.
    pub(super) fn abandon(&mut self, begun: Option<Requested>) -> Result<(), SandboxError> {
        let Some(Requested { number, drain, _busy, .. }) = begun else {
            return Ok(());
        };
        drop(drain);
        self.wait_until_ready()?;
        self.send(&JudgeRequest::Kill(number), &[])?;
        self.receive().map(drop)
    }

    /// The streams of a program that reads a copy of a file, unless that is longer than this.
    fn reading(turn: Turn<'_>, most: u64) -> Result<ProgramStreams, SandboxError> {
        Ok(ProgramStreams::captured(turn.copy(most)?))
    }
}
