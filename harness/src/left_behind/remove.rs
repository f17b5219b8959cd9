//! Removes what programs left, whatever it is.
//!
//! Removal follows no symbolic link, needs a constant number of descriptors and no path longer than one name: folders
//! inside folders are moved up beside the others, so that nothing is ever deep.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, Mode, RenameFlags, chmodat, renameat_with, unlinkat};
use rustix::io::Errno;

use super::open_folder;

/// Removes what is at `path`, a file or a folder with everything in it; it need not be there.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let Some(folder) = remove_or_open(CWD, path)? else {
        return Ok(());
    };
    empty(&folder)?;
    Ok(rustix::fs::rmdir(path)?)
}

/// Removes what is called `name` in `parent`.
pub(super) fn remove_in(parent: &OwnedFd, name: &CStr) -> io::Result<()> {
    let Some(folder) = remove_or_open(parent.as_fd(), name)? else {
        return Ok(());
    };
    empty(&folder)?;
    Ok(unlinkat(parent, name, AtFlags::REMOVEDIR)?)
}

/// Removes everything in `top`.
pub(crate) fn empty(top: &OwnedFd) -> io::Result<()> {
    let mut flattened = 0_u64;
    while empty_once(top, &mut flattened)? {}
    Ok(())
}

/// Removes every entry of `top`; `true` if folders were moved up and it is to be called again.
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

/// Removes the entries of `folder`, moving folders that are not empty up into `top`; whether it moved any.
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

/// Removes an entry; a folder that is not empty is opened instead, readable and writable for us.
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
    // A folder, not a link: the first unlinkat would have removed a link. Nothing runs here any more to swap it.
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
