//! The mount points of the files of the judge that programs see at their own paths.

use std::cell::RefCell;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, mkdirat, mknodat, unlinkat};
use rustix::io::Errno;

/// The mount points that a launcher created in the root of its runs, and the folders above them.
///
/// All cells share that root, and the kernel removes the mounts on a mount point together with it, in every cell.
/// Therefore the mount points stay until no cell needs them: until a program is prepared that is not the last one.
#[derive(Debug, Default)]
pub(super) struct MountPoints {
    /// Parents first.
    made: RefCell<Vec<(PathBuf, AtFlags)>>,
}

impl MountPoints {
    /// Creates the mount point `path` in the root of all runs, for a folder or a file.
    pub(super) fn make(&self, root: BorrowedFd<'_>, path: &Path, folder: bool) -> io::Result<()> {
        let mut made = self.made.borrow_mut();
        make(root, path, folder, |path, flags| made.push((path, flags)))
    }

    /// Removes them all. On an error, those that remain are removed by the next call.
    pub(super) fn remove(&self, root: BorrowedFd<'_>) -> io::Result<()> {
        let mut made = self.made.borrow_mut();
        while let Some((path, flags)) = made.last() {
            match unlinkat(root, path, *flags) {
                Ok(()) | Err(Errno::NOENT) => drop(made.pop()),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Creates the mount point `path` in `base`, for a folder or a file, and the folders above it. Calls `made` for each
/// that is new.
pub(super) fn make(
    base: BorrowedFd<'_>,
    path: &Path,
    folder: bool,
    mut made: impl FnMut(PathBuf, AtFlags),
) -> io::Result<()> {
    let mut done = PathBuf::new();
    let mut components = path.components().peekable();
    while let Some(component) = components.next() {
        match component {
            Component::Normal(name) => done.push(name),
            Component::ParentDir => drop(done.pop()),
            _ => {}
        }
        let last = components.peek().is_none();
        let (new, flags) = if folder || !last {
            (make_folder(base, &done)?, AtFlags::REMOVEDIR)
        } else {
            (make_file(base, done.as_path())?, AtFlags::empty())
        };
        if new {
            made(done.clone(), flags);
        }
    }
    Ok(())
}

/// Creates a folder. Returns whether it is new.
fn make_folder(root: BorrowedFd<'_>, path: &Path) -> io::Result<bool> {
    match mkdirat(root, path, Mode::from_raw_mode(0o755)) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Creates an empty file as a mount point. Returns whether it is new.
pub(super) fn make_file(root: BorrowedFd<'_>, path: impl rustix::path::Arg) -> io::Result<bool> {
    match mknodat(root, path, FileType::RegularFile, Mode::from_raw_mode(0o444), 0) {
        Ok(()) => Ok(true),
        Err(Errno::EXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
