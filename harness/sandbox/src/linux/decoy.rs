//! A process in the launcher's control group that does nothing, for the kernel to kill instead of the launcher.
//!
//! When a group is out of memory, the kernel kills the program first: see [`super::oom_score`]. Files and shared memory of
//! the program are freed later, or not at all. Therefore the kernel may kill a second process: this one.

#![expect(unsafe_code, reason = "fork")]

use std::io;

use super::own_process;
use super::raw::{at, call, int};
use super::tree::{Reaped, WaitOutcome, reap_init, reap_init_if_dead};

/// A living decoy, or a dead one.
#[derive(Debug)]
pub(super) struct Decoy {
    /// Zero once it is reaped.
    pid: libc::pid_t,
}

impl Decoy {
    /// Makes one; to be called while we are dumpable, or as root. It must not be in the namespace of a run, which would not
    /// end before it is reaped.
    pub(super) fn start() -> io::Result<Self> {
        // Its end sends no signal, and a wait for just any child does not find it.
        let no_signal = 0;
        // SAFETY: the copy has one thread, and no other thread holds a lock: fork servers never call the C library. The
        // copy does not return from here.
        match unsafe { libc::syscall(libc::SYS_clone, no_signal, 0, 0, 0, 0) } {
            0 => wait_for_the_end(),
            pid if pid > 0 => {
                let pid = libc::pid_t::try_from(pid).map_err(io::Error::other)?;
                Ok(Self { pid })
            }
            _ => Err(io::Error::last_os_error()),
        }
    }

    pub(super) fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// Makes it end, and does not wait for it.
    pub(super) fn dismiss(&self) {
        if self.pid > 0 {
            // SAFETY: our own child, which is not reaped yet, so its number still belongs to it.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
        }
    }

    /// Whether it was ended; then another one is to be made.
    pub(super) fn is_gone(&mut self) -> bool {
        let gone = self.pid <= 0
            || reap_init_if_dead(self.pid, &mut Reaped::default())
                .is_ok_and(|it| it != WaitOutcome::Alive);
        if gone {
            self.pid = 0;
        }
        gone
    }
}

impl Drop for Decoy {
    fn drop(&mut self) {
        if self.pid > 0 {
            self.dismiss();
            // There is nobody to tell.
            let _ = reap_init(self.pid, &mut Reaped::default());
        }
    }
}

/// The process's own side.
fn wait_for_the_end() -> ! {
    own_process::end_with_parent();
    // If it cannot, it goes when it is its turn.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    // SAFETY: system calls on numbers. This process uses none of the descriptors that it closes.
    unsafe {
        let _ = call(libc::SYS_prctl, [int(libc::PR_SET_DUMPABLE), 0]);
        let _ = own_process::close_from(0);
        loop {
            // No descriptor, no end.
            let _ = call(libc::SYS_ppoll, [at(std::ptr::null::<u8>()), 0, 0, 0, 0]);
        }
    }
}
