//! Creates the network namespace of a launcher while the launcher does something else: nothing else at its start takes the
//! kernel so long.
//!
//! A namespace belongs to a process, so another process has to create it. It shares the launcher's descriptors, and leaves a
//! descriptor of the namespace when it ends.

#![expect(unsafe_code, reason = "unshare, and a descriptor of another process")]

use std::io;
use std::os::fd::{AsFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd, RawFd};

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use super::errand::Errand;
use super::raw::{call, int};

/// A network namespace that is being created.
#[derive(Debug)]
pub(super) struct NewNetwork(Errand);

impl NewNetwork {
    /// Starts to create one.
    pub(super) fn begin() -> io::Result<Self> {
        Errand::begin(create, libc::CLONE_FILES).map(Self)
    }

    /// Waits until it is there, and moves the caller into it.
    pub(super) fn enter(self) -> io::Result<()> {
        let namespace = self.0.finish()?;
        // SAFETY: the process opened it for us in our table, and is gone.
        let namespace = unsafe { OwnedFd::from_raw_fd(namespace) };
        Ok(move_into_link_name_space(namespace.as_fd(), Some(LinkNameSpaceType::Network))?)
    }
}

fn create() -> Result<RawFd, Errno> {
    // SAFETY: a system call on a number.
    unsafe { call(libc::SYS_unshare, [int(libc::CLONE_NEWNET)]) }?;
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    Ok(open(c"/proc/self/ns/net", flags, Mode::empty())?.into_raw_fd())
}
