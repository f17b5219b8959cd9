//! The judge's side of a launcher: it requests runs, one at a time, and reads the output of the programs.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Arc, Once, Weak};

use rustix::thread::gettid;

use at_once::{BusyRunner, runners_at_work};
use streams::{ProgramStreams, StdoutTarget, pipe};

use super::launcher_process::{self, EarlyLauncher, LauncherProcess};
use super::own_processor::OwnProcessor;
use super::peer_wall_limit::PeerWallLimit;
use super::protocol::{JudgeRequest, ProgramSpec, Reply};
use crate::cpu_reader::CpuReader;
use crate::drain::{Buffer, Drain};
use crate::error::{SandboxError, io_error};
use crate::execution::Execution;
use crate::facts::{Facts, Isolation, PendingFacts};
use crate::inherited;
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::job::Job;
use crate::options::RunnerOptions;
use crate::peer::Wires;
use crate::protection::Protection;

mod at_once;
mod follow;
mod next_run;
mod streams;
mod system;

/// A launcher process and the socket to it. Dropping it ends the launcher and everything below it.
pub struct Runner {
    launcher: LauncherProcess,
    options: RunnerOptions,
    facts: PendingFacts,
    buffer: Buffer,
    cpu_reader: CpuReader,
    /// The number of runs requested so far.
    runs: u64,
    /// A run that was requested in advance and that nobody follows yet.
    ahead: Option<Requested>,
    /// It lives as long as a run of this runner.
    busy: Weak<BusyRunner>,
    /// Whether the last run failed: the state of the launcher is then unknown, and the next run gets a new one.
    broken: bool,
}

impl Runner {
    /// Starts a launcher and waits until it is ready: [`Runner::begin`] and [`StartingRunner::finish`] in one.
    pub fn start(options: &RunnerOptions) -> Result<Self, SandboxError> {
        Self::begin(options)?.finish()
    }

    /// Starts a launcher, which tries the protections of the machine while the caller does something else. The cost is
    /// that of starting any program, whatever the size of this process.
    pub fn begin(options: &RunnerOptions) -> Result<StartingRunner, SandboxError> {
        Self::begin_on(None, options)
    }

    /// Like [`Runner::begin`], with a launcher that was started early, if it serves these options.
    pub fn begin_on(
        early: Option<EarlyLauncher>,
        options: &RunnerOptions,
    ) -> Result<StartingRunner, SandboxError> {
        system::check()?;
        if options.isolation != Isolation::Off
            && !options.without.contains(&Protection::JudgeNotDumpable)
        {
            hide_from_programs().map_err(io_error("cannot hide from the programs"))?;
        }
        if options.isolation != Isolation::Off
            && !options.without.contains(&Protection::MemoryGroup)
        {
            launcher_process::step_aside();
        }
        let launcher = match early.and_then(|early| early.for_options(options)) {
            Some(launcher) => launcher,
            None => LauncherProcess::execute(options)?,
        };
        let cpu_reader = CpuReader::default();
        cpu_reader.follow(launcher.number());
        Ok(StartingRunner(Self {
            launcher,
            options: options.clone(),
            facts: PendingFacts::default(),
            buffer: Buffer::new(),
            cpu_reader,
            runs: 0,
            ahead: None,
            busy: Weak::new(),
            broken: false,
        }))
    }

    /// Sends SIGINT to the programs of later runs when `interrupt` is triggered, as [`RunnerOptions::passed_on`] says.
    pub fn pass_on(&mut self, interrupt: Interrupt) {
        self.options.passed_on = Some(interrupt);
    }

    /// Reports an interrupted run from now on, as [`RunnerOptions::report_interrupted`] says.
    pub fn report_interrupted(&mut self) {
        self.options.report_interrupted = true;
    }

    /// Calls `show` with each piece of standard output of later runs as soon as it is written. For that, their standard
    /// output is a pipe; otherwise it is a file.
    pub fn show_output(&mut self, show: impl FnMut(&[u8]) + Send + 'static) {
        self.buffer.show(Box::new(show));
    }

    /// Starts every program in the same way from now on, as [`RunnerOptions::alike`] says.
    pub fn start_all_alike(&mut self) {
        self.options.alike = true;
    }

    /// Its protections and clocks. Call it when the runner is ready.
    ///
    /// # Panics
    /// If it may still be starting, after [`StartingRunner::without_waiting`].
    pub fn facts(&self) -> &Facts {
        self.facts.known().expect("the runner is ready")
    }

    /// The same for a runner that may still be starting.
    pub fn pending_facts(&self) -> PendingFacts {
        self.facts.clone()
    }

    /// Waits for the launcher, if it is still starting. Fails if the machine offers less isolation than the options
    /// require.
    pub fn wait_until_ready(&mut self) -> Result<(), SandboxError> {
        if self.facts.known().is_some() {
            return Ok(());
        }
        match self.receive()? {
            Reply::Ready(facts) => {
                facts.suffice(self.options.isolation)?;
                self.facts.set(Some(facts));
                Ok(())
            }
            Reply::Fault(text) => Err(SandboxError::Launcher(text)),
            other => Err(unexpected(&other)),
        }
    }

    /// Runs `job` to its end. No process and no file of the run is left when this returns, even with an error.
    pub fn run(&mut self, job: &Job, input: Input) -> Result<Execution, SandboxError> {
        match input {
            // A pipe can be read only once.
            Input::Pipe(pipe) => {
                let followed = self.run_streams(job, ProgramStreams::once(pipe))?;
                Ok(followed.execution)
            }
            other => self.run_or_again(job, || other.copy()),
        }
    }

    /// If the launcher dies, runs the job once more: the kernel may kill any process when memory is short. If the program
    /// kills its launcher twice, that is an error.
    fn run_or_again(
        &mut self,
        job: &Job,
        stdin: impl Fn() -> io::Result<OwnedFd>,
    ) -> Result<Execution, SandboxError> {
        let stdin = || stdin().map_err(io_error("cannot copy the input"));
        let followed = match self.run_streams(job, ProgramStreams::captured(stdin()?)) {
            Err(SandboxError::Launcher(_)) => {
                self.run_streams(job, ProgramStreams::captured(stdin()?))
            }
            other => other,
        };
        self.settle(job, followed?, stdin)
    }

    /// The result of a run. If only its output can be at fault that it is out of memory, that of another run.
    fn settle(
        &mut self,
        job: &Job,
        followed: Followed,
        stdin: impl FnOnce() -> Result<OwnedFd, SandboxError>,
    ) -> Result<Execution, SandboxError> {
        if !followed.crowded {
            return Ok(followed.execution);
        }
        let again = self.run_streams(job, ProgramStreams::once(stdin()?))?;
        Ok(again.execution)
    }

    /// Runs `job` to its end, connected to another program. Its standard output is not captured. The judge's copies of the
    /// ends of the pipes are closed when this returns.
    pub fn run_wired(&mut self, job: &Job, wires: Wires) -> Result<Execution, SandboxError> {
        let streams = ProgramStreams {
            stdin: wires.stdin,
            stdout: StdoutTarget::Wire(wires.stdout),
            peer: wires.peer,
            stop: wires.stop,
        };
        let followed = self.run_streams(job, streams)?;
        Ok(followed.execution)
    }

    /// A handle with which other threads can read the CPU time of the program that runs here.
    pub fn cpu_reader(&self) -> CpuReader {
        self.cpu_reader.clone()
    }

    fn run_streams(
        &mut self,
        job: &Job,
        streams: ProgramStreams,
    ) -> Result<Followed, SandboxError> {
        self.with_launcher(|runner| {
            let ahead = runner.ahead.take();
            runner.abandon(ahead)?;
            let begun = runner.ask(job, streams)?;
            runner.follow(job, begun)
        })
    }

    /// Calls `run` with a working launcher, unless the user interrupted.
    fn with_launcher<T>(
        &mut self,
        run: impl FnOnce(&mut Self) -> Result<T, SandboxError>,
    ) -> Result<T, SandboxError> {
        if self.options.interrupt.is_set() {
            return Err(SandboxError::Interrupted);
        }
        if self.broken {
            self.replace()?;
        }
        self.broken = true;
        let result = run(self);
        self.broken = matches!(result, Err(SandboxError::Launcher(_) | SandboxError::Io { .. }));
        result
    }

    /// Replaces a launcher that failed.
    fn replace(&mut self) -> Result<(), SandboxError> {
        let (cpu_reader, facts) = (self.cpu_reader(), self.pending_facts());
        let new = Self::start(&self.options)?;
        // Before the old one is gone.
        facts.set(Some(new.facts().clone()));
        *self = new;
        cpu_reader.follow(self.launcher.number());
        self.cpu_reader = cpu_reader;
        // The old one removes the folder if it believes that the judge is dead.
        std::fs::create_dir_all(&self.options.work_base)
            .map_err(io_error("cannot create the folder for working folders"))
    }

    /// Requests a run.
    fn ask(&mut self, job: &Job, streams: ProgramStreams) -> Result<Requested, SandboxError> {
        inherited::allow(&job.limits)?;
        let ProgramStreams { stdin, stdout, peer, stop } = streams;
        let (stdout, stdout_writer) = self.connect(stdout)?;
        let (stderr, stderr_writer) = pipe()?;
        let wall_limit = peer.map(|peer| PeerWallLimit::new(&self.cpu_reader, peer, &job.limits));
        let mut program = ProgramSpec::new(job).map_err(|text| {
            let source = io::Error::other(format!("`{text}` holds a NUL byte"));
            setup_error(job, "passing its arguments", source)
        })?;
        if program.argv.is_empty() {
            let source = io::Error::other("there is no program to run");
            return Err(setup_error(job, "passing its arguments", source));
        }
        if let Some(wall_limit) = &wall_limit {
            program.limits.wall_time = wall_limit.highest();
        }
        let fds = [&stdin, &stdout_writer, &stderr_writer].map(AsFd::as_fd);
        let busy = self.busy.upgrade().unwrap_or_else(|| Arc::new(BusyRunner::new()));
        self.busy = Arc::downgrade(&busy);
        let request = JudgeRequest::Run {
            program: Box::new(program),
            asker: gettid().as_raw_pid().cast_unsigned(),
            at_once: runners_at_work(),
            own_processor: OwnProcessor::of_this_thread(),
            alike: self.options.alike,
        };
        self.send(&request, &fds)?;
        drop((stdin, stdout_writer, stderr_writer));
        self.runs += 1;
        Ok(Requested {
            _busy: busy,
            number: self.runs,
            drain: Drain::new(stdout, stderr, job.limits.output),
            wall_limit,
            stop,
        })
    }

    /// The process that starts the programs.
    pub(super) fn launcher(&self) -> libc::pid_t {
        self.launcher.number().cast_signed()
    }

    fn send(&self, request: &JudgeRequest, fds: &[BorrowedFd<'_>]) -> Result<(), SandboxError> {
        self.launcher.send(request, fds)
    }

    fn receive(&mut self) -> Result<Reply, SandboxError> {
        self.launcher.receive()
    }
}

/// A runner whose launcher is not ready yet. Dropping it ends the launcher.
#[derive(Debug)]
pub struct StartingRunner(Runner);

impl StartingRunner {
    /// Waits until it is ready. Fails if the machine offers less isolation than the options require.
    pub fn finish(self) -> Result<Runner, SandboxError> {
        let Self(mut runner) = self;
        runner.wait_until_ready()?;
        Ok(runner)
    }

    /// The runner at once, which waits in its first run. Until then it is not known which protections it has, so this waits
    /// if there must be all of them.
    pub fn without_waiting(self) -> Result<Runner, SandboxError> {
        if self.0.options.isolation == Isolation::Strict {
            return self.finish();
        }
        Ok(self.0)
    }
}

impl Drop for Runner {
    fn drop(&mut self) {
        // For those who wait.
        self.facts.set(None);
        self.quit();
    }
}

impl Runner {
    /// Makes the launcher end, and does not wait for it. Nothing else may be called afterwards.
    pub(crate) fn quit(&mut self) {
        if self.launcher.has_quit() {
            return;
        }
        // A run that goes on must end first: only then does the launcher read the request to quit.
        let ahead = self.ahead.take();
        let _ = self.abandon(ahead);
        self.launcher.quit();
    }
}

impl fmt::Debug for Runner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Runner(launcher {})", self.launcher.number())
    }
}

/// The end of a run.
struct Followed {
    execution: Execution,
    /// Whether its group was out of memory, some of which its output held, and it can run again.
    crowded: bool,
}

/// A run that was requested.
struct Requested {
    _busy: Arc<BusyRunner>,
    number: u64,
    drain: Drain,
    wall_limit: Option<PeerWallLimit>,
    stop: Option<Interrupt>,
}

/// Programs of the same user can then neither trace this process nor read its memory.
fn hide_from_programs() -> io::Result<()> {
    use rustix::process::{DumpableBehavior, set_dumpable_behavior};

    // Before Linux 6.4, `rustix` reads this from `/proc/self`, and panics if it cannot. It must read it before this process
    // is hidden, and only once.
    static READ: Once = Once::new();
    READ.call_once(|| {
        let _ = rustix::param::page_size();
    });
    Ok(set_dumpable_behavior(DumpableBehavior::NotDumpable)?)
}

fn unexpected(reply: &Reply) -> SandboxError {
    SandboxError::Launcher(format!("unexpected reply: {reply:?}"))
}

fn setup_error(job: &Job, step: &'static str, source: io::Error) -> SandboxError {
    let program = job.argv.first().map(|name| name.to_string_lossy());
    SandboxError::Setup { program: program.unwrap_or_default().into_owned(), step, source }
}
