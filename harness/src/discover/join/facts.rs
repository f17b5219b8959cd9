//! What is known of the sources and the cases of a folder, and what the names of both say.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// The names of a case.
pub(super) struct CaseName<'a> {
    /// The name without its side.
    pub(super) key: &'a str,
    /// The name of the input.
    pub(super) file: Cow<'a, str>,
    pub(super) is_answered: bool,
    /// Whether it lies in a folder of cases below the problem's.
    pub(super) is_below: bool,
}

/// What the names say about the sources and the cases of one folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Owners {
    /// All sources are attempts at one problem.
    All,
    /// Cases and sources with the same group belong together.
    Each(Groups),
    /// The sources are different problems, and nothing joins the cases to one of them.
    Unknown,
}

/// The groups of the cases and of the stems of a folder. A group is the index of one of its stems.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Groups {
    pub(super) of_case: Vec<Option<usize>>,
    pub(super) of_stem: Vec<Option<usize>>,
    /// The stems whose sources open their cases by name.
    pub(super) told: BTreeSet<usize>,
}

/// Stems that say nothing about the problem.
const GENERIC: [&str; 26] = [
    "sol",
    "solution",
    "solutions",
    "main",
    "code",
    "program",
    "v",
    "test",
    "tests",
    "sample",
    "samples",
    "example",
    "input",
    "output",
    "in",
    "out",
    "data",
    "case",
    "a.out",
    "answer",
    "index",
    "attempt",
    "first",
    "second",
    "part",
    "star",
];

/// Whether a stem, without a number at its end, says nothing about the problem.
pub(super) fn is_generic(stem: &str) -> bool {
    let word = stem.trim_end_matches(|c: char| c.is_ascii_digit() || is_separator(c));
    GENERIC.contains(&word.to_lowercase().as_str())
}

pub(super) fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_separator(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | ' ')
}

/// Whether the name of a case begins with `stem`: after it comes nothing, a separator, or a number
/// unless the stem ends in one. Both are in lower case.
pub(super) fn bears(stem: &str, name: &str) -> bool {
    let Some(rest) = name.strip_prefix(stem) else {
        return false;
    };
    let rest = if stem.ends_with(|c: char| c.is_ascii_digit()) {
        rest
    } else {
        rest.trim_start_matches(|c: char| c.is_ascii_digit())
    };
    rest.chars().next().is_none_or(is_separator)
}

/// What is known of a folder. All names are in lower case, and the stems are without duplicates.
pub(super) struct FolderFacts<'a> {
    /// The names of the sources.
    pub(super) stems: &'a [String],
    /// The names of the files that the sources with a stem open.
    pub(super) opened: &'a dyn Fn(&str) -> Vec<String>,
    /// For each case, the names that a source may open.
    pub(super) files: &'a [CaseName<'a>],
    /// For each case its names: those of its folders and its own.
    pub(super) cases: &'a [Vec<&'a str>],
    /// The name of the folder.
    pub(super) folder: &'a str,
    /// The sources are in a folder for solutions.
    pub(super) attempts: bool,
    /// The names of the cases are a word and nothing else: a scratch file.
    pub(super) scratch: bool,
}

/// The stem of each case: the longest that one of its names bears.
pub(super) fn assign(stems: &[String], cases: &[Vec<&str>]) -> Vec<Option<usize>> {
    let owner = |names: &Vec<&str>| {
        let known =
            stems.iter().enumerate().filter(|(_, stem)| !stem.is_empty() && !is_generic(stem));
        known
            .filter(|(_, stem)| names.iter().any(|name| bears(stem, name)))
            .max_by_key(|(_, stem)| stem.len())
            .map(|(at, _)| at)
    };
    cases.iter().map(owner).collect()
}
