//! What one invocation owns: the watch for signals and the temporary folder of its runs.

use std::cell::RefCell;

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::exit::Exit;
use super::sandbox::{self as walls, SandboxArgs};
use super::signals::SignalWatch;
use crate::sandbox::{self, Facts, Interrupt, Isolation, Runner, RunnerOptions};

/// Lives as long as programs may be run; its end leaves no temporary file.
pub(crate) struct Session {
    signals: SignalWatch,
    isolation: Isolation,
    facts: Facts,
    /// Started to see what this machine gives; for the first who needs one. Dropped before the folder that it uses.
    first: RefCell<Option<Runner>>,
    folder: TempDir,
}

impl Session {
    /// Begins to watch for signals and makes the folder; says what the sandbox lacks, or fails for it.
    pub(crate) fn start(sandbox: SandboxArgs) -> Result<Self> {
        let signals = SignalWatch::start()?;
        let folder = sandbox::work_base()
            .context("cannot make a temporary folder; set TMPDIR to one that can be written to")?;
        let isolation = sandbox.isolation();
        let runner = Runner::start(&RunnerOptions {
            isolation,
            ..RunnerOptions::new(folder.path(), signals.interrupt.clone())
        })?;
        walls::tell(isolation, runner.facts());
        Ok(Self {
            facts: runner.facts().clone(),
            first: RefCell::new(Some(runner)),
            signals,
            folder,
            isolation,
        })
    }

    /// The walls and clocks that runners have here.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// How runners are started here.
    pub(crate) fn runner_options(&self) -> RunnerOptions {
        RunnerOptions {
            isolation: self.isolation,
            ..RunnerOptions::new(self.folder.path(), self.signals.interrupt.clone())
        }
    }

    /// A runner of its own, for a command that has no workers.
    pub(crate) fn runner(&self) -> Result<Runner> {
        match self.first.take() {
            Some(runner) => Ok(runner),
            None => Ok(Runner::start(&self.runner_options())?),
        }
    }

    /// For whoever must stop the session.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.signals.interrupt
    }

    /// The exit status that a signal asks for, if one came.
    pub(crate) fn signalled(&self) -> Option<Exit> {
        self.signals.exit()
    }
}
