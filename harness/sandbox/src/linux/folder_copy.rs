//! A copy in memory of the working folder that a caller gave. The program works on the copy, which replaces the
//! contents of the original after the run.
//!
//! So the size of the folder is limited like that of a fresh one, and the original changes only when no process of the
//! run is left. The copied files are untrusted: links are recreated and never followed, anything except files, folders
//! and links is skipped, and the size is checked again, because a sparse file or a file with many names takes more
//! space outside.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{CWD, Mode, fchmod};

use super::protocol::ProgramSpec;
use super::{identity, mounts};
use crate::left_behind::{self, MOST_ENTRIES, Space, copy, measure, mode, open_folder};

/// A working folder and its copy.
#[derive(Debug)]
pub(super) struct FolderCopy {
    home: OwnedFd,
    /// A folder in it for temporary files only, which is left empty.
    temporary: Option<CString>,
    away: OwnedFd,
    space: Space,
    /// The number of bytes copied into memory.
    pub(super) taken: u64,
}

/// The number of files of the maximum size that fit.
const FILES: u64 = 4;

impl FolderCopy {
    /// Copies the folder `home` of `program` into memory, for `user`. Also returns the file system to mount in its
    /// place.
    pub(super) fn take(
        home: &Path,
        program: &ProgramSpec,
        user: Option<u32>,
    ) -> io::Result<(OwnedFd, Self)> {
        let temporary = temporary(home, program);
        let home = open_folder(CWD, home)?;
        let limits = &program.limits;
        let own = limits.output.get().saturating_add(limits.file_size.get());
        let mut counted = Space { bytes: u64::MAX, entries: MOST_ENTRIES };
        measure(&home, &mut counted)?;
        let taken = u64::MAX - counted.bytes;
        let bytes = own.saturating_mul(FILES).saturating_add(taken).min(MOST);
        let mount = mounts::scratch(bytes)?;
        let away = open_folder(mount.as_fd(), ".")?;
        let space = Space { bytes, entries: MOST_ENTRIES };
        copy(&home, &away, &mut space.clone(), None)?;
        fchmod(&away, mode(&rustix::fs::fstat(&home)?, Mode::RWXU))?;
        if let Some(user) = user {
            identity::give_open(&away, user)?;
        }
        let folder_copy = Self { home, temporary, away, space, taken };
        Ok((mount, folder_copy))
    }

    /// The folder with the copy.
    pub(super) fn away(&self) -> BorrowedFd<'_> {
        self.away.as_fd()
    }

    /// Whether it holds so much memory that the next run would be affected.
    pub(super) fn is_heavy(&self) -> bool {
        const LIGHT: u64 = 1 << 20;
        let stat = rustix::fs::fstatvfs(&self.away);
        stat.is_ok_and(|stat| (stat.f_blocks - stat.f_bfree) * stat.f_frsize > LIGHT)
    }

    /// Replaces the contents of the original folder with the copy. Returns whether everything was copied.
    pub(super) fn replace_original(&self) -> io::Result<bool> {
        left_behind::empty(&self.home)?;
        let mut space = self.space;
        copy(&self.away, &self.home, &mut space, self.temporary.as_deref())
    }
}

/// More than any machine has.
const MOST: u64 = 1 << 46;

/// The folder in `home` that `TMPDIR` names.
fn temporary(home: &Path, program: &ProgramSpec) -> Option<CString> {
    let told = program.env.iter().filter_map(|pair| pair.to_bytes().strip_prefix(b"TMPDIR="));
    let mut below =
        told.filter_map(|path| Path::new(OsStr::from_bytes(path)).strip_prefix(home).ok());
    let mut parts = below.next()?.components();
    let (name, None) = (parts.next()?, parts.next()) else {
        return None;
    };
    CString::new(name.as_os_str().as_bytes()).ok()
}
