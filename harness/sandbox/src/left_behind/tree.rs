//! Copies a tree with its links within size limits: links are recreated and never followed, and
//! anything except files, folders and links is skipped.

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, FileType, Mode, SeekFrom, Stat, Timespec, Timestamps};
use rustix::fs::{chmodat, fchmod, futimens, mkdirat, readlinkat, seek, symlinkat};

use super::{DEEPEST, Space, create, each, kind, open_file, open_folder, size_of, unwritten};

/// Subtracts the size of the contents of `folder` from `space`.
pub fn measure(folder: &OwnedFd, space: &mut Space) -> io::Result<()> {
    measure_below(folder, space, 0)
}

fn measure_below(folder: &OwnedFd, space: &mut Space, depth: u32) -> io::Result<()> {
    each(folder, |name, stat| {
        if !space.takes(stat) || depth == DEEPEST {
            return Err(rustix::io::Errno::FBIG.into());
        }
        if kind(stat).is_dir() {
            measure_below(&open_folder(folder.as_fd(), name)?, space, depth + 1)?;
        }
        Ok(())
    })
}

/// The total size in bytes of the files at `path` and below it, including holes; unreadable parts
/// are not counted.
pub fn size(path: &Path) -> u64 {
    match open_folder(CWD, path) {
        Ok(folder) => size_below(&folder, 0),
        Err(_) => path.symlink_metadata().map_or(0, |file| file.len()),
    }
}

/// The same for an open folder at this depth.
pub(super) fn size_below(folder: &OwnedFd, depth: u32) -> u64 {
    let mut sum = 0_u64;
    // Unreadable entries are not counted.
    let _ = each(folder, |name, stat| {
        sum = sum.saturating_add(size_of(stat));
        if kind(stat).is_dir()
            && depth < DEEPEST
            && let Ok(inside) = open_folder(folder.as_fd(), name)
        {
            sum = sum.saturating_add(size_below(&inside, depth + 1));
        }
        Ok(())
    });
    sum
}

/// Copies the contents of `from` to the empty folder `to` within `space`; the folder `emptied` is
/// created but left empty. Returns whether everything was copied.
pub fn copy(
    from: &OwnedFd,
    to: &OwnedFd,
    space: &mut Space,
    emptied: Option<&CStr>,
) -> io::Result<bool> {
    copy_below(from, to, space, 0, emptied)
}

fn copy_below(
    from: &OwnedFd,
    to: &OwnedFd,
    space: &mut Space,
    depth: u32,
    emptied: Option<&CStr>,
) -> io::Result<bool> {
    let mut whole = true;
    each(from, |name, stat| {
        match kind(stat) {
            _ if !space.takes(stat) => whole = false,
            FileType::Directory => {
                mkdirat(to, name, Mode::RWXU)?;
                let inside = open_folder(to.as_fd(), name)?;
                if emptied != Some(name) {
                    let folder = forced(from, name, || open_folder(from.as_fd(), name))?;
                    whole &=
                        depth < DEEPEST && copy_below(&folder, &inside, space, depth + 1, None)?;
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

fn copy_file(from: &OwnedFd, to: &OwnedFd, name: &CStr, stat: &Stat) -> io::Result<()> {
    let mut source = forced(from, name, || open_file(from, name))?;
    let mut copy = create(to, name, 0o600)?;
    copy_data(&mut source, &mut copy, size_of(stat))?;
    let mode = mode(stat, Mode::RUSR | Mode::WUSR);
    fchmod(&copy, mode)?;
    keep_times(stat, &copy)?;
    drop(copy);
    if mode.intersects(Mode::XUSR | Mode::XGRP | Mode::XOTH) {
        unwritten::wait(&open_file(to, name)?);
    }
    Ok(())
}

/// Copies a file of `size` bytes; holes stay holes and take no space.
fn copy_data(source: &mut File, copy: &mut File, size: u64) -> io::Result<()> {
    let mut end = 0;
    while let Ok(start) = seek(&*source, SeekFrom::Data(end)) {
        end = seek(&*source, SeekFrom::Hole(start))?;
        for file in [&*source, &*copy] {
            seek(file, SeekFrom::Start(start))?;
        }
        io::copy(&mut source.take(end - start), copy)?;
    }
    copy.set_len(size)
}

/// Opens an entry, if necessary after restoring its owner's permissions.
fn forced<T>(folder: &OwnedFd, name: &CStr, open: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match open() {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // The entry is a file or a folder, not a link; no program is left that could change
            // that.
            chmodat(folder, name, Mode::RWXU, AtFlags::empty())?;
            open()
        }
        other => other,
    }
}

/// Copies the timestamps to `copy`, because interpreters compare them.
pub(super) fn keep_times(stat: &Stat, copy: &File) -> io::Result<()> {
    let time =
        |tv_sec: i64, nanos: u64| Timespec { tv_sec, tv_nsec: i64::try_from(nanos).unwrap_or(0) };
    let times = Timestamps {
        last_access: time(stat.st_atime, stat.st_atime_nsec),
        last_modification: time(stat.st_mtime, stat.st_mtime_nsec),
    };
    Ok(futimens(copy, &times)?)
}

/// The mode without set-user bits, and with at least `least`.
pub fn mode(stat: &Stat, least: Mode) -> Mode {
    Mode::from_raw_mode(stat.st_mode & 0o777) | least
}

#[cfg(test)]
mod tests;
