//! Finds the mounted hierarchies and makes a group for the launcher in each that lets it.
//!
//! Attempted, never guessed from versions: a group counts only if we could make it and move into it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Our groups' names, before the launcher's process number.
const PREFIX: &str = "rejudge-";

/// What follows it, before the judge's process number, in the name of the group of a judge.
const JUDGE: &str = "judge-";

/// The controllers of cgroup v2 that a group is worth making for.
const WANTED: [&str; 2] = ["+memory", "+pids"];

/// The controllers of cgroup v1 whose hierarchies are worth a group.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpuacct"];

/// What their groups have for us.
const ACCOUNTS: [&str; 3] = ["memory.limit_in_bytes", "pids.max", "cpuacct.usage"];

/// The file of a group of version 1 that lists its threads.
const THREADS: &str = "tasks";

/// A group that we made and are in.
#[derive(Debug)]
pub(super) struct Group {
    path: PathBuf,
    /// Where we were before.
    home: PathBuf,
}

impl Group {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves us back to where we were and removes the group.
    pub(super) fn remove(self) {
        // What fails here is found and removed by the next launcher.
        let _ = join(&self.home);
        let _ = fs::remove_dir(&self.path);
    }
}

/// Makes and enters a group in each hierarchy that we can use. Where version 1 has all that we want, version 2 beside it
/// has nothing more, and is dear to enter and to leave: see [`join`].
pub(super) fn enter_all(launcher: u32) -> Vec<Group> {
    let (first, second): (Vec<_>, Vec<_>) = current().into_iter().partition(|home| is_first(home));
    let enter = |home| enter(home, launcher).ok();
    let mut groups: Vec<Group> = first.into_iter().filter_map(enter).collect();
    let has = |file| groups.iter().any(|group| group.path.join(file).exists());
    if !ACCOUNTS.into_iter().all(has) {
        groups.extend(second.into_iter().filter_map(enter));
    }
    groups
}

fn enter(home: PathBuf, launcher: u32) -> io::Result<Group> {
    let parent = beside_judge(&home);
    remove_abandoned(parent);
    enable(parent);
    let path = parent.join(format!("{PREFIX}{launcher}"));
    make_and_join(&path)?;
    Ok(Group { path, home })
}

/// Moves the judge's process, if it is the only one of its cgroup v2, into a group of its own below that, so that the
/// launchers' groups beside this one may have limits: the kernel gives none below a group that has processes.
///
/// This is how systemd starts a service or scope that was given `Delegate=yes`. Who is not alone stays: the others are
/// not ours to move. The group goes with the scope, or with the next launcher there.
pub(in super::super) fn step_aside() {
    let judge = std::process::id();
    for parent in current() {
        let procs = fs::read_to_string(parent.join("cgroup.procs")).unwrap_or_default();
        let alone = procs.trim_end() == judge.to_string();
        // Only version 2 has this rule, and this file.
        if !alone || !parent.join("cgroup.subtree_control").exists() {
            continue;
        }
        let path = parent.join(format!("{PREFIX}{JUDGE}{judge}"));
        if make_and_join(&path).is_ok() && !enable(&parent) {
            Group { path, home: parent }.remove();
        }
    }
}

/// Lets the groups below have limits; whether any can be had.
fn enable(parent: &Path) -> bool {
    let control = parent.join("cgroup.subtree_control");
    // Refused to all but a v2 group that has the controller and no processes; the files that appear decide.
    let enabled = WANTED.map(|controller| fs::write(&control, controller).is_ok());
    enabled.contains(&true)
}

/// Where the launchers of a judge in `home` make their groups.
fn beside_judge(home: &Path) -> &Path {
    let name = home.file_name().and_then(|name| name.to_str());
    let after = name.and_then(|name| name.strip_prefix(PREFIX)?.strip_prefix(JUDGE));
    match (after, home.parent()) {
        (Some(_), Some(parent)) => parent,
        _ => home,
    }
}

fn make_and_join(group: &Path) -> io::Result<()> {
    fs::create_dir(group)?;
    if let Err(error) = join(group) {
        fs::remove_dir(group)?;
        return Err(error);
    }
    Ok(())
}

/// Moves us into the group. Version 1 lets a single thread go, and we are one: then the kernel need not stop every fork
/// and exit of the system for it, which takes milliseconds.
fn join(group: &Path) -> io::Result<()> {
    let list = if is_first(group) {
        THREADS
    } else {
        "cgroup.procs"
    };
    fs::write(group.join(list), "0")
}

/// Whether the group is one of version 1.
fn is_first(group: &Path) -> bool {
    group.join(THREADS).exists()
}

/// Removes the empty groups of launchers that were killed, and of judges that ended.
fn remove_abandoned(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        let owner = owner.map(|owner| owner.strip_prefix(JUDGE).unwrap_or(owner));
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            // A group with processes in it cannot be removed, so this harms nobody.
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
    let groups = groups_with(&["cpu"]);
    let all = groups.iter().flat_map(|group| group.ancestors());
    let stats = all.map(|group| group.join("cpu.stat"));
    stats.filter(|stat| stat.is_file()).collect()
}

fn groups_with(controllers: &[&str]) -> Vec<PathBuf> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let (mounts, ours) = (read("/proc/self/mountinfo"), read("/proc/self/cgroup"));
    own_groups(&mounts, &ours, controllers)
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
                && wanted
                    .iter()
                    .any(|name| named(controllers, name) && named(options, name))
        };
        let found = mounts
            .lines()
            .find_map(|mount| folder_in(mount, path, is_ours));
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
        assert_eq!(
            own_groups(mounts, ours, &CONTROLLERS),
            folders.map(PathBuf::from)
        );
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
