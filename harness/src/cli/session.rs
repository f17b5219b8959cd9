//! What one invocation owns: the watch for signals, and its folders among the temporary files.

use anyhow::{Context as _, Result};

use super::exit::Exit;
use super::sandbox::{self as walls, SandboxArgs};
use super::signals::SignalWatch;
use crate::sandbox::{self, Facts, Interrupt, OwnFolder, Runner, RunnerOptions};

/// Lives as long as programs may be run; its end leaves no temporary file.
pub(crate) struct Session {
    signals: SignalWatch,
    facts: Facts,
    /// With the runner that was started to see what this machine gives; dropped before the folder that it uses.
    options: RunnerOptions,
    _work_base: OwnFolder,
    /// Where all other temporary files are.
    _temporary: Option<OwnFolder>,
}

impl Session {
    /// Begins to watch for signals and makes the folders; says what the sandbox lacks, or fails for it.
    pub(crate) fn start(sandbox: SandboxArgs) -> Result<Self> {
        let signals = SignalWatch::start()?;
        let work_base = sandbox::work_base()
            .context("cannot make a temporary folder; set TMPDIR to one that can be written to")?;
        // Not everybody needs one: who does tells if there is none.
        let temporary = OwnFolder::new_in(&std::env::temp_dir()).ok();
        if let Some(folder) = &temporary {
            // Whatever is made from now on is made in there, and goes with it. There is one session in a process.
            let _ = tempfile::env::override_temp_dir(folder.path());
        }
        let options = RunnerOptions {
            isolation: sandbox.isolation(),
            ..RunnerOptions::new(work_base.path(), signals.interrupt.clone())
        };
        let runner = options.runner()?;
        walls::tell(options.isolation, runner.facts());
        let facts = runner.facts().clone();
        options.set_aside(runner);
        Ok(Self {
            signals,
            facts,
            options,
            _work_base: work_base,
            _temporary: temporary,
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
