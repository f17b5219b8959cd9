//! Finds the mounted hierarchies, and creates a group for the launcher in each that permits it.
//!
//! This is tried, never guessed from versions: a group counts only if we could create it and move into it.

use std::fs;
use std::io::{self, Read as _};
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

/// The prefix of the names of our groups, before the process number of the launcher.
const PREFIX: &str = "rejudge-";

/// The part between that and the judge's process number in the name of a judge's group.
const JUDGE: &str = "judge-";

/// How many names are tried for a group.
const NAMES: u32 = 1000;

/// The controllers of cgroup v2 for which a group is useful.
const WANTED: [&str; 2] = ["+memory", "+pids"];

/// The controllers of cgroup v1 for which a group is useful.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpuacct"];

/// The files of their groups that we use.
const ACCOUNTS: [&str; 3] = ["memory.limit_in_bytes", "pids.max", "cpuacct.usage"];

/// The file of a group of version 1 that lists its threads.
const THREADS: &str = "tasks";

/// A group that we created and are in.
#[derive(Debug)]
pub(super) struct ControlGroup {
    path: PathBuf,
    /// The group that we came from.
    home: PathBuf,
    /// See [`is_first`].
    first: bool,
}

impl ControlGroup {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves us back and removes the group, and those next to it that dead launchers and judges left behind.
    pub(super) fn remove(self) {
        // If this fails, another launcher finds and removes the group.
        let _ = join(&self.home, self.first);
        let _ = fs::remove_dir(&self.path);
        if let Some(parent) = self.path.parent() {
            remove_abandoned(parent);
        }
    }
}

/// Creates and enters a group in each useful hierarchy. If version 1 has all controllers, version 2 adds nothing, and
/// is slow to enter and leave: see [`join`].
pub(super) fn enter_all(launcher: u32) -> Vec<ControlGroup> {
    let (first, second): (Vec<_>, Vec<_>) = current().into_iter().partition(|home| is_first(home));
    let enter = |home, first| enter(home, first, launcher).ok();
    let entered = first.into_iter().filter_map(|home| enter(home, true));
    let mut groups: Vec<ControlGroup> = entered.collect();
    let has = |file| groups.iter().any(|group| group.path.join(file).exists());
    if !ACCOUNTS.into_iter().all(has) {
        groups.extend(second.into_iter().filter_map(|home| enter(home, false)));
    }
    groups
}

fn enter(home: PathBuf, first: bool, launcher: u32) -> io::Result<ControlGroup> {
    let parent = beside_judge(&home);
    if !first {
        enable(parent);
    }
    let path = make_and_join(parent, &format!("{PREFIX}{launcher}"), first)?;
    Ok(ControlGroup { path, home, first })
}

/// If the judge's process is the only one of its cgroup v2, moves it into a group of its own below that. Then the
/// groups of launchers next to it can have limits: the kernel permits none below a group that has processes.
///
/// systemd starts a service or scope with `Delegate=yes` like this. A judge that is not alone stays, because other
/// processes are not ours to move. The group disappears with the scope, or with the next launcher there.
pub(in super::super) fn step_aside() {
    let judge = std::process::id();
    for parent in groups_with(&[]) {
        let procs = read(&parent.join("cgroup.procs"));
        let alone = procs.trim_end() == judge.to_string();
        if !alone {
            continue;
        }
        let made = make_and_join(&parent, &format!("{PREFIX}{JUDGE}{judge}"), false);
        if let Ok(path) = made
            && !enable(&parent)
        {
            let group = ControlGroup { path, home: parent, first: false };
            group.remove();
        }
    }
}

/// Permits limits for the groups below. Returns whether there are any.
fn enable(parent: &Path) -> bool {
    let control = parent.join("cgroup.subtree_control");
    // The kernel permits this only for a v2 group with the controller and without processes. The files that appear
    // decide.
    let enabled = WANTED.map(|controller| fs::write(&control, controller).is_ok());
    enabled.contains(&true)
}

/// The group in which the launchers of a judge in `home` create their groups.
fn beside_judge(home: &Path) -> &Path {
    let name = home.file_name().and_then(|name| name.to_str());
    let after = name.and_then(|name| name.strip_prefix(PREFIX)?.strip_prefix(JUDGE));
    match (after, home.parent()) {
        (Some(_), Some(parent)) => parent,
        _ => home,
    }
}

/// Creates a group with this name and moves us into it.
///
/// A judge in another container may have a group with this name, because process numbers repeat there. It may also remove
/// ours, as an abandoned one, before we are in it. In both cases we try another name.
fn make_and_join(parent: &Path, name: &str, first: bool) -> io::Result<PathBuf> {
    let names = iter::once(name.to_owned()).chain((2..=NAMES).map(|n| format!("{name}-{n}")));
    let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
    for group in names.map(|name| parent.join(name)) {
        if let Err(error) = fs::create_dir(&group) {
            match error.kind() {
                io::ErrorKind::AlreadyExists => taken = error,
                _ => return Err(error),
            }
            continue;
        }
        match join(&group, first) {
            Ok(()) => return Ok(group),
            Err(error) if is_removed(&error) => taken = error,
            Err(error) => {
                fs::remove_dir(&group)?;
                return Err(error);
            }
        }
    }
    Err(taken)
}

/// Whether the group no longer exists, or is being removed.
fn is_removed(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::ENOENT | libc::ENODEV))
}

/// Moves us into the group. Version 1 can move a single thread, and we are one: then the kernel need not stop every
/// fork and exit of the system, which takes milliseconds.
fn join(group: &Path, first: bool) -> io::Result<()> {
    let list = if first { THREADS } else { "cgroup.procs" };
    fs::write(group.join(list), "0")
}

/// Whether the group is one of version 1.
fn is_first(group: &Path) -> bool {
    group.join(THREADS).exists()
}

/// Removes the empty groups of launchers that were killed, and of judges that ended. Those of another process namespace
/// are tried too.
fn remove_abandoned(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let owner = owner.map(|owner| owner.strip_prefix(JUDGE).unwrap_or(owner));
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            // The kernel does not remove a group with processes, so this is safe.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The folders of the groups that we are in; none if that cannot be read.
fn current() -> Vec<PathBuf> {
    groups_with(&CONTROLLERS)
}

/// The `cpu.stat` of every group that we are in and that may have a quota of CPU time, with those above it.
pub(in super::super) fn quotas() -> Vec<PathBuf> {
    let stats = groups_with_cpu().into_iter().map(|group| group.join("cpu.stat"));
    stats.filter(|stat| stat.is_file()).collect()
}

/// The CPU time that we may use in a second, if there is a quota.
pub(in super::super) fn quota() -> Option<Duration> {
    let groups = groups_with_cpu();
    groups.iter().filter_map(|group| quota_of(group)).min()
}

/// The groups for CPU time that we are in, with those above them.
fn groups_with_cpu() -> Vec<PathBuf> {
    let groups = groups_with(&["cpu"]);
    let all = groups.iter().flat_map(|group| group.ancestors());
    all.map(Path::to_owned).collect()
}

/// The CPU time that this group may use in a second, if it has a quota.
fn quota_of(group: &Path) -> Option<Duration> {
    let text = |name: &str| fs::read_to_string(group.join(name)).ok();
    // Without a quota: `max` in version 2, and -1 in version 1.
    let text = text("cpu.max").or_else(|| {
        let [quota, period] = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map(text);
        Some(format!("{} {}", quota?, period?))
    })?;
    let mut micros = text.split_whitespace().map(|word| word.parse::<u64>().ok());
    let (quota, period) = (micros.next()??, micros.next()??);
    Some(Duration::from_micros(quota.checked_mul(1_000_000)?.checked_div(period)?))
}

fn groups_with(controllers: &[&str]) -> Vec<PathBuf> {
    let ours = read(Path::new("/proc/self/cgroup"));
    own_groups(mounts(), &ours, controllers)
}

/// The mounts of this process, at the first call. A launcher that is a fork has them from the judge.
fn mounts() -> &'static str {
    static MOUNTS: OnceLock<String> = OnceLock::new();
    MOUNTS.get_or_init(|| read(Path::new("/proc/self/mountinfo")))
}

/// What the kernel writes into this file; nothing if it cannot be read. The kernel names no size, and without a guess the
/// file would be read in many small pieces.
fn read(path: &Path) -> String {
    const USUAL: usize = 16 << 10;
    let mut text = String::with_capacity(USUAL);
    let read = fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    if read.is_err() {
        text.clear();
    }
    text
}

/// The folders of the groups that we are in, in version 2 and in the hierarchies of version 1 with these controllers; see
/// `cgroups(7)`.
fn own_groups(mounts: &str, ours: &str, wanted: &[&str]) -> Vec<PathBuf> {
    let mut groups = Vec::new();
    for line in ours.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) =
            (fields.next(), fields.next(), fields.next())
        else {
            continue;
        };
        let is_ours = |options: &str, kind: &str| {
            if controllers.is_empty() {
                return kind == "cgroup2";
            }
            let named = |list: &str, name: &str| list.split(',').any(|item| item == name);
            kind == "cgroup"
                && wanted.iter().any(|name| named(controllers, name) && named(options, name))
        };
        let found = mounts.lines().find_map(|mount| folder_in(mount, path, is_ours));
        groups.extend(found);
    }
    groups
}

/// The folder of group `path` under one line of `/proc/self/mountinfo`, if `accepts(options, kind)` the mount.
fn folder_in(mount: &str, path: &str, accepts: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    let (place, system) = mount.split_once(" - ")?;
    let mut system = system.split(' ');
    let kind = system.next()?;
    let options = system.nth(1)?;
    if !accepts(options, kind) {
        return None;
    }
    let mut place = place.split(' ').skip(3);
    let (root, point) = (place.next()?, place.next()?);
    let below = Path::new(path).strip_prefix(root).ok()?;
    Some(Path::new(point).join(below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_own_group_in_each_hierarchy() {
        let mounts = "\
            20 1 0:20 / /cg/memory rw - cgroup cgroup rw,memory\n\
            21 1 0:21 / /cg/cpu rw - cgroup cgroup rw,cpu\n\
            22 1 0:22 /docker/7 /cg/pids rw shared:3 - cgroup cgroup rw,pids\n\
            23 1 0:23 / /cg/unified rw - cgroup2 cgroup2 rw\n";
        let ours = "4:memory:/a/b\n3:pids:/docker/7/x\n2:cpu:/\n0::/user:1\n";
        let folders = ["/cg/memory/a/b", "/cg/pids/x", "/cg/unified/user:1"];
        assert_eq!(own_groups(mounts, ours, &CONTROLLERS), folders.map(PathBuf::from));
    }

    #[test]
    fn a_group_that_another_process_has_is_not_shared() {
        let parent = tempfile::tempdir().unwrap();
        let make = || make_and_join(parent.path(), "rejudge-7", false).unwrap();
        let names = ["rejudge-7", "rejudge-7-2", "rejudge-7-3"];
        assert_eq!(names.map(|_| make()), names.map(|name| parent.path().join(name)));
    }

    #[test]
    fn finds_the_quota_of_a_group_in_either_version() {
        let group = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(group.path().join(name), text).unwrap();
        assert_eq!(quota_of(group.path()), None);
        write("cpu.cfs_quota_us", "-1\n");
        write("cpu.cfs_period_us", "100000\n");
        assert_eq!(quota_of(group.path()), None);
        write("cpu.cfs_quota_us", "150000\n");
        assert_eq!(quota_of(group.path()), Some(Duration::from_millis(1500)));
        write("cpu.max", "max 100000\n");
        assert_eq!(quota_of(group.path()), None);
        write("cpu.max", "25000 50000\n");
        assert_eq!(quota_of(group.path()), Some(Duration::from_millis(500)));
    }

    #[test]
    fn launchers_have_their_groups_beside_their_judge() {
        let beside = |home| beside_judge(Path::new(home)).to_str();
        assert_eq!(beside("/cg/a.scope/rejudge-judge-7"), Some("/cg/a.scope"));
        // A program in a sandbox that is a judge itself.
        assert_eq!(beside("/cg/rejudge-7"), Some("/cg/rejudge-7"));
        assert_eq!(beside("/"), Some("/"));
    }
}
