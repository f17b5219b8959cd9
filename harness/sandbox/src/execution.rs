//! The result of a run.

use std::fmt;
use std::time::Duration;

use rejudge_quantity::Bytes;

use crate::contention::Contention;
use crate::output::Captured;

/// The result of a run.
#[derive(Debug)]
pub struct Execution {
    /// How the program ended.
    pub exit: Exit,
    /// The resources that it used.
    pub usage: Usage,
    /// Its standard output, up to the output limit.
    pub stdout: Captured,
    /// The last bytes of its standard error ([`STDERR_TAIL`] at most).
    pub stderr_tail: Vec<u8>,
}

/// The number of bytes kept of standard error.
pub const STDERR_TAIL: usize = 16 << 10;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// It exited with this code.
    Code(i32),
    /// A signal ended it that the sandbox did not send.
    Signal(i32),
    /// It broke this limit: the sandbox killed it, or its figures were above the limit when it ended.
    Killed(LimitKind),
    /// The caller ended it: [`Wires::stop`](crate::Wires::stop).
    Stopped,
}

/// The limits that can end a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// [`Limits::cpu_time`](crate::Limits::cpu_time).
    Cpu,
    /// [`Limits::wall_time`](crate::Limits::wall_time).
    Wall,
    /// [`Limits::memory`](crate::Limits::memory).
    Memory,
    /// [`Limits::output`](crate::Limits::output).
    Output,
    /// [`Limits::processes`](crate::Limits::processes).
    Processes,
    /// The size of the files that replace the contents of [`WorkDir::At`](crate::WorkDir::At).
    Files,
    /// [`Peer::idle_time`](crate::Peer::idle_time).
    Idle,
}

impl LimitKind {
    /// Whether it limits a time.
    #[must_use]
    pub fn is_of_time(self) -> bool {
        matches!(self, Self::Cpu | Self::Wall | Self::Idle)
    }
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cpu => "CPU time limit",
            Self::Wall => "wall time limit",
            Self::Memory => "memory limit",
            Self::Output => "output limit",
            Self::Processes => "process limit",
            Self::Files => "file limit",
            Self::Idle => "limit of idle time",
        })
    }
}

/// The resources that a run used, and how each figure was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// CPU time in user mode.
    pub cpu_user: Duration,
    /// CPU time in the kernel.
    pub cpu_system: Duration,
    /// The source of the CPU times.
    pub cpu_clock: Clock,
    /// Wall time from exec to the end.
    pub wall: Duration,
    /// Peak memory.
    pub peak_memory: Bytes,
    /// The source of the peak.
    pub memory_clock: Clock,
    /// Whether the kernel kills a program above the memory limit, which then decides. Otherwise the verdict is inferred
    /// from the peak.
    pub memory_enforced: bool,
    /// Bytes written to standard output and standard error.
    pub output: Bytes,
    /// Whether it began in a [preloaded interpreter](crate::Preload), whose start is in none of the figures.
    pub preloaded: bool,
    /// How much the rest of the machine disturbed it.
    pub contention: Contention,
}

impl Usage {
    /// User plus system time.
    pub fn cpu(&self) -> Duration {
        self.cpu_user + self.cpu_system
    }
}

/// The source of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// `wait4`: the program, and the children that it waited for.
    #[default]
    Rusage,
    /// The kernel's account of a control group.
    Cgroup,
    /// Read at intervals during the run.
    Polled,
}
