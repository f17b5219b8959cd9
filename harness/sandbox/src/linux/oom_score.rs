//! Makes the kernel kill the program first when memory is short, and never the launcher.
//!
//! The program is in the launcher's control group, and can hold the memory of the group without mapping it, so the size of
//! a process must not decide. The program cannot lower its score: it must not write to its `/proc`.
//!
//! A score counts in thousandths of the memory limit. Under a low limit, the whole score is less than the size of the
//! launcher. [`is_small`] says what is done then.

#![expect(unsafe_code, reason = "a system call of a process that shares our memory")]

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;

use rejudge_quantity::Bytes;
use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create};

use super::raw::{at, call, int};
use super::tree;

/// Gives process `pid` the highest score; `false` if it is too early: until it has executed, it shares our memory unless it
/// has `own_memory`, and the kernel would give us that score too. See `proc_pid_oom_score_adj(5)`.
pub(super) fn raise(pid: libc::pid_t, own_memory: bool) -> io::Result<bool> {
    let executed = own_memory || tree::has_executed(pid)?;
    if executed {
        fs::write(format!("/proc/{pid}/oom_score_adj"), "1000")?;
    }
    Ok(executed)
}

/// The launcher's own score. It is high for a moment, so that the next process begins with a high one.
///
/// A program can be out of memory before [`raise`], and smaller than the launcher, if its limit is. While the launcher
/// waits for its exec, the kernel lets parent and child have different scores, although they share their memory. So
/// the child gives the launcher its usual score back, and keeps its own.
#[derive(Debug)]
pub(super) struct OwnScore {
    file: File,
    usual: Vec<u8>,
}

/// Whether a program with this memory limit may be out of memory while it is smaller than the launcher. Then it needs its
/// score from the start, and its group some [`Ballast`]; and the launcher does not prepare the next run meanwhile, because
/// that takes memory of the group.
pub(super) fn is_small(limit: Bytes) -> bool {
    limit < Bytes(16 << 20)
}

/// Memory of the group that nobody maps. The kernel's limit is higher by it, so a score weighs more than the size of the
/// launcher.
#[derive(Debug)]
pub(super) struct Ballast {
    _file: OwnedFd,
}

impl Ballast {
    pub(super) fn new() -> io::Result<Self> {
        const SIZE: u64 = 16 << 20;
        let file = memfd_create("ballast", MemfdFlags::CLOEXEC)?;
        fallocate(&file, FallocateFlags::empty(), 0, SIZE)?;
        Ok(Self { _file: file })
    }
}

/// Lower than that of the decoy.
const HIGH: &[u8] = b"999";

impl OwnScore {
    /// To be called while we are dumpable, or as root.
    pub(super) fn open() -> io::Result<Self> {
        const PATH: &str = "/proc/self/oom_score_adj";
        Ok(Self { usual: fs::read(PATH)?, file: OpenOptions::new().write(true).open(PATH)? })
    }

    /// Makes it high.
    pub(super) fn raise(&self) -> io::Result<()> {
        self.file.write_all_at(HIGH, 0)
    }

    /// Makes it the launcher's usual one. Does not allocate, for a child may call it.
    pub(super) fn restore(&self) {
        let text = [int(self.file.as_raw_fd()), at(self.usual.as_ptr()), self.usual.len(), 0];
        // SAFETY: a system call that reads a live text of the given length.
        let _ = unsafe { call(libc::SYS_pwrite64, text) };
    }
}
