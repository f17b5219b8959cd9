//! The namespaces of a launcher: those that last, and the setup for those of each run.
//!
//! The launcher stays in a mount namespace with all files of the system, [`Namespaces::home`]. Next to it there is one
//! with only the root of [`super::mounts`]. The launcher enters that one for a moment to copy it for a run. A launcher
//! of an ordinary user first needs a user namespace, and a pid namespace for itself: only the owner of its pid
//! namespace may return to it.

#![expect(unsafe_code, reason = "fork and unshare")]

use std::ffi::CStr;
use std::fs;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, StatxFlags, open, openat, statx};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{getegid, geteuid};
use rustix::thread::{
    CapabilitySet, LinkNameSpaceType, UnshareFlags, capabilities, move_into_link_name_space,
    unshare_unsafe,
};

use super::cell_files::CellFiles;
use super::init::Init;
use super::mounts::{self, Root};
use super::new_network::NewNetwork;
use super::trials::Trials;
use super::unmounted;
use crate::protection::Protection;

/// The namespaces of a launcher.
#[derive(Debug)]
pub(super) struct Namespaces {
    /// `/proc` as mounted at the start.
    proc: OwnedFd,
    /// The mount namespace with all of the system, and the pid namespace of the launcher.
    home: OwnedFd,
    pids: OwnedFd,
    /// The namespace that each run copies, and the root in it.
    model: Option<(OwnedFd, Root)>,
    /// The namespaces that each run gets new.
    each_run: UnshareFlags,
    /// `/proc/sys/kernel/ns_last_pid`, in which each process sees the last number that the kernel chose in its own pid
    /// namespace, and may set it with one [right](super::rights::KeptRight::SetCounter). `None` if we lack that right.
    counter: Option<OwnedFd>,
}

/// The namespaces of one run. Dropping it kills every process in them.
#[derive(Debug, Default)]
pub(super) struct Cell {
    /// The init of its pid namespace.
    pub(super) init: Option<Init>,
    pub(super) pids: Option<OwnedFd>,
    /// Its ipc namespace, if it has one.
    pub(super) ipc: Option<OwnedFd>,
    /// `/proc/loadavg` in it. A process of its pid namespace reads there the last number that the kernel chose for one.
    pub(super) last_number: Option<OwnedFd>,
    pub(super) files: Option<CellFiles>,
}

impl Cell {
    /// From now on, new children of the caller are in the pid namespace of this cell again.
    pub(super) fn enter_again(&self) -> io::Result<()> {
        match &self.pids {
            Some(pids) => go_to(LinkNameSpaceType::ProcessID, pids.as_fd()),
            None => Ok(()),
        }
    }
}

/// Whether the caller can create namespaces as it is. If so, it is in a mount namespace of its own afterwards.
pub(super) fn may_unshare() -> io::Result<()> {
    unshare(UnshareFlags::NEWNS)?;
    root_the_namespace()
}

/// Makes `/` the root of the mount namespace, which is the caller's own. After `chroot(2)` it is not: then `/` need not
/// even be a mount, and whoever enters the namespace again sees the files outside of it.
fn root_the_namespace() -> io::Result<()> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let root = open(c"/", OFlags::PATH | flags, Mode::empty())?;
    let own = open(c"/proc/self/ns/mnt", OFlags::CLOEXEC, Mode::empty())?;
    go_to(LinkNameSpaceType::Mount, own.as_fd())?;
    keep_mounts_private()?;
    if is_root(root.as_fd())? {
        return Ok(());
    }
    let root = unmounted::copy_of_tree(root.as_fd())?;
    unmounted::attach(root.as_fd(), c"/")?;
    mounts::change_root(root.as_fd())?;
    keep_mounts_private()
}

/// Whether `/` is `folder`, in the same mount.
fn is_root(folder: BorrowedFd<'_>) -> io::Result<bool> {
    let flags = StatxFlags::INO | StatxFlags::MNT_ID;
    let root = statx(CWD, c"/", AtFlags::empty(), flags)?;
    let folder = statx(folder, c"", AtFlags::EMPTY_PATH, flags)?;
    Ok(root.stx_ino == folder.stx_ino && root.stx_mnt_id == folder.stx_mnt_id)
}

/// From now on, no mount of ours reaches another mount namespace.
fn keep_mounts_private() -> io::Result<()> {
    mount_change(c"/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    Ok(())
}

/// Makes the caller root of a user namespace and process 1 of a pid namespace, or returns the error. The original
/// process waits for it to end, and then exits.
pub(super) fn become_own_root() -> io::Result<()> {
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWNS | UnshareFlags::NEWPID)?;
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{uid} {uid} 1"))?;
    fs::write("/proc/self/gid_map", format!("{gid} {gid} 1"))?;
    // SAFETY: this process has one thread, so its copy may call everything.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            // SAFETY: a system call on numbers.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
            Ok(())
        }
        // SAFETY: system calls on numbers and on a live value. The process closes all descriptors, waits for the child
        // and exits; it never returns to code that uses a descriptor.
        child => unsafe {
            libc::syscall(libc::SYS_close_range, 0, u32::MAX, 0);
            for fd in 0..16 {
                libc::close(fd);
            }
            let mut status = 0;
            while libc::waitpid(child, &raw mut status, 0) < 0
                && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
            {}
            libc::_exit(libc::WEXITSTATUS(status))
        },
    }
}

/// Whether the kernel counts processes per user and user namespace, as Linux does since 5.14, and this user namespace
/// is our own. Then the count is small; otherwise it includes at least the judge.
pub(super) fn counts_processes() -> bool {
    /// The launcher, its original process, the init of the first cell, the copy, and one more.
    const FEW: u64 = 5;
    let limit = libc::rlimit { rlim_cur: FEW, rlim_max: FEW };
    let tried = !geteuid().is_root() && std::process::id() == 1;
    // SAFETY: system calls on a live structure. The forked process exits at once.
    tried
        && try_in_copy(|| unsafe {
            if libc::setrlimit(libc::RLIMIT_NPROC, &raw const limit) < 0 {
                return Err(io::Error::last_os_error());
            }
            match libc::fork() {
                -1 => Err(io::Error::last_os_error()),
                0 => libc::_exit(0),
                child => {
                    libc::waitpid(child, std::ptr::null_mut(), 0);
                    Ok(())
                }
            }
        })
        .is_ok()
}

/// Calls `what` in a copy of this process and returns whether it succeeded. Nothing of it lasts.
pub(super) fn try_in_copy(what: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    use std::io::{Read as _, Write as _};
    let (reader, writer) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    // SAFETY: this process has one thread, so its copy may call everything.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            drop(reader);
            let words = what().map_or_else(|error| error.to_string(), |()| "works".into());
            // No message counts as a failure.
            let _ = fs::File::from(writer).write_all(words.as_bytes());
            // SAFETY: the copy exits at once; no destructor runs.
            unsafe { libc::_exit(0) }
        }
        child => {
            drop(writer);
            let mut words = String::new();
            fs::File::from(reader).read_to_string(&mut words)?;
            // SAFETY: a wait for our own child. The kernel writes no result.
            unsafe { libc::waitpid(child, std::ptr::null_mut(), 0) };
            match words.as_str() {
                "works" => Ok(()),
                "" => Err(io::Error::other("a trial ended early")),
                words => Err(io::Error::other(words.to_owned())),
            }
        }
    }
}

/// The size of the files of the first cell, in bytes; a run changes it as it needs.
pub(super) const FIRST_SIZE: u64 = 1 << 20;

impl Namespaces {
    /// Creates the lasting namespaces except that of the network. The caller is in a mount namespace of its own. Programs
    /// have this `user` and group. [`Namespaces::complete`] does the rest.
    pub(super) fn enter(base: &CStr, user: (u32, u32), found: &mut Trials) -> io::Result<Self> {
        keep_mounts_private()?;
        if std::process::id() == 1 {
            let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
            mount(c"proc", c"/proc", c"proc", flags, None)?;
        }
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let proc = open(c"/proc", flags, Mode::empty())?;
        let home = own_namespace(&proc, c"self/ns/mnt")?;
        let pids = own_namespace(&proc, c"self/ns/pid")?;
        let mut namespaces = Self {
            proc,
            home,
            pids,
            model: None,
            each_run: UnshareFlags::empty(),
            counter: counter().ok(),
        };
        found.attempt(Protection::UtsNamespace, || {
            unshare(UnshareFlags::NEWUTS)?;
            Ok(rustix::system::sethostname(b"rejudge")?)
        });
        if found.attempt(Protection::IpcNamespace, || unshare(UnshareFlags::NEWIPC)).is_some() {
            namespaces.each_run |= UnshareFlags::NEWIPC;
        }
        namespaces.model = found.attempt(Protection::MountNamespace, || {
            namespaces.away_from_home(|namespaces| namespaces.model(base, user))
        });
        if namespaces.model.is_some() {
            namespaces.each_run |= UnshareFlags::NEWNS;
            found.has(Protection::BoundedFolder);
        } else {
            found.lacks(Protection::BoundedFolder, "there is no mount namespace");
        }
        Ok(namespaces)
    }

    /// Waits for what is in the making, enters the network namespace, and tries which namespaces each run can have. Programs
    /// are `other`, or else the user of the caller. Returns the cell of the trial, too, which is that of the first run.
    pub(super) fn complete(
        &mut self,
        network: Option<NewNetwork>,
        other: Option<u32>,
        found: &mut Trials,
    ) -> io::Result<Option<Cell>> {
        if let Some((_, root)) = &mut self.model {
            root.finish()?;
        }
        // The processes of a cell are in it.
        found.attempt(Protection::NetworkNamespace, || match network {
            Some(network) => network.enter(),
            None => unshare(UnshareFlags::NEWNET),
        });
        if self.model.is_none() && found.permits(Protection::PidNamespace) {
            // It is used nevertheless, and shows the processes outside.
            found.lacks(Protection::PidNamespace, "there is no mount namespace for its `/proc`");
        }
        // Last, because it tries all that a run needs.
        Ok(found.attempt(Protection::PidNamespace, || {
            self.each_run |= UnshareFlags::NEWPID;
            let tried = self.cell(FIRST_SIZE, other);
            // New children of ours are not part of it yet.
            go_to(LinkNameSpaceType::ProcessID, self.pids.as_fd())?;
            if tried.is_err() {
                self.each_run -= UnshareFlags::NEWPID;
            }
            tried
        }))
    }

    /// Creates the model for the files of each run. Called in another mount namespace.
    fn model(&self, base: &CStr, user: (u32, u32)) -> io::Result<(OwnedFd, Root)> {
        unshare(UnshareFlags::NEWNS)?;
        let root = Root::enter(base, user)?;
        Ok((self.own(c"self/ns/mnt")?, root))
    }

    fn own(&self, name: &CStr) -> io::Result<OwnedFd> {
        own_namespace(&self.proc, name)
    }

    /// Calls a function in another mount namespace, and returns to ours in any case.
    fn away_from_home<T>(&self, away: impl FnOnce(&Self) -> io::Result<T>) -> io::Result<T> {
        let result = away(self);
        go_to(LinkNameSpaceType::Mount, self.home.as_fd())?;
        result
    }

    /// The root that each run sees.
    pub(super) fn root(&self) -> Option<&Root> {
        self.model.as_ref().map(|(_, root)| root)
    }

    /// See [`Namespaces::counter`].
    pub(super) fn counter(&self) -> Option<BorrowedFd<'_>> {
        self.counter.as_ref().map(AsFd::as_fd)
    }

    /// Whether each run has a pid namespace.
    pub(super) fn numbers_processes(&self) -> bool {
        self.each_run.contains(UnshareFlags::NEWPID)
    }

    /// The pid namespace of the launcher.
    pub(super) fn own_pids(&self) -> BorrowedFd<'_> {
        self.pids.as_fd()
    }

    /// From now on, new children of the caller are in its own pid namespace.
    pub(super) fn number_as_ours(&self) -> io::Result<()> {
        if self.numbers_processes() {
            go_to(LinkNameSpaceType::ProcessID, self.pids.as_fd())?;
        }
        Ok(())
    }

    /// A cell for a run that may store `size` bytes, with a working folder of `user`. From now on, new children of the
    /// caller are in its pid and ipc namespaces.
    pub(super) fn cell(&self, size: u64, user: Option<u32>) -> io::Result<Cell> {
        self.number_as_ours()?;
        self.away_from_home(|here| {
            if let Some((model, _)) = &here.model {
                go_to(LinkNameSpaceType::Mount, model.as_fd())?;
            }
            unshare(here.each_run)?;
            let files = match &here.model {
                Some(_) => Some(CellFiles::new(size, user, || here.own(c"self/ns/mnt"))?),
                None => None,
            };
            let init = if here.numbers_processes() {
                let (proc, counter) = (here.proc.as_fd(), here.counter());
                Some(Init::start(files.is_some(), proc, counter)?)
            } else {
                None
            };
            let pids = match &init {
                Some(_) => Some(here.own(c"self/ns/pid_for_children")?),
                None => None,
            };
            let ipc = if here.each_run.contains(UnshareFlags::NEWIPC) {
                Some(here.own(c"self/ns/ipc")?)
            } else {
                None
            };
            // With these, the init has mounted its own `/proc`.
            let last_number = if init.is_some() && files.is_some() {
                let flags = OFlags::RDONLY | OFlags::CLOEXEC;
                open(c"/proc/loadavg", flags, Mode::empty()).ok()
            } else {
                None
            };
            Ok(Cell { init, pids, ipc, last_number, files })
        })
    }
}

/// A namespace of the caller, by its name below `/proc`.
fn own_namespace(proc: &OwnedFd, name: &CStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    Ok(openat(proc, name, flags, Mode::empty())?)
}

/// See [`Namespaces::counter`].
fn counter() -> io::Result<OwnedFd> {
    let ours = capabilities(None)?.effective;
    if !ours.contains(CapabilitySet::CHECKPOINT_RESTORE) {
        return Err(Errno::PERM.into());
    }
    let (path, flags) = (c"/proc/sys/kernel/ns_last_pid", OFlags::RDWR | OFlags::CLOEXEC);
    Ok(open(path, flags, Mode::empty())?)
}

fn go_to(kind: LinkNameSpaceType, place: BorrowedFd<'_>) -> io::Result<()> {
    Ok(move_into_link_name_space(place, Some(kind))?)
}

fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: the flags never contain `FILES`, so all threads keep the same descriptors.
    Ok(unsafe { unshare_unsafe(flags) }?)
}
