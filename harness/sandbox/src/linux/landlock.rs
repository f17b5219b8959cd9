//! The Landlock rules for a program's files: a protection of the kernel that needs no rights and no namespace.
//!
//! A [`Ruleset`] is made before clone, from paths as the launcher sees them. A rule holds for the file or folder
//! itself, whatever name or mount leads to it later. [`Ruleset::restrict`] is one system call, for a child between
//! clone and exec. If the kernel supports it, Landlock also denies TCP, signals to processes outside the run (Linux
//! 6.12) and abstract UNIX sockets (6.12). From then on the program cannot mount anything, and can neither trace a
//! process outside nor read its `/proc/PID`. With `CAP_PERFMON` the kernel permits the latter (`mm_access`), so
//! capabilities must be dropped too.
//!
//! Landlock does not protect the status, mode, owner, times and attributes of files. The system call filter does, as
//! far as it can.
//!
//! A rule for a folder also holds below mounts in it, but not for a folder that a mount covers. A rule for a folder in
//! which a new file system will be mounted holds for that file system.

#![expect(unsafe_code, reason = "a system call on a descriptor")]

use std::ffi::c_int;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, OwnedFd, RawFd};
use std::path::Path;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, Ruleset as Builder, RulesetAttr as _,
    RulesetCreatedAttr as _, RulesetError, Scope, make_bitflags, path_beneath_rules,
};
use rustix::io::Errno;

use super::raw::{call, int};

/// Newest first: what the running kernel does not know is left out.
const KNOWN: ABI = ABI::V9;

/// Devices that a program may read and write, and those that it may read: random numbers, and zeros, of which a mapping
/// to be written to would be shared memory that nothing counts.
const DEVICES: [&str; 3] = ["/dev/null", "/dev/full", "/dev/tty"];
const SOURCES: [&str; 3] = ["/dev/random", "/dev/urandom", "/dev/zero"];

/// What a program may reach.
#[derive(Debug, Default)]
pub(super) struct Reach<'a> {
    /// To read and execute: files, or folders with all below them. What does not exist is left out.
    pub(super) readable: Vec<&'a Path>,
    /// To do anything with but make devices and sockets: folders with all below them.
    pub(super) writable: Vec<&'a Path>,
    /// Folders like these, that have no path here.
    pub(super) read_in: Vec<BorrowedFd<'a>>,
    pub(super) write_in: Vec<BorrowedFd<'a>>,
}

/// What a program does with a stream.
#[derive(Debug, Clone, Copy)]
pub(super) enum StreamAccess {
    Read,
    Write,
}

/// Rules, ready to be laid on any number of processes.
#[derive(Debug)]
pub(super) struct Ruleset(OwnedFd);

impl Ruleset {
    /// The rules for `reach`; `None` where the kernel has no Landlock. The devices that every program needs are in it.
    pub(super) fn new(reach: &Reach<'_>) -> Result<Option<Self>, RulesetError> {
        let ruleset = Builder::default()
            .handle_access(AccessFs::from_all(KNOWN))?
            .handle_access(AccessNet::from_all(KNOWN))?
            .scope(Scope::from_all(KNOWN))?
            .create()?;
        let read = AccessFs::from_read(KNOWN);
        let read_device = make_bitflags!(AccessFs::{ReadFile | IoctlDev});
        let ruleset = ruleset
            .add_rules(path_beneath_rules(&reach.readable, read))?
            .add_rules(path_beneath_rules(&reach.writable, in_own_folder()))?
            .add_rules(path_beneath_rules(SOURCES, read_device))?
            .add_rules(path_beneath_rules(DEVICES, read_device | AccessFs::WriteFile))?;
        let read_in = reach.read_in.iter().map(|folder| (folder, read));
        let write_in = reach.write_in.iter().map(|folder| (folder, in_own_folder()));
        let folders = read_in.chain(write_in);
        let ruleset = ruleset.add_rules(
            folders.map(|(folder, access)| Ok::<_, RulesetError>(PathBeneath::new(folder, access))),
        )?;
        let fd: Option<OwnedFd> = ruleset.into();
        Ok(fd.map(Self))
    }

    /// Lets a program open its standard input or output again, as programs like to, by the name of `/dev/stdin` or
    /// `/dev/stdout`. Returns whether this needed a rule.
    pub(super) fn allow_stream(
        &self,
        stream: BorrowedFd<'_>,
        access: StreamAccess,
    ) -> io::Result<bool> {
        // Only what has a name, or had one, is under Landlock at all: a file on a disk, but neither a file in memory nor a
        // pipe, of which no rule can be made.
        if !rustix::fs::FileType::from_raw_mode(rustix::fs::fstat(stream)?.st_mode).is_file() {
            return Ok(false);
        }
        let rights = match access {
            StreamAccess::Read => [AccessFs::ReadFile as u64; 2],
            // Before Linux 6.2, no right to cut a file is known.
            StreamAccess::Write => {
                let write = AccessFs::WriteFile as u64;
                [write | AccessFs::Truncate as u64, write]
            }
        };
        let refused = match self.allow(stream, rights[0]) {
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
                self.allow(stream, rights[1])
            }
            other => other,
        };
        match refused {
            Ok(()) => Ok(true),
            Err(error) if error.raw_os_error() == Some(libc::EBADFD) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn allow(&self, file: BorrowedFd<'_>, access: u64) -> io::Result<()> {
        /// See `struct landlock_path_beneath_attr`.
        #[repr(C, packed)]
        struct Beneath {
            access: u64,
            parent: c_int,
        }
        const PATH_BENEATH: c_int = 1;
        let rule = Beneath { access, parent: file.as_raw_fd() };
        let (rules, none) = (self.0.as_raw_fd(), 0_u32);
        // SAFETY: a live structure of the given kind, and two open descriptors.
        let done = unsafe {
            let rule = &raw const rule;
            libc::syscall(libc::SYS_landlock_add_rule, rules, PATH_BENEATH, rule, none)
        };
        match done {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Lays the rules on the calling thread and all that it starts or executes from now on; they cannot be taken off.
    /// Needs `PR_SET_NO_NEW_PRIVS`. May be called in a child that shares its parent's memory.
    pub(super) fn restrict(&self) -> Result<(), Errno> {
        restrict(self.0.as_raw_fd())
    }
}

impl AsFd for Ruleset {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// The same by the descriptor of the rules.
pub(super) fn restrict(rules: RawFd) -> Result<(), Errno> {
    // SAFETY: a system call on a descriptor, without pointers.
    unsafe { call(libc::SYS_landlock_restrict_self, [int(rules)]) }.map(drop)
}

/// Whether rules keep programs from signalling others, as they do since Linux 6.12.
pub(super) fn scopes_signals() -> bool {
    /// See `landlock_create_ruleset(2)`: the version that has scopes, and what asks for it.
    const SCOPES: libc::c_long = 6;
    const VERSION: libc::c_long = 1;
    let (nothing, no_size) = (std::ptr::null::<u8>(), 0_usize);
    // SAFETY: with this flag, the call only returns a number, and reads no memory.
    let version =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, nothing, no_size, VERSION) };
    version >= SCOPES
}

/// Anything but devices and sockets.
fn in_own_folder() -> BitFlags<AccessFs> {
    let barred = make_bitflags!(AccessFs::{MakeChar | MakeBlock | MakeSock});
    AccessFs::from_all(KNOWN) & !barred
}

#[cfg(test)]
mod tests;
