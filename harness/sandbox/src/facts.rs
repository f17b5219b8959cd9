//! What a [`Runner`](super::Runner) has, and what it lacks: its walls and its clocks, each found by trying.
//!
//! Plain data, for `doctor`, reports and tests; nothing here tries anything.

use crate::error::SandboxError;
use crate::execution::Clock;

/// How much isolation a run must have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Isolation {
    /// All of it, or [`Runner::start`](super::Runner::start) fails.
    Strict,
    /// All that this machine gives.
    #[default]
    Auto,
    /// Limits and clocks only.
    Off,
}

/// One thing that parts a program from the machine, or makes a figure exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Protection {
    /// It sees no process but its own, and none survives the run.
    PidNamespace,
    /// It sees its own files, and of the system's only what it needs.
    MountNamespace,
    /// It reaches no network.
    NetworkNamespace,
    /// It leaves no shared memory, semaphore or queue.
    IpcNamespace,
    /// It does not see the machine's name.
    UtsNamespace,
    /// Its rights hold inside only.
    UserNamespace,
    /// It runs as a user who owns nothing else.
    OtherUser,
    /// It gains no rights from set-uid programs.
    NoNewPrivileges,
    /// It has no right of the superuser's.
    NoCapabilities,
    /// The kernel refuses it what no solution needs.
    Seccomp,
    /// The kernel refuses it files outside of its own: a second wall.
    Landlock,
    /// It can neither trace the judge nor read its memory.
    JudgeNotDumpable,
    /// What it writes to its working folder is bounded.
    BoundedFolder,
    /// The kernel bounds and counts the memory of all its processes together.
    MemoryGroup,
    /// The kernel bounds the number of its processes.
    ProcessGroup,
    /// The kernel counts the CPU time of all its processes, waited for or not.
    CpuAccount,
}

/// Whether a [`Protection`] is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// It holds.
    Active,
    /// It could not be had.
    Missing {
        /// What was tried, and what the system answered.
        why: String,
    },
}

/// Which of the known kinds of machine this is, by what was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum BackEnd {
    /// (a) The superuser's namespaces, limits by cgroup v2.
    RootCgroup2,
    /// (b) The superuser's namespaces, limits by cgroup v1.
    RootCgroup1,
    /// The superuser's namespaces, without control groups that limit.
    Root,
    /// (c) User namespaces, limits by a delegated cgroup v2.
    UserCgroup2,
    /// User namespaces, without control groups that limit.
    User,
    /// (d) No namespaces: seccomp, Landlock and resource limits, as far as there are any.
    Plain,
    /// (e) Not Linux: resource limits.
    Portable,
}

/// What a runner has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The kind of machine.
    pub back_end: BackEnd,
    /// Every protection, in the order of [`Protection::ALL`].
    pub protections: Vec<(Protection, State)>,
    /// How CPU time is measured.
    pub cpu_clock: Clock,
    /// How peak memory is measured, and so how the memory limit is decided.
    pub memory_clock: Clock,
}

impl Protection {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::PidNamespace,
        Self::MountNamespace,
        Self::NetworkNamespace,
        Self::IpcNamespace,
        Self::UtsNamespace,
        Self::UserNamespace,
        Self::OtherUser,
        Self::NoNewPrivileges,
        Self::NoCapabilities,
        Self::Seccomp,
        Self::Landlock,
        Self::JudgeNotDumpable,
        Self::BoundedFolder,
        Self::MemoryGroup,
        Self::ProcessGroup,
        Self::CpuAccount,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::PidNamespace => "pid_namespace",
            Self::MountNamespace => "mount_namespace",
            Self::NetworkNamespace => "network_namespace",
            Self::IpcNamespace => "ipc_namespace",
            Self::UtsNamespace => "uts_namespace",
            Self::UserNamespace => "user_namespace",
            Self::OtherUser => "other_user",
            Self::NoNewPrivileges => "no_new_privileges",
            Self::NoCapabilities => "no_capabilities",
            Self::Seccomp => "seccomp",
            Self::Landlock => "landlock",
            Self::JudgeNotDumpable => "judge_not_dumpable",
            Self::BoundedFolder => "bounded_folder",
            Self::MemoryGroup => "memory_group",
            Self::ProcessGroup => "process_group",
            Self::CpuAccount => "cpu_account",
        }
    }

    /// What it does, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::PidNamespace => "sees no process but its own (pid namespace)",
            Self::MountNamespace => "sees only the files it needs (mount namespace)",
            Self::NetworkNamespace => "reaches no network (network namespace)",
            Self::IpcNamespace => "leaves no shared memory or queue (ipc namespace)",
            Self::UtsNamespace => "does not see the machine's name (uts namespace)",
            Self::UserNamespace => "its rights hold inside only (user namespace)",
            Self::OtherUser => "runs as another user",
            Self::NoNewPrivileges => "gains no rights from programs (no_new_privs)",
            Self::NoCapabilities => "has no right of the superuser's (capabilities)",
            Self::Seccomp => "is refused the system calls that no solution needs (seccomp)",
            Self::Landlock => "is refused files a second time (Landlock)",
            Self::JudgeNotDumpable => "cannot look into the judge (not dumpable)",
            Self::BoundedFolder => "fills no disk (bounded working folder)",
            Self::MemoryGroup => "all its memory is limited by the kernel (control group)",
            Self::ProcessGroup => "its processes are limited by the kernel (control group)",
            Self::CpuAccount => "all its CPU time is counted by the kernel (control group)",
        }
    }

    /// What would give it, for people.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::PidNamespace
            | Self::MountNamespace
            | Self::NetworkNamespace
            | Self::IpcNamespace
            | Self::UtsNamespace
            | Self::BoundedFolder
            | Self::UserNamespace => {
                "run as root, or let users make user namespaces: `sysctl user.max_user_namespaces=10000`, where \
                 there is such a setting `sysctl kernel.unprivileged_userns_clone=1` and `sysctl \
                 kernel.apparmor_restrict_unprivileged_userns=0`"
            }
            Self::OtherUser => "run as root",
            Self::NoNewPrivileges => "use Linux 3.5 or later",
            Self::NoCapabilities => "run as root, or as a user without capabilities",
            Self::Seccomp => "use a kernel with CONFIG_SECCOMP_FILTER",
            Self::Landlock => "use Linux 5.13 or later with `landlock` in the kernel's `lsm=` list",
            Self::JudgeNotDumpable => "run rejudge where `prctl` is not filtered",
            Self::MemoryGroup | Self::ProcessGroup => {
                "run as root, or under `systemd-run --user --scope -p Delegate=yes`"
            }
            Self::CpuAccount => {
                "mount a cgroup2 tree in which groups can be created; run as root, or under `systemd-run --user \
                 --scope -p Delegate=yes`"
            }
        }
    }

    /// Whether it keeps a program in, and does not only count or limit.
    #[cfg(not(rejudge_portable))]
    pub(super) fn is_wall(self) -> bool {
        !matches!(
            self,
            Self::MemoryGroup | Self::ProcessGroup | Self::CpuAccount
        )
    }

    /// Another protection that does as well, if there is one.
    fn alternative(self) -> Option<Self> {
        match self {
            Self::UserNamespace => Some(Self::OtherUser),
            Self::OtherUser => Some(Self::UserNamespace),
            _ => None,
        }
    }
}

impl BackEnd {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::RootCgroup2,
        Self::RootCgroup1,
        Self::Root,
        Self::UserCgroup2,
        Self::User,
        Self::Plain,
        Self::Portable,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::RootCgroup2 => "root_cgroup2",
            Self::RootCgroup1 => "root_cgroup1",
            Self::Root => "root",
            Self::UserCgroup2 => "user_cgroup2",
            Self::User => "user",
            Self::Plain => "plain",
            Self::Portable => "portable",
        }
    }

    /// What it is, for people.
    pub fn describe(self) -> &'static str {
        match self {
            Self::RootCgroup2 => "root with namespaces and cgroup v2",
            Self::RootCgroup1 => "root with namespaces and cgroup v1",
            Self::Root => "root with namespaces, without control groups",
            Self::UserCgroup2 => "user namespaces and a delegated cgroup v2",
            Self::User => "user namespaces, without control groups",
            Self::Plain => "no namespaces: seccomp, Landlock and resource limits",
            Self::Portable => "not Linux: resource limits",
        }
    }
}

impl Facts {
    /// Of a runner that has nothing.
    pub fn none() -> Self {
        let missing = |protection| {
            let why = "this system is not Linux".to_owned();
            (protection, State::Missing { why })
        };
        Self {
            back_end: BackEnd::Portable,
            protections: Protection::ALL.map(missing).into(),
            cpu_clock: Clock::Rusage,
            memory_clock: Clock::Rusage,
        }
    }

    /// What is known of `protection`.
    pub fn state(&self, protection: Protection) -> &State {
        static UNKNOWN: State = State::Missing { why: String::new() };
        let mut known = self.protections.iter();
        known
            .find(|(known, _)| *known == protection)
            .map_or(&UNKNOWN, |(_, state)| state)
    }

    /// Whether `protection` holds.
    pub fn has(&self, protection: Protection) -> bool {
        *self.state(protection) == State::Active
    }

    /// What is missing and matters: what [`Isolation::Strict`] refuses to run without. Of two protections that do the
    /// same only one is needed.
    pub fn lacks(&self) -> impl Iterator<Item = (Protection, &str)> {
        self.protections.iter().filter_map(|(protection, state)| {
            let State::Missing { why } = state else {
                return None;
            };
            let other = protection.alternative();
            let settled = other.is_some_and(|other| self.has(other));
            (!settled).then_some((*protection, why.as_str()))
        })
    }

    /// Refuses what is less than `isolation` asks for.
    pub(super) fn suffice(&self, isolation: Isolation) -> Result<(), SandboxError> {
        let mut lacks = self.lacks().peekable();
        if isolation != Isolation::Strict || lacks.peek().is_none() {
            return Ok(());
        }
        let lines = lacks.map(|(protection, why)| {
            format!(
                "\n  {}: {why}\n    help: {}",
                protection.name(),
                protection.remedy()
            )
        });
        Err(SandboxError::TooWeak {
            missing: lines.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts_without(missing: &[Protection]) -> Facts {
        let state = |protection| {
            if missing.contains(&protection) {
                let why = "no".to_owned();
                State::Missing { why }
            } else {
                State::Active
            }
        };
        Facts {
            back_end: BackEnd::Root,
            protections: Protection::ALL.map(|p| (p, state(p))).to_vec(),
            cpu_clock: Clock::Cgroup,
            memory_clock: Clock::Cgroup,
        }
    }

    #[test]
    fn strict_takes_one_of_two_that_do_the_same_and_nothing_less() {
        use Protection::{OtherUser, Seccomp, UserNamespace};
        for (missing, enough) in [
            (&[][..], true),
            (&[UserNamespace], true),
            (&[OtherUser], true),
            (&[OtherUser, UserNamespace], false),
            (&[Seccomp], false),
        ] {
            let facts = facts_without(missing);
            assert_eq!(facts.suffice(Isolation::Strict).is_ok(), enough);
            assert!(facts.suffice(Isolation::Auto).is_ok());
        }
        let error = facts_without(&[Seccomp])
            .suffice(Isolation::Strict)
            .unwrap_err();
        assert!(error.to_string().contains("seccomp: no"), "{error}");
    }

    #[test]
    fn each_protection_is_listed_once_under_its_own_name() {
        for (place, protection) in Protection::ALL.into_iter().enumerate() {
            assert_eq!(protection as usize, place);
        }
        let names: std::collections::HashSet<_> = Protection::ALL.map(Protection::name).into();
        assert_eq!(names.len(), Protection::ALL.len());
    }
}
