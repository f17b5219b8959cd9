//! Bare system calls with which a process that shares the launcher's memory changes or ends itself.

#![expect(unsafe_code, reason = "system calls")]

use std::os::fd::RawFd;

use rustix::io::Errno;

use super::raw::{call, int};

/// Closes every descriptor from `first` on, if the kernel can: before Linux 5.9 it does not have this call. Before exec
/// that is harmless, because our descriptors close on exec anyway.
pub(super) fn close_from(first: RawFd) -> Result<(), Errno> {
    // SAFETY: a system call on numbers. The caller does not use these descriptors afterwards.
    unsafe { call(libc::SYS_close_range, [int(first), u32::MAX as usize, 0]) }.map(drop)
}

/// From now on, this process has its own table of descriptors, with the present ones up to `last`, or all of them on old
/// kernels.
pub(super) fn copy_descriptors_to(last: RawFd) -> Result<(), Errno> {
    let unshare = libc::CLOSE_RANGE_UNSHARE as usize;
    // SAFETY: system calls on numbers. The caller does not use the other descriptors afterwards.
    unsafe {
        call(libc::SYS_close_range, [int(last + 1), u32::MAX as usize, unshare])
            .or_else(|_| call(libc::SYS_unshare, [int(libc::CLONE_FILES)]))
            .map(drop)
    }
}

/// Closes every descriptor except the standard streams and those `kept`, if the kernel can.
pub(super) fn close_all_but(mut kept: [RawFd; 2]) {
    kept.sort_unstable();
    let mut first = 3;
    for fd in kept {
        if fd > first {
            // SAFETY: as above.
            let _ = unsafe { call(libc::SYS_close_range, [int(first), int(fd - 1), 0]) };
        }
        first = first.max(fd + 1);
    }
    let _ = close_from(first);
}

/// Exits at once.
pub(super) fn exit(code: i32) -> ! {
    loop {
        // SAFETY: a system call on a number.
        let _ = unsafe { call(libc::SYS_exit_group, [int(code)]) };
    }
}

/// Ends this thread at once, and not its process.
pub(super) fn end_thread() -> ! {
    loop {
        // SAFETY: a system call on a number.
        let _ = unsafe { call(libc::SYS_exit, [0]) };
    }
}

/// Makes the kernel kill this process when its parent dies.
pub(super) fn end_with_parent() {
    let (what, signal) = (int(libc::PR_SET_PDEATHSIG), int(libc::SIGKILL));
    // SAFETY: a system call on numbers.
    let _ = unsafe { call(libc::SYS_prctl, [what, signal]) };
}
