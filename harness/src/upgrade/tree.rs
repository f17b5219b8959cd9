//! The files of a package by their new paths, before anything is written.

use std::collections::BTreeMap;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::plain_file;
use crate::problem::is_ignored;
use crate::shell::relative_path;

/// The time limit of a package may be in this hidden file.
pub(super) const TIME_LIMIT: &str = ".timelimit";

/// What stands at a path of the upgraded package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PackageEntry {
    /// The file, link or empty folder that has this path in the old package.
    Kept(PathBuf),
    /// A new text.
    Written(Vec<u8>),
}

/// The package as it will be.
#[derive(Debug, Clone)]
pub(super) struct PackageTree {
    /// The folder of the old package.
    root: PathBuf,
    entries: BTreeMap<PathBuf, PackageEntry>,
    /// The hidden files and folders directly in the package, which stay as they are.
    hidden: Vec<PathBuf>,
}

impl PackageTree {
    /// The package in `root` as it is.
    pub(super) fn read(root: &Path) -> walkdir::Result<Self> {
        let mut tree =
            Self { root: root.to_path_buf(), entries: BTreeMap::new(), hidden: Vec::new() };
        let mut walk = walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
        while let Some(entry) = walk.next() {
            let entry = entry?;
            let path = entry.path().strip_prefix(root).unwrap_or(entry.path()).to_path_buf();
            let is_dir = entry.file_type().is_dir();
            let name = entry.file_name().to_string_lossy();
            if entry.depth() == 1 && is_ignored(&name) && name != TIME_LIMIT {
                tree.hidden.push(path);
                if is_dir {
                    walk.skip_current_dir();
                }
                continue;
            }
            if let Some(above) = path.parent() {
                tree.entries.remove(above);
            }
            tree.entries.insert(path.clone(), PackageEntry::Kept(path));
        }
        Ok(tree)
    }

    /// The folder of the old package.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The hidden files and folders directly in the package.
    pub(super) fn hidden(&self) -> &[PathBuf] {
        &self.hidden
    }

    /// All entries by their new paths.
    pub(super) fn entries(&self) -> &BTreeMap<PathBuf, PackageEntry> {
        &self.entries
    }

    /// Whether there is a file, a link or a folder.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.below(path).next().is_some()
    }

    /// The paths that are `path` or below it.
    pub(super) fn below<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = &'a PathBuf> {
        self.entries.keys().filter(move |one| one.starts_with(path))
    }

    /// The names directly in a folder.
    pub(super) fn names_in(&self, folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = self
            .entries
            .keys()
            .filter_map(|path| path.strip_prefix(folder).ok()?.components().next())
            .map(|first| first.as_os_str().to_string_lossy().into_owned())
            .collect();
        names.dedup();
        names
    }

    /// The folder or file in the old package that has this path now.
    pub(super) fn origin(&self, path: &Path) -> Option<PathBuf> {
        match self.entries.get(path)? {
            PackageEntry::Kept(old) => Some(self.root.join(old)),
            PackageEntry::Written(_) => None,
        }
    }

    /// The text of a file; `None`: it is not there, cannot be read, or is no text.
    pub(super) fn text(&self, path: &Path) -> Option<String> {
        match self.entries.get(path)? {
            PackageEntry::Kept(old) => plain_file::read_text(&self.root.join(old)).ok(),
            PackageEntry::Written(text) => String::from_utf8(text.clone()).ok(),
        }
    }

    /// Writes a text, in place of what is there.
    pub(super) fn write(&mut self, path: impl Into<PathBuf>, text: impl Into<Vec<u8>>) {
        self.entries.insert(path.into(), PackageEntry::Written(text.into()));
    }

    /// Removes a file whose contents are elsewhere now.
    pub(super) fn remove(&mut self, path: &Path) {
        self.entries.remove(path);
    }

    /// Moves a file or a folder. The error names a path that is taken.
    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> Result<(), PathBuf> {
        let moved: Vec<(PathBuf, PathBuf)> = self
            .below(from)
            .map(|path| {
                let rest = path.strip_prefix(from).unwrap_or(path);
                // Joining an empty path would add a slash.
                let new = if rest == Path::new("") { to.to_path_buf() } else { to.join(rest) };
                (path.clone(), new)
            })
            .collect();
        let is_taken = |(_, new): &&(PathBuf, PathBuf)| !new.starts_with(from) && self.has(new);
        if let Some((_, taken)) = moved.iter().find(is_taken) {
            return Err(taken.clone());
        }
        let entries: Vec<(PathBuf, PackageEntry)> = moved
            .into_iter()
            .filter_map(|(old, new)| Some((new, self.entries.remove(&old)?)))
            .collect();
        self.entries.extend(entries);
        Ok(())
    }

    /// Where the link at `path` leads in the package that `place` is going to be: links inside the package lead to the
    /// new paths, and others where they lead now.
    pub(super) fn link(&self, path: &Path, old: &Path, place: &Path) -> io::Result<PathBuf> {
        let target = std::fs::read_link(self.root.join(old))?;
        if target.is_absolute() {
            return Ok(target);
        }
        let folder = |of: &Path| of.parent().unwrap_or(Path::new("")).to_path_buf();
        let (old_folder, new_folder) = (folder(old), folder(path));
        let led = plain(&self.root.join(&old_folder).join(&target));
        let inside = led.strip_prefix(&self.root).ok().map(|led| self.now(led));
        let leads = inside.map_or(led, |led| place.join(led));
        if old_folder == new_folder && leads == plain(&place.join(&new_folder).join(&target)) {
            return Ok(target);
        }
        Ok(relative_path(&place.join(new_folder), &leads))
    }

    /// The new path of a file or folder of the old package.
    fn now(&self, old: &Path) -> PathBuf {
        let moved = |(new, entry): (&PathBuf, &PackageEntry)| match entry {
            PackageEntry::Kept(kept) if kept == old => Some(new.clone()),
            // A folder went where the first file in it went, if that kept its path below the folder.
            PackageEntry::Kept(kept) => {
                let rest = kept.strip_prefix(old).ok()?;
                new.ends_with(rest).then(|| {
                    new.components()
                        .take(new.components().count() - rest.components().count())
                        .collect()
                })
            }
            PackageEntry::Written(_) => None,
        };
        self.entries.iter().find_map(moved).unwrap_or_else(|| old.to_path_buf())
    }
}

/// The path without `.` and `..`, whatever is a link.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn package() -> (tempfile::TempDir, PackageTree) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["output_validators/v/a.cpp", "lib/testlib.h", ".git/HEAD", ".timelimit"] {
            let path = root.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        fs::create_dir(root.join("empty")).unwrap();
        let link = |to: &str, at: &str| std::os::unix::fs::symlink(to, root.join(at)).unwrap();
        link("../../lib/testlib.h", "output_validators/v/testlib.h");
        link("a.cpp", "output_validators/v/b.cpp");
        link("../../../outside", "output_validators/v/outside");
        let tree = PackageTree::read(root).unwrap();
        (folder, tree)
    }

    #[test]
    fn everything_but_hidden_folders_is_read() {
        let (_folder, tree) = package();
        let names: Vec<String> =
            tree.entries.keys().map(|path| path.display().to_string()).collect();
        let expected = [
            ".timelimit",
            "empty",
            "lib/testlib.h",
            "output_validators/v/a.cpp",
            "output_validators/v/b.cpp",
            "output_validators/v/outside",
            "output_validators/v/testlib.h",
        ];
        assert_eq!(names, expected);
        assert_eq!(tree.hidden(), [PathBuf::from(".git")]);
    }

    #[test]
    fn links_lead_to_the_same_files_after_a_move() {
        let (folder, mut tree) = package();
        let [from, to] = ["output_validators/v", "output_validator"].map(Path::new);
        tree.rename(from, to).unwrap();
        let link = |name: &str| {
            let old = from.join(name);
            tree.link(&to.join(name), &old, folder.path()).unwrap().display().to_string()
        };
        assert_eq!(link("testlib.h"), "../lib/testlib.h");
        assert_eq!(link("b.cpp"), "a.cpp");
        assert_eq!(link("outside"), "../../outside");
        let taken = tree.clone().rename(Path::new("lib"), to).unwrap_err();
        assert_eq!(taken, Path::new("output_validator/testlib.h"));
    }
}
