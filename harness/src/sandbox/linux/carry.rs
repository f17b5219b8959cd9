//! The folder that a run is given to work in, taken into memory for the run and back home after it.
//!
//! So it is as bounded as a fresh one, whatever the program does to it: the home is touched only when nothing runs any
//! more. What comes back is the program's, and not trusted: links are made again and never followed, anything but files,
//! folders and links stays behind, and no more comes than there was room for (a file of holes or with many names takes
//! more room at home).

use std::ffi::{CStr, CString, OsStr};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, Timespec, Timestamps};
use rustix::fs::{fchmod, futimens, mkdirat, openat, readlinkat, statat, symlinkat};

use super::protocol::Program;
use super::{identity, mounts, work_dir};

/// A folder while it is away from home.
#[derive(Debug)]
pub(super) struct Carried {
    home: OwnedFd,
    /// A folder in it that is only for temporary files, and left empty.
    temporary: Option<CString>,
    away: OwnedFd,
    room: Room,
    /// How many bytes were taken along.
    pub(super) taken: u64,
}

/// What there is room for.
#[derive(Debug, Clone, Copy)]
struct Room {
    bytes: u64,
    entries: u64,
}

/// Entries of folders in one tree.
const ENTRIES: u64 = 32 << 10;
/// Folders in folders.
const DEEPEST: u32 = 64;
/// So many files of the greatest size there is room for.
const FILES: u64 = 4;

impl Carried {
    /// Takes the folder `home` of `program` into memory, for `user`; also what is to be mounted in its place.
    pub(super) fn take(
        home: &Path,
        program: &Program,
        user: Option<u32>,
    ) -> io::Result<(OwnedFd, Self)> {
        let temporary = temporary(home, program);
        let home = open_folder(CWD, home)?;
        let limits = &program.limits;
        let own = limits.output.get().saturating_add(limits.file_size.get());
        let mut counted = Room {
            bytes: u64::MAX,
            entries: ENTRIES,
        };
        measure(&home, &mut counted, 0)?;
        let taken = u64::MAX - counted.bytes;
        let bytes = own.saturating_mul(FILES).saturating_add(taken).min(MOST);
        let mount = mounts::scratch(bytes)?;
        let away = open_folder(mount.as_fd(), ".")?;
        let room = Room {
            bytes,
            entries: ENTRIES,
        };
        copy(&home, &away, &mut room.clone(), 0, None)?;
        fchmod(&away, mode(&rustix::fs::fstat(&home)?, Mode::RWXU))?;
        if let Some(user) = user {
            identity::give_open(&away, user)?;
        }
        let carried = Self {
            home,
            temporary,
            away,
            room,
            taken,
        };
        Ok((mount, carried))
    }

    /// Where it is now.
    pub(super) fn away(&self) -> BorrowedFd<'_> {
        self.away.as_fd()
    }

    /// Whether so much is in it that the next run would feel it as memory in use.
    pub(super) fn is_heavy(&self) -> bool {
        const LIGHT: u64 = 1 << 20;
        let stat = rustix::fs::fstatvfs(&self.away);
        stat.is_ok_and(|stat| (stat.f_blocks - stat.f_bfree) * stat.f_frsize > LIGHT)
    }

    /// Brings it home; whether that was all.
    pub(super) fn bring_home(&self) -> io::Result<bool> {
        work_dir::empty(&self.home)?;
        let mut room = self.room;
        copy(
            &self.away,
            &self.home,
            &mut room,
            0,
            self.temporary.as_deref(),
        )
    }
}

/// More than any machine has.
const MOST: u64 = 1 << 46;

/// The folder in `home` that the program is told to keep temporary files in.
fn temporary(home: &Path, program: &Program) -> Option<CString> {
    let told = program.env.iter();
    let told = told.filter_map(|pair| pair.to_bytes().strip_prefix(b"TMPDIR="));
    let mut below =
        told.filter_map(|path| Path::new(OsStr::from_bytes(path)).strip_prefix(home).ok());
    let mut parts = below.next()?.components();
    let (name, None) = (parts.next()?, parts.next()) else {
        return None;
    };
    CString::new(name.as_os_str().as_bytes()).ok()
}

/// Takes the size of what is in `folder` off `room`.
fn measure(folder: &OwnedFd, room: &mut Room, depth: u32) -> io::Result<()> {
    each(folder, |name, stat| {
        if !room.takes(stat) || depth == DEEPEST {
            return Err(io::Error::from_raw_os_error(libc::EFBIG));
        }
        if kind(stat).is_dir() {
            measure(&open_folder(folder.as_fd(), name)?, room, depth + 1)?;
        }
        Ok(())
    })
}

/// Copies what is in `from` to the empty folder `to`, as far as `room` goes, and of the folder `emptied` only that there is
/// one; whether that was all.
fn copy(
    from: &OwnedFd,
    to: &OwnedFd,
    room: &mut Room,
    depth: u32,
    emptied: Option<&CStr>,
) -> io::Result<bool> {
    let mut whole = true;
    each(from, |name, stat| {
        match kind(stat) {
            _ if !room.takes(stat) => whole = false,
            FileType::Directory => {
                mkdirat(to, name, Mode::RWXU)?;
                let inside = open_folder(to.as_fd(), name)?;
                if emptied != Some(name) {
                    let folder = open_folder(from.as_fd(), name)?;
                    whole &= depth < DEEPEST && copy(&folder, &inside, room, depth + 1, None)?;
                }
                fchmod(&inside, mode(stat, Mode::RWXU))?;
            }
            FileType::RegularFile => copy_file(from, to, name, stat)?,
            FileType::Symlink => {
                let target = readlinkat(from, name, Vec::new())?;
                symlinkat(&target, to, name)?;
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(whole)
}

impl Room {
    /// Whether there is room for this; then there is less.
    fn takes(&mut self, stat: &Stat) -> bool {
        let size = match kind(stat) {
            FileType::RegularFile => stat.st_size.cast_unsigned(),
            _ => 0,
        };
        // Files that are small take a page.
        let size = size.next_multiple_of(4096);
        let takes = self.entries > 0 && size <= self.bytes;
        if takes {
            self.entries -= 1;
            self.bytes -= size;
        }
        takes
    }
}

fn copy_file(from: &OwnedFd, to: &OwnedFd, name: &CStr, stat: &Stat) -> io::Result<()> {
    let flags = OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let mut source = File::from(openat(from, name, flags | OFlags::RDONLY, Mode::empty())?);
    let new = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY;
    let mut copy = File::from(openat(to, name, flags | new, Mode::RUSR | Mode::WUSR)?);
    io::copy(&mut source, &mut copy)?;
    fchmod(&copy, mode(stat, Mode::RUSR | Mode::WUSR))?;
    let time = |tv_sec: i64, nanos: u64| Timespec {
        tv_sec,
        tv_nsec: i64::try_from(nanos).unwrap_or(0),
    };
    let times = Timestamps {
        last_access: time(stat.st_atime, stat.st_atime_nsec),
        last_modification: time(stat.st_mtime, stat.st_mtime_nsec),
    };
    Ok(futimens(&copy, &times)?)
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

/// Without set-user bits, and so that its owner may do this.
fn mode(stat: &Stat, least: Mode) -> Mode {
    Mode::from_raw_mode(stat.st_mode & 0o777) | least
}

fn open_folder(parent: BorrowedFd<'_>, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::RDONLY;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

#[cfg(test)]
mod tests;
