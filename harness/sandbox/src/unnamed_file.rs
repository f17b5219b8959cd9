//! Files without a name, for the standard streams of a run.

use std::ffi::CStr;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::sync::OnceLock;

use rustix::fs::{MemfdFlags, Mode, OFlags, memfd_create, open, openat};
use rustix::path::DecInt;

/// A file in memory that can be sealed, if the kernel permits one. The name is for people.
pub(super) fn in_memory(name: &CStr) -> Option<File> {
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // A stream is never executed. Kernels before 6.3 do not know this flag.
    let file =
        memfd_create(name, flags | MemfdFlags::NOEXEC_SEAL).or_else(|_| memfd_create(name, flags));
    file.ok().map(File::from)
}

/// The same file, opened again, from its start; `None` without `/proc`.
pub(super) fn reopen(file: &File, flags: OFlags) -> Option<OwnedFd> {
    /// The folder with our descriptors, opened once.
    static OURS: OnceLock<Option<OwnedFd>> = OnceLock::new();
    let ours = OURS.get_or_init(|| {
        let folder = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        open(c"/proc/self/fd", folder, Mode::empty()).ok()
    });
    let name = DecInt::from_fd(file);
    openat(ours.as_ref()?, name, flags | OFlags::CLOEXEC, Mode::empty()).ok()
}
