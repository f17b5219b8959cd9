//! Creates the network namespace of a launcher while the launcher does something else: nothing else at its start takes the
//! kernel so long.
//!
//! A namespace belongs to a process, so another process has to create it. It shares the launcher's memory and descriptors,
//! and leaves a descriptor of the namespace when it ends.

#![expect(unsafe_code, reason = "a process that shares our memory")]

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::process::Pid;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::processors;
use super::raw::{self, call, int};
use super::shared_memory::SharedMemory;
use super::stack::Stack;
use super::tree::{Reaped, reap_init};

/// A network namespace that is being created.
#[derive(Debug)]
pub(super) struct NewNetwork {
    pid: libc::pid_t,
    /// `None` once the process is reaped.
    shared: Option<SharedMemory<Creation>>,
}

#[derive(Debug)]
struct Creation {
    stack: Stack,
    /// The descriptor of the namespace, or a negative error number.
    result: AtomicI32,
}

impl NewNetwork {
    /// Starts to create one.
    pub(super) fn begin() -> io::Result<Self> {
        let shared = SharedMemory::new(Creation {
            stack: Stack::new()?,
            result: AtomicI32::new(-libc::EINTR),
        });
        let (argument, stack) = (shared.pointer(), shared.stack.top());
        // Without a signal at its end, which a wait for any child does not find.
        let flags = libc::CLONE_FILES;
        // SAFETY: the process uses only shared memory, which is changed only atomically and lives until the process is
        // reaped.
        match unsafe { raw::start(create, argument, stack, flags, &mut 0) } {
            Ok(pid) => {
                if let Some(pid) = Pid::from_raw(pid) {
                    processors::apart(pid, || ());
                }
                Ok(Self {
                    pid,
                    shared: Some(shared),
                })
            }
            Err(error) => {
                shared.free();
                Err(error.into())
            }
        }
    }

    /// Waits until it is there, and moves the caller into it.
    pub(super) fn enter(mut self) -> io::Result<()> {
        let namespace = self.finish()?;
        Ok(move_into_link_name_space(
            namespace.as_fd(),
            Some(LinkNameSpaceType::Network),
        )?)
    }

    fn finish(&mut self) -> io::Result<OwnedFd> {
        let reaped = reap_init(self.pid, &mut Reaped::default());
        let shared = self.shared.take().expect("it is finished once");
        // Otherwise the process may still use the memory.
        reaped?;
        let result: RawFd = shared.result.load(Ordering::SeqCst);
        shared.free();
        if result < 0 {
            return Err(io::Error::from_raw_os_error(-result));
        }
        // SAFETY: the process opened it for us in our table, and is gone.
        Ok(unsafe { OwnedFd::from_raw_fd(result) })
    }
}

impl Drop for NewNetwork {
    fn drop(&mut self) {
        if self.shared.is_some() {
            // Nobody needs it.
            let _ = self.finish();
        }
    }
}

/// The process's own side.
extern "C" fn create(argument: *mut c_void) -> c_int {
    // SAFETY: the launcher keeps it until this process is reaped.
    let shared: &Creation = unsafe { &*argument.cast() };
    let result = unshared().unwrap_or_else(|error| -error.raw_os_error());
    shared.result.store(result, Ordering::SeqCst);
    0
}

fn unshared() -> Result<RawFd, Errno> {
    use std::os::fd::IntoRawFd as _;
    // SAFETY: a system call on a number.
    unsafe { call(libc::SYS_unshare, [int(libc::CLONE_NEWNET)]) }?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    Ok(open(c"/proc/self/ns/net", flags, Mode::empty())?.into_raw_fd())
}
