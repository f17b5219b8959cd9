//! What programs that are not trusted leave in a folder: the one place that lists, reads, copies and removes it.
//!
//! Solutions, compilers, checkers, generators and visualizers write to folders that rejudge reads afterwards. Whatever
//! lies there is data: links, devices, FIFOs, sockets, names, modes, set-id bits, attributes, holes, deep trees. The
//! lowest layer; the sandbox uses it as well. A test (`tests/left_behind/sources.rs`) holds that the files that deal
//! with such folders use it.
//!
//! # How
//!
//! A folder is opened once and used by its descriptor, never by its path again, so nothing that the program does to
//! the path matters. Names are opened one component at a time with `O_NOFOLLOW`: `openat2(2)` with
//! `RESOLVE_BENEATH|RESOLVE_NO_SYMLINKS` promises no more than that, and containers refuse the call. The kind of an
//! entry is looked at before it is opened, because opening a device can do something, and again afterwards. A file
//! that is created must not exist (`O_EXCL`). What is kept is copied into new files: so no hard link, owner, mode,
//! set-id bit, attribute or access control list comes along.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::fs::{fchmod, fstat, mkdirat, openat, statat};
use rustix::io::Errno;

mod beneath;
mod keep;
mod remove;
mod room;
mod temporary;
mod tree;

pub(crate) use beneath::{remove_beneath, write_beneath};
pub(crate) use keep::{KeptFile, Refused, keep};
pub(crate) use remove::{empty, remove};
pub(crate) use room::Room;
pub(crate) use temporary::Temporary;
pub(crate) use tree::{copy, measure, mode, size};

/// Folders within folders that are looked into.
pub(crate) const DEEPEST: u32 = 64;
/// Entries of one folder and of those below that are looked at.
pub(crate) const MOST_ENTRIES: u64 = 32 << 10;

/// An open folder that a program could write to.
#[derive(Debug)]
pub(crate) struct Folder(OwnedFd);

impl Folder {
    /// Opens the folder at `path`, whose last component must not be a link.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        open_folder(CWD, path).map(Self)
    }

    /// A folder in it, which must not be a link.
    pub(crate) fn folder(&self, name: &str) -> io::Result<Self> {
        open_folder(self.0.as_fd(), name).map(Self)
    }

    /// Whether anything of this name is in it.
    pub(crate) fn has(&self, name: &str) -> bool {
        statat(&self.0, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Opens the plain file at `path` below, unless it is anything else or a folder on the way is a link.
    pub(crate) fn file(&self, path: &Path) -> io::Result<File> {
        let (above, name) = self.above(path, false)?;
        open_file(above.as_ref().unwrap_or(&self.0), &name)
    }

    /// The first `most` bytes of the plain file called `name`; `None` if there is none that can be read.
    pub(crate) fn start_of(&self, name: &str, most: u64) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let file = self.file(Path::new(name)).ok()?;
        file.take(most).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// Makes a folder in it.
    pub(crate) fn make_folder(&self, name: &str) -> io::Result<Self> {
        mkdirat(&self.0, name, Mode::RWXU)?;
        self.folder(name)
    }

    /// Lets everybody read it and what is in it, as far as that allows it.
    pub(crate) fn open_to_all(&self) -> io::Result<()> {
        Ok(fchmod(&self.0, Mode::from_raw_mode(0o755))?)
    }

    /// Makes the file at `path` below, with the folders above it; it must not exist.
    pub(crate) fn create(&self, path: &Path, mode: u32) -> io::Result<File> {
        let (above, name) = self.above(path, true)?;
        create(above.as_ref().unwrap_or(&self.0), &name, mode)
    }

    /// Writes a new file at `path` below.
    pub(crate) fn write(&self, path: &Path, mode: u32, bytes: &[u8]) -> io::Result<()> {
        self.create(path, mode)?.write_all(bytes)
    }

    /// Copies what is in it to the folder `to`.
    pub(crate) fn copy_to(&self, to: &Self) -> io::Result<()> {
        let mut room = Room {
            bytes: u64::MAX,
            entries: MOST_ENTRIES,
        };
        copy(&self.0, &to.0, &mut room, None).map(drop)
    }

    /// Removes what is called `name`, whatever it is.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        self.take_back()?;
        remove::remove_in(&self.0, &CString::new(name)?)
    }

    /// Lets us use it, and nobody else, whatever the program did to its mode.
    fn take_back(&self) -> io::Result<()> {
        Ok(fchmod(&self.0, Mode::RWXU)?)
    }

    /// The names and sizes of the plain files in it that `wanted` accepts, in no order.
    pub(crate) fn files(
        &self,
        mut wanted: impl FnMut(&str) -> bool,
    ) -> io::Result<Vec<(String, u64)>> {
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

    /// The folder that `path` below lies in, if that is not this one, and the last name of it.
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

/// The components of a path that leads nowhere but down.
fn names(path: &Path) -> io::Result<Vec<CString>> {
    let name = |component| match component {
        Component::Normal(name) => Ok(CString::new(name.as_bytes())?),
        _ => Err(io::Error::from(io::ErrorKind::InvalidInput)),
    };
    path.components().map(name).collect()
}

/// Opens a folder that must not be a link.
pub(crate) fn open_folder(
    parent: BorrowedFd<'_>,
    name: impl rustix::path::Arg,
) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

/// Opens a plain file to be read.
fn open_file(folder: &OwnedFd, name: &CStr) -> io::Result<File> {
    let no_file = || io::Error::other("it is not a regular file");
    if !kind(&statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?).is_file() {
        return Err(no_file());
    }
    // What took its place since then neither blocks nor is followed.
    let flags =
        OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(folder, name, flags, Mode::empty())?;
    if !kind(&fstat(&file)?).is_file() {
        return Err(no_file());
    }
    Ok(file.into())
}

/// Makes a file that must not exist, for our own user alone or with `mode` as far as the umask goes.
fn create(folder: &OwnedFd, name: &CStr, mode: u32) -> io::Result<File> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::from_raw_mode(mode))?.into())
}

/// Does `what` with each entry of `folder` and what it is.
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

/// How many bytes a file has, holes and all.
fn size_of(stat: &Stat) -> u64 {
    match kind(stat) {
        FileType::RegularFile => stat.st_size.cast_unsigned(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
