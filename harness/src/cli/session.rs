//! The resources of one invocation: the signal handler and the temporary folders.

use std::ffi::OsString;
use std::sync::{LazyLock, Once};

use anyhow::{Error, Result};

use super::exit::CommandExit;
use super::first_word;
use super::sandbox::{self as isolation, SandboxArgs};
use super::signals::SignalWatch;
use super::temporary::no_temporary_folder;
use crate::language::Languages;
use crate::notice::Code;
use crate::sandbox::{
    self, EarlyLauncher, Facts, Interrupt, PendingFacts, ProcessFolder, Runner, RunnerOptions,
    RunnerSource, SandboxError, StartingRunner,
};

/// Lives as long as programs may run. Its end removes all temporary files.
pub(crate) struct Session {
    signals: SignalWatch,
    facts: PendingFacts,
    warned: Once,
    /// Includes the runner that was started to probe this machine. Must be dropped before the folder that it uses.
    runners: RunnerSource,
    work_base: ProcessFolder,
    /// The folder of all other temporary files.
    temporary: Option<ProcessFolder>,
}

/// What is started before the arguments are read: the sandbox takes longer to start than anything else.
#[derive(Debug, Default)]
pub(super) struct EarlyStart {
    /// Declared first, and so dropped first: it uses the folder.
    launcher: Option<EarlyLauncher>,
    work_base: Option<ProcessFolder>,
}

impl EarlyStart {
    /// Forks a launcher if these arguments of the process look like those of a run.
    pub(super) fn guess(arguments: &[OsString]) -> Self {
        if !first_word::may_judge(arguments) {
            return Self::default();
        }
        // A session reports the error.
        let work_base = sandbox::work_base().ok();
        Self {
            launcher: (work_base.as_ref()).and_then(|folder| EarlyLauncher::fork(folder.path())),
            work_base,
        }
    }
}

/// A session whose sandbox is still being probed.
pub(crate) struct StartingSession {
    /// Declared first, and so dropped first: its launcher uses the folders of the session.
    runner: StartingRunner,
    session: Session,
}

impl StartingSession {
    /// Waits for the probe; warns about missing protections, or fails because of them.
    pub(crate) fn finish(self) -> Result<Session> {
        let session = self.keep(StartingRunner::finish)?;
        session.warn_if_weak();
        Ok(session)
    }

    /// The session at once. The caller calls [`Session::warn_if_weak`] when the first runner is at work.
    pub(crate) fn without_waiting(self) -> Result<Session> {
        self.keep(StartingRunner::without_waiting)
    }

    fn keep(
        self,
        runner_of: impl FnOnce(StartingRunner) -> Result<Runner, SandboxError>,
    ) -> Result<Session> {
        let Self { runner, mut session } = self;
        for folder in std::iter::once(&session.work_base).chain(&session.temporary) {
            folder.remove_abandoned();
        }
        let runner = runner_of(runner)?;
        session.facts = runner.pending_facts();
        session.runners.keep(runner);
        Ok(session)
    }
}

/// This error, with the remedy if it has one.
pub(super) fn with_help(error: SandboxError) -> Error {
    match &error {
        SandboxError::Missing { command, .. } => {
            let code = Code::MissingSystem.says(error.to_string());
            code.help(format!("run `{command}`")).into()
        }
        _ => error.into(),
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Temporary files are removed while the launchers end.
        self.runners.end_kept();
        self.temporary = None;
    }
}

impl Session {
    /// Installs the signal handler and creates the folders; warns about missing protections, or fails because of them.
    pub(crate) fn start(sandbox: SandboxArgs) -> Result<Self> {
        Self::begin(sandbox)?.finish()
    }

    /// Like [`Self::start`], but does not wait for the probe of the sandbox.
    pub(crate) fn begin(sandbox: SandboxArgs) -> Result<StartingSession> {
        Self::begin_on(EarlyStart::default(), sandbox)
    }

    /// Like [`Self::begin`], with what was started already.
    pub(crate) fn begin_on(early: EarlyStart, sandbox: SandboxArgs) -> Result<StartingSession> {
        let signals = SignalWatch::start()?;
        let work_base = match early.work_base {
            Some(folder) => folder,
            None => sandbox::work_base().map_err(|error| no_temporary_folder(&error))?,
        };
        // Not every command needs the folder; one that does reports an error without it.
        let temporary = ProcessFolder::new_in(&std::env::temp_dir()).ok();
        if let Some(folder) = &temporary {
            // From now on all temporary files are created in this folder and removed with it. A process has only one
            // session.
            let _ = tempfile::env::override_temp_dir(folder.path());
        }
        let mut options = RunnerOptions::new(work_base.path(), signals.interrupt.clone());
        options.isolation = sandbox.isolation();
        Ok(StartingSession {
            runner: Runner::begin_on(early.launcher, &options).map_err(with_help)?,
            session: Self {
                signals,
                facts: PendingFacts::default(),
                warned: Once::new(),
                runners: options.into(),
                work_base,
                temporary,
            },
        })
    }

    /// See [`isolation::accept`].
    pub(crate) fn accept(&self, languages: &Languages) -> Result<()> {
        isolation::accept(self.runners.options().isolation, languages)
    }

    /// The protections and clocks of the runners.
    pub(crate) fn facts(&self) -> &Facts {
        static NONE: LazyLock<Facts> = LazyLock::new(Facts::none);
        self.runners.wait_until_ready();
        self.facts.wait().unwrap_or(&NONE)
    }

    /// Warns about missing protections at the first call, which waits until they are known. Without a runner, an error
    /// follows.
    pub(crate) fn warn_if_weak(&self) {
        let isolation = self.runners.options().isolation;
        self.warned.call_once(|| {
            if let Some(facts) = self.facts.wait() {
                isolation::warn_if_weak(isolation, facts);
            }
        });
    }

    /// Starts the runners of the session.
    pub(crate) fn runners(&self) -> &RunnerSource {
        &self.runners
    }

    /// A runner for a command that has no workers.
    pub(crate) fn runner(&self) -> Result<Runner> {
        Ok(self.runners.runner()?)
    }

    /// The interrupt that stops the session.
    pub(crate) fn interrupt(&self) -> &Interrupt {
        &self.signals.interrupt
    }

    /// Goes on after an interrupt that was no signal. Only when nothing is running.
    pub(crate) fn resume(&self) {
        self.interrupt().reset();
        if self.signalled().is_some() {
            // It came meanwhile.
            self.interrupt().trigger();
        }
    }

    /// Lets the program of the next run handle the next Ctrl-C.
    pub(crate) fn pass_ctrl_c_on(&self, runner: &mut Runner) {
        runner.pass_on(self.signals.pass_on());
    }

    /// Whether the program got a Ctrl-C. Its run has ended, so the next one ends rejudge.
    pub(crate) fn program_got_ctrl_c(&self) -> bool {
        self.signals.keep();
        self.signals.was_passed_on()
    }

    /// The exit status for the signal that was received, if any.
    pub(crate) fn signalled(&self) -> Option<CommandExit> {
        self.signals.exit()
    }
}
