//! The places where sources meet cases, and the problems in each of them.

use std::collections::BTreeMap;

use super::facts::{CaseName, FolderFacts, Groups, Owners};
use super::owners::owners;
use super::pool::{Pool, PooledCase, pool, pool_below};
use super::{Case, File, JoinResult, Joined, Left, Source, State, Why, vocabulary};
use crate::expectation::VerdictFolder;
use crate::problem::natural_order;

/// A folder with cases in it or below it, and the sources that they may belong to.
pub(super) struct Anchor {
    folder: usize,
    sources: Vec<Source>,
    pool: Pool,
}

/// Finds the place of every source, and marks the folders of the cases as taken.
pub(super) fn places(state: &mut State<'_>) -> Vec<Anchor> {
    let mut places: BTreeMap<usize, Anchor> = BTreeMap::new();
    for at in 0..state.sources.len() {
        if state.sources[at].is_empty() {
            continue;
        }
        let home = place_of(state, at, &places);
        let verdict = verdict_of(state, at, home.as_ref().map_or(at, |(place, _)| *place));
        let files: Vec<File> =
            state.sources[at].iter().map(|name| File { folder: at, name: name.clone() }).collect();
        let Some((folder, pool)) = home else {
            state.without.extend(files);
            continue;
        };
        let place = places.entry(folder).or_insert_with(|| Anchor {
            folder,
            sources: Vec::new(),
            pool: pool.unwrap_or_default(),
        });
        state.taken.extend(place.pool.folders.iter().copied());
        let sources =
            files.into_iter().map(|file| Source { file, verdict: verdict.clone(), opens: false });
        place.sources.extend(sources);
    }
    places.into_values().collect()
}

/// The nearest folder with cases for the sources in `at`: the folder itself, or one above it.
fn place_of(
    state: &State<'_>,
    at: usize,
    known: &BTreeMap<usize, Anchor>,
) -> Option<(usize, Option<Pool>)> {
    let stems: Vec<String> = stems_of(&state.sources[at]);
    let mut folder = at;
    loop {
        if known.contains_key(&folder) {
            return Some((folder, None));
        }
        if !state.taken.contains(&folder) {
            let mut stems = stems.clone();
            stems.extend(stems_of(&state.sources[folder]));
            let mut found = pool(state, folder, &stems);
            let answered = |pool: &Pool| pool.cases.iter().any(PooledCase::is_answered);
            if !answered(&found) && folder == at && at != 0 {
                let below = only_below(state, at);
                let better = below.filter(|below| answered(below) || found.cases.is_empty());
                found = better.unwrap_or(found);
            }
            if !found.cases.is_empty() {
                return Some((folder, Some(found)));
            }
        }
        if folder == 0 || !vocabulary::is_for_solutions(&state.tree.folders[folder].name) {
            return None;
        }
        folder = state.tree.folders[folder].parent;
    }
}

/// The cases of the only folder below the sources that has any, whatever its name. If several
/// have cases, the one that is called like the folder of the sources.
fn only_below(state: &State<'_>, at: usize) -> Option<Pool> {
    let letters = |name: &str| -> String {
        let letters = name.chars().filter(|c| c.is_alphanumeric());
        letters.flat_map(char::to_lowercase).collect()
    };
    let tree = state.tree;
    let own = letters(&tree.folders[at].name);
    let inner = tree.folders[at].folders.iter().copied();
    let free = inner.filter(|at| {
        let name = tree.folders[*at].name.to_lowercase();
        !state.has_source[*at]
            && tree.folders[*at].leaf.is_none()
            && !state.taken.contains(at)
            && (!state.claims.contains(&name) || letters(&name) == own)
    });
    let pools = free.map(|inner| (inner, pool_below(state, inner)));
    let mut pools: Vec<(usize, Pool)> = pools.filter(|(_, pool)| !pool.cases.is_empty()).collect();
    if pools.len() > 1 {
        pools.retain(|(inner, _)| own.starts_with(&letters(&tree.folders[*inner].name)));
    }
    let (_, pool) = pools.pop()?;
    pools.is_empty().then_some(pool)
}

pub(super) fn stems_of(sources: &[String]) -> Vec<String> {
    let mut stems: Vec<String> = sources.iter().map(|name| stem_of(name)).collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

pub(super) fn stem_of(name: &str) -> String {
    vocabulary::stem(name).to_lowercase()
}

/// The verdict folder between the place and the sources, if there is one.
fn verdict_of(state: &State<'_>, at: usize, place: usize) -> Option<String> {
    let mut folder = at;
    while folder != place {
        let name = &state.tree.folders[folder].name;
        if VerdictFolder::of_any_name(name).is_some() {
            return Some(name.clone());
        }
        folder = state.tree.folders[folder].parent;
    }
    None
}

/// Divides the cases of a place among its sources.
pub(super) fn judge(state: &State<'_>, place: Anchor, outcome: &mut JoinResult) {
    let Anchor { folder, sources, pool } = place;
    let mut group = Cluster { state, folder, sources, cases: pool.cases, why: Why::Folder };
    let used = group.give_opened(pool.yielded, outcome);
    let strays = pool.stray.into_iter().filter(|file| !used.contains(file));
    outcome.left.extend(strays.map(Left::Stray));
    if !group.sources.is_empty() {
        group.divide(outcome);
    } else if let Some(first) = group.cases.first() {
        outcome.left.push(Left::Cases {
            folder: first.folder,
            first: first.pair.input.clone(),
            cases: group.cases.len(),
        });
    }
}

/// Sources and cases that belong together, with several problems or with one.
pub(super) struct Cluster<'a> {
    pub(super) state: &'a State<'a>,
    pub(super) folder: usize,
    pub(super) sources: Vec<Source>,
    pub(super) cases: Vec<PooledCase>,
    /// Why, if all cases belong to all sources.
    pub(super) why: Why,
}

impl Cluster<'_> {
    /// The names of the sources.
    pub(super) fn source_names(&self) -> Vec<String> {
        let names = self.sources.iter().map(|one| one.file.name.clone());
        names.collect()
    }

    /// Adds the problems of the group.
    pub(super) fn divide(self, outcome: &mut JoinResult) {
        let state = self.state;
        let names = self.source_names();
        let stems = stems_of(&names);
        let direct: Vec<String> = self
            .sources
            .iter()
            .filter(|one| !state.tree.is_below_solutions(one.file.folder))
            .map(|one| one.file.name.clone())
            .collect();
        let attempts = direct.is_empty() || direct.len() < names.len() && direct.len() < 2;
        let of_case: Vec<Vec<&str>> = self.cases.iter().map(|case| case.names(state)).collect();
        let folder = state.tree.folders[self.folder].name.to_lowercase();
        let files: Vec<CaseName<'_>> = self.cases.iter().map(PooledCase::case_name).collect();
        let opened = |stem: &str| -> Vec<String> {
            let sources = self.sources.iter().filter(|one| stem_of(&one.file.name) == stem);
            sources.flat_map(|one| (state.opened)(&one.file)).collect()
        };
        let facts = FolderFacts {
            stems: &stems,
            opened: &opened,
            files: &files,
            cases: &of_case,
            folder: &folder,
            attempts,
            scratch: self.cases.iter().all(|case| case.pair.is_bare() && case.between.is_empty()),
        };
        match owners(&facts) {
            Owners::All => {
                let cases: Vec<&PooledCase> = self.cases.iter().collect();
                outcome.problems.push(Joined {
                    folder: self.folder,
                    stem: None,
                    cases: named(state, &cases, None),
                    sources: self.sources,
                    why: self.why,
                });
            }
            Owners::Each(groups) => self.by_stem(&stems, &groups, outcome),
            Owners::Unknown => outcome.left.push(Left::Ambiguous {
                folder: self.folder,
                sources: self.sources.into_iter().map(|one| one.file).collect(),
                cases: self.cases.len(),
            }),
        }
    }

    fn by_stem(self, stems: &[String], groups: &Groups, outcome: &mut JoinResult) {
        let Groups { of_case: owners, of_stem, told } = groups;
        let mut used: Vec<usize> = owners.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let index = |one: &Source| stems.binary_search(&stem_of(&one.file.name)).ok();
        let group_of = |one: &Source| -> Option<usize> { of_stem[index(one)?] };
        for stem in &used {
            let owned = self.cases.iter().zip(owners);
            let cases: Vec<&PooledCase> =
                owned.filter(|(_, owner)| **owner == Some(*stem)).map(|(case, _)| case).collect();
            let mine = |one: &&Source| group_of(one) == Some(*stem);
            let sources = self.sources.iter().filter(mine).map(|one| Source {
                opens: index(one).is_some_and(|at| told.contains(&at)),
                ..one.clone()
            });
            let sources: Vec<Source> = sources.collect();
            let first = |one: &&Source| stem_of(&one.file.name) == stems[*stem];
            let first = sources.iter().find(first).unwrap_or(&sources[0]);
            let name = vocabulary::stem(&first.file.name).to_owned();
            let strip = (used.len() > 1 || cases.iter().all(|case| case.pair.glued))
                .then_some(stems[*stem].as_str());
            outcome.problems.push(Joined {
                folder: self.folder,
                stem: Some(name),
                cases: named(self.state, &cases, strip),
                sources,
                why: Why::Stem,
            });
        }
        let nothing = self.sources.iter().filter(|one| group_of(one).is_none());
        let nothing = nothing.map(|one| Left::OwnsNothing(one.file.clone()));
        outcome.left.extend(nothing);
        let free = self.cases.iter().zip(owners);
        let free: Vec<&PooledCase> =
            free.filter(|(_, owner)| owner.is_none()).map(|(case, _)| case).collect();
        if let Some(first) = free.first() {
            outcome.left.push(Left::Cases {
                folder: first.folder,
                first: first.pair.input.clone(),
                cases: free.len(),
            });
        }
    }
}

/// The cases with their names, in natural order. `stem`: the text to remove from the beginning of
/// the names.
pub(super) fn named(state: &State<'_>, cases: &[&PooledCase], stem: Option<&str>) -> Vec<Case> {
    let first = cases.first().map(|found| folders_of(found));
    let same = |found: &&PooledCase| Some(folders_of(found)) == first;
    let prefixed = !cases.iter().all(same);
    let mut named: Vec<Case> = cases
        .iter()
        .map(|found| {
            let mut name = String::new();
            for at in folders_of(found).iter().filter(|_| prefixed) {
                name.push_str(&state.tree.folders[*at].name);
                name.push('/');
            }
            name.push_str(own_name(state, found, stem));
            Case { name, input: found.input(), answer: found.answer() }
        })
        .collect();
    named.sort_by(|a, b| natural_order(&a.name, &b.name).then_with(|| a.input.cmp(&b.input)));
    for at in 1..named.len() {
        let (before, rest) = named.split_at_mut(at);
        while before.iter().rev().take(8).any(|other| other.name == rest[0].name) {
            rest[0].name.push('\'');
        }
    }
    named
}

/// The name of a case in its folder.
fn own_name<'a>(state: &'a State<'_>, found: &'a PooledCase, stem: Option<&str>) -> &'a str {
    let key = found.pair.key();
    let key = stem.map_or(key, |stem| without_stem(key, stem));
    if !key.is_empty() {
        return key;
    }
    match found.between.last() {
        Some(at) => &state.tree.folders[*at].name,
        None => vocabulary::stem(&found.pair.input),
    }
}

/// The folders in the name of a case: those between the place and the case, without one that names the case.
fn folders_of(found: &PooledCase) -> &[usize] {
    let names_it = found.pair.is_bare() && !found.between.is_empty();
    &found.between[..found.between.len() - usize::from(names_it)]
}

/// A case's name without the source's name at its beginning; the whole name if nothing is left.
fn without_stem<'a>(key: &'a str, stem: &str) -> &'a str {
    let rest = key
        .to_lowercase()
        .starts_with(stem)
        .then(|| key.get(stem.len()..))
        .flatten()
        .unwrap_or(key)
        .trim_start_matches(['.', '_', '-', ' ']);
    if rest.is_empty() { key } else { rest }
}
