//! The request to stop, which threads can test and wait for. The signal handling of the command line and every
//! [`Runner`](crate::Runner) share one handle.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::{FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::pipe::pipe;

/// A flag, and a descriptor that stays readable after [`trigger`](Self::trigger), until [`reset`](Self::reset).
#[derive(Debug, Clone)]
pub struct Interrupt(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    set: AtomicBool,
    reader: OwnedFd,
    writer: OwnedFd,
}

impl Interrupt {
    /// Creates one that is not triggered.
    pub fn new() -> io::Result<Self> {
        // Not inherited by programs, because they start later from another process.
        let (reader, writer) = pipe()?;
        for end in [&reader, &writer] {
            fcntl_setfd(end, FdFlags::CLOEXEC)?;
            ioctl_fionbio(end, true)?;
        }
        let set = AtomicBool::new(false);
        Ok(Self(Arc::new(Inner { set, reader, writer })))
    }

    /// Ends every run and refuses later ones. May be called several times, and from a signal handler.
    pub fn trigger(&self) {
        self.0.set.store(true, Ordering::SeqCst);
        // If the pipe is full, it is already readable.
        let _ = rustix::io::write(&self.0.writer, &[1]);
    }

    /// Allows runs again. Only when no run is left that it has ended.
    pub fn reset(&self) {
        self.0.set.store(false, Ordering::SeqCst);
        let mut bytes = [0; 64];
        while rustix::io::read(&self.0.reader, &mut bytes).is_ok_and(|count| count > 0) {}
    }

    /// Whether it was triggered.
    pub fn is_set(&self) -> bool {
        self.0.set.load(Ordering::SeqCst)
    }
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.reader.as_fd()
    }
}
