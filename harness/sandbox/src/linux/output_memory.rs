//! The memory that the output of a program takes from its group.

use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{fcntl_get_seals, fstat};

/// A program's standard output, if it is a file in memory.
#[derive(Debug)]
pub(super) struct OutputMemory(OwnedFd);

impl OutputMemory {
    /// `None` for everything else.
    pub(super) fn of(stdout: &impl AsFd) -> Option<Self> {
        // Only files in memory have seals.
        fcntl_get_seals(stdout).ok()?;
        stdout.as_fd().try_clone_to_owned().ok().map(Self)
    }

    /// How much it is.
    pub(super) fn bytes(&self) -> u64 {
        /// The unit of `st_blocks`.
        const BLOCK: u64 = 512;
        let blocks = fstat(&self.0).map_or(0, |stat| stat.st_blocks);
        u64::try_from(blocks).unwrap_or(0).saturating_mul(BLOCK)
    }
}
