//! A started program, and the memory through which a waiting process reports its start.

use std::os::fd::{OwnedFd, RawFd};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::plan::LaunchPlan;
use super::raw;
use super::shared_memory::SharedMemory;
use super::stack::Stack;
use super::step::{SetupError, Step};

/// A started program.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) pid: libc::pid_t,
    /// Becomes readable when the program ends.
    pub(super) pidfd: OwnedFd,
    pub(super) started: Started,
}

/// The start of a program: right before exec, by the clock of the child, because the launcher may run again much later.
#[derive(Debug)]
pub(super) enum Started {
    At(Instant),
    /// The process writes the time to this memory.
    Reported(StandbyMemory),
}

impl Child {
    /// The time of its start; at least now, if it has not started yet.
    pub(super) fn started(&self) -> Instant {
        match &self.started {
            Started::At(then) => *then,
            Started::Reported(waiting) => waiting.began().unwrap_or_else(Instant::now),
        }
    }

    /// The time of its start, if its process was prepared beforehand and has started.
    pub(super) fn began(&self) -> Option<Instant> {
        match &self.started {
            Started::At(_) => None,
            Started::Reported(waiting) => waiting.began(),
        }
    }

    /// The reason why it never started, if it exited before exec.
    pub(super) fn failed(&self) -> Option<SetupError> {
        match &self.started {
            Started::At(_) => None,
            Started::Reported(waiting) => waiting.failed(),
        }
    }

    /// Call it once the program is reaped; until then its process may use this data.
    pub(super) fn release(self) {
        if let Started::Reported(waiting) = self.started {
            waiting.release();
        }
    }
}

/// The data that the process uses. If it is dropped without [`StandbyMemory::release`], the memory leaks.
#[derive(Debug)]
pub(super) struct StandbyMemory(pub(super) SharedMemory<StandbyData>);

/// See [`StandbyMemory`].
#[derive(Debug)]
pub(super) struct StandbyData {
    pub(super) plan: LaunchPlan,
    pub(super) stack: Stack,
    /// The process's end of the socket.
    pub(super) line: RawFd,
    /// The time right before exec, by [`raw::now`]; zero earlier.
    pub(super) began: AtomicU64,
    /// The failed step in the upper half, and the error in the lower half; zero if no step failed.
    pub(super) failed: AtomicU64,
}

impl StandbyMemory {
    /// The time of exec, if it was called.
    pub(super) fn began(&self) -> Option<Instant> {
        match self.0.began.load(Ordering::Acquire) {
            0 => None,
            nanos => Some(raw::moment(nanos)),
        }
    }

    /// The failed step, if any.
    pub(super) fn failed(&self) -> Option<SetupError> {
        let failed = self.0.failed.load(Ordering::Acquire);
        let [.., step] = (failed >> 32).to_be_bytes();
        (failed != 0).then(|| SetupError {
            step: Step::from_u8(step).unwrap_or(Step::Exec),
            errno: i32::try_from(failed & u64::from(u32::MAX)).unwrap_or(0),
        })
    }

    /// Frees everything: the process is reaped.
    pub(super) fn release(self) {
        self.0.free();
    }
}
