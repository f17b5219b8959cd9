//! Finds the programs of a package in each layout.

use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use rejudge_checktestdata::{Grammar, Ruling};

use super::programs::{MakeError, file_name, io_error};
use crate::problem::{Additions, open_grammar};
use crate::sandbox::Captured;

/// The file that `solution: /…` of the package in `dir` refers to.
///
/// `/submissions/accepted/x.rs` is that file if the package contains its submissions; in a
/// repository with `cases/` it is `solutions/<problem>/x.rs`, and `/submissions/wrong_answer/x.rs`
/// is `solutions/<problem>/wrong_answer/x.rs`. The error holds the paths that were tried.
pub(super) fn of_solution(dir: &Path, named: &str) -> Result<PathBuf, Vec<PathBuf>> {
    let Some(inner) = named.strip_prefix('/').map(Path::new) else {
        return Err(Vec::new());
    };
    if !inner.components().all(|part| matches!(part, Component::Normal(_))) {
        return Err(Vec::new());
    }
    let mut tried = vec![dir.join(inner)];
    if let Ok(submission) = inner.strip_prefix("submissions")
        && let (Some(id), Some(root)) = (dir.file_name(), dir.parent().and_then(Path::parent))
    {
        let solutions = root.join("solutions").join(id);
        if let Ok(plain) = submission.strip_prefix("accepted") {
            tried.push(solutions.join(plain));
        }
        tried.push(solutions.join(submission));
    }
    if let Some(found) = tried.iter().position(|path| path.exists()) {
        return Ok(tried.swap_remove(found));
    }
    // In rejudge's own layout, the submissions do not lie in the package.
    if tried.len() > 1 && !dir.join("submissions").is_dir() {
        tried.remove(0);
    }
    Err(tried)
}

/// The grammar of Checktestdata in a file, in which constants are replaced.
pub(crate) fn grammar(source: &Path, additions: &Additions) -> Result<Grammar, MakeError> {
    open_grammar(source, additions).map_err(|fault| MakeError::Grammar(file_name(source), fault))
}

/// Compares an input with a grammar, for at most `time`.
pub(crate) fn check(
    grammar: &Grammar,
    input: &Captured,
    time: Duration,
) -> Result<Ruling, MakeError> {
    let mut bytes = Vec::new();
    let read = input.reader().and_then(|mut reader| reader.read_to_end(&mut bytes));
    read.map_err(io_error("read from", &std::env::temp_dir()))?;
    Ok(grammar.check(&bytes, time))
}

/// Headers, which are no programs.
const HEADERS: [&str; 4] = ["h", "hh", "hpp", "hxx"];

/// The programs in a package's folder of programs, sorted by name, without the headers next to them; empty if the folder
/// does not exist.
pub(crate) fn files_in(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let extension = path.extension().unwrap_or_default();
        if !crate::problem::is_ignored(&name) && !HEADERS.iter().any(|end| extension == *end) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
