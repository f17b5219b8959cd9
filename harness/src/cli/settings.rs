//! Finds the repository for a command, and warns about its settings that name nothing.

use std::path::{Path, PathBuf};

use anyhow::Result;

use super::stream;
use crate::config::Repository;
use crate::problem::Problem;

/// The repository around `start`, for commands that read no problems.
pub(super) fn locate(start: &Path) -> Result<Option<Repository>> {
    let repository = Repository::locate(start)?;
    warn(repository.as_ref(), &[]);
    Ok(repository)
}

/// The repository around the first of `paths`, or around `current`, for commands that read no problems.
pub(super) fn around(current: &Path, paths: &[PathBuf]) -> Result<Option<Repository>> {
    let repository = Repository::around(current, paths)?;
    warn(repository.as_ref(), &[]);
    Ok(repository)
}

/// Warns about the settings that name nothing. `problems` are those that the command has read.
pub(super) fn warn(repository: Option<&Repository>, problems: &[Problem]) {
    let known: Vec<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    for warning in repository.map_or_else(Vec::new, |found| found.names_of_nothing(&known)) {
        stream::warn(warning);
    }
}
