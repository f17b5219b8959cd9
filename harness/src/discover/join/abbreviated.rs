//! Cases whose names are the beginnings of their sources': `a.in` beside `arabic.java`, `camp.in` beside `camper.java`; and what
//! the letters of a contest's problems say.

use std::collections::{BTreeMap, BTreeSet};

use super::attempts::{are_attempts, head};
use super::facts::{FolderFacts, assign, is_generic, is_number, is_separator};
use super::vocabulary::says_nothing;

/// The letter of a contest's problem with which a name begins: the `a` of `a`, `a2` and `a-large`.
fn letter(name: &str) -> Option<&str> {
    let first = head(name).trim_end_matches(|c: char| c.is_ascii_digit());
    let mut chars = first.chars();
    let is_one = chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none();
    is_one.then_some(first)
}

/// Whether all sources are attempts at the problem with one letter, and no case bears another one: `A.cpp` and `A_fail.cpp`
/// beside `A.in` and `custom.in`, or any names beside `A-small.in` in the folder `A`.
pub(super) fn are_of_one_letter(facts: &FolderFacts<'_>) -> bool {
    let of_cases: BTreeSet<&str> = facts.files.iter().filter_map(|case| letter(case.key)).collect();
    let (Some(only), 1) = (of_cases.first(), of_cases.len()) else { return false };
    let is_of_folder = || {
        let are_all = facts.files.iter().all(|case| head(case.key) == *only);
        are_all && facts.folder == *only && are_attempts(facts)
    };
    facts.stems.iter().all(|stem| head(stem) == *only) || is_of_folder()
}

/// Whether the cases are those of several problems, as two letters before the same words show: `A-large` and `B-large`.
pub(super) fn are_of_several_letters(facts: &FolderFacts<'_>) -> bool {
    let mut letters: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for key in facts.files.iter().map(|case| case.key) {
        let rest = key[head(key).len()..].trim_start_matches(is_separator);
        if let Some(letter) = letter(key)
            && rest.contains(char::is_alphabetic)
        {
            letters.entry(rest).or_default().insert(letter);
        }
    }
    letters.values().any(|same| same.len() > 1)
}

/// The stems, of which those that begin with the name of cases have this, and the owners by them. Letters alone say something
/// only if each source and each case has its own.
pub(super) fn with_beginnings(
    facts: &FolderFacts<'_>,
    found: &[Option<usize>],
) -> Option<(Vec<String>, Vec<Option<usize>>)> {
    const LONG: usize = 3;
    const ENOUGH: usize = 2;
    let FolderFacts { stems, cases, .. } = *facts;
    let owned: BTreeSet<usize> = found.iter().flatten().copied().collect();
    let free = facts.files.iter().zip(found).filter(|(_, owner)| owner.is_none());
    let is_end = |c: char| c.is_ascii_digit() || is_separator(c);
    let names: BTreeSet<&str> = free.map(|(case, _)| case.key.trim_end_matches(is_end)).collect();
    let is_letter = |name: &&&str| name.chars().count() == 1;
    let mut effective = stems.to_vec();
    let mut used = BTreeSet::new();
    for name in &names {
        let is_long = name.chars().count() >= LONG && !is_generic(name) && !says_nothing(name);
        let begins = |at: &usize| !owned.contains(at) && stems[*at].starts_with(name);
        let mut own = (0..stems.len()).filter(begins);
        if let (Some(only), None, true) = (own.next(), own.next(), is_long || is_letter(&name))
            && !is_number(name)
        {
            (*name).clone_into(&mut effective[only]);
            used.insert(only);
        }
    }
    let are_letters = names.iter().any(|name| is_letter(&name));
    let is_whole = used.len() == stems.len() && used.len() == names.len();
    if used.len() < ENOUGH || are_letters && !is_whole {
        return None;
    }
    let owners = assign(&effective, cases);
    Some((effective, owners))
}
