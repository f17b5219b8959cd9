//! What the texts of sources say about their cases: a solution that opens `gift1.in` takes the case with this name.
//!
//! Texts are read only where the names of the files leave a doubt: next to cases with several names, or for a source
//! without cases of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::attempts::{head, is_contest_id};
use super::facts::{
    CaseName, FolderFacts, Groups, Owners, assign, bears, is_generic, is_number, is_separator,
};
use super::numbered::word_and_number;
use super::words;

/// Names of cases that belong to every problem.
const COMMON: [&str; 14] = [
    "sample", "samples", "example", "examples", "test", "tests", "testcase", "case", "cases",
    "custom", "secret", "small", "large", "my",
];

/// Names of files that people use for every problem that they write.
const SCRATCH: [&str; 12] = [
    "tmp", "temp", "try", "file", "text", "txt", "debug", "local", "scratch", "stdin", "cin", "inp",
];

/// A name with fewer letters may be that of a scratch file.
const LONG: usize = 5;

/// The most sources with different names that may open a file with a short name, unless as many open one with a long name.
const MOST: usize = 3;

/// Corrects what the names of the files say by the names in the texts.
pub(super) fn refine(facts: &FolderFacts<'_>, owners: Owners) -> Owners {
    let families = families(facts);
    if matches!(owners, Owners::All)
        && let Some(groups) = each_its_own(facts)
    {
        return Owners::Each(groups);
    }
    if matches!(owners, Owners::All) && are_of_one_letter(facts) {
        return owners;
    }
    // The cases of one problem may have any number of names: only sources that open different ones tell them apart.
    let enough = match (&owners, families.len()) {
        (_, 0) => return owners,
        (Owners::All, 1) if facts.stems.len() < 2 => return owners,
        // What lies in a folder of cases belongs to the only source above it.
        (Owners::All, _)
            if facts.stems.len() < 2 && facts.files.iter().any(|case| case.is_below) =>
        {
            return owners;
        }
        (Owners::All, 1) => 2,
        _ => 1,
    };
    let found = assign(facts.stems, facts.cases);
    let owns = |at: usize| found.contains(&Some(at));
    let is_each = matches!(owners, Owners::Each(_));
    let told = claims(facts, |at| !(is_each && owns(at)));
    if told.len() < enough {
        return owners;
    }
    let mut groups = match owners {
        Owners::Each(groups) => groups,
        Owners::All | Owners::Unknown => Groups {
            of_stem: (0..facts.stems.len()).map(|at| owns(at).then_some(at)).collect(),
            of_case: found,
            told: BTreeSet::new(),
        },
    };
    for (name, stems) in &told {
        take(facts, &mut groups, &told, name, stems);
    }
    // A source that takes other cases leaves those that its name alone had given it.
    for owner in &mut groups.of_case {
        *owner = owner.filter(|group| groups.of_stem.contains(&Some(*group)));
    }
    Owners::Each(groups)
}

/// Whether the names of all cases begin with the id of one problem of a contest: `A-large` and `A-small-attempt0`. A source
/// opens the one that its author tried last.
fn are_of_one_letter(facts: &FolderFacts<'_>) -> bool {
    let mut keys = facts.files.iter().map(|case| case.key);
    let Some(first) = keys.next().map(head) else { return false };
    is_contest_id(first) && keys.all(|key| head(key) == first && key != first)
}

/// The groups of numbered problems, each of which opens the case with its number and no other: `problem1.py` opens `input1.txt`.
fn each_its_own(facts: &FolderFacts<'_>) -> Option<Groups> {
    let number = |name: &str| word_and_number(name).map(|(_, number)| number.to_owned());
    if facts.stems.len() < 2 || facts.stems.len() != facts.files.len() {
        return None;
    }
    let owner = |case: &CaseName<'_>| {
        let same = |at: &usize| number(&facts.stems[*at]) == number(case.key);
        let at = (0..facts.stems.len()).find(same)?;
        let stem = &facts.stems[at];
        let opened = (facts.opened)(stem);
        let opens =
            |case: &CaseName<'_>| opened.iter().any(|name| name.to_lowercase() == case.file);
        let is_only = facts.files.iter().filter(|other| opens(other)).count() == 1;
        (number(stem).is_some() && !is_generic(stem) && is_only && opens(case)).then_some(at)
    };
    let of_case: Vec<usize> = facts.files.iter().map(owner).collect::<Option<_>>()?;
    let told: BTreeSet<usize> = of_case.iter().copied().collect();
    (told.len() == facts.stems.len()).then(|| Groups {
        of_case: of_case.into_iter().map(Some).collect(),
        of_stem: (0..facts.stems.len()).map(Some).collect(),
        told,
    })
}

/// For each name of a case, the stems whose sources open it.
type Claims = BTreeMap<String, Vec<usize>>;

/// Gives the cases called `name` to `stems`.
fn take(facts: &FolderFacts<'_>, groups: &mut Groups, told: &Claims, name: &str, stems: &[usize]) {
    let keys = || facts.files.iter().map(|case| case.key).enumerate();
    let exact = keys().filter(|(_, key)| *key == name);
    let known = exact.clone().find_map(|(at, _)| groups.of_case[at]);
    // The index of a source that leads no other group.
    let free = |stem: &&usize| {
        let mut of_stem = groups.of_stem.iter().enumerate();
        !of_stem.any(|(at, group)| *group == Some(**stem) && at != **stem)
    };
    let Some(group) = known.or_else(|| stems.iter().find(free).copied()) else {
        return;
    };
    for stem in stems {
        groups.of_stem[*stem] = Some(group);
        groups.told.insert(*stem);
    }
    let is_leftover = |at: usize, key: &str| known_leftover(facts, name, at, key);
    for (at, key) in keys() {
        if key == name || bears(name, key) && !told.contains_key(key) && !is_leftover(at, key) {
            groups.of_case[at].get_or_insert(group);
        }
    }
}

/// Whether a case next to an answered one that a source opens by its whole name is left from something else: `sum2` next to
/// `sum`, of which there is no third, or `sum_good` without an answer.
fn known_leftover(facts: &FolderFacts<'_>, name: &str, at: usize, key: &str) -> bool {
    let files = &facts.files;
    let is_whole = files.iter().any(|case| case.key == name && case.is_answered);
    let rest = key.strip_prefix(name).unwrap_or_default();
    let is_version = |key: &str| {
        let rest = key.strip_prefix(name).unwrap_or_default();
        !rest.is_empty() && is_number(rest)
    };
    let versions = files.iter().filter(|case| is_version(case.key)).count();
    let is_word = rest.chars().any(char::is_alphabetic);
    is_whole && (is_version(key) && versions == 1 || is_word && !files[at].is_answered)
}

/// The texts that tell the cases of one problem from those of another, without numbers and words for every problem.
/// `sum2` next to `sum` is another problem, or another case of it.
fn families<'a>(facts: &FolderFacts<'a>) -> BTreeSet<&'a str> {
    let ends = |c: char| c.is_ascii_digit() || is_separator(c);
    let keys = facts.files.iter().map(|case| case.key);
    let mut families: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for key in keys {
        let name = key.trim_matches(ends);
        if !name.is_empty() && !COMMON.contains(&name) {
            families.entry(name).or_default().insert(key);
        }
    }
    let is_version = |name: &str, key: &str| {
        key.strip_prefix(name).is_some_and(|rest| !rest.is_empty() && is_number(rest))
    };
    let pairs = families.into_iter().flat_map(|(name, keys)| {
        let version = keys.iter().find(|key| is_version(name, key)).copied();
        let is_pair = keys.len() == 2 && keys.contains(name);
        [Some(name), version.filter(|_| is_pair)]
    });
    pairs.flatten().collect()
}

/// The names that sources open. A source that opens several says nothing.
fn claims(facts: &FolderFacts<'_>, may_claim: impl Fn(usize) -> bool) -> Claims {
    let mut claims = Claims::new();
    for at in (0..facts.stems.len()).filter(|at| may_claim(*at)) {
        let names: BTreeSet<String> = (facts.opened)(&facts.stems[at])
            .iter()
            .filter_map(|literal| case_of(facts, literal))
            .collect();
        if let (Some(name), 1) = (names.first(), names.len()) {
            claims.entry(name.clone()).or_default().push(at);
        }
    }
    let is_long = |name: &str| {
        name.chars().count() >= LONG && !COMMON.contains(&name) && !SCRATCH.contains(&name)
    };
    let of_long = claims.iter().filter(|(name, _)| is_long(name)).map(|(_, stems)| stems.len());
    let most_of_short = of_long.max().unwrap_or(0).max(MOST);
    claims.retain(|name, stems| {
        let is_common = name.is_empty() || is_number(name) || COMMON.contains(&name.as_str());
        let most = match name.chars().count() {
            _ if is_generic(name) || SCRATCH.contains(&name.as_str()) => 1,
            0 | 1 => 1,
            2..LONG => most_of_short,
            _ => usize::MAX,
        };
        !is_common && stems.len() <= most
    });
    claims
}

/// The name of the cases that a literal names.
fn case_of(facts: &FolderFacts<'_>, literal: &str) -> Option<String> {
    let literal = literal.to_lowercase();
    if let Some(case) = facts.files.iter().find(|case| case.file == literal) {
        return Some(case.key.to_owned());
    }
    let name = words::input_key(&literal).filter(|name| !name.is_empty() && !is_generic(name))?;
    let mut cases = facts.files.iter();
    cases.any(|case| bears(&name, case.key)).then_some(name)
}

#[cfg(test)]
mod tests;
