//! The folder that a run is given to work in, taken into memory for the run and back home after it.
//!
//! So it is as bounded as a fresh one, whatever the program does to it: the home is touched only when nothing runs any
//! more. What comes back is the program's, and not trusted: links are made again and never followed, anything but files,
//! folders and links stays behind, and no more comes than there was space for (a file of holes or with many names takes
//! more space at home).

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::fs::{CWD, Mode, fchmod};

use super::protocol::Program;
use super::{identity, mounts};
use crate::left_behind::{self, MOST_ENTRIES, Space, copy, measure, mode, open_folder};

/// A folder while it is away from home.
#[derive(Debug)]
pub(super) struct FolderCopy {
    home: OwnedFd,
    /// A folder in it that is only for temporary files, and left empty.
    temporary: Option<CString>,
    away: OwnedFd,
    space: Space,
    /// How many bytes were taken along.
    pub(super) taken: u64,
}

/// So many files of the greatest size there is space for.
const FILES: u64 = 4;

impl FolderCopy {
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
        let mut counted = Space {
            bytes: u64::MAX,
            entries: MOST_ENTRIES,
        };
        measure(&home, &mut counted)?;
        let taken = u64::MAX - counted.bytes;
        let bytes = own.saturating_mul(FILES).saturating_add(taken).min(MOST);
        let mount = mounts::scratch(bytes)?;
        let away = open_folder(mount.as_fd(), ".")?;
        let space = Space {
            bytes,
            entries: MOST_ENTRIES,
        };
        copy(&home, &away, &mut space.clone(), None)?;
        fchmod(&away, mode(&rustix::fs::fstat(&home)?, Mode::RWXU))?;
        if let Some(user) = user {
            identity::give_open(&away, user)?;
        }
        let folder_copy = Self {
            home,
            temporary,
            away,
            space,
            taken,
        };
        Ok((mount, folder_copy))
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
    pub(super) fn replace_original(&self) -> io::Result<bool> {
        left_behind::empty(&self.home)?;
        let mut space = self.space;
        copy(
            &self.away,
            &self.home,
            &mut space,
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
