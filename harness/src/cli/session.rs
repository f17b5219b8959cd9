//! What one invocation owns: the watch for signals and the temporary folder of its runs.

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::exit::Exit;
use super::signals::SignalWatch;
use crate::sandbox::{self, Interrupt, Runner, RunnerOptions};

/// Lives as long as programs may be run; its end leaves no temporary file.
pub(crate) struct Session {
    signals: SignalWatch,
    folder: TempDir,
}

impl Session {
    /// Begins to watch for signals and makes the folder.
    pub(crate) fn start() -> Result<Self> {
        let signals = SignalWatch::start()?;
        let folder = sandbox::work_base()
            .context("cannot make a temporary folder; set TMPDIR to one that can be written to")?;
        Ok(Self { signals, folder })
    }

    /// How runners are started here.
    pub(crate) fn runner_options(&self) -> RunnerOptions {
        RunnerOptions::new(self.folder.path(), self.signals.interrupt.clone())
    }

    /// A runner of its own, for a command that has no workers.
    pub(crate) fn runner(&self) -> Result<Runner> {
        Ok(Runner::start(&self.runner_options())?)
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
