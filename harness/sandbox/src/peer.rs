//! Two programs that talk to each other.

use std::os::fd::OwnedFd;
use std::time::Duration;

use crate::Pulse;

/// What joins a program to another one: the ends of two pipes.
#[derive(Debug)]
pub struct Wires {
    /// Its standard input.
    pub stdin: OwnedFd,
    /// Its standard output, which is neither kept nor counted.
    pub stdout: OwnedFd,
    /// The program at the other end, if its computing, and the time in which others kept it from that, is to be taken off
    /// this one's wall time.
    pub peer: Option<Peer>,
}

/// A program that another one waits for.
#[derive(Debug, Clone)]
pub struct Peer {
    /// Tells the CPU time that it has used.
    pub pulse: Pulse,
    /// Its limit: no more is ever taken off.
    pub cpu_limit: Duration,
}
