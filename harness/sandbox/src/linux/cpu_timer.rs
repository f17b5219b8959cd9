//! A timer on the program's CPU clock, which wakes the launcher when the program alone reaches its limit.
//!
//! It only wakes the launcher, which then reads the usage of the whole tree. So a busy program is killed promptly even
//! on a loaded machine, and a sleeping one costs nothing.

#![expect(unsafe_code, reason = "timers on another process's clock; signalfd")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::ptr;
use std::time::Duration;

/// A descriptor that is readable after a timer's signal.
#[derive(Debug)]
pub(super) struct CpuAlarm(OwnedFd);

/// An armed timer; dropping it disarms it.
#[derive(Debug)]
pub(super) struct CpuTimer(libc::timer_t);

impl CpuAlarm {
    /// Blocks the timers' signal in this process, so that it comes through the descriptor only.
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: valid pointers to a signal set that is initialised first. The descriptor is new and has no other owner.
        unsafe {
            let mut set: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&raw mut set);
            libc::sigaddset(&raw mut set, libc::SIGRTMIN());
            if libc::sigprocmask(libc::SIG_BLOCK, &raw const set, ptr::null_mut()) < 0 {
                return Err(io::Error::last_os_error());
            }
            match libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) {
                -1 => Err(io::Error::last_os_error()),
                fd => Ok(Self(OwnedFd::from_raw_fd(fd))),
            }
        }
    }

    /// Sets a timer for when process `pid` has used `after` of CPU time; `None` if it has ended.
    pub(super) fn arm(&self, pid: libc::pid_t, after: Duration) -> Option<CpuTimer> {
        self.clear();
        // SAFETY: every pointer is to a live value, and all bytes zero is valid for these structures.
        unsafe {
            let mut clock = 0;
            if libc::clock_getcpuclockid(pid, &raw mut clock) != 0 {
                return None;
            }
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_SIGNAL;
            event.sigev_signo = libc::SIGRTMIN();
            let mut id: libc::timer_t = ptr::null_mut();
            if libc::timer_create(clock, &raw mut event, &raw mut id) < 0 {
                return None;
            }
            let timer = CpuTimer(id);
            let mut when: libc::itimerspec = std::mem::zeroed();
            when.it_value.tv_sec = i64::try_from(after.as_secs()).unwrap_or(i64::MAX);
            when.it_value.tv_nsec = after.subsec_nanos().max(1).into();
            let set = libc::timer_settime(id, 0, &raw const when, ptr::null_mut());
            (set == 0).then_some(timer)
        }
    }

    /// Drops pending signals.
    pub(super) fn clear(&self) {
        let mut info = [0; size_of::<libc::signalfd_siginfo>()];
        // No signal is fine too.
        let _ = rustix::io::read(&self.0, &mut info);
    }
}

impl AsFd for CpuAlarm {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Drop for CpuTimer {
    fn drop(&mut self) {
        // SAFETY: timer_create returned this timer, and it is deleted only here.
        unsafe { libc::timer_delete(self.0) };
    }
}
