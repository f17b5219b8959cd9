//! What the sandbox needs of a system. A container or a root folder that was made by hand may be without it.

use std::fs;
use std::path::Path;

use crate::error::SandboxError;

/// An error that names what is missing, and the command that adds it.
pub(super) fn check() -> Result<(), SandboxError> {
    if fs::read_link("/proc/self/exe").is_err() {
        return Err(SandboxError::Missing { path: "/proc", command: "mount -t proc none /proc" });
    }
    if !Path::new("/dev/null").exists() {
        return Err(SandboxError::Missing {
            path: "/dev/null",
            command: "mknod -m 666 /dev/null c 1 3",
        });
    }
    Ok(())
}
