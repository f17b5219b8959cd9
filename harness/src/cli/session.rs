//! What one invocation owns: the watch for signals and the temporary folder of its runs.

use anyhow::{Context as _, Result};
use tempfile::TempDir;

use super::exit::Exit;
use super::sandbox::{self as walls, SandboxArgs};
use super::signals::SignalWatch;
use crate::sandbox::{self, Facts, Interrupt, Runner, RunnerOptions};

/// Lives as long as programs may be run; its end leaves no temporary file.
pub(crate) struct Session {
    signals: SignalWatch,
    facts: Facts,
    /// With the runner that was started to see what this machine gives; dropped before the folder that it uses.
    options: RunnerOptions,
    _folder: TempDir,
}

impl Session {
    /// Begins to watch for signals and makes the folder; says what the sandbox lacks, or fails for it.
    pub(crate) fn start(sandbox: SandboxArgs) -> Result<Self> {
        let signals = SignalWatch::start()?;
        let folder = sandbox::work_base()
            .context("cannot make a temporary folder; set TMPDIR to one that can be written to")?;
        let options = RunnerOptions {
            isolation: sandbox.isolation(),
            ..RunnerOptions::new(folder.path(), signals.interrupt.clone())
        };
        let runner = options.runner()?;
        walls::tell(options.isolation, runner.facts());
        let facts = runner.facts().clone();
        options.set_aside(runner);
        Ok(Self {
            signals,
            facts,
            options,
            _folder: folder,
        })
    }

    /// The walls and clocks that runners have here.
    pub(crate) fn facts(&self) -> &Facts {
        &self.facts
    }

    /// How runners are started here.
    pub(crate) fn runner_options(&self) -> RunnerOptions {
        self.options.clone()
    }

    /// A runner of its own, for a command that has no workers.
    pub(crate) fn runner(&self) -> Result<Runner> {
        Ok(self.options.runner()?)
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
