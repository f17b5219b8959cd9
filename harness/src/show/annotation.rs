//! An annotation for hosted CI that runs workflows of GitHub: `::error file=…::`.
//!
//! These lines are commands, the only ones that rejudge ever prints. Every text in them is foreign, so it is made inert
//! first and then escaped by GitHub's rules.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::notice::shown;
use crate::printable::one_line;
use crate::show::inert::inert;

/// GitHub shows at most this many errors of a step.
pub(crate) const MOST: usize = 10;

/// The longest message, in characters.
const LONGEST: usize = 500;

/// The annotation of a file.
pub(crate) fn error(path: &Path, workspace: Option<&Path>, title: &str, message: &str) -> String {
    format!(
        "::error file={},title={}::{}\n",
        property(&shown(path, workspace)),
        property(title),
        data(message)
    )
}

/// Whether a CI that reads annotations runs this process.
pub(crate) fn wanted() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// The folder that paths in annotations are relative to.
pub(crate) fn workspace() -> Option<PathBuf> {
    PathBuf::from(std::env::var_os("GITHUB_WORKSPACE")?).canonicalize().ok()
}

/// The value of a message, on one line.
fn data(text: &str) -> String {
    escaped(text, &['%', '\r', '\n'])
}

/// The value of a property, which `:` and `,` would end.
fn property(text: &str) -> String {
    escaped(text, &['%', '\r', '\n', ':', ','])
}

fn escaped(text: &str, special: &[char]) -> String {
    let lines: Vec<String> =
        text.lines().map(|line| inert(&one_line(line.as_bytes(), LONGEST))).collect();
    let mut out = String::new();
    for c in lines.join("\n").chars().take(LONGEST) {
        if special.contains(&c) {
            // All of these are below 128.
            let _ = write!(out, "%{:02X}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}
