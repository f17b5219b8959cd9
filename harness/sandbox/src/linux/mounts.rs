//! The root folder that programs see, and how files of the system appear in it.
//!
//! Each launcher creates a root once: a file system in memory that holds mount points, a few generated files, and the
//! parts of the system that programs and compilers need, read-only. It is in a small mount namespace of its own, so a
//! copy for each run is cheap.

use std::ffi::{CStr, CString, c_int};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{Mode, OFlags, mkdirat, openat, symlinkat};
use rustix::io::Errno;
use rustix::mount::{
    MountAttrFlags, OpenTreeFlags, UnmountFlags, fsconfig_reconfigure, fsconfig_set_string,
    open_tree, unmount,
};

use super::errand::Errand;
use super::mount_attributes::{restrict_mount, restrict_tree};
use super::mount_points::{self, MountPoints, make_file};
use super::system;
use super::unmounted::{attach, attach_at, clone, file_system, is_folder};

/// The parts of `/etc` that runtimes read, by prefix: nothing about the users or services of the machine.
const SETTINGS: [&str; 17] = [
    "alternatives",
    "ld.so.",
    "ld-musl",
    "java",
    ".java",
    "crypto-policies",
    "localtime",
    "timezone",
    "locale.alias",
    "php",
    "python",
    "perl",
    "mono",
    "fpc",
    "ghc",
    "ocamlfind",
    "lua",
];

/// The same, by full name.
const SETTINGS_OF_ONE: [&str; 6] = ["R", "dotnet", "gnucobol", "julia", "ldc2.conf", "nim"];

/// Devices of the machine that programs may use.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

const LINKS: [(&CStr, &CStr); 5] = [
    (c"/proc/self/fd", c"dev/fd"),
    (c"/proc/self/fd/0", c"dev/stdin"),
    (c"/proc/self/fd/1", c"dev/stdout"),
    (c"/proc/self/fd/2", c"dev/stderr"),
    (c"/tmp", c"dev/shm"),
];

/// The mount point of the file system of each run, for temporary files and the working folder.
pub(super) const TMP: &str = "/tmp";
/// A link to [`TMP`].
pub(super) const SHM: &str = "/dev/shm";

const READ_ONLY: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_RDONLY.union(WRITABLE);
const WRITABLE: MountAttrFlags =
    MountAttrFlags::MOUNT_ATTR_NOSUID.union(MountAttrFlags::MOUNT_ATTR_NODEV);
/// Otherwise, to list a folder would leave a trace.
const OF_ONE_RUN: MountAttrFlags = WRITABLE.union(MountAttrFlags::MOUNT_ATTR_NOATIME);
/// A device can be written to all the same. Otherwise, everybody who may write could set its times, which all runs see.
const DEVICE: MountAttrFlags = MountAttrFlags::MOUNT_ATTR_RDONLY
    .union(MountAttrFlags::MOUNT_ATTR_NOSUID)
    .union(MountAttrFlags::MOUNT_ATTR_NOEXEC);

/// Whether a program may write to a mount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

/// The root folder of all runs.
#[derive(Debug)]
pub(super) struct Root {
    /// The root as only the launcher can write to it.
    pub(super) inside: OwnedFd,
    /// The folders of the system in it.
    shown: Vec<&'static str>,
    /// A folder of the launcher for temporary mounts.
    base: CString,
    mount_points: MountPoints,
    /// Removes the old root from the namespace.
    removal: Option<Errand>,
}

impl Root {
    /// Makes it the root of the calling process, which must be alone in its mount namespace. `base` is a folder. The
    /// namespace must not be used before [`Root::finish`].
    pub(super) fn enter(base: &CStr, user: (u32, u32)) -> io::Result<Self> {
        let mount = file_system(c"tmpfs", &[("mode", "755"), ("size", "1m")], WRITABLE)?;
        // Any folder that programs do not see will do.
        attach(mount.as_fd(), base)?;
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        // A second mount of the same file system, because the first becomes read-only. Before Linux 6.15, only a
        // mounted file system can have a second mount.
        let inside = open_tree(&mount, c"", flags | OpenTreeFlags::AT_EMPTY_PATH)?;
        let shown = fill(&mount, user, base)?;
        put_root(mount.as_fd())?;
        restrict_mount(mount.as_fd(), MountAttrFlags::MOUNT_ATTR_RDONLY)?;
        // The kernel waits for all processors afterwards.
        let removal = Errand::begin(remove_old_root, 0)?;
        let base = base.to_owned();
        Ok(Self {
            inside,
            shown,
            base,
            mount_points: MountPoints::default(),
            removal: Some(removal),
        })
    }

    /// Waits until the old root is removed from the namespace.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.removal.take().map_or(Ok(0), Errand::finish).map(drop)
    }

    /// Creates the mount point `path`, without a slash at its start, for a folder or a file.
    pub(super) fn make_mount_point(&self, path: &Path, folder: bool) -> io::Result<()> {
        self.mount_points.make(self.inside.as_fd(), path, folder)
    }

    /// Removes the mount points created so far, and all that is mounted on them in any cell.
    pub(super) fn remove_mount_points(&self) -> io::Result<()> {
        self.mount_points.remove(self.inside.as_fd())
    }

    /// A copy of the file `path` that everyone may read, to be mounted elsewhere.
    pub(super) fn copy_to_read(&self, path: &Path) -> io::Result<OwnedFd> {
        let mut source = File::open(path)?;
        let data = source.metadata()?;
        let memory = scratch(data.len().saturating_add(1 << 20))?;
        let executable = data.mode() & 0o111;
        let mode = Mode::from_raw_mode(0o444 | if executable == 0 { 0 } else { 0o111 });
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::WRONLY | OFlags::CLOEXEC;
        let mut copy = File::from(openat(&memory, "copy", flags, mode)?);
        io::copy(&mut source, &mut copy)?;
        // Before Linux 6.15, only a mounted file system can be cloned.
        attach(memory.as_fd(), &self.base)?;
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        let tree = open_tree(&memory, "copy", flags);
        unmount(self.base.as_c_str(), UnmountFlags::DETACH)?;
        restrict_tree(tree?, READ_ONLY, &self.base)
    }

    /// The files at `path`, read-only for a program, to be mounted elsewhere.
    pub(super) fn clone_to_read(&self, path: &Path) -> io::Result<OwnedFd> {
        restrict_tree(clone(path)?, READ_ONLY, &self.base)
    }

    /// Whether every run sees `path` in it.
    pub(super) fn shows(&self, path: &Path) -> bool {
        path == Path::new("/")
            || path.starts_with("/proc")
            || self.shown.iter().any(|shown| path.starts_with(shown))
    }
}

/// Fills the root, and returns the folders of the system that exist.
fn fill(root: &OwnedFd, user: (u32, u32), base: &CStr) -> io::Result<Vec<&'static str>> {
    let folder = Mode::from_raw_mode(0o755);
    for name in [c"proc", c"tmp", c"dev", c"etc"] {
        mkdirat(root, name, folder)?;
    }
    let mut shown = Vec::new();
    for place in system::folders() {
        if show_system(root, place, base)? {
            shown.push(place);
        }
    }
    let etc = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    for entry in etc {
        let name = entry.file_name().into_string().unwrap_or_default();
        let known = SETTINGS.iter().any(|start| name.starts_with(start));
        if known || SETTINGS_OF_ONE.contains(&name.as_str()) {
            show_system(root, &format!("/etc/{name}"), base)?;
        }
    }
    // The host's, below that of each run: without it, the kernel does not let users mount one.
    let proc = clone(Path::new("/proc"))?;
    attach_at(proc.as_fd(), root, "proc")?;
    for name in DEVICES {
        // A bare root may lack devices.
        let device = match clone(&Path::new("/dev").join(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            device => device?,
        };
        let device = restrict_tree(device, DEVICE, base)?;
        make_file(root.as_fd(), format!("dev/{name}"))?;
        attach_at(device.as_fd(), root, &format!("dev/{name}"))?;
    }
    for (target, link) in LINKS {
        symlinkat(target, root, link)?;
    }
    make_up(root, user)?;
    Ok(shown)
}

/// The files of `/etc` that are the same everywhere.
fn make_up(root: &OwnedFd, (uid, gid): (u32, u32)) -> io::Result<()> {
    let own = |kind: &str| match kind {
        "passwd" => format!("program:x:{uid}:{gid}::/tmp:/bin/false\n"),
        _ => format!("program:x:{gid}:\n"),
    };
    let files = [
        ("etc/passwd", format!("root:x:0:0::/:/bin/false\n{}", own("passwd"))),
        ("etc/group", format!("root:x:0:\n{}", own("group"))),
        ("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n".to_owned()),
        ("etc/hosts", "127.0.0.1 localhost\n::1 localhost\n".to_owned()),
    ];
    for (name, text) in files {
        let flags = OFlags::CREATE | OFlags::WRONLY | OFlags::CLOEXEC;
        let file = openat(root, name, flags, Mode::from_raw_mode(0o444))?;
        rustix::io::write(&file, text.as_bytes())?;
    }
    Ok(())
}

/// Shows a folder or file of the system, or the link in its place. Returns whether it exists.
fn show_system(root: &OwnedFd, path: &str, base: &CStr) -> io::Result<bool> {
    let inside = path.trim_start_matches('/');
    let Ok(stat) = std::fs::symlink_metadata(path) else {
        return Ok(false);
    };
    if stat.is_symlink() {
        let target = std::fs::read_link(path)?;
        if target.starts_with("usr") || target.starts_with("/usr") {
            in_folder(root, inside, || Ok(symlinkat(&target, root, inside)?))?;
            return Ok(true);
        }
    }
    // What cannot be followed or shown counts as missing.
    let Ok(tree) = clone(Path::new(path)) else {
        return Ok(false);
    };
    let tree = restrict_tree(tree, READ_ONLY, base)?;
    let folder = is_folder(tree.as_fd())?;
    in_folder(root, inside, || {
        if folder {
            mkdirat(root, inside, Mode::from_raw_mode(0o755))?;
        } else {
            make_file(root.as_fd(), inside)?;
        }
        Ok(())
    })?;
    attach_at(tree.as_fd(), root, inside)?;
    Ok(true)
}

/// Calls `make`, which makes `path` in the root, and makes the folders above it first if they are missing. Usually they
/// are there.
fn in_folder(root: &OwnedFd, path: &str, make: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let Some(folder) = Path::new(path).parent() else {
        return make();
    };
    match make() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            mount_points::make(root.as_fd(), folder, true, |_, _| {})?;
            make()
        }
        done => done,
    }
}

/// A file system in memory of `size` bytes for one run.
pub(super) fn scratch(size: u64) -> io::Result<OwnedFd> {
    let options = [("mode", "1777"), ("nr_inodes", "32k"), ("size", &size.to_string())];
    file_system(c"tmpfs", &options, OF_ONE_RUN)
}

/// Changes the size of a file system of [`scratch`].
pub(super) fn resize(scratch: BorrowedFd<'_>, size: u64) -> io::Result<()> {
    use rustix::mount::{FsPickFlags, fspick};
    let flags = FsPickFlags::FSPICK_EMPTY_PATH | FsPickFlags::FSPICK_CLOEXEC;
    let context = fspick(scratch, c"", flags)?;
    fsconfig_set_string(&context, "size", size.to_string())?;
    Ok(fsconfig_reconfigure(&context)?)
}

/// Makes `mount` the root of the mount namespace, and removes the old root from it.
pub(super) fn change_root(mount: BorrowedFd<'_>) -> io::Result<()> {
    put_root(mount)?;
    remove_old_root()?;
    Ok(())
}

/// Makes `mount` the root and the working folder of the caller. The old root is mounted on top of it.
fn put_root(mount: BorrowedFd<'_>) -> io::Result<()> {
    rustix::process::fchdir(mount)?;
    Ok(rustix::process::pivot_root(c".", c".")?)
}

/// The second half: may be called by a process that shares our memory.
fn remove_old_root() -> Result<c_int, Errno> {
    unmount(c".", UnmountFlags::DETACH)?;
    Ok(0)
}
