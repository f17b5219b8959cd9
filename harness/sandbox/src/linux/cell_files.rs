//! The files that a run sees in its cell: `/tmp` with the working folder, in memory.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, Mode, StatxFlags, Timespec, Timestamps, chownat, mkdirat, statx, utimensat,
};
use rustix::process::{Gid, Uid};

use super::mount_points;
use super::mounts;
use super::unmounted;

/// The files that a run sees.
#[derive(Debug)]
pub(super) struct CellFiles {
    /// Its mount namespace.
    pub(super) mounts: OwnedFd,
    /// Its [`mounts::TMP`].
    pub(super) tmp: OwnedFd,
    pub(super) size: u64,
    /// The folders in it: the working folder, and those above mount points.
    folders: Vec<PathBuf>,
    /// What the folders looked like before the first program.
    new: Option<FolderStates>,
}

/// The states of [`mounts::TMP`] and of the folders in it, and the numbers of free blocks and files. A program that changed
/// anything in them, or only their attributes, left another state. The file system has one more counter, that of the numbers of
/// its files; it only moves with a change of a folder, because the filter refuses files without a name.
#[derive(Debug, PartialEq, Eq)]
struct FolderStates {
    folders: Vec<FolderState>,
    free: [u64; 2],
}

/// What `statx(2)` tells about a folder.
#[derive(Debug, PartialEq, Eq)]
struct FolderState {
    mode: u16,
    owner: [u32; 2],
    links: u32,
    size: u64,
    /// The last access, change of contents, and change of attributes.
    times: [(i64, u32); 3],
}

/// The working folder of a run, in its mount namespace.
pub(super) const WORK: &CStr = c"/tmp/run";
/// The same in [`CellFiles::tmp`].
const WORK_INSIDE: &str = "run";

impl CellFiles {
    /// A file system of `size` bytes in the mount namespace of the caller, which `own` returns, with a working folder of `user`.
    pub(super) fn new(
        size: u64,
        user: Option<u32>,
        own: impl FnOnce() -> io::Result<OwnedFd>,
    ) -> io::Result<Self> {
        let tmp = mounts::scratch(size)?;
        unmounted::attach(tmp.as_fd(), c"/tmp")?;
        mkdirat(&tmp, WORK_INSIDE, Mode::RWXU)?;
        if let Some(user) = user {
            let (uid, gid) = (Some(Uid::from_raw(user)), Some(Gid::from_raw(user)));
            chownat(&tmp, WORK_INSIDE, uid, gid, AtFlags::empty())?;
        }
        Ok(Self { mounts: own()?, tmp, size, folders: vec![PathBuf::from(WORK_INSIDE)], new: None })
    }

    /// Sets the size of the file system to `size` bytes.
    pub(super) fn resize(&mut self, size: u64) -> io::Result<()> {
        if self.size != size {
            mounts::resize(self.tmp.as_fd(), size)?;
            self.size = size;
        }
        Ok(())
    }

    /// Call it before the first program starts, after [`CellFiles::age`].
    pub(super) fn remember(&mut self) {
        // If this fails, the files are not used again.
        self.new = self.states().ok();
    }

    /// Gives the folders a time in the past, so that a change of their contents gives them another one, however soon it
    /// comes: before Linux 6.13, the clock for this stands still for some milliseconds. All runs see this time.
    pub(super) fn age(&self) -> io::Result<()> {
        let past = Timespec { tv_sec: 1, tv_nsec: 0 };
        let times = Timestamps { last_access: past, last_modification: past };
        for folder in self.all_folders() {
            utimensat(&self.tmp, folder, &times, AtFlags::empty())?;
        }
        Ok(())
    }

    fn states(&self) -> io::Result<FolderStates> {
        let folders = self.all_folders().map(|folder| self.state(folder));
        let free = rustix::fs::fstatvfs(&self.tmp)?;
        Ok(FolderStates {
            folders: folders.collect::<io::Result<_>>()?,
            free: [free.f_blocks - free.f_bfree, free.f_files - free.f_ffree],
        })
    }

    /// Creates a mount point in it, for a folder or a file.
    pub(super) fn make_mount_point(&mut self, path: &Path, folder: bool) -> io::Result<()> {
        let made = &mut self.folders;
        // The mount point itself is below what is mounted on it.
        mount_points::make(self.tmp.as_fd(), path, folder, |new, _| {
            if new != path {
                made.push(new);
            }
        })
    }

    fn all_folders(&self) -> impl Iterator<Item = &Path> {
        let folders = self.folders.iter().map(PathBuf::as_path);
        std::iter::once(Path::new(".")).chain(folders)
    }

    fn state(&self, folder: &Path) -> io::Result<FolderState> {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        let stat = statx(&self.tmp, folder, flags, StatxFlags::BASIC_STATS)?;
        let times = [stat.stx_atime, stat.stx_mtime, stat.stx_ctime];
        Ok(FolderState {
            mode: stat.stx_mode,
            owner: [stat.stx_uid, stat.stx_gid],
            links: stat.stx_nlink,
            size: stat.stx_size,
            times: times.map(|time| (time.tv_sec, time.tv_nsec)),
        })
    }

    /// Whether programs changed nothing since [`CellFiles::remember`].
    pub(super) fn are_as_new(&self) -> bool {
        self.new.is_some() && self.states().ok() == self.new
    }

    /// The number of bytes stored in it.
    pub(super) fn kept(&self) -> io::Result<u64> {
        let stat = rustix::fs::fstatvfs(&self.tmp)?;
        Ok((stat.f_blocks - stat.f_bfree) * stat.f_frsize)
    }
}
