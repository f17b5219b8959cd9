//! Facts about paths and folders that do not require reading files.

use std::path::{Component, Path, PathBuf};

use super::solutions;
use crate::problem::Problem;

/// Resolves a path from the command line to an absolute path without `.` and `..`.
pub(super) fn absolute(current: &Path, path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in current.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// The package whose `submissions/` folder is `dir` or a parent of `dir`.
pub(super) fn package_of_submissions(dir: &Path) -> Option<PathBuf> {
    dir.ancestors().take(3).find_map(|dir| {
        let package = dir.parent()?;
        (dir.file_name()? == "submissions" && Problem::is_package_in(package))
            .then(|| package.to_path_buf())
    })
}

/// The problems in a folder and below it, in the order of their paths. A problem within another one does not count.
pub(crate) fn problem_folders_below(
    dir: &Path,
    is_problem: &impl Fn(&Path) -> bool,
) -> Vec<PathBuf> {
    /// How many folders may be around a problem.
    const DEPTH: usize = 4;
    let mut walk =
        walkdir::WalkDir::new(dir).min_depth(1).max_depth(DEPTH).sort_by_file_name().into_iter();
    let mut found = Vec::new();
    while let Some(entry) = walk.next() {
        let Ok(entry) = entry else {
            continue;
        };
        if !entry.file_type().is_dir() {
            continue;
        }
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let is_found = !is_hidden && is_problem(entry.path());
        if is_hidden || is_found {
            walk.skip_current_dir();
        }
        found.extend(is_found.then(|| entry.into_path()));
    }
    found
}

/// The problems directly in a folder (a contest): the subfolders that `is_problem` accepts.
pub(super) fn problem_folders(dir: &Path, is_problem: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir() && is_problem(path))
        .collect();
    found.sort_by(|a, b| solutions::order(&a.to_string_lossy(), &b.to_string_lossy()));
    found
}
