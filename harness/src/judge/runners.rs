//! What one worker runs programs with: a runner, and a second one once two programs must talk.

use crate::sandbox::{Runner, RunnerOptions, SandboxError};

/// A worker's runners.
pub(super) struct Runners {
    first: Runner,
    second: Option<Runner>,
    options: RunnerOptions,
}

impl Runners {
    pub(super) fn start(options: &RunnerOptions) -> Result<Self, SandboxError> {
        Ok(Self {
            first: options.runner()?,
            second: None,
            options: options.clone(),
        })
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
