//! The fresh working folder of a run: empty at first, and removed whatever the program left in it.

use std::ffi::{CStr, OsStr};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{Mode, mkdir, rmdir};
use rustix::io::Errno;

use crate::left_behind;

/// Makes `path`, empty and private.
pub(super) fn make(path: &CStr) -> io::Result<()> {
    match mkdir(path, Mode::RWXU) {
        Err(Errno::EXIST) => {
            remove(path)?;
            Ok(mkdir(path, Mode::RWXU)?)
        }
        other => Ok(other?),
    }
}

/// Removes `path` and everything in it.
pub(super) fn remove(path: &CStr) -> io::Result<()> {
    // Most are empty: one call.
    match rmdir(path) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(_) => left_behind::remove(Path::new(OsStr::from_bytes(path.to_bytes()))),
    }
}

/// Removes the folder of working folders with all that is left in it, if its name says that it is one.
pub(super) fn remove_base(path: &CStr) -> io::Result<()> {
    let name = path.to_bytes().rsplit(|&byte| byte == b'/').next();
    let ours = crate::process_folder::PREFIX.as_bytes();
    if name.is_some_and(|name| name.starts_with(ours)) { remove(path) } else { Ok(rmdir(path)?) }
}
