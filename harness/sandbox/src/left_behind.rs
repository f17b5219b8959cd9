//! Files that untrusted programs leave in a folder: the only module that lists, reads, copies and
//! removes them.
//!
//! Solutions, compilers, checkers, generators and visualizers write to folders that rejudge reads
//! afterwards. These may contain anything: links, devices, FIFOs, sockets, any names and modes,
//! set-id bits, attributes, holes, deep trees. This is the lowest layer; the sandbox uses it as
//! well. The test `tests/left_behind/sources.rs` checks that files that deal with such folders use
//! this module.
//!
//! # How it works
//!
//! A folder is opened once and then used by its descriptor, never by its path, so a program that
//! changes the path has no effect. Names are opened one component at a time with `O_NOFOLLOW`:
//! `openat2(2)` with `RESOLVE_BENEATH|RESOLVE_NO_SYMLINKS` offers no more than that, and some
//! containers forbid the call. The kind of an entry is checked before it is opened, because opening
//! a device can have effects, and again afterwards. Files are created with `O_EXCL`, so they must
//! not exist. Kept files are copied into new files, so hard links, owners, modes, set-id bits,
//! attributes and access control lists are not kept.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::fs::{fchmod, fstat, mkdirat, openat, statat, symlinkat};
use rustix::io::Errno;

mod beneath;
mod keep;
mod remove;
mod space;
mod temporary;
mod tree;
mod unwritten;

pub use beneath::{remove_beneath, write_beneath};
pub use keep::{KeepError, keep};
pub use remove::{empty, remove};
pub use space::Space;
pub use temporary::Temporary;
pub use tree::{copy, measure, mode, size};

/// The maximum depth of nested folders.
pub const DEEPEST: u32 = 64;
/// The maximum number of entries in one folder and all folders in it.
pub const MOST_ENTRIES: u64 = 32 << 10;

/// An open folder that a program could write to.
#[derive(Debug)]
pub struct Folder(OwnedFd);

impl Folder {
    /// Opens the folder at `path`, whose last component must not be a symbolic link.
    pub fn open(path: &Path) -> io::Result<Self> {
        open_folder(CWD, path).map(Self)
    }

    /// Opens a folder in it, which must not be a symbolic link.
    pub fn folder(&self, name: &str) -> io::Result<Self> {
        open_folder(self.0.as_fd(), name).map(Self)
    }

    /// Whether it contains an entry with this name, of any kind.
    pub fn has(&self, name: &str) -> bool {
        statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Opens the regular file at `path` in it; an error if it is anything else or a folder on the
    /// way is a symbolic link.
    pub fn file(&self, path: &Path) -> io::Result<File> {
        let (above, name) = self.above(path, false)?;
        open_file(above.as_ref().unwrap_or(&self.0), &name)
    }

    /// The first `most` bytes of the regular file `name`; `None` if it is missing or unreadable.
    pub fn start_of(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = self.file(Path::new(name)).ok()?;
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Creates a folder in it.
    pub fn make_folder(&self, name: &str) -> io::Result<Self> {
        mkdirat(&self.0, name, Mode::RWXU)?;
        self.folder(name)
    }

    /// Lets all users read it and its contents, as far as their modes allow that.
    pub fn open_to_all(&self) -> io::Result<()> {
        Ok(fchmod(&self.0, Mode::from_raw_mode(0o755))?)
    }

    /// Makes the symbolic link `name` to `target` in it, in place of whatever has this name.
    pub fn link(&self, name: &str, target: &Path) -> io::Result<()> {
        if self.has(name) {
            self.remove(name)?;
        }
        Ok(symlinkat(target, &self.0, name)?)
    }

    /// Creates the file at `path` in it and the folders on the way; the file must not exist.
    pub fn create(&self, path: &Path, mode: u32) -> io::Result<File> {
        let (above, name) = self.above(path, true)?;
        create(above.as_ref().unwrap_or(&self.0), &name, mode)
    }

    /// Writes a new file at `path` in it. If its mode says that it is a program, it can be executed afterwards.
    pub fn write(&self, path: &Path, mode: u32, bytes: &[u8]) -> io::Result<()> {
        self.create(path, mode)?.write_all(bytes)?;
        if mode & 0o111 != 0 {
            unwritten::wait(&self.file(path)?);
        }
        Ok(())
    }

    /// Copies its contents to the folder `to`.
    pub fn copy_to(&self, to: &Self) -> io::Result<()> {
        let mut space = Space { bytes: u64::MAX, entries: MOST_ENTRIES };
        copy(&self.0, &to.0, &mut space, None).map(drop)
    }

    /// Removes the entry `name` of any kind.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        self.take_back()?;
        remove::remove_in(&self.0, &CString::new(name)?)
    }

    /// Gives access to our user only, whatever mode the program set.
    fn take_back(&self) -> io::Result<()> {
        Ok(fchmod(&self.0, Mode::RWXU)?)
    }

    /// The names and sizes of the regular files in it that `wanted` accepts, in no particular
    /// order.
    pub fn files(&self, mut wanted: impl FnMut(&str) -> bool) -> io::Result<Vec<(String, u64)>> {
        let mut files = Vec::new();
        each(&self.0, |name, stat| {
            if let (FileType::RegularFile, Ok(name)) = (kind(stat), name.to_str())
                && wanted(name)
            {
                files.push((name.to_owned(), size_of(stat)));
            }
            Ok(())
        })?;
        Ok(files)
    }

    /// The folder that contains `path`, if it is not this one, and the last component of `path`.
    fn above(&self, path: &Path, make: bool) -> io::Result<(Option<OwnedFd>, CString)> {
        let mut names = names(path)?;
        let last = names.pop().ok_or(io::ErrorKind::InvalidInput)?;
        let mut above: Option<OwnedFd> = None;
        for name in names {
            let at = above.as_ref().unwrap_or(&self.0);
            if make {
                match mkdirat(at, &name, Mode::RWXU) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            above = Some(open_folder(at.as_fd(), name.as_c_str())?);
        }
        Ok((above, last))
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// The components of a path that only leads down.
fn names(path: &Path) -> io::Result<Vec<CString>> {
    let name = |component| match component {
        Component::Normal(name) => Ok(CString::new(name.as_bytes())?),
        _ => Err(io::Error::from(io::ErrorKind::InvalidInput)),
    };
    path.components().map(name).collect()
}

/// Opens a folder that must not be a symbolic link.
pub fn open_folder(parent: BorrowedFd<'_>, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

/// Opens a regular file for reading.
fn open_file(folder: &OwnedFd, name: &CStr) -> io::Result<File> {
    let no_file = || io::Error::other("it is not a regular file");
    if !kind(&statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?).is_file() {
        return Err(no_file());
    }
    // If the entry was replaced since then, opening it does not block and follows no link.
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(folder, name, flags, Mode::empty())?;
    if !kind(&fstat(&file)?).is_file() {
        return Err(no_file());
    }
    Ok(file.into())
}

/// Creates a file that must not exist, with `mode` subject to the umask, or for our own user only.
fn create(folder: &OwnedFd, name: &CStr, mode: u32) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::from_raw_mode(mode))?.into())
}

/// Calls `what` with each entry of `folder` and its metadata.
fn each(folder: &OwnedFd, mut what: impl FnMut(&CStr, &Stat) -> io::Result<()>) -> io::Result<()> {
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if !matches!(name.to_bytes(), b"." | b"..") {
            what(name, &statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?)?;
        }
    }
    Ok(())
}

fn kind(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// The size of a file in bytes, including holes.
fn size_of(stat: &Stat) -> u64 {
    match kind(stat) {
        FileType::RegularFile => stat.st_size.cast_unsigned(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
