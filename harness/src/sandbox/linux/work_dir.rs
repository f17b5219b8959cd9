//! The fresh working folder of a run: made empty, removed whatever the program left in it.
//!
//! Removal follows no symbolic link, needs a constant number of descriptors and no path longer than one name: folders
//! inside folders are moved up beside the others, so that nothing is ever deep.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{AtFlags, Dir, Mode, OFlags, RenameFlags, chmodat, mkdir, open, openat};
use rustix::fs::{renameat_with, rmdir, unlinkat};
use rustix::io::Errno;

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
    match rmdir(path) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::NOTEMPTY | Errno::EXIST | Errno::ACCESS) => {}
        Err(error) => return Err(error.into()),
    }
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    // The program may have taken its own folder's permissions away.
    chmodat(rustix::fs::CWD, path, Mode::RWXU, AtFlags::empty())?;
    empty(&open(path, flags, Mode::empty())?)?;
    Ok(rmdir(path)?)
}

/// Removes everything in `top`.
pub(super) fn empty(top: &OwnedFd) -> io::Result<()> {
    let mut flattened = 0_u64;
    while empty_once(top, &mut flattened)? {}
    Ok(())
}

/// Removes the folder of working folders with all that is left in it, if its name says that it is one.
pub(super) fn remove_base(path: &CStr) -> io::Result<()> {
    let name = path.to_bytes().rsplit(|&byte| byte == b'/').next();
    let ours = super::super::own_folder::PREFIX.as_bytes();
    if name.is_some_and(|name| name.starts_with(ours)) {
        remove(path)
    } else {
        Ok(rmdir(path)?)
    }
}

/// Removes every entry of `top`; `true` if folders were moved up and it is to be called again.
fn empty_once(top: &OwnedFd, flattened: &mut u64) -> io::Result<bool> {
    let mut again = false;
    for entry in Dir::read_from(top)? {
        let entry = entry?;
        if let Some(folder) = remove_or_open(top, entry.file_name())? {
            again |= empty_folder(top, &folder, flattened)?;
            match unlinkat(top, entry.file_name(), AtFlags::REMOVEDIR) {
                Err(Errno::NOTEMPTY | Errno::EXIST) => again = true,
                other => other?,
            }
        }
    }
    Ok(again)
}

/// Removes the entries of `folder`, moving folders that are not empty up into `top`; whether it moved any.
fn empty_folder(top: &OwnedFd, folder: &OwnedFd, flattened: &mut u64) -> io::Result<bool> {
    let mut moved = false;
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        if remove_or_open(folder, entry.file_name())?.is_some() {
            move_up(top, folder, entry.file_name(), flattened)?;
            moved = true;
        }
    }
    Ok(moved)
}

/// Removes an entry; a folder that is not empty is opened instead, readable and writable for us.
fn remove_or_open(parent: &OwnedFd, name: &CStr) -> io::Result<Option<OwnedFd>> {
    if matches!(name.to_bytes(), b"." | b"..") {
        return Ok(None);
    }
    match unlinkat(parent, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(None),
        Err(Errno::ISDIR | Errno::PERM) => {}
        Err(error) => return Err(error.into()),
    }
    match unlinkat(parent, name, AtFlags::REMOVEDIR) {
        Ok(()) => return Ok(None),
        Err(Errno::NOTEMPTY | Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    // A folder, not a link: the first unlinkat would have removed a link. Nothing runs here any more to swap it.
    chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    Ok(Some(openat(parent.as_fd(), name, flags, Mode::empty())?))
}

fn move_up(top: &OwnedFd, folder: &OwnedFd, name: &CStr, flattened: &mut u64) -> io::Result<()> {
    loop {
        *flattened += 1;
        let new_name = CString::new(format!("{flattened}"))?;
        match renameat_with(folder, name, top, &new_name, RenameFlags::NOREPLACE) {
            Err(Errno::EXIST) => {}
            other => return Ok(other?),
        }
    }
}
