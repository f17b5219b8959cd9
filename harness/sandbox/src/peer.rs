//! Two programs that talk to each other.

use std::os::fd::OwnedFd;
use std::time::Duration;

use crate::cpu_reader::CpuReader;
use crate::interrupt::Interrupt;

/// The ends of two pipes that connect a program to another one.
#[derive(Debug)]
pub struct Wires {
    /// Its standard input.
    pub stdin: OwnedFd,
    /// Its standard output, which is neither kept nor counted.
    pub stdout: OwnedFd,
    /// The program at the other end. If given, its CPU time, and the time in which it was starved, do not count towards
    /// the wall time of this one.
    pub peer: Option<Peer>,
    /// Ends this program when it is triggered: [`Exit::Stopped`](crate::Exit::Stopped).
    pub stop: Option<Interrupt>,
}

/// The program at the other end.
#[derive(Debug, Clone)]
pub struct Peer {
    /// Reads its CPU time.
    pub cpu_reader: CpuReader,
    /// Its CPU time limit: no more than this is subtracted.
    pub cpu_limit: Duration,
    /// Ends this program after both have waited for this long without a break: [`LimitKind::Idle`](crate::LimitKind::Idle).
    /// Where the kernel does not tell what a program waits for, only the wall time limit does.
    pub idle_time: Option<Duration>,
}
