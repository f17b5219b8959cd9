//! Finds the repository for a command, and warns about its settings and folders that name nothing.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::stream;
use crate::config::Repository;
use crate::notice::{Notice, shown};
use crate::problem::{DATA_PARTS, Problem, unread};

/// The repository around `start`, for commands that read no problems.
pub(super) fn locate(start: &Path) -> Result<Option<Repository>> {
    let repository = Repository::locate(start)?;
    warn(repository.as_ref(), &[]);
    warn_of_unread(repository.as_ref(), &[]);
    Ok(repository)
}

/// The repository around the first of `paths`, or around `current`, for commands that read no problems.
pub(super) fn around(current: &Path, paths: &[PathBuf]) -> Result<Option<Repository>> {
    let repository = Repository::around(current, paths)?;
    warn(repository.as_ref(), &[]);
    warn_of_unread(repository.as_ref(), &[]);
    Ok(repository)
}

/// Warns about the settings that name nothing. `problems` are those that the command has read.
pub(super) fn warn(repository: Option<&Repository>, problems: &[Problem]) {
    let known: Vec<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    for warning in repository.map_or_else(Vec::new, |found| found.names_of_nothing(&known)) {
        stream::warn(warning);
    }
}

/// Warns about the folders in `data/` of packages that are never read, such as `secrets`: those of the problems that the
/// command has read, otherwise of all.
pub(super) fn warn_of_unread(repository: Option<&Repository>, problems: &[Problem]) {
    let own: Vec<PathBuf> = problems.iter().map(|problem| problem.dir.clone()).collect();
    let cases = repository.filter(|_| own.is_empty()).map(Repository::cases);
    let all = cases.iter().flat_map(|cases| folders_in(cases));
    let base = repository.map(|found| found.root.as_path());
    for package in own.into_iter().chain(all) {
        if !Problem::is_package_in(&package) {
            continue;
        }
        for folder in folders_in(&package.join("data")) {
            if let Some(warning) = warning_of_unread(&folder, base) {
                stream::warn(warning);
            }
        }
    }
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

fn warning_of_unread(folder: &Path, base: Option<&Path>) -> Option<Notice> {
    let name = folder.file_name()?.to_string_lossy();
    let notice = unread(&name, &DATA_PARTS, "`data/`")?;
    let here = std::env::current_dir().ok();
    let shown = shown(folder, base.or(here.as_deref()));
    Some(Notice { help: notice.help, ..notice.code.of_file(&shown, notice.message) })
}
