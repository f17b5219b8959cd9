//! The protections that a machine can offer, in one table. The launcher tries each of them: see `linux/protections.rs`.

/// Something that separates a program from the machine, or makes a figure exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Protection {
    /// It sees only its own processes, and none survives the run.
    PidNamespace,
    /// It sees its own files, and only the parts of the system that it needs.
    MountNamespace,
    /// It reaches no network.
    NetworkNamespace,
    /// It leaves no shared memory, semaphore or queue.
    IpcNamespace,
    /// It does not see the host name.
    UtsNamespace,
    /// It has rights only inside its namespaces.
    UserNamespace,
    /// It runs as a user that owns nothing else.
    OtherUser,
    /// It gains no rights from set-uid programs.
    NoNewPrivileges,
    /// It has no rights of root.
    NoCapabilities,
    /// The kernel denies it system calls that no solution needs.
    Seccomp,
    /// The kernel denies it all other files, in addition to the mount namespace.
    Landlock,
    /// It can neither trace the judge nor read its memory.
    JudgeNotDumpable,
    /// The size of its working folder is limited.
    BoundedFolder,
    /// The kernel limits and counts the memory of all its processes together.
    MemoryGroup,
    /// The kernel limits the number of its processes.
    ProcessGroup,
    /// The kernel counts the CPU time of all its processes, also of those that nobody waited for.
    CpuAccount,
}

/// What is known of a protection.
struct ProtectionRow {
    protection: Protection,
    /// In reports.
    name: &'static str,
    /// What a program does or cannot do with it.
    description: &'static str,
    /// How to get it.
    remedy: &'static str,
    /// Whether it isolates the program; otherwise it only counts or limits.
    isolates: bool,
    /// Another protection with the same effect: one of the two is enough.
    alternative: Option<Protection>,
}

const NAMESPACES: &str = "run as root, or let users create user namespaces: `sysctl user.max_user_namespaces=10000`, and \
     where these settings exist `sysctl kernel.unprivileged_userns_clone=1` and `sysctl \
     kernel.apparmor_restrict_unprivileged_userns=0`";

const GROUPS: &str = "run as root, or under `systemd-run --user --scope -p Delegate=yes`";

/// In the order of the variants.
const TABLE: [ProtectionRow; 16] = [
    ProtectionRow {
        protection: Protection::PidNamespace,
        name: "pid_namespace",
        description: "sees only its own processes (pid namespace)",
        remedy: NAMESPACES,
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::MountNamespace,
        name: "mount_namespace",
        description: "sees only the files it needs (mount namespace)",
        remedy: NAMESPACES,
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::NetworkNamespace,
        name: "network_namespace",
        description: "reaches no network (network namespace)",
        remedy: NAMESPACES,
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::IpcNamespace,
        name: "ipc_namespace",
        description: "leaves no shared memory or queue (ipc namespace)",
        remedy: NAMESPACES,
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::UtsNamespace,
        name: "uts_namespace",
        description: "does not see the host name (uts namespace)",
        remedy: NAMESPACES,
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::UserNamespace,
        name: "user_namespace",
        description: "has rights only inside its namespaces (user namespace)",
        remedy: NAMESPACES,
        isolates: true,
        alternative: Some(Protection::OtherUser),
    },
    ProtectionRow {
        protection: Protection::OtherUser,
        name: "other_user",
        description: "runs as another user",
        remedy: "run as root",
        isolates: true,
        alternative: Some(Protection::UserNamespace),
    },
    ProtectionRow {
        protection: Protection::NoNewPrivileges,
        name: "no_new_privileges",
        description: "gains no rights from set-uid programs (no_new_privs)",
        remedy: "use Linux 3.5 or later",
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::NoCapabilities,
        name: "no_capabilities",
        description: "has no rights of root (capabilities)",
        remedy: "run as root, or as a user without capabilities",
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::Seccomp,
        name: "seccomp",
        description: "is denied system calls that no solution needs, and all of 32-bit programs (seccomp)",
        remedy: "use a kernel with CONFIG_SECCOMP_FILTER",
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::Landlock,
        name: "landlock",
        description: "is denied all other files a second time (Landlock)",
        remedy: "use Linux 5.13 or later with `landlock` in the kernel's `lsm=` list",
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::JudgeNotDumpable,
        name: "judge_not_dumpable",
        description: "cannot trace the judge (not dumpable)",
        remedy: "run rejudge where `prctl` is not filtered",
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::BoundedFolder,
        name: "bounded_folder",
        description: "cannot fill a disk (bounded working folder)",
        remedy: NAMESPACES,
        isolates: true,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::MemoryGroup,
        name: "memory_group",
        description: "all its memory is limited by the kernel (control group)",
        remedy: GROUPS,
        isolates: false,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::ProcessGroup,
        name: "process_group",
        description: "its processes are limited by the kernel (control group)",
        remedy: GROUPS,
        isolates: false,
        alternative: None,
    },
    ProtectionRow {
        protection: Protection::CpuAccount,
        name: "cpu_account",
        description: "all its CPU time is counted by the kernel (control group)",
        remedy: "mount a cgroup2 tree in which groups can be created; run as root, or under `systemd-run --user \
         --scope -p Delegate=yes`",
        isolates: false,
        alternative: None,
    },
];

impl Protection {
    /// All protections.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::PidNamespace; TABLE.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].protection;
            index += 1;
        }
        all
    };

    fn row(self) -> &'static ProtectionRow {
        &TABLE[self as usize]
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// What a program does or cannot do with it.
    pub fn describe(self) -> &'static str {
        self.row().description
    }

    /// How to get it.
    pub fn remedy(self) -> &'static str {
        self.row().remedy
    }

    /// Whether it isolates the program; otherwise it only counts or limits.
    pub fn isolates(self) -> bool {
        self.row().isolates
    }

    /// Another protection with the same effect: one of the two is enough.
    pub(crate) fn alternative(self) -> Option<Self> {
        self.row().alternative
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_protection_has_one_row_with_its_own_name() {
        for (place, protection) in Protection::ALL.into_iter().enumerate() {
            assert_eq!(protection as usize, place, "{protection:?}");
        }
        let names: HashSet<_> = Protection::ALL.map(Protection::name).into();
        assert_eq!(names.len(), TABLE.len());
    }
}
