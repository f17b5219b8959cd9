//! Which sets of cases belong to which sources, by the names of their folders: `tests/a/` to `a.cpp`, to `a/main.cpp` and to
//! `ann/a/first.py`.
//!
//! A name says something only if it occurs on both sides. So no table of words is needed: `tests` and `src` are on one side
//! each.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::attempts::is_contest_id;
use super::facts::{is_generic, is_number, is_separator};
use super::sets::{PairedCases, without_word};
use super::{File, State, vocabulary};

/// Sources and the sets of cases that they share.
pub(super) struct Meeting {
    /// The name that they have in common.
    pub(super) label: Option<String>,
    pub(super) sources: Vec<File>,
    pub(super) sets: Vec<PairedCases>,
}

/// The names that sets of cases share with sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Group {
    pub(super) keys: Vec<String>,
    /// The names of folders above these that no source bears: sets in different ones are those of different problems.
    pub(super) above: Vec<String>,
}

impl Group {
    /// Whether its last name may be that of a problem of any contest.
    fn is_short(&self) -> bool {
        let last = self.keys.last().map_or("", String::as_str);
        is_contest_id(last) || is_number(last)
    }
}

/// The result of a division: what belongs together, and the rest.
pub(super) struct Division {
    pub(super) shares: Vec<Meeting>,
    pub(super) rest: Meeting,
}

/// How well two names agree, from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Agreement {
    /// One continues the other: `sum_slow` and `sum`, `a1` and `a`.
    Continued,
    /// The same letters and digits: `LostCow` and `lost_cow`, `01` and `1`, `tests_a` and `a`.
    Alike,
    Same,
}

/// The forms in which a name may occur elsewhere, with their quality.
fn forms(name: &str) -> Vec<(String, Agreement)> {
    const ENOUGH: usize = 3;
    let mut forms = vec![(name.to_owned(), Agreement::Same)];
    let mut alike = |form: &str| {
        if !form.is_empty() && form != name {
            forms.push((form.to_owned(), Agreement::Alike));
        }
    };
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    if letters.chars().count() >= ENOUGH && !is_number(&letters) {
        alike(&letters);
        let words = letters.trim_start_matches(|c: char| c.is_ascii_digit());
        if words.chars().count() > ENOUGH {
            alike(words);
        }
    }
    if is_number(name) {
        alike(name.trim_start_matches('0'));
    } else if let Some(rest) = without_word(name) {
        alike(rest);
    }
    for (at, c) in name.char_indices().skip(1) {
        let before = &name[..at];
        let last = before.chars().next_back().unwrap_or(c);
        let is_end = is_separator(c) && !is_separator(last)
            || c.is_ascii_digit() && !last.is_ascii_digit() && !is_separator(last);
        if is_end && !is_number(before) {
            forms.push((before.to_owned(), Agreement::Continued));
        }
    }
    forms
}

/// The names of the folders between `at` and a source, and its stem, in lower case.
fn names_of(state: &State<'_>, at: usize, source: &File) -> Vec<String> {
    let chain = state.tree.between(at, source.folder);
    let mut names: Vec<String> = chain.iter().map(|one| state.lower[*one].clone()).collect();
    names.push(vocabulary::stem(&source.name).to_lowercase());
    names
}

/// The names of the folders between `at` and a set that may name a problem. A number names one case if the set is a single
/// case.
fn parts_of<'a>(state: &'a State<'_>, at: usize, set: &PairedCases) -> Vec<(usize, &'a str)> {
    let chain = state.tree.between(at, set.home).into_iter();
    let may_be_number = !set.is_scratch();
    let counts = |name: &&str| {
        !vocabulary::says_nothing(name) || is_number(name) && (may_be_number || name.len() > 2)
    };
    chain.map(|one| (one, state.lower[one].as_str())).filter(|(_, name)| counts(name)).collect()
}

/// The names that sources bear: those of the folders that lead to them, and their stems.
pub(super) struct Names {
    pub(super) of_source: Vec<Vec<String>>,
    /// By form: the names with this form.
    by_form: HashMap<String, Vec<(String, Agreement)>>,
}

impl Names {
    pub(super) fn of(state: &State<'_>, at: usize, sources: &[File]) -> Self {
        let of_source: Vec<Vec<String>> =
            sources.iter().map(|source| names_of(state, at, source)).collect();
        let distinct: BTreeSet<&String> = of_source.iter().flatten().collect();
        // A problem may be called `code`, a folder of sources as well.
        let stems: BTreeSet<&String> = of_source.iter().filter_map(|names| names.last()).collect();
        let says = |name: &&&String| {
            (!is_generic(name) || stems.contains(**name))
                && (!vocabulary::says_nothing(name) || is_number(name))
        };
        let mut by_form: HashMap<String, Vec<(String, Agreement)>> = HashMap::new();
        for name in distinct.iter().filter(says) {
            for (form, agreement) in forms(name) {
                by_form.entry(form).or_default().push(((*name).clone(), agreement));
            }
        }
        Self { of_source, by_form }
    }

    /// The name of a source that a folder of cases bears.
    pub(super) fn key_of(&self, part: &str) -> Option<String> {
        let mut best: Option<(Agreement, &String)> = None;
        for (form, own) in forms(part) {
            for (name, other) in self.by_form.get(&form).into_iter().flatten() {
                let agreement = own.min(*other);
                let is_both = own == Agreement::Continued && *other == Agreement::Continued;
                if is_both || is_generic(name) && agreement != Agreement::Same {
                    continue;
                }
                let is_better = best
                    .is_none_or(|(known, other)| (agreement, name.len()) > (known, other.len()));
                if is_better {
                    best = Some((agreement, name));
                }
            }
        }
        best.map(|(_, name)| name.clone())
    }
}

/// Divides the sets of cases below `at` among the sources below it.
pub(super) fn divide(
    state: &State<'_>,
    at: usize,
    sources: Vec<File>,
    sets: Vec<PairedCases>,
    is_container: bool,
) -> Division {
    let names = Names::of(state, at, &sources);
    let mut keys: HashMap<String, Option<String>> = HashMap::new();
    let mut groups: BTreeMap<Group, Vec<usize>> = BTreeMap::new();
    let mut free = Vec::new();
    for (index, set) in sets.iter().enumerate() {
        let mut group = Group::default();
        let mut above: Vec<&str> = Vec::new();
        let mut last = at;
        for (folder, part) in parts_of(state, at, set) {
            let key = || names.key_of(part);
            let known = keys.entry(part.to_owned()).or_insert_with(key).clone();
            match known {
                Some(key) => {
                    last = folder;
                    group.above.extend(above.drain(..).map(str::to_owned));
                    if !group.keys.contains(&key) {
                        group.keys.push(key);
                    }
                }
                None => above.push(part),
            }
        }
        // A folder that holds sources as well names a contest, if the cases lie in a folder of another name.
        let is_of_contest = !above.is_empty() && state.has_source[last];
        if group.keys.is_empty() || is_of_contest {
            free.push(index);
        } else {
            groups.entry(group).or_default().push(index);
        }
    }
    // One letter says nothing below folders that have names of their own.
    let is_same = groups.keys().map(|group| &group.above).collect::<BTreeSet<_>>().len() < 2;
    let is_dropped = |group: &Group| !is_same && !group.above.is_empty() && group.is_short();
    let dropped: Vec<Group> = groups.keys().filter(|group| is_dropped(group)).cloned().collect();
    for group in dropped {
        free.extend(groups.remove(&group).unwrap_or_default());
    }
    let owners = owners_of(&names, &groups);
    let mut owned: BTreeMap<&Group, Vec<usize>> = BTreeMap::new();
    for (source, group) in owners.iter().enumerate() {
        if let Some(group) = group {
            owned.entry(group).or_default().push(source);
        }
    }
    if is_container && owned.len() < 2 {
        owned.retain(|group, _| !group.keys.iter().all(|key| key.chars().count() == 1));
    }
    // The name of the folder itself divides nothing.
    let own = &state.lower[at];
    let is_own = |group: &Group| {
        at != 0
            && matches!(&group.keys[..], [key] if forms(key).iter().any(|(form, _)| form == own))
    };
    if owned.len() == 1 && owned.keys().all(|group| is_own(group)) {
        owned.clear();
    }
    take(state, at, sources, sets, &groups, &owned, &free)
}

/// The group of each source: the one with most of its names.
pub(super) fn owners_of<T>(names: &Names, groups: &BTreeMap<Group, Vec<T>>) -> Vec<Option<Group>> {
    // By the last key, which few groups share.
    let mut by_last: HashMap<&String, Vec<&Group>> = HashMap::new();
    let mut keys: BTreeSet<&String> = BTreeSet::new();
    for group in groups.keys() {
        keys.extend(&group.keys);
        if let Some(last) = group.keys.last() {
            by_last.entry(last).or_default().push(group);
        }
    }
    let mut by_form: HashMap<String, Vec<(&String, Agreement)>> = HashMap::new();
    for key in keys {
        for (form, agreement) in forms(key) {
            by_form.entry(form).or_default().push((key, agreement));
        }
    }
    let owner = |own: &Vec<String>| {
        // By key: how well, and how deep.
        let mut borne: HashMap<&String, (Agreement, usize)> = HashMap::new();
        for (depth, name) in own.iter().enumerate() {
            let mut found: Vec<(&String, Agreement)> = Vec::new();
            for (form, first) in forms(name) {
                let known = by_form.get(&form).into_iter().flatten();
                // The name may continue the key, not the other way around.
                let known = known.filter(|(_, second)| *second != Agreement::Continued);
                found.extend(known.map(|(key, second)| (*key, first.min(*second))));
            }
            let best = found.iter().map(|(_, agreement)| *agreement).max();
            for (key, agreement) in found {
                if Some(agreement) == best {
                    let known = borne.entry(key).or_insert((agreement, depth));
                    *known = (*known).max((agreement, depth));
                }
            }
        }
        let candidates = borne.keys().filter_map(|key| by_last.get(*key)).flatten().copied();
        let ranked = candidates.filter_map(|group| {
            let found: Option<Vec<(Agreement, usize)>> =
                group.keys.iter().map(|key| borne.get(key).copied()).collect();
            let found = found?;
            let worst = found.iter().map(|(agreement, _)| *agreement).min()?;
            let depth = found.iter().map(|(_, depth)| *depth).max()?;
            let length: usize = group.keys.iter().map(String::len).sum();
            Some(((found.len(), worst, depth, length), group))
        });
        let ranked: Vec<_> = ranked.collect();
        let best = ranked.iter().map(|(rank, _)| *rank).max()?;
        let mut best = ranked.into_iter().filter(|(rank, _)| *rank == best);
        let (_, only) = best.next()?;
        best.next().is_none().then(|| only.clone())
    };
    names.of_source.iter().map(owner).collect()
}

/// Takes the sources and sets apart by their groups.
fn take(
    state: &State<'_>,
    at: usize,
    sources: Vec<File>,
    sets: Vec<PairedCases>,
    groups: &BTreeMap<Group, Vec<usize>>,
    owned: &BTreeMap<&Group, Vec<usize>>,
    free: &[usize],
) -> Division {
    let mut sources: Vec<Option<File>> = sources.into_iter().map(Some).collect();
    let mut sets: Vec<Option<PairedCases>> = sets.into_iter().map(Some).collect();
    let mut shares = Vec::new();
    for (group, own) in owned {
        let refuses = |source: &&usize| {
            let mut own = groups[*group].iter().filter_map(|at| sets[*at].as_ref());
            let file = sources[**source].as_ref();
            file.is_some_and(|file| own.any(|set| set.refused.contains(file)))
        };
        let own: Vec<usize> = own.iter().filter(|source| !refuses(source)).copied().collect();
        if own.is_empty() {
            continue;
        }
        shares.push(Meeting {
            label: group.keys.last().cloned(),
            sources: own.iter().filter_map(|at| sources[*at].take()).collect(),
            sets: groups[*group].iter().filter_map(|at| sets[*at].take()).collect(),
        });
    }
    let rest_of_sources: Vec<File> = sources.into_iter().flatten().collect();
    // `samples/` beside `tests/sum/` of the only problem.
    if let ([only], true) = (&mut shares[..], rest_of_sources.is_empty()) {
        let says_nothing = |index: &&usize| {
            sets[**index].as_ref().is_some_and(|set| parts_of(state, at, set).is_empty())
        };
        let more: Vec<usize> = free.iter().filter(says_nothing).copied().collect();
        only.sets.extend(more.into_iter().filter_map(|index| sets[index].take()));
    }
    Division {
        shares,
        rest: Meeting {
            label: None,
            sources: rest_of_sources,
            sets: sets.into_iter().flatten().collect(),
        },
    }
}
