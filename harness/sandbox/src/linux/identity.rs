//! The user and the rights of a program: another user if possible, and no rights of root.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::sync::OnceLock;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, chownat, fchmod, fchown, fstat, fstatfs, statat,
};
use rustix::io::Errno;
use rustix::process::{Gid, Uid, geteuid};
use rustix::thread::set_thread_res_uid;

use crate::left_behind::open_folder;

/// The users of programs: one per launcher, so that programs of the same judge are different users too. Far from the
/// users that administrators and containers assign.
const FIRST: u32 = 1_700_000_000;
/// More than the largest number of a process.
const OF_NAMESPACE: u32 = 1 << 22;
/// Process namespaces with different users: `FIRST + NAMESPACES * OF_NAMESPACE` is less than 2³¹.
const NAMESPACES: u32 = 64;
/// One of these in a container with few users.
const FIRST_OF_FEW: u32 = 60_000;
const FEW: u32 = 5_000;

/// A user for programs, if the judge may change users; group and user have the same number.
pub(super) fn other_user() -> io::Result<u32> {
    if !geteuid().is_root() {
        return Err(io::Error::other("only root can be another user"));
    }
    let launcher = std::process::id();
    let candidates = [FIRST + namespace() * OF_NAMESPACE + launcher, FIRST_OF_FEW + launcher % FEW];
    let mut error = None;
    for user in candidates {
        match try_user(user) {
            Ok(()) => return Ok(user),
            Err(errno) => error = Some(errno),
        }
    }
    Err(error.unwrap_or(Errno::PERM).into())
}

/// A number of our process namespace, less than [`NAMESPACES`].
///
/// Launchers in two containers can have the same process number. If their programs were the same user, the kernel would
/// count the processes of both together.
fn namespace() -> u32 {
    let found = std::fs::metadata("/proc/self/ns/pid");
    let number = found.map_or(0, |namespace| namespace.ino());
    // The kernel assigns consecutive numbers.
    (number % u64::from(NAMESPACES)).try_into().unwrap_or(0)
}

/// Becomes the user for a moment; the saved user stays root, which may return.
fn try_user(user: u32) -> Result<(), Errno> {
    let root = Uid::ROOT;
    set_thread_res_uid(None, Uid::from_raw(user), None)?;
    set_thread_res_uid(None, root, None)
}

/// Gives the folder and its contents to another user.
///
/// Follows no symbolic link. It needs few descriptors, because it stops at a depth that no compiler creates.
pub(super) fn give(folder: &CStr, user: u32) -> io::Result<()> {
    give_open(&open_folder(CWD, folder)?, user)
}

/// The same for an open folder.
pub(super) fn give_open(folder: &OwnedFd, user: u32) -> io::Result<()> {
    fchown(folder, Some(Uid::from_raw(user)), Some(Gid::from_raw(user)))?;
    give_below(folder, user, DEEPEST)
}

const DEEPEST: u32 = 64;

fn give_below(folder: &OwnedFd, user: u32, depth: u32) -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        // A file with another name may belong to someone else, so it stays unchanged.
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kind = FileType::from_raw_mode(stat.st_mode);
        if !kind.is_dir() && stat.st_nlink > 1 {
            continue;
        }
        chownat(folder, name, Some(uid), Some(gid), AtFlags::SYMLINK_NOFOLLOW)?;
        if kind.is_dir() && depth > 0 {
            give_below(&open_folder(folder.as_fd(), name)?, user, depth - 1)?;
        }
    }
    Ok(())
}

/// Whether this pipe, of this device, has no name. All such pipes are of one device.
fn is_unnamed(pipe: &OwnedFd, device: u64) -> io::Result<bool> {
    /// The file system of unnamed pipes; see `statfs(2)`.
    const PIPES: rustix::fs::FsWord = 0x5049_5045;
    static DEVICE: OnceLock<u64> = OnceLock::new();
    if DEVICE.get() == Some(&device) {
        return Ok(true);
    }
    let unnamed = fstatfs(pipe)?.f_type == PIPES;
    if unnamed {
        DEVICE.get_or_init(|| device);
    }
    Ok(unnamed)
}

/// Lets `user` open its standard streams again by their names in `/dev`: its pipes, and its input, which is the first one,
/// for reading. Everybody can open the file for its output already.
pub(super) fn give_streams(streams: &[OwnedFd], user: u32) -> io::Result<()> {
    let (uid, gid) = (Uid::from_raw(user), Gid::from_raw(user));
    for (number, stream) in streams.iter().enumerate() {
        let stat = fstat(stream)?;
        let kind = FileType::from_raw_mode(stat.st_mode);
        if kind.is_fifo() && is_unnamed(stream, stat.st_dev)? {
            fchown(stream, Some(uid), Some(gid))?;
        } else if number == 0 && kind.is_file() && stat.st_nlink == 0 && stat.st_mode & 0o004 == 0 {
            fchmod(stream, Mode::from_raw_mode(stat.st_mode & 0o777) | Mode::ROTH)?;
        }
    }
    Ok(())
}
