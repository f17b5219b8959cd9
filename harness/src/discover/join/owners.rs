//! Which of the sources in a folder a case belongs to, by their names.

use std::collections::{BTreeMap, BTreeSet};

use super::attempts::{are_attempts, has_main_source, head, is_contest_id, is_of_folder};
use super::facts::{
    FolderFacts, Groups, Owners, assign, bears, is_generic, is_number, is_separator,
};
use super::numbered::{by_number, with_words_of_cases, word_and_number};
use super::vocabulary::says_nothing;
use super::{abbreviated, evidence};

/// Divides the cases of a folder among its sources: by their names, and by their texts where the names leave a doubt.
pub(super) fn owners(facts: &FolderFacts<'_>) -> Owners {
    let families = families(facts);
    if families.is_empty() {
        return evidence::refine(facts, by_names(facts));
    }
    let family = |stem: &String| {
        let word = word_and_number(stem).map_or(stem.as_str(), |(word, _)| word);
        if families.contains(word) { word.to_owned() } else { stem.clone() }
    };
    let whole: Vec<String> = facts.stems.iter().map(family).collect();
    let stems: Vec<String> = whole.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
    let opened = |stem: &str| {
        let own = facts.stems.iter().zip(&whole).filter(|(_, family)| *family == stem);
        own.flat_map(|(own, _)| (facts.opened)(own)).collect()
    };
    let merged = FolderFacts { stems: &stems, opened: &opened, ..*facts };
    let owners = evidence::refine(&merged, by_names(&merged));
    let Owners::Each(groups) = owners else {
        return owners;
    };
    let index = |stem: &String| stems.binary_search(stem).unwrap_or_default();
    let first = |at: usize| whole.iter().position(|stem| index(stem) == at).unwrap_or_default();
    let told = (0..whole.len()).filter(|at| groups.told.contains(&index(&whole[*at])));
    Owners::Each(Groups {
        of_case: groups.of_case.iter().map(|owner| owner.map(first)).collect(),
        of_stem: whole.iter().map(|stem| groups.of_stem[index(stem)].map(first)).collect(),
        told: told.collect(),
    })
}

/// The words of numbered attempts at numbered cases: `hall` of `hall.pas`, `hall1.pas` and the cases `hall0` to `hall5`. If each
/// case has a source with its number, these are problems.
fn families(facts: &FolderFacts<'_>) -> BTreeSet<String> {
    let number = |name: &str, word: &str| {
        let number = name.strip_prefix(word).unwrap_or_default();
        number.bytes().all(|byte| byte.is_ascii_digit()).then(|| number.to_owned())
    };
    let words = facts.stems.iter().filter_map(|stem| word_and_number(stem));
    let words: BTreeSet<&str> =
        words.map(|(word, _)| word).filter(|word| !word.is_empty()).collect();
    let is_family = |word: &&str| {
        let keys = facts.files.iter().map(|case| case.key).filter(|key| key.starts_with(word));
        let cases: BTreeSet<String> = keys.filter_map(|key| number(key, word)).collect();
        let stems = facts.stems.iter().filter(|stem| stem.starts_with(word));
        let sources: BTreeSet<String> = stems.filter_map(|stem| number(stem, word)).collect();
        // Problems with files: `bai1.pas` opens `bai1.inp`.
        let opens_own = |stem: &&String| {
            let own = facts.files.iter().filter(|case| case.key == stem.as_str());
            let opened = (facts.opened)(stem);
            let mut own = own.flat_map(|case| opened.iter().map(move |name| (case, name)));
            own.any(|(case, name)| name.to_lowercase() == case.file)
        };
        let is_numbered =
            |stem: &&String| word_and_number(stem).is_some_and(|(own, _)| own == *word);
        cases.len() > 1
            && !cases.is_subset(&sources)
            && facts.stems.iter().filter(is_numbered).filter(opens_own).count() < 2
    };
    words.into_iter().filter(is_family).map(str::to_owned).collect()
}

fn by_names(facts: &FolderFacts<'_>) -> Owners {
    let FolderFacts { stems, cases, folder, .. } = *facts;
    let found = assigned(stems, cases);
    let owned = found.iter().flatten().count();
    if stems.len() > 1 && abbreviated::are_of_one_letter(facts) {
        return Owners::All;
    }
    if stems.len() > 1 && owned == 0 && abbreviated::are_of_several_letters(facts) {
        return Owners::Unknown;
    }
    let numbers = stems.iter().all(|stem| is_number(stem));
    let attempts = facts.attempts || are_attempts(facts);
    if let [only] = stems
        && owned < cases.len()
    {
        let mut keys = facts.files.iter().map(|case| case.key);
        if owned == 0 && !facts.attempts && keys.all(|key| names_another(only, key, folder)) {
            return Owners::Each(Groups {
                of_case: found,
                of_stem: vec![None],
                told: BTreeSet::new(),
            });
        }
        // Cases with other names are those of the folder, unless they are named after another
        // source.
        let is_free = |name: &&str| {
            is_generic(name)
                || is_number(name)
                || name.is_empty()
                || says_nothing(name)
                || bears(folder, name)
        };
        let free = |names: &Vec<&str>| {
            names.iter().all(is_free) || names.iter().any(|name| bears(only, name))
        };
        if owned == 0 || cases.iter().all(free) {
            return Owners::All;
        }
    }
    let distinct: BTreeSet<usize> = found.iter().flatten().copied().collect();
    if owned < cases.len()
        && let Some(groups) = by_number(stems, cases)
    {
        return Owners::Each(groups);
    }
    let only_the_folder = distinct.len() == 1
        && folder.chars().count() > 1
        && distinct.iter().all(|stem| stems[*stem] == folder)
        && attempts;
    if only_the_folder || numbers && owned > 0 && owned < cases.len() && attempts {
        return Owners::All;
    }
    // `bin1` beside `1`: one name alone divides nothing.
    let is_common = |names: &Vec<&str>| {
        let key = names.last().copied().unwrap_or_default();
        is_number(key) || says_nothing(key) || is_generic(key)
    };
    let free = found.iter().zip(cases).filter(|(owner, _)| owner.is_none());
    if distinct.len() == 1
        && attempts
        && owned < cases.len()
        && free.clone().all(|(_, names)| is_common(names))
    {
        return Owners::All;
    }
    let best = if numbers { None } else { without_prefix(facts, owned) };
    let best = best.or_else(|| with_words_of_cases(stems, cases, &found));
    let best = best.or_else(|| abbreviated::with_beginnings(facts, &found));
    let (effective, found) = best.unwrap_or_else(|| (stems.to_vec(), found));
    let is_all_owned = found.iter().all(Option::is_some);
    let owners: BTreeSet<usize> = found.iter().flatten().copied().collect();
    // Solutions are divided only if that leaves nothing over on one side.
    let is_whole = is_all_owned || owners.len() == stems.len();
    let is_of_one = is_all_owned && owners.len() == 1 && !are_attempts(facts);
    let is_mapped = is_mapped(&effective, cases, &found);
    if facts.attempts && !is_of_one && !is_mapped && (owners.len() < 2 || !is_whole) {
        return Owners::All;
    }
    if let Some(mut groups) = group(&effective, cases, &found) {
        join_those_of_the_folder(facts, &mut groups);
        return Owners::Each(groups);
    }
    if attempts {
        return Owners::All;
    }
    // The source with the folder's name, or `main`, shows that this is one problem.
    if has_main_source(facts) { Owners::All } else { Owners::Unknown }
}

/// Whether names map sources onto cases as those of problems do: most sources own most cases, or several are called exactly
/// like theirs.
fn is_mapped(stems: &[String], cases: &[Vec<&str>], found: &[Option<usize>]) -> bool {
    const ENOUGH: usize = 3;
    let owners: BTreeSet<&String> = found.iter().flatten().map(|at| &stems[*at]).collect();
    let owned = found.iter().flatten().count();
    let bearing = stems.iter().filter(|stem| owners.contains(stem)).count();
    let is_most = owned * 2 > found.len() && bearing * 2 > stems.len();
    let is_exact = |stem: &&&String| {
        !is_number(stem) && cases.iter().any(|names| names.contains(&stem.as_str()))
    };
    let exact = owners.iter().filter(is_exact).count();
    owners.len() >= ENOUGH && is_most || exact >= ENOUGH
}

/// The stem of each case. Names that say nothing divide too if every case and every source has its own: `part1-1` and `part2-1`.
fn assigned(stems: &[String], cases: &[Vec<&str>]) -> Vec<Option<usize>> {
    let owner = |names: &Vec<&str>| {
        let known = stems.iter().enumerate().filter(|(_, stem)| !stem.is_empty());
        let known = known.filter(|(_, stem)| names.iter().any(|name| bears(stem, name)));
        known.max_by_key(|(_, stem)| stem.len()).map(|(at, _)| at)
    };
    let whole: Vec<Option<usize>> = cases.iter().map(owner).collect();
    let distinct: BTreeSet<usize> = whole.iter().flatten().copied().collect();
    let is_whole = whole.iter().all(Option::is_some) && distinct.len() == stems.len();
    if stems.len() > 1 && is_whole { whole } else { assign(stems, cases) }
}

/// Whether the name of a source is that of another problem than the case's: `beer2-x` next to `beer`, `a` next to `b`.
fn names_another(stem: &str, key: &str, folder: &str) -> bool {
    let digit = |c: char| c.is_ascii_digit();
    let key = key.trim_end_matches(|c| digit(c) || is_separator(c));
    let rest = stem.strip_prefix(key).unwrap_or_default();
    let suffix = rest.trim_start_matches(digit);
    let is_of_next =
        !key.is_empty() && suffix.len() < rest.len() && suffix.starts_with(is_separator);
    let letter = |id: &str| id.trim_end_matches(digit).chars().last();
    let are_letters = is_contest_id(stem) && is_contest_id(key) && letter(stem) != letter(key);
    is_of_next || are_letters && !bears(folder, key)
}

/// In the folder of one problem, a source with the folder's name belongs to its cases too.
fn join_those_of_the_folder(facts: &FolderFacts<'_>, groups: &mut Groups) {
    let used: BTreeSet<usize> = groups.of_case.iter().flatten().copied().collect();
    let (Some(only), 1) = (used.first(), used.len()) else {
        return;
    };
    if groups.of_case.contains(&None) {
        return;
    }
    for (stem, group) in facts.stems.iter().zip(&mut groups.of_stem) {
        let is_of_folder = facts.folder.chars().count() > 1 && is_of_folder(facts.folder, stem);
        // `Shuffle2` beside `Shuffle` and the cases of nothing else.
        let is_version = word_and_number(stem).is_some_and(|(word, _)| word == facts.stems[*only]);
        if is_of_folder || is_version {
            group.get_or_insert(*only);
        }
    }
}

/// The stems without a common beginning such as `prob_`, and the owners by them, if these own more
/// cases.
fn without_prefix(
    facts: &FolderFacts<'_>,
    owned: usize,
) -> Option<(Vec<String>, Vec<Option<usize>>)> {
    let mut heads: BTreeMap<&str, usize> = BTreeMap::new();
    for stem in facts.stems {
        if head(stem).len() < stem.len() {
            *heads.entry(head(stem)).or_default() += 1;
        }
    }
    let (prefix, count) = heads.into_iter().max_by_key(|(_, count)| *count)?;
    if count < 2 {
        return None;
    }
    let short = |stem: &String| {
        let rest = stem.strip_prefix(prefix).filter(|rest| rest.starts_with(is_separator));
        let rest = rest.map(|rest| rest.trim_start_matches(is_separator));
        rest.filter(|rest| !rest.is_empty()).unwrap_or(stem).to_owned()
    };
    let effective: Vec<String> = facts.stems.iter().map(short).collect();
    // Numbered attempts do not belong to numbered cases.
    if effective.iter().zip(facts.stems).any(|(short, stem)| short != stem && is_number(short)) {
        return None;
    }
    let found = assign(&effective, facts.cases);
    let distinct: BTreeSet<usize> = found.iter().flatten().copied().collect();
    let more = found.iter().flatten().count() > owned;
    (more && distinct.len() > 1).then_some((effective, found))
}

/// The groups of the stems and the cases. A stem without cases of its own joins the cases whose
/// whole name it continues: `a.std` those of `a`. `None`: no stem has any cases.
fn group(effective: &[String], cases: &[Vec<&str>], found: &[Option<usize>]) -> Option<Groups> {
    let first = |stem: &String| effective.iter().position(|other| other == stem);
    let mut of_case: Vec<Option<usize>> = found.to_vec();
    let mut of_stem: Vec<Option<usize>> = effective
        .iter()
        .map(|stem| {
            first(stem).filter(|at| {
                found.iter().flatten().any(|owner| effective[*owner] == effective[*at])
            })
        })
        .collect();
    for owner in of_case.iter_mut().flatten() {
        *owner = first(&effective[*owner])?;
    }
    for (at, stem) in effective.iter().enumerate() {
        if of_stem[at].is_some() {
            continue;
        }
        // `2008.dp.cpp` beside `2008.cpp`.
        let before = stem.rsplit_once('.').and_then(|(before, _)| {
            effective.iter().position(|other| other == before && before.len() > 2)
        });
        if let Some(group) = before.and_then(|before| of_stem[before]) {
            of_stem[at] = Some(group);
            continue;
        }
        let names = cases.iter().flatten().filter(|name| continues(stem, name, effective));
        let Some(name) = names.max_by_key(|name| name.len()) else {
            continue;
        };
        let same = cases.iter().position(|names| names.contains(name));
        let group = same.and_then(|case| of_case[case]).unwrap_or(at);
        of_stem[at] = Some(group);
        for (names, owner) in cases.iter().zip(&mut of_case) {
            if owner.is_none() && names.iter().any(|other| bears(name, other)) {
                *owner = Some(group);
            }
        }
    }
    of_stem.iter().any(Option::is_some).then_some(Groups {
        of_case,
        of_stem,
        told: BTreeSet::new(),
    })
}

/// Words that tell attempts at one problem apart.
const ATTEMPTS: [&str; 20] = [
    "std", "sol", "solution", "tle", "mle", "wa", "ac", "rte", "re", "brute", "bf", "slow", "fast",
    "ok", "good", "bad", "final", "correct", "alt", "opt",
];

/// Whether a source's stem is the name of a case and a suffix for an attempt. If a source has
/// exactly this name, the suffix must be a known word.
fn continues(stem: &str, name: &str, stems: &[String]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if name.is_empty() || is_generic(name) || is_number(name) {
        return false;
    }
    let Some(rest) = stem.strip_prefix(name).filter(|rest| !rest.is_empty()) else {
        return false;
    };
    let suffix = rest.trim_matches(|c: char| is_separator(c) || matches!(c, '(' | ')'));
    let known = ATTEMPTS.contains(&suffix)
        || is_number(suffix)
        || is_number(suffix.trim_start_matches('v'));
    if rest.starts_with(is_separator) {
        known || !stems.iter().any(|other| other == name)
    } else {
        is_number(rest)
            && !name.ends_with(|c: char| c.is_ascii_digit())
            && !stems.iter().any(|other| other == name)
    }
}

#[cfg(test)]
mod tests;
