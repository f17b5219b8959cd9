//! Sets up every protection when the launcher starts, and finds out by trying which ones work.

#![expect(unsafe_code, reason = "prctl")]

use std::ffi::CStr;
use std::io;
use std::os::fd::BorrowedFd;
use std::sync::Arc;

use rustix::process::{getegid, geteuid, getuid};
use rustix::thread::{capabilities, set_capabilities, set_no_new_privs, set_thread_groups};

use super::cgroup::ControlGroups;
use super::identity;
use super::landlock::{self, Reach, Ruleset};
use super::mounts::Root;
use super::namespaces::{self, Cell, Namespaces};
use super::new_network::NewNetwork;
use super::rights;
use super::seccomp::{Filter, FilterPolicy};
use super::trials::Trials;
use crate::protection::Protection;

/// The protections that work, for every run.
#[derive(Debug)]
pub(super) struct Protections {
    pub(super) namespaces: Option<Namespaces>,
    /// The cell of the first run, until it is taken.
    pub(super) first_cell: Option<Cell>,
    /// The user of the programs.
    pub(super) user: Option<u32>,
    pub(super) drops_capabilities: bool,
    /// The filter of system calls.
    pub(super) filter: Option<Arc<Filter>>,
    /// Whether Landlock restricts files.
    pub(super) landlock: bool,
    /// Whether the kernel counts files in memory as the program's.
    pub(super) counts_files: bool,
    /// If the kernel's limit of a user's processes counts only the program's and ours: the number of ours.
    pub(super) counted_with: Option<u64>,
}

/// Prepares for namespaces while the system's `/proc` is still mounted, and returns whether namespaces can be created.
/// For a user who is not root, the caller is another process afterwards.
pub(super) fn prepare_namespaces(base: &CStr, trials: &mut Trials<'_>) -> bool {
    let wanted =
        [Protection::MountNamespace, Protection::PidNamespace, Protection::NetworkNamespace];
    // Each one is recorded later.
    if !wanted.iter().any(|&protection| trials.permits(protection)) {
        return false;
    }
    let Err(error) = namespaces::may_unshare() else {
        trials.lacks(Protection::UserNamespace, "root needs none");
        return true;
    };
    let user = trials.attempt(Protection::UserNamespace, || {
        namespaces::try_in_copy(|| {
            namespaces::become_own_root()?;
            let mut trials = Trials::discarded();
            let mut namespaces = Namespaces::enter(base, own_user(), &mut trials)?;
            namespaces.complete(None, None, &mut trials)?;
            trials.all_of(&[Protection::MountNamespace, Protection::PidNamespace])
        })?;
        namespaces::become_own_root()
    });
    if user.is_none() {
        for protection in wanted {
            trials.lacks(protection, format!("the system refuses it: {error}"));
        }
    }
    user.is_some()
}

/// The namespaces that all runs share, as far as they exist.
#[derive(Debug)]
pub(super) struct LastingNamespaces {
    namespaces: Option<Namespaces>,
    /// The user of the programs.
    user: Option<u32>,
    /// `None` if nobody creates it yet, or if there must be none.
    network: Option<NewNetwork>,
}

impl LastingNamespaces {
    /// Creates them; `with_namespaces` is the result of [`prepare_namespaces`].
    pub(super) fn enter(
        base: &CStr,
        with_namespaces: bool,
        trials: &mut Trials<'_>,
    ) -> io::Result<Self> {
        let creates = with_namespaces && trials.permits(Protection::NetworkNamespace);
        // Without it, the attempt to create one later reports the error.
        let network = creates.then(NewNetwork::begin).and_then(Result::ok);
        let shows_files = with_namespaces && trials.permits(Protection::MountNamespace);
        let user = trials.attempt(Protection::OtherUser, || {
            if shows_files {
                identity::other_user()
            } else {
                let why = "without a mount namespace another user reaches no file of ours";
                Err(io::Error::other(why))
            }
        });
        let names = user.map_or_else(own_user, |user| (user, user));
        let entered = with_namespaces.then(|| Namespaces::enter(base, names, trials));
        Ok(Self { namespaces: entered.transpose()?, user, network })
    }
}

impl Protections {
    /// Whether each run has a pid namespace of its own.
    pub(super) fn numbers_processes(&self) -> bool {
        let namespaces = self.namespaces.as_ref();
        namespaces.is_some_and(Namespaces::numbers_processes)
    }

    /// See [`Namespaces::counter`].
    pub(super) fn counter(&self) -> Option<BorrowedFd<'_>> {
        self.namespaces.as_ref().and_then(Namespaces::counter)
    }

    /// The root that programs see.
    pub(super) fn root(&self) -> Option<&Root> {
        self.namespaces.as_ref().and_then(Namespaces::root)
    }

    /// From now on, new children are in no pid namespace of a run.
    pub(super) fn number_as_ours(&self) -> io::Result<()> {
        let namespaces = self.namespaces.as_ref();
        namespaces.map_or(Ok(()), Namespaces::number_as_ours)
    }

    /// A cell for a run that may store `size` bytes.
    pub(super) fn cell(&self, size: u64) -> io::Result<Cell> {
        match &self.namespaces {
            Some(namespaces) => namespaces.cell(size, self.user),
            None => Ok(Cell::default()),
        }
    }

    /// Whether programs can leave nothing in a cell but processes and files. Without the filter, they could leave what
    /// belongs to an ipc namespace.
    pub(super) fn cells_can_be_used_again(&self) -> bool {
        self.filter.is_some()
    }

    /// Sets up all others, after the [`LastingNamespaces`].
    pub(super) fn set_up(
        lasting: LastingNamespaces,
        control_groups: &ControlGroups,
        trials: &mut Trials<'_>,
    ) -> io::Result<Self> {
        let LastingNamespaces { mut namespaces, user, network } = lasting;
        let first_cell = match &mut namespaces {
            Some(namespaces) => namespaces.complete(network, user, trials)?,
            None => None,
        };
        if geteuid().is_root() {
            // A user namespace denies this, but has no further groups either.
            let _ = set_thread_groups(&[]);
        }
        let drops_capabilities = trials.attempt(Protection::NoCapabilities, || {
            bound_capabilities();
            Ok(())
        });
        let no_new = trials.attempt(Protection::NoNewPrivileges, || Ok(set_no_new_privs(true)?));
        let no_new = || match no_new {
            Some(()) => Ok(()),
            None => Err(io::Error::other("it requires no_new_privs")),
        };
        let landlock = trials.attempt(Protection::Landlock, || {
            no_new()?;
            let rules = Ruleset::new(&Reach::default()).map_err(io::Error::other)?;
            rules.ok_or_else(|| io::Error::other("the kernel has none"))
        });
        let numbers = namespaces.as_ref();
        let parted = user.is_some()
            || numbers.is_some_and(Namespaces::numbers_processes)
            || landlock.is_some() && landlock::scopes_signals();
        let policy = FilterPolicy {
            unmapped_memory: control_groups.limits_memory(),
            // With a root of its own, a program sees our files read-only, or copies.
            attributes: numbers.is_some_and(|namespaces| namespaces.root().is_some()),
            signals: parted,
        };
        let counted_with =
            if control_groups.limits_processes() { None } else { counted_with(user) };
        // From here on, the launcher itself is behind a filter, so all other trials come before.
        let filter = trials.attempt(Protection::Seccomp, || {
            no_new()?;
            Ok(Arc::new(Filter::confine_launcher(policy)?))
        });
        trials.attempt(Protection::JudgeNotDumpable, || {
            // SAFETY: a system call without pointers.
            match unsafe { libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        });
        Ok(Self {
            namespaces,
            first_cell,
            user,
            drops_capabilities: drops_capabilities.is_some(),
            filter,
            landlock: landlock.is_some(),
            counts_files: control_groups.limits_memory(),
            counted_with,
        })
    }
}

/// The number of our processes that the kernel counts with those of programs. `None` if it also counts others, because a
/// limit by user is then useless.
fn counted_with(user: Option<u32>) -> Option<u64> {
    /// The process that waits for the next run, and the fork servers of two runs.
    const OF_ANOTHER_USER: u64 = 3;
    /// That, the launcher and what it was, and the first processes of three runs' namespaces.
    const OF_OURS: u64 = 8;
    match user {
        Some(_) => Some(OF_ANOTHER_USER),
        None => namespaces::counts_processes().then_some(OF_OURS),
    }
}

/// Our own user and group.
fn own_user() -> (u32, u32) {
    (getuid().as_raw(), getegid().as_raw())
}

/// No program that is executed from now on can have a capability, but for those that [`rights::keep_at_exec`] lets it
/// have.
fn bound_capabilities() {
    /// Being root alone gives no capability, and that cannot be undone; see `capabilities(7)`.
    const NO_ROOT: libc::c_ulong = 0b11;
    if let Ok(mut ours) = capabilities(None) {
        ours.inheritable = ours.permitted & rights::OF_INTERPRETERS;
        // Without them, no interpreter is preloaded.
        let _ = set_capabilities(None, ours);
    }
    // SAFETY: system calls without pointers. They fail for a process without capabilities, and for the first unknown one.
    unsafe {
        for capability in 0..64_u64 {
            if libc::prctl(libc::PR_CAPBSET_DROP, capability, 0, 0, 0) < 0 {
                break;
            }
        }
        libc::prctl(libc::PR_SET_SECUREBITS, NO_ROOT, 0, 0, 0);
    }
}
