//! Symbolic links that lead nowhere: an error where a file or folder of that name would count, otherwise a warning.

use std::ffi::OsStr;
use std::path::Path;

use super::join;
use crate::notice::Notices;
use crate::problem::{dangling_link, is_ignored, walk_error, warn_of_link};

/// The extensions of files that describe problems, or contain their cases.
const DESCRIPTIONS: [&str; 7] = ["yaml", "yml", "toml", "json", "xml", "ini", "zip"];

/// The extensions of texts and pictures, whatever their names.
const DOCUMENTS: [&str; 11] =
    ["md", "tex", "sty", "html", "pdf", "png", "jpg", "jpeg", "svg", "gif", "eps"];

/// Folders with the programs of a package.
const PROGRAMS: [&str; 8] = [
    "input_validators",
    "output_validator",
    "output_validators",
    "answer_validators",
    "generators",
    "include",
    "prog",
    "gen",
];

/// Reports an entry that cannot be read. `is_source`: whether a name is that of a source.
pub(super) fn report(
    error: &walkdir::Error,
    is_source: impl FnOnce(&str) -> bool,
    notices: &mut Notices,
) {
    let name = |path: &Path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    if error.path().is_some_and(|path| is_ignored(&name(path))) {
        return;
    }
    match dangling_link(error) {
        Some(path) if !counts(path) && !is_source(&name(path)) => warn_of_link(path, notices),
        _ => {
            let notice = walk_error(error, notices);
            notices.errors.push(notice);
        }
    }
}

/// Whether a file or folder with this path would be a case, describe a problem, or contain either.
pub(super) fn counts(path: &Path) -> bool {
    let text = |name: Option<&OsStr>| name.unwrap_or_default().to_string_lossy().into_owned();
    let name = text(path.file_name());
    let folder = text(path.parent().and_then(Path::file_name));
    let extension = text(path.extension()).to_lowercase();
    let is_one_of = |known: &[&str]| known.contains(&extension.as_str());
    if is_one_of(&DOCUMENTS) {
        return false;
    }
    let is_for_more = |name: &str| {
        join::may_hold_cases(name) || join::is_for_solutions(name) || PROGRAMS.contains(&name)
    };
    is_one_of(&DESCRIPTIONS)
        || join::are_only_cases(&[format!("{folder}/{name}")])
        || (extension.is_empty() && (is_for_more(&name) || is_for_more(&folder)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_judged_counts() {
        for path in [
            "p/1.in",
            "p/1.ans",
            "p/tests/01",
            "p/tests/01.a",
            "p/input/x",
            "p/input1.txt",
            "p/t.in.1a",
            "p/problem.yaml",
            "p/data/secret/group",
            "p/data",
            "cases/sum",
            "solutions/sum",
            "p/wrong_answer",
            "p/cases.zip",
            "p/output_validators",
        ] {
            assert!(counts(Path::new(path)), "{path}");
        }
        for path in [
            "p/notes.txt",
            "p/statement/pic.png",
            "p/statement/figures",
            "p/README",
            "p/data/secret/README.md",
            "p/input.pdf",
            "p/data/secret/notes.txt",
        ] {
            assert!(!counts(Path::new(path)), "{path}");
        }
    }
}
