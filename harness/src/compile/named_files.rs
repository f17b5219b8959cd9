//! The files that a change of which makes a single source another program.

use std::path::{Path, PathBuf};

use super::Terms;
use super::beside_source::{LARGEST, gather};
use crate::beside::normal;
use crate::plain_file;
use crate::problem::Problem;

/// The files next to a single source of the problem that it names, and those that links among them lead to.
pub(crate) fn files_beside(source: &Path, problem: &Problem) -> Vec<PathBuf> {
    let rule = Terms::of_submission(problem).beside_rule(source);
    let text = plain_file::read_up_to(source, LARGEST);
    let (Some(rule), Ok(text)) = (rule, text) else {
        return Vec::new();
    };
    let name = source.file_name().unwrap_or_default().to_string_lossy();
    let program = gather(&name, text, &rule);
    let names = program.map(|program| program.beside.with);
    let dir = source.parent().unwrap_or(source);
    let mut files: Vec<PathBuf> = Vec::new();
    for name in names.into_iter().flatten() {
        let file = normal(&dir.join(name));
        files.extend(file.canonicalize());
        files.push(file);
    }
    files
}
