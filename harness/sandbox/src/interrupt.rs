//! The user's wish to stop, as something that a thread can test and wait for.
//!
//! One handle is shared by the signal handling of the command line and by every [`Runner`](super::Runner).

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::io::{FdFlags, fcntl_setfd, ioctl_fionbio};
use rustix::pipe::pipe;

/// A flag and a descriptor that becomes readable, for good, once [`trigger`](Self::trigger) was called.
#[derive(Debug, Clone)]
pub struct Interrupt(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    set: AtomicBool,
    reader: OwnedFd,
    writer: OwnedFd,
}

impl Interrupt {
    /// A new one, not triggered.
    pub fn new() -> io::Result<Self> {
        // Not `pipe2`, which not every system has; made before there are children to leak into.
        let (reader, writer) = pipe()?;
        for end in [&reader, &writer] {
            fcntl_setfd(end, FdFlags::CLOEXEC)?;
            ioctl_fionbio(end, true)?;
        }
        let set = AtomicBool::new(false);
        Ok(Self(Arc::new(Inner {
            set,
            reader,
            writer,
        })))
    }

    /// Ends every run now and refuses later ones. Safe to call often, and from a signal handler.
    pub fn trigger(&self) {
        self.0.set.store(true, Ordering::SeqCst);
        // A full pipe is as readable as one that takes this byte.
        let _ = rustix::io::write(&self.0.writer, &[1]);
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
