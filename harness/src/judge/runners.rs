//! The runners of one worker: a first one, and a second one as soon as a submission must talk to an interactor.

use super::early_run::EarlyRun;
use crate::sandbox::{Execution, PendingFacts, Runner, RunnerSource, SandboxError, Turn};

/// A worker's runners.
pub(super) struct Runners {
    first: Runner,
    second: Option<Runner>,
    /// The indices of the submission and the case whose run has been started early.
    started_early: Option<(usize, usize)>,
    source: RunnerSource,
}

impl Runners {
    pub(super) fn start(source: &RunnerSource) -> Result<Self, SandboxError> {
        Ok(Self {
            first: source.runner()?,
            second: None,
            started_early: None,
            source: source.clone(),
        })
    }

    /// The protections and clocks of the first runner.
    pub(super) fn facts(&self) -> PendingFacts {
        self.first.pending_facts()
    }

    /// Waits until the first runner is ready.
    pub(super) fn ready(mut self) -> Result<Self, SandboxError> {
        self.first.wait_until_ready()?;
        Ok(self)
    }

    /// Keeps the first runner for the next run of the same source.
    pub(super) fn keep(mut self) {
        // A run that was started early and that nobody wants belongs to it. Somebody may wait for the facts of a runner that
        // ran nothing.
        if self.started_early.is_none() && self.first.wait_until_ready().is_ok() {
            self.source.keep(self.first);
        }
    }

    /// Runs a submission on a case, unless that run was already started early, and starts `next` as soon as it ends.
    pub(super) fn run(
        &mut self,
        (submission, case): (usize, usize),
        now: Turn<'_>,
        next: Option<&EarlyRun>,
    ) -> Result<Execution, SandboxError> {
        let is_started = self.started_early.take() == Some((submission, case));
        self.started_early = next.map(|next| (submission, next.case));
        let next = next.map(|EarlyRun { job, input, .. }| Turn { job, input });
        self.first.run_ahead(now, is_started, next)
    }

    /// The runner for a program that talks to no other.
    pub(super) fn first(&mut self) -> &mut Runner {
        &mut self.first
    }

    /// Both runners. The second one is started on the first call.
    pub(super) fn both(&mut self) -> Result<(&mut Runner, &mut Runner), SandboxError> {
        let second = match self.second.take() {
            Some(second) => second,
            None => self.source.runner()?,
        };
        Ok((&mut self.first, self.second.insert(second)))
    }
}
