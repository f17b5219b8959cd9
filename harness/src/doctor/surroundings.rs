//! The properties of the system that determine the possible protections, so that advice fits this machine.

use std::fs;
use std::path::Path;

/// Read from system files. Unknown values are `None` or false.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Surroundings {
    /// Whether this process runs as root.
    pub(crate) root: bool,
    /// Whether this process runs in a container.
    pub(crate) container: bool,
    /// Whether systemd runs the machine.
    pub(crate) systemd: bool,
    /// Whether a tree of control groups is mounted.
    pub(crate) groups_mounted: bool,
    /// `user.max_user_namespaces`.
    pub(crate) max_user_namespaces: Option<u64>,
    /// `kernel.unprivileged_userns_clone`, which Debian's kernels have.
    pub(crate) unprivileged_clone: Option<bool>,
    /// `kernel.apparmor_restrict_unprivileged_userns`, which Ubuntu's kernels have.
    pub(crate) apparmor_restricts: Option<bool>,
    /// The version of the kernel, for example `(6, 1)`.
    pub(crate) kernel: Option<(u32, u32)>,
}

impl Surroundings {
    /// The surroundings of this process.
    pub(crate) fn here() -> Self {
        Self::under(Path::new("/"))
    }

    /// The surroundings according to the files below `root`.
    pub(super) fn under(root: &Path) -> Self {
        let read = |path: &str| {
            let text = fs::read_to_string(root.join(path)).ok()?;
            Some(text.trim().to_owned())
        };
        let exists = |path: &str| root.join(path).exists();
        let switch = |path: &str| read(path).map(|text| text == "1");
        let status = read("proc/self/status").unwrap_or_default();
        let mounts = read("proc/self/mounts").unwrap_or_default();
        let signs = ["docker", "containerd", "kubepods", "libpod", "lxc"];
        let groups = read("proc/1/cgroup").unwrap_or_default();
        Self {
            root: effective_user(&status) == Some(0),
            container: exists(".dockerenv")
                || exists("run/.containerenv")
                || signs.iter().any(|sign| groups.contains(sign)),
            systemd: exists("run/systemd/system"),
            groups_mounted: mounts.lines().any(is_of_groups),
            max_user_namespaces: read("proc/sys/user/max_user_namespaces")
                .and_then(|text| text.parse().ok()),
            unprivileged_clone: switch("proc/sys/kernel/unprivileged_userns_clone"),
            apparmor_restricts: switch("proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
            kernel: read("proc/sys/kernel/osrelease").and_then(|text| version(&text)),
        }
    }
}

/// The second of the four numbers after `Uid:` in `/proc/self/status`.
fn effective_user(status: &str) -> Option<u32> {
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn is_of_groups(mount: &str) -> bool {
    let kind = mount.split(' ').nth(2);
    kind.is_some_and(|kind| kind == "cgroup" || kind == "cgroup2")
}

/// The first two numbers of a kernel's release.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}
