//! Runs that are requested in advance start in their turn: this back end runs one program at a time.

use super::Runner;
use crate::error::SandboxError;
use crate::execution::Execution;
use crate::input::Input;
use crate::job::{Job, Turn};

impl Runner {
    /// Whether [`Runner::run_ahead`] starts its `next`.
    #[must_use]
    pub fn runs_ahead() -> bool {
        false
    }

    /// Runs `now` to its end. Nothing starts in advance.
    pub fn run_ahead(
        &mut self,
        now: Turn<'_>,
        _begun: bool,
        _next: Option<Turn<'_>>,
    ) -> Result<Execution, SandboxError> {
        self.run_streams(now.job, now.copy(u64::MAX)?.into(), None, None)
    }

    /// Does nothing.
    pub fn request(&mut self, _job: &Job, _input: &Input) {}

    /// The same as [`run`](Self::run).
    pub fn run_requested(&mut self, job: &Job, input: Input) -> Result<Execution, SandboxError> {
        self.run(job, input)
    }

    /// Does nothing.
    pub fn withdraw(&mut self) {}
}
