//! Runs one program under limits and tells what became of it.
//!
//! The only place that starts processes, and the only one with `unsafe` and `cfg(target_os)`.

use std::ffi::OsString;
use std::fs::File;
use std::path::PathBuf;
use std::time::Duration;

use crate::bytes::Bytes;

mod drain;
mod interrupt;
mod linux;
mod output;
mod work_base;

pub use interrupt::Interrupt;
pub use linux::Runner;
pub use output::Captured;
pub use work_base::work_base;

/// What a [`Runner`] needs to start.
#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// An existing folder of this process alone, in which fresh working folders are made and removed: [`work_base`].
    pub work_base: PathBuf,
    /// Ends runs at once.
    pub interrupt: Interrupt,
}

/// The limits of one run, all settled. A limit is reached when the figure is above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// User plus system CPU time of the program and its descendants.
    pub cpu_time: Duration,
    /// How far the run may go past `cpu_time` before it is killed: at least `cpu_time`.
    pub cpu_kill: Duration,
    /// Time on the monotonic clock, from exec.
    pub wall_time: Duration,
    /// Peak memory.
    pub memory: Bytes,
    /// Standard output and standard error together.
    pub output: Bytes,
    /// Stack of the main thread.
    pub stack: Bytes,
    /// Processes and threads at one time.
    pub processes: u32,
    /// Size of any one file written.
    pub file_size: Bytes,
}

/// What to start.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program and its arguments; the program as an absolute path.
    pub argv: Vec<OsString>,
    /// The environment, whole: nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub work_dir: WorkDir,
    /// Files and folders it may read besides the system's: its artefact, a checker's input.
    pub readable: Vec<PathBuf>,
    /// The limits.
    pub limits: Limits,
}

/// The working folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkDir {
    /// A new, empty folder that is removed after the run.
    Fresh,
    /// This folder, which the caller owns and the program may write to (a compiler's, a checker's).
    At(PathBuf),
}

/// Where standard input comes from.
#[derive(Debug)]
pub enum Input {
    /// Nothing: `/dev/null`.
    Empty,
    /// This file, from its current position.
    File(File),
}

/// What became of a run.
#[derive(Debug)]
pub struct Execution {
    /// How it ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// Its standard output, up to the output limit.
    pub stdout: Captured,
    /// The last bytes of its standard error ([`STDERR_TAIL`] at most).
    pub stderr_tail: Vec<u8>,
}

/// How many bytes of standard error are kept.
pub const STDERR_TAIL: usize = 16 << 10;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// Over a limit: killed by us, or ended and found to be over it.
    Killed(LimitKind),
}

/// The limits that end a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// [`Limits::cpu_time`].
    Cpu,
    /// [`Limits::wall_time`].
    Wall,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::output`].
    Output,
    /// [`Limits::processes`].
    Processes,
}

/// What a run used, each figure with how it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// CPU time in user mode.
    pub cpu_user: Duration,
    /// CPU time in the kernel.
    pub cpu_system: Duration,
    /// Where the CPU times come from.
    pub cpu_clock: Clock,
    /// Wall time from exec to the end.
    pub wall: Duration,
    /// Peak memory.
    pub peak_memory: Bytes,
    /// Where the peak comes from.
    pub memory_clock: Clock,
    /// Bytes written to standard output and standard error.
    pub output: Bytes,
}

impl Usage {
    /// User plus system time.
    pub fn cpu(&self) -> Duration {
        self.cpu_user + self.cpu_system
    }
}

/// How a figure was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// `wait4` of the program and of what it waited for itself.
    #[default]
    Rusage,
    /// The kernel's account of a control group.
    Cgroup,
    /// Read now and then while it ran.
    Polled,
}

/// Why we could not run a program; never the program's fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The run was interrupted by the user.
    #[error("interrupted")]
    Interrupted,
    /// A step of setting up the child failed.
    #[error("cannot start `{program}`: {step}")]
    Setup {
        /// What was to be started.
        program: String,
        /// Which step failed, in words.
        step: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// The launcher process died or answered nonsense.
    #[error("the launcher failed: {0}")]
    Launcher(String),
    /// Reading or writing our own files failed.
    #[error("{action}")]
    Io {
        /// What was being done, and to which file.
        action: String,
        /// The system's error.
        source: std::io::Error,
    },
}
