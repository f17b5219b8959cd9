//! Removes files of any kind that programs left.
//!
//! Removal follows no symbolic link and needs a constant number of descriptors and no path longer
//! than one name: nested folders are moved up to the top folder, so that the tree is never deep.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, Mode, RenameFlags, chmodat, renameat_with, unlinkat};
use rustix::io::Errno;

use super::open_folder;

/// Removes the file or the whole folder at `path`, which may be missing.
pub fn remove(path: &Path) -> io::Result<()> {
    let Some(folder) = remove_or_open(CWD, path)? else {
        return Ok(());
    };
    empty(&folder)?;
    Ok(rustix::fs::rmdir(path)?)
}

/// Removes the entry `name` of `parent`.
pub(super) fn remove_in(parent: &OwnedFd, name: &CStr) -> io::Result<()> {
    let Some(folder) = remove_or_open(parent.as_fd(), name)? else {
        return Ok(());
    };
    empty(&folder)?;
    Ok(unlinkat(parent, name, AtFlags::REMOVEDIR)?)
}

/// Removes the contents of `top`.
pub fn empty(top: &OwnedFd) -> io::Result<()> {
    let mut flattened = 0_u64;
    while empty_once(top, &mut flattened)? {}
    Ok(())
}

/// Removes every entry of `top`; `true` if folders were moved up and it must be called again.
fn empty_once(top: &OwnedFd, flattened: &mut u64) -> io::Result<bool> {
    let mut again = false;
    for entry in Dir::read_from(top)? {
        let entry = entry?;
        if is_itself(entry.file_name()) {
            continue;
        }
        if let Some(folder) = remove_or_open(top.as_fd(), entry.file_name())? {
            again |= empty_folder(top, &folder, flattened)?;
            match unlinkat(top, entry.file_name(), AtFlags::REMOVEDIR) {
                Err(Errno::NOTEMPTY | Errno::EXIST) => again = true,
                other => other?,
            }
        }
    }
    Ok(again)
}

/// Removes the entries of `folder` and moves folders that are not empty up into `top`; returns
/// whether any were moved.
fn empty_folder(top: &OwnedFd, folder: &OwnedFd, flattened: &mut u64) -> io::Result<bool> {
    let mut moved = false;
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        if is_itself(entry.file_name()) {
            continue;
        }
        if remove_or_open(folder.as_fd(), entry.file_name())?.is_some() {
            move_up(top, folder, entry.file_name(), flattened)?;
            moved = true;
        }
    }
    Ok(moved)
}

/// Removes an entry; a folder that is not empty is made readable and writable and opened instead.
fn remove_or_open(
    parent: BorrowedFd<'_>,
    name: impl rustix::path::Arg + Copy,
) -> io::Result<Option<OwnedFd>> {
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
    // The entry is a folder: the first unlinkat would have removed a link. No program is left that
    // could replace it.
    chmodat(parent, name, Mode::RWXU, AtFlags::empty())?;
    Ok(Some(open_folder(parent, name)?))
}

fn is_itself(name: &CStr) -> bool {
    matches!(name.to_bytes(), b"." | b"..")
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
