//! A process that makes a slow system call for the launcher, which does something else meanwhile.
//!
//! It shares the launcher's memory, and has copies of its namespaces and of its working folder from the start.

#![expect(unsafe_code, reason = "a process that shares our memory")]

use std::ffi::{c_int, c_void};
use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::io::Errno;
use rustix::process::Pid;

use super::processors;
use super::raw;
use super::shared_memory::SharedMemory;
use super::stack::Stack;
use super::tree::{Reaped, reap_init};

/// What such a process does. It must not allocate, panic, or call the C library for more than arithmetic.
pub(super) type ErrandWork = fn() -> Result<c_int, Errno>;

/// A process that is at work.
#[derive(Debug)]
pub(super) struct Errand {
    pid: libc::pid_t,
    /// `None` once the process is reaped.
    shared: Option<SharedMemory<ErrandData>>,
}

#[derive(Debug)]
struct ErrandData {
    stack: Stack,
    work: ErrandWork,
    /// What it returned, or a negative error number.
    result: AtomicI32,
}

impl Errand {
    /// Starts it on another processor. `flags` are those of `clone(2)` for what it shares besides memory.
    pub(super) fn begin(work: ErrandWork, flags: c_int) -> io::Result<Self> {
        let shared = SharedMemory::new(ErrandData {
            stack: Stack::new()?,
            work,
            result: AtomicI32::new(-libc::EINTR),
        });
        let (argument, stack) = (shared.pointer(), shared.stack.top());
        // Without a signal at its end, which a wait for any child does not find.
        // SAFETY: the process uses only shared memory, which is changed only atomically and lives until the process is
        // reaped; for the rest, see `ErrandWork`.
        match unsafe { raw::start(run, argument, stack, flags, &mut 0) } {
            Ok(pid) => {
                if let Some(pid) = Pid::from_raw(pid) {
                    processors::apart(pid, || ());
                }
                Ok(Self { pid, shared: Some(shared) })
            }
            Err(error) => {
                shared.free();
                Err(error.into())
            }
        }
    }

    /// Waits for its end, and returns what the work returned.
    pub(super) fn finish(mut self) -> io::Result<c_int> {
        self.wait()
    }

    fn wait(&mut self) -> io::Result<c_int> {
        let reaped = reap_init(self.pid, &mut Reaped::default());
        let shared = self.shared.take().expect("it is waited for once");
        // Otherwise the process may still use the memory.
        reaped?;
        let result = shared.result.load(Ordering::SeqCst);
        shared.free();
        if result < 0 {
            return Err(io::Error::from_raw_os_error(-result));
        }
        Ok(result)
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        if self.shared.is_some() {
            // Nobody needs the result.
            let _ = self.wait();
        }
    }
}

/// The process's own side.
extern "C" fn run(argument: *mut c_void) -> c_int {
    // SAFETY: the launcher keeps it until this process is reaped.
    let data: &ErrandData = unsafe { &*argument.cast() };
    let result = (data.work)().unwrap_or_else(|error| -error.raw_os_error());
    data.result.store(result, Ordering::SeqCst);
    0
}

#[cfg(test)]
mod tests {
    use rustix::process::getpid;

    use super::*;

    /// Returns the number of the process that does it.
    const NUMBER: ErrandWork = || Ok(getpid().as_raw_pid());

    #[test]
    fn another_process_does_the_work() {
        let errand = Errand::begin(NUMBER, 0).unwrap();
        let pid = errand.pid;
        assert_eq!(errand.finish().unwrap(), pid);
        assert_ne!(pid, NUMBER().unwrap());
    }

    #[test]
    fn its_error_is_told_and_nobody_need_wait_for_it() {
        let errand = Errand::begin(|| Err(Errno::XDEV), 0).unwrap();
        let error = errand.finish().unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::CrossesDevices);
        drop(Errand::begin(NUMBER, 0).unwrap());
    }
}
