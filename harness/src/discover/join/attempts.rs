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

/// Whether sources with these stems are attempts at one problem, as far as their names say.
pub(super) fn are_attempts(facts: &FolderFacts<'_>) -> bool {
    let FolderFacts { stems, folder, .. } = *facts;
    // `1823` and `a147` are numbers of problems.
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let number = |stem: &str| {
        let rest = stem.strip_prefix(|c: char| c.is_ascii_alphabetic());
        stem.len() > 3 && digits(rest.unwrap_or(stem))
    };
    let is_id = |stem: &&String| !is_generic(stem) && (is_contest_id(stem) || number(stem));
    let letters: BTreeSet<&str> = stems.iter().map(|stem| head(stem)).collect();
    let letters = letters.iter().filter(|head| head.chars().count() == 1);
    let letters = letters.filter(|head| head.chars().all(char::is_alphabetic));
    if stems.iter().filter(is_id).count() > 1 || letters.count() > 1 {
        return false;
    }
    let word = |stem: &String| {
        let of_folder = folder.chars().count() > 1 && is_of_folder(folder, stem);
        let first = head(stem);
        of_folder || is_generic(stem) || is_generic(first)
    };
    let others: Vec<&String> = stems.iter().filter(|stem| !word(stem)).collect();
    let families = others.len() + usize::from(others.len() < stems.len());
    // A scratch file is likely to be that of another problem.
    let most = match facts.scratch {
        true if others.len() < stems.len() => 3,
        true => 2,
        false => 4,
    };
    families < most
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

/// The source with the folder's name, or the only one called `main`, is the solution of the folder's problem.
pub(super) fn main_source(facts: &FolderFacts<'_>) -> Option<usize> {
    const MAIN: [&str; 3] = ["main", "sol", "solution"];
    let only = |is: &dyn Fn(&&String) -> bool| {
        let mut found = facts.stems.iter().filter(is);
        let first = found.next()?;
        found.next().is_none().then_some(first)
    };
    let named = only(&|stem| *stem == facts.folder && stem.chars().count() > 1);
    let main = || only(&|stem| MAIN.contains(&stem.as_str())).filter(|_| !facts.scratch);
    let letters = |stem: &&String| stem.chars().count() == 1;
    let is_contest = facts.stems.iter().filter(letters).count() > 1;
    let found = named.or_else(|| main().filter(|_| !is_contest))?;
    facts.stems.iter().position(|stem| stem == found)
}
