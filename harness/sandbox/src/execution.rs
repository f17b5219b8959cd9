//! The result of a run.

use std::time::Duration;

use crate::bytes::Bytes;
use crate::contention::Contention;
use crate::output::Captured;

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
    /// What may come home of the files in [`WorkDir::At`].
    Files,
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
    /// Whether the kernel itself ends what goes over the memory limit, and so decides; else that is inferred from the
    /// peak.
    pub memory_enforced: bool,
    /// Bytes written to standard output and standard error.
    pub output: Bytes,
    /// How much the rest of the machine disturbed it.
    pub contention: Contention,
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
