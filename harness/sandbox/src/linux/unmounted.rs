//! File systems and copies of folders that descriptors name before they are mounted anywhere.

use std::ffi::CStr;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, fstat};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create,
    fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
};

/// A new file system that is not mounted yet.
pub(super) fn file_system(
    kind: &CStr,
    options: &[(&str, &str)],
    attributes: MountAttrFlags,
) -> io::Result<OwnedFd> {
    let context = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
    for &(key, value) in options {
        fsconfig_set_string(&context, key, value)?;
    }
    fsconfig_create(&context)?;
    Ok(fsmount(&context, FsMountFlags::FSMOUNT_CLOEXEC, attributes)?)
}

/// The files at `path`, with all mounts below, to be mounted elsewhere.
pub(super) fn clone(path: &Path) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    Ok(open_tree(CWD, path, flags)?)
}

/// A copy of a folder with all that is mounted in it, which is not mounted yet.
pub(super) fn copy_of_tree(folder: BorrowedFd<'_>) -> io::Result<OwnedFd> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_EMPTY_PATH;
    Ok(open_tree(folder, c"", flags)?)
}

pub(super) fn is_folder(file: BorrowedFd<'_>) -> io::Result<bool> {
    Ok(FileType::from_raw_mode(fstat(file)?.st_mode).is_dir())
}

/// Mounts `mount` at `path` in our root.
pub(super) fn attach(mount: BorrowedFd<'_>, path: &CStr) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    Ok(move_mount(mount, c"", CWD, path, flags)?)
}

/// Mounts `mount` at `path` in the folder `root`.
pub(super) fn attach_at(mount: BorrowedFd<'_>, root: &OwnedFd, path: &str) -> io::Result<()> {
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
    Ok(move_mount(mount, c"", root, path, flags)?)
}
