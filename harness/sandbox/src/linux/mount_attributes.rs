//! Makes mounts read-only, and takes devices and set-user-ID programs out of them, with all mounts below.
//!
//! Since Linux 5.12, `mount_setattr(2)` does so in one step, also for a tree that is not mounted yet. Before, only a
//! mounted file system can be changed, one mount at a time: the tree is mounted in a hidden place, every mount of it is
//! changed there, and a copy with the same attributes is taken.

#![expect(unsafe_code, reason = "mount_setattr, which rustix lacks")]

use std::collections::HashSet;
use std::ffi::{CStr, OsString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::PathBuf;

use rustix::fs::{Mode, OFlags, mkdirat, open};
use rustix::io::Errno;
use rustix::mount::{MountAttrFlags, MountFlags, UnmountFlags, mount_remount, unmount};

use super::mount_points::make_file;
use super::unmounted::{attach, attach_at, copy_of_tree, file_system, is_folder};

/// The attributes that are added here or that a change must keep, with their names in `/proc/self/mountinfo`. The kernel
/// keeps how times of access are recorded.
const ATTRIBUTES: [(MountAttrFlags, MountFlags, &[u8]); 5] = [
    (MountAttrFlags::MOUNT_ATTR_RDONLY, MountFlags::RDONLY, b"ro"),
    (MountAttrFlags::MOUNT_ATTR_NOSUID, MountFlags::NOSUID, b"nosuid"),
    (MountAttrFlags::MOUNT_ATTR_NODEV, MountFlags::NODEV, b"nodev"),
    (MountAttrFlags::MOUNT_ATTR_NOEXEC, MountFlags::NOEXEC, b"noexec"),
    (MountAttrFlags::MOUNT_ATTR_NOSYMFOLLOW, MountFlags::NOSYMFOLLOW, b"nosymfollow"),
];

/// Adds attributes to `tree`, which is not mounted, and to all mounts below it. `base` is a folder.
pub(super) fn restrict_tree(
    tree: OwnedFd,
    added: MountAttrFlags,
    base: &CStr,
) -> io::Result<OwnedFd> {
    match set_at_once(tree.as_fd(), added, libc::AT_RECURSIVE) {
        Ok(()) => Ok(tree),
        Err(Errno::NOSYS) => restrict_in_place(&tree, added, base),
        Err(error) => Err(error.into()),
    }
}

/// Adds attributes to a file system that is mounted.
pub(super) fn restrict_mount(mount: BorrowedFd<'_>, added: MountAttrFlags) -> io::Result<()> {
    match set_at_once(mount, added, 0) {
        Ok(()) => Ok(()),
        Err(Errno::NOSYS) => {
            let wanted = number_of(mount)?;
            let table = fs::read("/proc/self/mountinfo")?;
            let entry = entries(&table).find(|entry| entry.number == wanted);
            let entry = entry.ok_or(io::ErrorKind::NotFound)?;
            remount(mount, entry.attributes | legacy(added))
        }
        Err(error) => Err(error.into()),
    }
}

/// See `mount_setattr(2)`.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

fn set_at_once(mount: BorrowedFd<'_>, set: MountAttrFlags, flags: i32) -> Result<(), Errno> {
    let attributes =
        MountAttributes { set: set.bits().into(), clear: 0, propagation: 0, user_namespace: 0 };
    // SAFETY: a valid descriptor, an empty path, and a live structure of the given size.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | flags,
            &raw const attributes,
            size_of::<MountAttributes>(),
        )
    };
    if result < 0 {
        let error = io::Error::last_os_error();
        return Err(Errno::from_io_error(&error).unwrap_or(Errno::IO));
    }
    Ok(())
}

/// Mounts `tree` below `base` for a moment, in a folder that no other user may enter.
fn restrict_in_place(tree: &OwnedFd, added: MountAttrFlags, base: &CStr) -> io::Result<OwnedFd> {
    const PLACE: &str = "place";
    let stage = file_system(c"tmpfs", &[("mode", "700")], MountAttrFlags::empty())?;
    if is_folder(tree.as_fd())? {
        mkdirat(&stage, PLACE, Mode::RWXU)?;
    } else {
        make_file(stage.as_fd(), PLACE)?;
    }
    attach(stage.as_fd(), base)?;
    let changed = attach_at(tree.as_fd(), &stage, PLACE)
        .and_then(|()| restrict_all(tree.as_fd(), legacy(added)))
        .and_then(|()| copy_of_tree(tree.as_fd()));
    unmount(base, UnmountFlags::DETACH)?;
    changed
}

/// Adds attributes to the mount `top` and to all below it, as far as they can be reached.
fn restrict_all(top: BorrowedFd<'_>, added: MountFlags) -> io::Result<()> {
    let table = fs::read("/proc/self/mountinfo")?;
    let all: Vec<MountEntry> = entries(&table).collect();
    let mut found = HashSet::from([number_of(top)?]);
    let mut known = 0;
    while known < found.len() {
        known = found.len();
        let below = all.iter().filter(|entry| found.contains(&entry.parent));
        let below: Vec<u64> = below.map(|entry| entry.number).collect();
        found.extend(below);
    }
    let mut found = all.iter().filter(|entry| found.contains(&entry.number));
    found.try_for_each(|entry| restrict_one(entry, added))
}

fn restrict_one(entry: &MountEntry, added: MountFlags) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mount = match open(&entry.place, flags, Mode::empty()) {
        Ok(mount) => mount,
        // Programs reach no more than the launcher.
        Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    if number_of(mount.as_fd())? != entry.number {
        // Another mount hides it.
        return Ok(());
    }
    remount(mount.as_fd(), entry.attributes | added)
}

/// Gives a mount exactly these attributes.
fn remount(mount: BorrowedFd<'_>, attributes: MountFlags) -> io::Result<()> {
    let path = format!("/proc/self/fd/{}", mount.as_raw_fd());
    Ok(mount_remount(path, MountFlags::BIND | attributes, c"")?)
}

/// The same attributes for `mount(2)`.
fn legacy(attributes: MountAttrFlags) -> MountFlags {
    let known = ATTRIBUTES.iter();
    known
        .filter(|(attribute, ..)| attributes.contains(*attribute))
        .fold(MountFlags::empty(), |all, &(_, flag, _)| all | flag)
}

/// The number of the mount of a file, as [`MountEntry`] has it.
fn number_of(file: BorrowedFd<'_>) -> io::Result<u64> {
    let text = fs::read_to_string(format!("/proc/self/fdinfo/{}", file.as_raw_fd()))?;
    let line = text.lines().find_map(|line| line.strip_prefix("mnt_id:"));
    let number = line.and_then(|number| number.trim().parse().ok());
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// A line of `/proc/self/mountinfo`.
#[derive(Debug, PartialEq, Eq)]
struct MountEntry {
    number: u64,
    parent: u64,
    place: PathBuf,
    attributes: MountFlags,
}

/// See `proc_pid_mountinfo(5)`.
fn entries(table: &[u8]) -> impl Iterator<Item = MountEntry> {
    table.split(|&byte| byte == b'\n').filter_map(entry)
}

fn entry(line: &[u8]) -> Option<MountEntry> {
    let mut words = line.split(|&byte| byte == b' ');
    let mut number = || str::from_utf8(words.next()?).ok()?.parse().ok();
    let (number, parent) = (number()?, number()?);
    let place = words.nth(2)?;
    let options: Vec<&[u8]> = words.next()?.split(|&byte| byte == b',').collect();
    let known = ATTRIBUTES.iter();
    let attributes = known
        .filter(|(.., name)| options.contains(name))
        .fold(MountFlags::empty(), |all, &(_, flag, _)| all | flag);
    Some(MountEntry {
        number,
        parent,
        place: OsString::from_vec(unescaped(place)).into(),
        attributes,
    })
}

/// Without the escapes of three octal digits for spaces, tabs, newlines and backslashes.
fn unescaped(word: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(word.len());
    let mut rest = word;
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = match (byte, after) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..]) => {
                Some((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'))
            }
            _ => None,
        };
        plain.push(escaped.unwrap_or(byte));
        rest = if escaped.is_some() { &after[3..] } else { after };
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_table_of_mounts_is_read() {
        let table = b"36 35 98:0 /mnt1 /a\\040b\\134c rw,nosuid,noatime master:1 - ext3 /dev/root rw,errors=continue\n\
                      37 36 0:5 / /proc ro,nodev,noexec,nosymfollow,relatime - proc proc rw\n";
        let expected = [
            MountEntry {
                number: 36,
                parent: 35,
                place: "/a b\\c".into(),
                attributes: MountFlags::NOSUID,
            },
            MountEntry {
                number: 37,
                parent: 36,
                place: "/proc".into(),
                attributes: MountFlags::RDONLY
                    | MountFlags::NODEV
                    | MountFlags::NOEXEC
                    | MountFlags::NOSYMFOLLOW,
            },
        ];
        assert_eq!(entries(table).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_line_that_is_cut_is_no_mount() {
        let line = b"36 35 98:0 /mnt1 /mnt2 rw,noatime - ext3 /dev/root rw";
        assert!(entry(line).is_some());
        for cut in ["", "36", "36 x", "36 35 98:0 /mnt1", "36 35 98:0 /mnt1 /mnt2"] {
            assert_eq!(entry(cut.as_bytes()), None, "{cut}");
        }
    }

    #[test]
    fn the_root_is_in_the_table_with_its_number() {
        let root = open(c"/", OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).unwrap();
        let table = fs::read("/proc/self/mountinfo").unwrap();
        let number = number_of(root.as_fd()).unwrap();
        let found = entries(&table).find(|entry| entry.number == number);
        assert_eq!(found.unwrap().place, PathBuf::from("/"));
    }
}
