//! Advice how to enable a missing protection on this particular machine.

use super::Surroundings;
use crate::sandbox::Protection;

/// The first kernel version with Landlock.
const LANDLOCK: (u32, u32) = (5, 13);

/// The oldest kernel version with which rejudge is tried.
const OLDEST: (u32, u32) = (5, 10);

/// The advice, on one line.
pub(super) fn of(protection: Protection, here: &Surroundings) -> String {
    use Protection as P;
    let known = match protection {
        P::MountNamespace | P::BoundedFolder => too_old(here, OLDEST).or_else(|| namespaces(here)),
        P::PidNamespace
        | P::NetworkNamespace
        | P::IpcNamespace
        | P::UtsNamespace
        | P::UserNamespace
        | P::OtherUser => namespaces(here),
        P::MemoryGroup | P::ProcessGroup | P::CpuAccount => Some(groups(here)),
        P::Landlock => landlock(here),
        P::NoCapabilities if here.root => {
            Some("give rejudge CAP_SETPCAP, which it needs to drop all capabilities".to_owned())
        }
        P::NoNewPrivileges | P::NoCapabilities | P::Seccomp | P::JudgeNotDumpable => None,
    };
    known.unwrap_or_else(|| protection.remedy().to_owned())
}

fn namespaces(here: &Surroundings) -> Option<String> {
    let advice = if here.max_user_namespaces == Some(0) {
        "`sysctl -w user.max_user_namespaces=15000`"
    } else if here.unprivileged_clone == Some(false) {
        "`sysctl -w kernel.unprivileged_userns_clone=1`"
    } else if here.apparmor_restricts == Some(true) {
        "`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
    } else if here.container {
        "start the container with `--security-opt seccomp=unconfined --security-opt apparmor=unconfined \
         --security-opt systempaths=unconfined`, or with `--privileged`"
    } else if here.root {
        "use a kernel with namespaces (CONFIG_NAMESPACES), or a service manager that allows them"
    } else {
        return None;
    };
    Some(advice.to_owned())
}

fn groups(here: &Surroundings) -> String {
    let advice = if here.container {
        "start the container with `--privileged --cgroupns=private`"
    } else if here.root && !here.groups_mounted {
        "`mount -t cgroup2 none /sys/fs/cgroup`"
    } else if !here.root && here.systemd {
        "start rejudge as `systemd-run --user --scope -p Delegate=yes rejudge …`"
    } else if !here.root {
        "run as root, or have a group of cgroup v2 delegated to your user"
    } else {
        "make the tree of control groups writable: `mount -o remount,rw /sys/fs/cgroup`"
    };
    advice.to_owned()
}

fn landlock(here: &Surroundings) -> Option<String> {
    here.kernel?;
    too_old(here, LANDLOCK).or_else(|| {
        Some("boot the kernel with `landlock` first in its `lsm=` list; /sys/kernel/security/lsm has the current list".to_owned())
    })
}

fn too_old(here: &Surroundings, first: (u32, u32)) -> Option<String> {
    let (major, minor) = here.kernel.filter(|kernel| *kernel < first)?;
    let (first_major, first_minor) = first;
    Some(format!("use Linux {first_major}.{first_minor} or later; this is {major}.{minor}"))
}
