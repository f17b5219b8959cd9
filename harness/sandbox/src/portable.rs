//! The portable back end: weaker limits, the same interface. It is compiled only with `--cfg rejudge_portable`, for tests.
//!
//! There is no launcher: the peak memory of a program can include the judge's own at the start, and a start costs more in
//! a big judge. A process that the program moves to another process group outlives it. The kernel limits the CPU time in
//! whole seconds, and the memory is judged after the end.

#![expect(unsafe_code, reason = "resource limits before exec, and wait4")]

use std::convert::Infallible;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::pipe::pipe;
use rustix::process::{Pid, Signal, kill_process_group};

use crate::bytes::Bytes;
use crate::cpu_reader::CpuReader;
use crate::drain::{Buffer, Drain};
use crate::error::{SandboxError, io_error};
use crate::execution::{Clock, Execution, Exit, LimitKind, Usage};
use crate::facts::{Facts, PendingFacts};
use crate::input::Input;
use crate::interrupt::Interrupt;
use crate::job::{Job, WorkDir};
use crate::left_behind::Temporary;
use crate::limits::Limits;
use crate::options::RunnerOptions;
use crate::peer::Wires;

mod next_run;

/// The interval between checks whether the program has ended.
const LOOK: Duration = Duration::from_millis(2);
/// The unit of `ru_maxrss` in bytes: getrusage(2).
const RSS_UNIT: u64 = 1024;

/// Returns at once: this back end has no launcher.
pub fn run_launcher_if_asked() {}

/// There is none: this back end has no launcher.
#[derive(Debug)]
pub struct EarlyLauncher(Infallible);

impl EarlyLauncher {
    /// Always `None`.
    #[must_use]
    pub fn fork(_: &Path) -> Option<Self> {
        None
    }
}

/// Runs programs one at a time.
#[derive(Debug)]
pub struct Runner {
    options: RunnerOptions,
    facts: PendingFacts,
    buffer: Buffer,
}

impl CpuReader {
    /// Always zero: this back end knows the time only at the end.
    pub fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

/// Without effect: this back end starts programs from the caller's thread, and they would be restricted, too.
#[derive(Debug)]
pub struct OwnProcessor;

impl OwnProcessor {
    /// None.
    #[must_use]
    pub fn of_thread(_number: usize, _threads: usize) -> Self {
        Self
    }

    /// Never.
    #[must_use]
    pub fn this_thread_has_one() -> bool {
        false
    }
}

/// A runner that is ready.
pub struct StartingRunner(Runner);

impl StartingRunner {
    /// Never fails.
    pub fn finish(self) -> Result<Runner, SandboxError> {
        Ok(self.0)
    }

    /// Never fails.
    pub fn without_waiting(self) -> Result<Runner, SandboxError> {
        Ok(self.0)
    }
}

/// A program that has ended.
struct ProcessEnd {
    status: i32,
    rusage: libc::rusage,
}

impl Runner {
    /// Fails only if the options require isolation.
    pub fn start(options: &RunnerOptions) -> Result<Self, SandboxError> {
        Facts::none().suffice(options.isolation)?;
        let facts = PendingFacts::default();
        facts.set(Some(Facts::none()));
        Ok(Self {
            options: options.clone(),
            facts,
            buffer: Buffer::new(),
        })
    }

    /// There is no launcher that has to end.
    #[expect(clippy::unused_self, reason = "the other back end has one")]
    pub(crate) fn quit(&mut self) {}

    /// The same as [`start`](Self::start).
    pub fn begin(options: &RunnerOptions) -> Result<StartingRunner, SandboxError> {
        Self::start(options).map(StartingRunner)
    }

    /// The same as [`start`](Self::start).
    pub fn begin_on(
        _: Option<EarlyLauncher>,
        options: &RunnerOptions,
    ) -> Result<StartingRunner, SandboxError> {
        Self::begin(options)
    }

    /// Ends later runs also when `interrupt` is triggered: this back end sends no signals.
    pub fn pass_on(&mut self, interrupt: Interrupt) {
        self.options.passed_on = Some(interrupt);
    }

    fn is_interrupted(&self) -> bool {
        let passed_on = self.options.passed_on.as_ref();
        self.options.interrupt.is_set() || passed_on.is_some_and(Interrupt::is_set)
    }

    /// Changes nothing: here, every program starts in the same way.
    pub fn start_all_alike(&mut self) {
        self.options.alike = true;
    }

    /// Reports an interrupted run from now on, as [`RunnerOptions::report_interrupted`] says.
    pub fn report_interrupted(&mut self) {
        self.options.report_interrupted = true;
    }

    /// Its protections and clocks.
    pub fn facts(&self) -> &Facts {
        self.facts.known().expect("set at the start")
    }

    /// The same.
    pub fn pending_facts(&self) -> PendingFacts {
        self.facts.clone()
    }

    /// Never fails.
    #[expect(clippy::unused_self, reason = "the other back end waits")]
    pub fn wait_until_ready(&mut self) -> Result<(), SandboxError> {
        Ok(())
    }

    /// Runs `job` to its end and kills its process group.
    pub fn run(&mut self, job: &Job, input: Input) -> Result<Execution, SandboxError> {
        let copied = match input {
            Input::Pipe(pipe) => Ok(pipe),
            other => other.copy(),
        };
        let stdin = copied.map_err(io_error("cannot copy the input"))?;
        self.run_streams(job, stdin.into(), None, None)
    }

    /// Runs `job` to its end, connected to another program. Its standard output is not captured. The wall time limit
    /// includes the other program's CPU time.
    pub fn run_wired(&mut self, job: &Job, wires: Wires) -> Result<Execution, SandboxError> {
        self.run_streams(job, wires.stdin.into(), Some(wires.stdout), wires.stop)
    }

    /// A handle with which other threads can read the CPU time of the program that runs here.
    pub fn cpu_reader(&self) -> CpuReader {
        CpuReader::default()
    }

    fn run_streams(
        &mut self,
        job: &Job,
        stdin: Stdio,
        stdout: Option<OwnedFd>,
        stop: Option<Interrupt>,
    ) -> Result<Execution, SandboxError> {
        if self.is_interrupted() {
            return Err(SandboxError::Interrupted);
        }
        let program = job.argv.first().cloned().unwrap_or_default();
        let setup = |step, source| SandboxError::Setup {
            program: program.to_string_lossy().into_owned(),
            step,
            source,
        };
        let fresh = match &job.work_dir {
            WorkDir::Fresh => Some(
                Temporary::new_in(&self.options.work_base, "rejudge-run-")
                    .map_err(|error| setup("making its working folder", error))?,
            ),
            WorkDir::At(_) => None,
        };
        let work_dir = match (&fresh, &job.work_dir) {
            (_, WorkDir::At(path)) => path.as_path(),
            (Some(fresh), WorkDir::Fresh) => fresh.path(),
            (None, WorkDir::Fresh) => self.options.work_base.as_path(),
        };
        let mut command = Command::new(&program);
        command
            .args(job.argv.iter().skip(1))
            .env_clear()
            .envs(job.env.iter().map(|(name, value)| (name, value)))
            .current_dir(work_dir)
            .process_group(0)
            .stdin(stdin);
        let streams =
            connect(&mut command, stdout).map_err(|error| setup("making pipes", error))?;
        limit(&mut command, &job.limits);
        let started = Instant::now();
        let spawned = command.spawn();
        // Closes our copies of the writing ends.
        drop(command);
        let mut child = spawned.map_err(|error| setup("executing it", error))?;
        let drain = Drain::new(streams.0, streams.1, job.limits.output);
        let pid = child.id().cast_signed();
        let result = self.follow(pid, started, &job.limits, drain, stop.as_ref());
        // Reaped already, except after an error.
        let _ = child.try_wait();
        result
    }

    fn follow(
        &mut self,
        pid: i32,
        started: Instant,
        limits: &Limits,
        mut drain: Drain,
        stop: Option<&Interrupt>,
    ) -> Result<Execution, SandboxError> {
        let fault = io_error("cannot watch the program");
        let mut killed = None;
        let ended = loop {
            drain.read(&mut self.buffer).map_err(&fault)?;
            if let Some(ended) = reap(pid).map_err(&fault)? {
                break ended;
            }
            if self.is_interrupted() || stop.is_some_and(Interrupt::is_set) {
                kill_group(pid);
            } else if drain.over_limit() {
                killed = killed.or(Some(LimitKind::Output));
                kill_group(pid);
            } else if started.elapsed() >= limits.wall_time {
                killed = killed.or(Some(LimitKind::Wall));
                kill_group(pid);
            }
            wait_for_news(&drain, &self.options.interrupt).map_err(&fault)?;
        };
        let wall = started.elapsed();
        kill_group(pid);
        drain.read(&mut self.buffer).map_err(&fault)?;
        if self.is_interrupted() && !self.options.report_interrupted {
            return Err(SandboxError::Interrupted);
        }
        let usage = usage(&ended.rusage, wall, drain.total());
        let mut exit = exit(&ended, &usage, killed, limits, drain.over_limit());
        if stop.is_some_and(Interrupt::is_set) && exit == Exit::Signal(libc::SIGKILL) {
            exit = Exit::Stopped;
        }
        let (stdout, stderr_tail) = drain.finish();
        Ok(Execution {
            exit,
            usage,
            stdout,
            stderr_tail,
        })
    }
}

/// Gives `command` pipes, and returns the reading ends, which do not block; none of standard output if that is
/// settled.
fn connect(
    command: &mut Command,
    stdout: Option<OwnedFd>,
) -> io::Result<(Option<OwnedFd>, OwnedFd)> {
    let make = || -> io::Result<_> {
        let (reader, writer) = pipe()?;
        rustix::io::fcntl_setfd(&reader, rustix::io::FdFlags::CLOEXEC)?;
        rustix::io::fcntl_setfd(&writer, rustix::io::FdFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(&reader, true)?;
        Ok((reader, writer))
    };
    let (reader, writer) = match stdout {
        Some(wire) => (None, wire),
        None => make().map(|(reader, writer)| (Some(reader), writer))?,
    };
    let stderr = make()?;
    command.stdout(writer).stderr(stderr.1);
    Ok((reader, stderr.0))
}

fn limit(command: &mut Command, limits: &Limits) {
    let cpu = limits.cpu_kill.as_secs() + u64::from(limits.cpu_kill.subsec_nanos() > 0);
    let (stack, file_size) = (limits.stack.get(), limits.file_size.get());
    let set = move || {
        let table = [
            (libc::RLIMIT_CPU, cpu),
            (libc::RLIMIT_FSIZE, file_size),
            (libc::RLIMIT_CORE, 0),
            (libc::RLIMIT_STACK, stack),
        ];
        for (resource, value) in table {
            // SAFETY: both pointers are to live values; getrlimit and setrlimit are async-signal-safe.
            let result = unsafe {
                let mut limit: libc::rlimit = std::mem::zeroed();
                libc::getrlimit(resource, &raw mut limit);
                limit.rlim_cur = value.min(limit.rlim_max);
                // A second later than the signal that tells why, for whoever ignores that.
                let most = value.saturating_add(u64::from(resource == libc::RLIMIT_CPU));
                limit.rlim_max = most.min(limit.rlim_max);
                libc::setrlimit(resource, &raw const limit)
            };
            if result < 0 {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    };
    // SAFETY: the closure allocates nothing, takes no lock, and makes only async-signal-safe calls.
    unsafe { command.pre_exec(set) };
}

fn reap(pid: i32) -> io::Result<Option<ProcessEnd>> {
    let mut status = 0;
    // SAFETY: all bytes zero is a valid rusage; both pointers are to live values.
    let (found, rusage) = unsafe {
        let mut rusage: libc::rusage = std::mem::zeroed();
        let found = libc::wait4(pid, &raw mut status, libc::WNOHANG, &raw mut rusage);
        (found, rusage)
    };
    match found {
        0 => Ok(None),
        _ if found == pid => Ok(Some(ProcessEnd { status, rusage })),
        _ => Err(io::Error::last_os_error()),
    }
}

fn kill_group(pid: i32) {
    if let Some(pid) = Pid::from_raw(pid) {
        // It may be empty already.
        let _ = kill_process_group(pid, Signal::KILL);
    }
}

fn wait_for_news(drain: &Drain, interrupt: &Interrupt) -> io::Result<()> {
    let mut fds = vec![PollFd::new(interrupt, PollFlags::IN)];
    fds.extend(
        drain
            .open()
            .map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN)),
    );
    if interrupt.is_set() {
        // Readable for good: waiting for it would spin.
        fds.remove(0);
    }
    let look = Timespec::try_from(LOOK).map_err(io::Error::other)?;
    match poll(&mut fds, Some(&look)) {
        Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn usage(rusage: &libc::rusage, wall: Duration, output: u64) -> Usage {
    let duration = |time: libc::timeval| {
        let micros = u64::try_from(time.tv_usec).unwrap_or(0);
        Duration::from_secs(time.tv_sec.cast_unsigned()) + Duration::from_micros(micros)
    };
    Usage {
        cpu_user: duration(rusage.ru_utime),
        cpu_system: duration(rusage.ru_stime),
        cpu_clock: Clock::Rusage,
        wall,
        peak_memory: Bytes(rusage.ru_maxrss.cast_unsigned() * RSS_UNIT),
        memory_clock: Clock::Rusage,
        memory_enforced: false,
        output: Bytes(output),
        contention: super::Contention::default(),
    }
}

/// More than a tick of any kernel's clock.
const TICK: Duration = Duration::from_millis(20);

fn exit(
    ended: &ProcessEnd,
    usage: &Usage,
    killed: Option<LimitKind>,
    limits: &Limits,
    flooded: bool,
) -> Exit {
    let signal = libc::WIFSIGNALED(ended.status).then(|| libc::WTERMSIG(ended.status));
    // The kernel counts in ticks: it may kill a little before what it reports says so.
    let spent = usage.cpu() + TICK >= limits.cpu_kill;
    let by_kernel = signal == Some(libc::SIGXCPU) || (signal == Some(libc::SIGKILL) && spent);
    if let Some(limit) = killed {
        Exit::Killed(limit)
    } else if usage.peak_memory > limits.memory {
        Exit::Killed(LimitKind::Memory)
    } else if by_kernel {
        Exit::Killed(LimitKind::Cpu)
    } else if flooded {
        Exit::Killed(LimitKind::Output)
    } else {
        signal.map_or_else(|| Exit::Code(libc::WEXITSTATUS(ended.status)), Exit::Signal)
    }
}

/// Never made.
#[derive(Debug)]
pub struct InstructionCounter(Infallible);

impl Runner {
    /// No counter.
    pub fn instruction_counter(&self) -> io::Result<InstructionCounter> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl InstructionCounter {
    /// Never called.
    pub fn read(&self) -> io::Result<u64> {
        match self.0 {}
    }
}
