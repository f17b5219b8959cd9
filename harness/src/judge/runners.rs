//! What one worker runs programs with: a runner, and a second one once two programs must talk.

use super::ahead::Ahead;
use crate::sandbox::{Execution, Runner, RunnerOptions, SandboxError, Turn};

/// A worker's runners.
pub(super) struct Runners {
    first: Runner,
    second: Option<Runner>,
    /// The submission and the case whose run has begun before its turn, by their indices.
    begun: Option<(usize, usize)>,
    options: RunnerOptions,
}

impl Runners {
    pub(super) fn start(options: &RunnerOptions) -> Result<Self, SandboxError> {
        Ok(Self {
            first: options.runner()?,
            second: None,
            begun: None,
            options: options.clone(),
        })
    }

    /// Runs a submission on a case, which may have begun already, and lets `next` begin as soon as that is over.
    pub(super) fn run(
        &mut self,
        (submission, case): (usize, usize),
        now: Turn<'_>,
        next: Option<&Ahead>,
    ) -> Result<Execution, SandboxError> {
        let begun = self.begun.take() == Some((submission, case));
        self.begun = next.map(|next| (submission, next.case));
        let next = next.map(|Ahead { job, input, .. }| Turn { job, input });
        self.first.run_ahead(now, begun, next)
    }

    /// The one for whatever runs alone.
    pub(super) fn first(&mut self) -> &mut Runner {
        &mut self.first
    }

    /// Both; the second one is started when it is first asked for.
    pub(super) fn both(&mut self) -> Result<(&mut Runner, &mut Runner), SandboxError> {
        let second = match self.second.take() {
            Some(second) => second,
            None => self.options.runner()?,
        };
        Ok((&mut self.first, self.second.insert(second)))
    }
}
