//! Writes the upgraded package: everything under a hidden name first, and then moved.
//!
//! In place, only the files and folders directly in the package that change are written. They are links to the old
//! files where these stay as they are, so nothing is copied, and nothing is lost if the power fails between two moves.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use super::tree::{PackageEntry, PackageTree};

/// Replaces the package.
pub(super) fn replace(tree: &PackageTree, is_interrupted: &dyn Fn() -> bool) -> io::Result<()> {
    let root = tree.root();
    let stage = tempfile::Builder::new().prefix(".rejudge-").tempdir_in(root)?;
    let (new, old) = (stage.path().join("new"), stage.path().join("old"));
    fs::create_dir(&new)?;
    fs::create_dir(&old)?;
    let changed = changed(tree)?;
    for (path, entry) in tree.entries() {
        if path.iter().next().is_some_and(|top| changed.contains(top)) {
            write(tree, (path, entry), (&new, root), true)?;
        }
        stop_if(is_interrupted)?;
    }
    let mut moves = Vec::new();
    for name in &changed {
        moves.push((root.join(name), old.join(name)));
        moves.push((new.join(name), root.join(name)));
    }
    let result = move_all(&moves);
    if result.is_err() && old.read_dir().is_ok_and(|mut left| left.next().is_some()) {
        // What could not be moved back must not be removed.
        let kept = stage.keep();
        return result.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{error}; the old files are in {}", kept.display()),
            )
        });
    }
    result
}

/// Writes a copy.
pub(super) fn copy(
    tree: &PackageTree,
    place: &Path,
    is_interrupted: &dyn Fn() -> bool,
) -> io::Result<()> {
    if place.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    let parent = place.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    let stage = tempfile::Builder::new().prefix(".rejudge-").tempdir_in(parent)?;
    let new = stage.path().join("new");
    fs::create_dir(&new)?;
    for (path, entry) in tree.entries() {
        write(tree, (path, entry), (&new, place), false)?;
        stop_if(is_interrupted)?;
    }
    for hidden in tree.hidden() {
        for entry in walkdir::WalkDir::new(tree.root().join(hidden)) {
            let entry = entry.map_err(io::Error::other)?;
            let path = entry.path().strip_prefix(tree.root()).unwrap_or(entry.path());
            let kept = PackageEntry::Kept(path.to_path_buf());
            write(tree, (path, &kept), (&new, place), false)?;
            stop_if(is_interrupted)?;
        }
    }
    fs::rename(new, place)
}

fn stop_if(is_interrupted: &dyn Fn() -> bool) -> io::Result<()> {
    if is_interrupted() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
}

/// The names directly in the package whose files are not all as they were.
fn changed(tree: &PackageTree) -> io::Result<BTreeSet<OsString>> {
    let top = |path: &Path| path.iter().next().map(OsString::from);
    let was = PackageTree::read(tree.root()).map_err(io::Error::other)?;
    let mut changed = BTreeSet::new();
    for (path, entry) in tree.entries() {
        if was.entries().get(path) != Some(entry) {
            changed.extend(top(path));
        }
    }
    changed.extend(
        was.entries()
            .keys()
            .filter(|path| !tree.entries().contains_key(*path))
            .filter_map(|path| top(path)),
    );
    Ok(changed)
}

/// Writes an entry below `folder`, which is going to be `place`. `links`: as another name of the old file.
fn write(
    tree: &PackageTree,
    (path, entry): (&Path, &PackageEntry),
    (folder, place): (&Path, &Path),
    links: bool,
) -> io::Result<()> {
    let new = folder.join(path);
    if let Some(above) = new.parent() {
        fs::create_dir_all(above)?;
    }
    let old = match entry {
        PackageEntry::Written(text) => return fs::write(new, text),
        PackageEntry::Kept(old) => old,
    };
    let from = tree.root().join(old);
    let kind = from.symlink_metadata()?.file_type();
    if kind.is_dir() {
        fs::create_dir_all(new)
    } else if kind.is_symlink() {
        std::os::unix::fs::symlink(tree.link(path, old, place)?, new)
    } else if links && fs::hard_link(&from, &new).is_ok() {
        Ok(())
    } else if kind.is_file() {
        fs::copy(&from, &new).map(drop)
    } else {
        let shown = from.display();
        Err(io::Error::other(format!("{shown} is not a regular file")))
    }
}

/// Moves all, or none.
fn move_all(moves: &[(std::path::PathBuf, std::path::PathBuf)]) -> io::Result<()> {
    for (index, (from, to)) in moves.iter().enumerate() {
        // A name may be new, or gone.
        if from.symlink_metadata().is_err() {
            continue;
        }
        if let Err(error) = fs::rename(from, to) {
            for (from, to) in moves[..index].iter().rev() {
                if to.symlink_metadata().is_ok() {
                    fs::rename(to, from)?;
                }
            }
            return Err(error);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::path::PathBuf;

    fn files(root: &Path) -> Vec<PathBuf> {
        let entries = walkdir::WalkDir::new(root).min_depth(1).sort_by_file_name();
        entries.into_iter().map(|entry| entry.unwrap().into_path()).collect()
    }

    #[test]
    fn an_interrupted_upgrade_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("package");
        for name in ["a/1", "a/2", "b/3", "problem.yaml"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), name).unwrap();
        }
        let before = files(folder.path());
        let mut tree = PackageTree::read(&root).unwrap();
        tree.rename(Path::new("a"), Path::new("c")).unwrap();
        tree.write("problem.yaml", "new");
        for most in 0..4 {
            let asked = Cell::new(0);
            let is_interrupted = || asked.replace(asked.get() + 1) == most;
            let error = replace(&tree, &is_interrupted).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::Interrupted);
            asked.set(0);
            assert!(copy(&tree, &folder.path().join("copy"), &is_interrupted).is_err());
            assert_eq!(files(folder.path()), before);
            assert_eq!(fs::read(root.join("problem.yaml")).unwrap(), b"problem.yaml");
        }
        replace(&tree, &|| false).unwrap();
        let names: Vec<String> = files(&root)
            .iter()
            .map(|path| path.strip_prefix(&root).unwrap().display().to_string())
            .collect();
        assert_eq!(names, ["b", "b/3", "c", "c/1", "c/2", "problem.yaml"]);
        assert_eq!(fs::read(root.join("problem.yaml")).unwrap(), b"new");
    }

    #[test]
    fn moves_that_fail_are_undone() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("one"), "1").unwrap();
        fs::write(at("two"), "2").unwrap();
        fs::create_dir(at("taken")).unwrap();
        let moves = [(at("one"), at("moved")), (at("absent"), at("x")), (at("two"), at("taken"))];
        assert!(move_all(&moves).is_err());
        assert_eq!(fs::read(at("one")).unwrap(), b"1");
        assert!(!at("moved").exists());
    }
}
