//! A tree of cases apart from the tree of sources: joined by the names of the folders, one to one.

use std::collections::BTreeMap;

use super::anchors::Cluster;
use super::facts::is_generic;
use super::pool::{PooledCase, alone};
use super::{File, JoinResult, Left, Source, State, Why, vocabulary};

/// The names that identify a problem: folders without those that only say what they hold, in lower
/// case, and perhaps the stem of the source.
type Id = Vec<String>;

/// Cases in a folder that no source is next to.
struct Orphan {
    folder: usize,
    cases: Vec<PooledCase>,
}

/// Joins the sources without cases with the cases without sources.
pub(super) fn judge(state: &mut State<'_>, outcome: &mut JoinResult) {
    let mut orphans = orphans(state, outcome);
    let without = std::mem::take(&mut state.without);
    let mut wanted: BTreeMap<Id, Vec<File>> = BTreeMap::new();
    for file in without {
        match home_of(state, &file, &orphans) {
            Some(id) => wanted.entry(id).or_default().push(file),
            None => outcome.left.push(Left::Source(file)),
        }
    }
    for (id, files) in wanted {
        let Some(orphan) = orphans.remove(&id) else {
            continue;
        };
        let whole: std::collections::BTreeSet<Id> =
            files.iter().map(|file| folder_id(state, file.folder)).collect();
        let ids: Vec<&Id> = whole.iter().collect();
        let one = ids.windows(2).all(|pair| agree(pair[0], pair[1]));
        if !one {
            outcome.left.push(Left::Ambiguous {
                folder: orphan.folder,
                sources: files,
                cases: orphan.cases.len(),
            });
            continue;
        }
        let sources = files.into_iter().map(|file| Source {
            verdict: verdict(state, file.folder),
            opens: false,
            file,
        });
        let group = Cluster {
            state,
            folder: orphan.folder,
            sources: sources.collect(),
            cases: orphan.cases,
            why: Why::Apart,
        };
        group.divide(outcome);
    }
    for orphan in orphans.into_values() {
        outcome.left.push(Left::Cases {
            folder: orphan.folder,
            first: orphan.cases[0].pair.input.clone(),
            cases: orphan.cases.len(),
        });
    }
}

fn verdict(state: &State<'_>, folder: usize) -> Option<String> {
    let name = &state.tree.folders[folder].name;
    crate::expectation::VerdictFolder::of_any_name(name).map(|_| name.clone())
}

/// The cases that have no place, by their ids.
fn orphans(state: &mut State<'_>, outcome: &mut JoinResult) -> BTreeMap<Id, Orphan> {
    let tree = state.tree;
    let mut found: BTreeMap<Id, Orphan> = BTreeMap::new();
    for at in 0..tree.folders.len() {
        if state.taken.contains(&at) || tree.is_in_leaf(at) {
            continue;
        }
        let mut home = at;
        let mut between = Vec::new();
        while home != 0 && vocabulary::says_nothing(&tree.folders[home].name) {
            between.push(home);
            home = tree.folders[home].parent;
        }
        between.reverse();
        let pool = alone(state, at, &between);
        outcome.left.extend(pool.stray.into_iter().map(Left::Stray));
        if pool.cases.is_empty() {
            continue;
        }
        state.taken.extend(pool.folders.iter().copied());
        let orphan = found
            .entry(folder_id(state, at))
            .or_insert_with(|| Orphan { folder: home, cases: Vec::new() });
        orphan.cases.extend(pool.cases);
    }
    found
}

/// The id of a folder.
fn folder_id(state: &State<'_>, folder: usize) -> Id {
    let parts = state.tree.parts(folder).into_iter();
    let is_empty_word = |name: &str| {
        vocabulary::says_nothing(name)
            || vocabulary::is_for_solutions(name)
            || vocabulary::is_of_build_tool(name)
    };
    parts.filter(|name| !is_empty_word(name)).map(str::to_lowercase).collect()
}

/// Whether one id ends with the other.
fn agree(a: &[String], b: &[String]) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.ends_with(short)
}

/// Whether a name is long enough to join two trees.
fn is_enough(id: &[String]) -> bool {
    match id {
        [] => false,
        [only] => only.chars().count() > 1 && !only.bytes().all(|byte| byte.is_ascii_digit()),
        _ => true,
    }
}

/// The id of the cases for a source: that of its folder and its stem, or that of its folder.
fn home_of(state: &State<'_>, file: &File, orphans: &BTreeMap<Id, Orphan>) -> Option<Id> {
    let folder = folder_id(state, file.folder);
    let stem = vocabulary::stem(&file.name).to_lowercase();
    let mut ids = Vec::new();
    if !is_generic(&stem) && folder.last() != Some(&stem) {
        let mut whole = folder.clone();
        whole.push(stem);
        ids.push(whole);
    }
    ids.push(folder);
    ids.iter().find_map(|id| matching(id, orphans))
}

/// The only orphan whose id agrees with `id`.
fn matching(id: &Id, orphans: &BTreeMap<Id, Orphan>) -> Option<Id> {
    if is_enough(id) && orphans.contains_key(id) {
        return Some(id.clone());
    }
    let mut fitting = orphans.keys().filter(|known| {
        let short = if known.len() < id.len() { known } else { &id };
        agree(known, id) && is_enough(short)
    });
    let only = fitting.next()?;
    fitting.next().is_none().then(|| only.clone())
}
