//! What one invocation owns: the watch for signals, and its folders among the temporary files.

use anyhow::{Context as _, Result};

use super::exit::Exit;
use super::sandbox::{self as walls, SandboxArgs};
use super::signals::SignalWatch;
use crate::language::Languages;
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

/// A session that does not know its sandbox yet.
pub(crate) struct Beginning {
    /// Before the session, whose folders its launcher uses.
    runner: sandbox::Beginning,
    session: Session,
}

impl Beginning {
    /// Says what the sandbox lacks, or fails for it.
    pub(crate) fn finish(self) -> Result<Session> {
        let Self {
            runner,
            mut session,
        } = self;
        let runner = runner.finish()?;
        walls::tell(session.options.isolation, runner.facts());
        session.facts = runner.facts().clone();
        session.options.set_aside(runner);
        Ok(session)
    }
}

impl Session {
    /// Begins to watch for signals and makes the folders; says what the sandbox lacks, or fails for it.
    pub(crate) fn start(sandbox: SandboxArgs) -> Result<Self> {
        Self::begin(sandbox)?.finish()
    }

    /// The same, but what the sandbox lacks is found out meanwhile.
    pub(crate) fn begin(sandbox: SandboxArgs) -> Result<Beginning> {
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
        Ok(Beginning {
            runner: Runner::begin(&options)?,
            session: Self {
                signals,
                facts: Facts::none(),
                options,
                _work_base: work_base,
                _temporary: temporary,
            },
        })
    }

    /// Tells of what the settings of the repository run outside the sandbox; where that must be strict, it is refused.
    pub(crate) fn accept(&self, languages: &Languages) -> Result<()> {
        walls::accept(self.options.isolation, languages)
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
