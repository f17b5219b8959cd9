//! Whether the sources of a folder are attempts at one problem, as far as their names say.

use std::collections::BTreeSet;

use super::facts::{FolderFacts, bears, is_generic, is_separator};

pub(super) fn head(stem: &str) -> &str {
    stem.split(is_separator).next().unwrap_or(stem)
}

/// A stem that names a problem of a contest: a letter, `1850A`, `abc300_a`.
pub(super) fn is_contest_id(stem: &str) -> bool {
    let mut chars = stem.chars();
    let letter = chars.next().is_some_and(char::is_alphabetic);
    let number = chars.as_str();
    if letter && number.len() < 2 && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let tail = stem.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let id = tail.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = tail.len() - id.len();
    let mut id = id.trim_start_matches(is_separator).chars();
    digits >= 2 && id.next().is_some_and(char::is_alphabetic) && id.as_str().len() < 2
}

/// Whether a stem begins with the folder's name: `TheLostCow2` in `01_the_lost_cow`.
pub(super) fn is_of_folder(folder: &str, stem: &str) -> bool {
    const ENOUGH: usize = 4;
    let letters = |name: &str| -> String { name.chars().filter(|c| c.is_alphabetic()).collect() };
    let name = letters(folder);
    bears(folder, stem)
        || name.chars().count() >= ENOUGH && !is_generic(folder) && letters(stem).starts_with(&name)
}

/// Whether several of these are ids of different problems, not counting words that say nothing.
pub(super) fn are_ids(stems: &[String], folder: &str) -> bool {
    // `1823` and `a147` are numbers of problems.
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |stem: &str| {
        let rest = stem.strip_prefix(|c: char| c.is_ascii_alphabetic());
        stem.len() > 3 && digits(rest.unwrap_or(stem))
    };
    let of_folder = |stem: &str| !folder.is_empty() && bears(folder, stem);
    let is_id = |stem: &&String| {
        !is_generic(stem) && !of_folder(stem) && (is_contest_id(stem) || number(stem))
    };
    let letters: BTreeSet<&str> = stems.iter().map(|stem| head(stem)).collect();
    let letters = letters.iter().filter(|head| head.chars().count() == 1);
    let letters = letters.filter(|head| head.chars().all(char::is_alphabetic));
    // `p`, `p1` and `p2` are one letter.
    let ids: Vec<&String> = stems.iter().filter(is_id).collect();
    let first = |stem: &&String| stem.chars().find(|c| c.is_alphabetic());
    let is_version = |stem: &&String| stem.len() < 3 && first(stem) == ids.first().and_then(first);
    let are_versions =
        ids.iter().all(is_version) && ids.iter().any(|stem| stem.chars().count() == 1);
    ids.len() > 1 && !are_versions || letters.count() > 1
}

/// Whether sources with these stems are attempts at one problem, as far as their names say.
pub(super) fn are_attempts(facts: &FolderFacts<'_>) -> bool {
    let FolderFacts { stems, folder, .. } = *facts;
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if are_ids(stems, folder) {
        return false;
    }
    let word = |stem: &String| {
        let of_folder = folder.chars().count() > 1 && is_of_folder(folder, stem);
        let first = head(stem);
        of_folder || is_generic(stem) || is_generic(first)
    };
    let others: Vec<&String> = stems.iter().filter(|stem| !word(stem)).collect();
    let heads: BTreeSet<&str> = others.iter().map(|stem| head(stem)).collect();
    let families = heads.len() + usize::from(others.len() < stems.len());
    // One case is likely to be a scratch file, unless the folder has the name of a problem.
    let is_problem = is_contest_id(folder) || !folder.is_empty() && digits(folder);
    let most = match facts.cases.len() {
        _ if is_problem => 16,
        _ if facts.scratch => 1 + usize::from(others.len() < stems.len()),
        1 => 3,
        _ => 8,
    };
    families <= most
        || others.iter().all(|stem| digits(stem))
        || common_prefix(&others) > 0 && families == others.len()
}

fn common_prefix(stems: &[&String]) -> usize {
    let Some(first) = stems.first() else { return 0 };
    let common = |stem: &&String| {
        let pairs = stem.bytes().zip(first.bytes());
        pairs.take_while(|(a, b)| a == b).count()
    };
    stems.iter().map(common).min().unwrap_or(0)
}

/// Whether a source has the folder's name, or exactly one is called `main`.
pub(super) fn has_main_source(facts: &FolderFacts<'_>) -> bool {
    const MAIN: [&str; 3] = ["main", "sol", "solution"];
    let count = |is: &dyn Fn(&&String) -> bool| facts.stems.iter().filter(is).count();
    let named = count(&|stem| *stem == facts.folder && stem.chars().count() > 1);
    let mains = count(&|stem| MAIN.contains(&stem.as_str()));
    let letters = count(&|stem| stem.chars().count() == 1);
    named == 1 || mains == 1 && !facts.scratch && letters < 2
}
