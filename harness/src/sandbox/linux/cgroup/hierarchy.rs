//! Finds the mounted hierarchies and makes a group for the launcher in each that lets it.
//!
//! Attempted, never guessed from versions: a group counts only if we could make it and move into it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Our groups' names, before the launcher's process number.
const PREFIX: &str = "rejudge-";

/// The controllers of cgroup v1 whose hierarchies are worth a group.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpuacct"];

/// A group that we made and are in.
#[derive(Debug)]
pub(super) struct Group {
    path: PathBuf,
    parent: PathBuf,
}

impl Group {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Moves us back to the parent and removes the group.
    pub(super) fn remove(self) {
        // What fails here is found and removed by the next launcher.
        let _ = join(&self.parent);
        let _ = fs::remove_dir(&self.path);
    }
}

/// Makes and enters a group in each hierarchy that we can use.
pub(super) fn enter_all(launcher: u32) -> Vec<Group> {
    let (Ok(mounts), Ok(ours)) = (
        fs::read_to_string("/proc/self/mountinfo"),
        fs::read_to_string("/proc/self/cgroup"),
    ) else {
        return Vec::new();
    };
    let parents = own_groups(&mounts, &ours);
    parents
        .into_iter()
        .filter_map(|parent| enter(parent, launcher).ok())
        .collect()
}

fn enter(parent: PathBuf, launcher: u32) -> io::Result<Group> {
    remove_abandoned(&parent);
    for controller in ["+memory", "+pids"] {
        // Refused to all but a v2 group that has the controller and no processes; the files that appear decide.
        let _ = fs::write(parent.join("cgroup.subtree_control"), controller);
    }
    let path = parent.join(format!("{PREFIX}{launcher}"));
    fs::create_dir(&path)?;
    if let Err(error) = join(&path) {
        fs::remove_dir(&path)?;
        return Err(error);
    }
    Ok(Group { path, parent })
}

fn join(group: &Path) -> io::Result<()> {
    fs::write(group.join("cgroup.procs"), "0")
}

/// Removes the empty groups of launchers that were killed.
fn remove_abandoned(parent: &Path) {
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let launcher = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if launcher.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            // A group with processes in it cannot be removed, so this harms nobody.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The folders of the groups that we are in, one a hierarchy of interest; see `cgroups(7)`.
fn own_groups(mounts: &str, ours: &str) -> Vec<PathBuf> {
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
                && CONTROLLERS
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
        assert_eq!(own_groups(mounts, ours), folders.map(PathBuf::from));
    }
}
