//! The places where sources meet cases: from the leaves of the tree to its root, each folder that has both below it joins
//! them, and leaves the rest to the folder above.

use std::collections::BTreeSet;

use super::cluster::{Cluster, ClusterKind};
use super::division::{self, Meeting};
use super::facts::{bears, is_number};
use super::offers;
use super::pooling::{Doubts, Unclear, pool};
use super::sets::{self, PairedCases, Sets};
use super::{File, JoinResult, Left, State, vocabulary};

/// What waits for a folder above.
#[derive(Default)]
struct Waiting {
    sources: Vec<File>,
    sets: Vec<PairedCases>,
    /// Whether there are problems below.
    has_problems: bool,
}

/// Joins all sources of a tree with all its sets of cases.
pub(super) fn join(state: &State<'_>, mut known: Sets, outcome: &mut JoinResult) {
    let tree = state.tree;
    outcome.left.extend(known.stray.drain(..).map(Left::Stray));
    let mut waiting: Vec<Waiting> = tree.folders.iter().map(|_| Waiting::default()).collect();
    let mut doubts = Doubts::default();
    let answered: Vec<bool> =
        known.by_home.iter().map(|sets| sets.iter().any(is_numerous)).collect();
    for at in (0..tree.folders.len()).rev() {
        if tree.is_in_leaf(at) {
            waiting[at].has_problems = true;
            continue;
        }
        let mut here = Waiting {
            sources: state.sources_in(at),
            sets: std::mem::take(&mut known.by_home[at]),
            has_problems: false,
        };
        if !here.sources.is_empty() && !here.sets.iter().any(PairedCases::is_answered) {
            let named = sets::named_pair(state, at);
            if named.is_some() {
                here.sets.clear();
            }
            here.sets.extend(named);
        }
        for inner in &tree.folders[at].folders {
            let below = std::mem::take(&mut waiting[*inner]);
            here.sources.extend(below.sources);
            here.sets.extend(below.sets);
            here.has_problems |= below.has_problems;
        }
        if has_better_above(state, &answered, at, &here) {
            let unused = here.sets.drain(..).map(|set| Left::unused(&set));
            outcome.left.extend(unused);
        }
        let is_place = !waits(state, at) && !here.sources.is_empty() && !here.sets.is_empty();
        if is_place && !is_among_cases(state, &known, at) {
            here.has_problems |= meet(state, at, &mut here, &mut doubts, outcome);
        }
        waiting[at] = here;
    }
    let rest = std::mem::take(&mut waiting[0]);
    let mut rest = join_helpers(state, rest, outcome);
    let (helpers, sources): (Vec<File>, Vec<File>) =
        rest.sources.into_iter().partition(|file| state.is_helper(file, 0));
    let unanswered = offers::take_unanswered(outcome);
    let run_only: BTreeSet<&File> =
        unanswered.iter().flat_map(|one| &one.sources).map(|one| &one.file).collect();
    let candidates = [sources, run_only.iter().map(|file| (*file).clone()).collect()].concat();
    let (kept, sources): (Vec<File>, Vec<File>) = offers::join(state, candidates, outcome)
        .into_iter()
        .partition(|file| run_only.contains(file));
    rest.sources = sources;
    let kept: BTreeSet<File> = kept.into_iter().collect();
    for mut problem in unanswered {
        problem.sources.retain(|one| kept.contains(&one.file));
        if !problem.sources.is_empty() {
            outcome.problems.push(problem);
        }
    }
    rest.sources.extend(helpers);
    report(state, rest, doubts, outcome);
}

/// Whether a folder is one for the cases of the sources above it: sources in it are their author's.
pub(super) fn waits(state: &State<'_>, at: usize) -> bool {
    at != 0
        && !is_number(&state.lower[at])
        && vocabulary::is_for_cases(&state.tree.folders[at].name)
}

/// Whether a folder lies in one that holds cases itself: what is in it is their author's as well. The folders above were not
/// joined yet.
fn is_among_cases(state: &State<'_>, known: &Sets, at: usize) -> bool {
    let mut above = state.tree.chain(at).into_iter().filter(|one| *one != at);
    above.any(|one| waits(state, one) && known.by_home[one].iter().any(is_numerous))
}

/// Whether nothing beside the sources of a folder has an answer or one of their names, and the cases of their problem lie in
/// the folder above, which has no sources: `src/scratch.in` below `1.in` and `1.out`. `answered`: by folder, whether it has such.
fn has_better_above(state: &State<'_>, answered: &[bool], at: usize, here: &Waiting) -> bool {
    let above = state.tree.folders[at].parent;
    if at == 0 || here.has_problems || here.sets.is_empty() || !state.sources[above].is_empty() {
        return false;
    }
    let mut beside = state.tree.folders[above].folders.iter();
    let stems: BTreeSet<String> =
        here.sources.iter().map(|file| vocabulary::stem(&file.name).to_lowercase()).collect();
    let is_own = |set: &PairedCases| {
        let names = || stems.iter().map(String::as_str).chain([state.lower[at].as_str()]);
        set.is_answered()
            || set.cases.iter().any(|case| names().any(|name| bears(name, case.pair.lower_key())))
    };
    (answered[above] || beside.any(|one| *one != at && answered[*one] && waits(state, *one)))
        && !here.sets.iter().any(is_own)
}

/// Joins what meets in a folder. Returns whether there was a problem.
fn meet(
    state: &State<'_>,
    at: usize,
    here: &mut Waiting,
    doubts: &mut Doubts,
    outcome: &mut JoinResult,
) -> bool {
    // `check.py` beside `check1.in` is no checker.
    let owns = |file: &File| {
        let stem = vocabulary::stem(&file.name).to_lowercase();
        let beside = here.sets.iter().filter(|set| set.home == file.folder);
        beside.flat_map(|set| &set.cases).any(|case| case.pair.before().to_lowercase() == stem)
    };
    let (helpers, solutions): (Vec<File>, Vec<File>) = std::mem::take(&mut here.sources)
        .into_iter()
        .partition(|file| state.is_helper(file, at) && !owns(file));
    if solutions.is_empty() {
        here.sources = helpers;
        return false;
    }
    let before = outcome.problems.len();
    let sets = std::mem::take(&mut here.sets);
    let (solutions, sets, tried) = leave_authors(state, solutions, sets, outcome);
    let division = division::divide(state, at, solutions, sets, here.has_problems);
    let Meeting { mut sources, mut sets, .. } = division.rest;
    let is_divided = !division.shares.is_empty();
    let mut left_over = Vec::new();
    for share in division.shares {
        let rest = Cluster::of(state, at, share, ClusterKind::Named).divide(outcome);
        sources.extend(rest.sources);
        left_over.extend(rest.cases);
    }
    if !sources.is_empty() && !sets.is_empty() {
        let is_container = here.has_problems || is_divided;
        let rest =
            pool(state, at, Meeting { label: None, sources, sets }, is_container, doubts, outcome);
        (sources, sets) = (rest.sources, rest.sets);
    } else if is_divided {
        doubts.own_nothing.extend(sources.iter().cloned());
    }
    here.sources = sources;
    here.sets = sets;
    here.sets.extend(left_over);
    // Its name means nothing to the folders above.
    outcome.left.extend(tried.iter().map(Left::unused));
    let is_found = outcome.problems.len() > before;
    let homes: BTreeSet<usize> = here.sets.iter().map(|set| set.home).collect();
    let is_only = |folder: usize| {
        homes.contains(&folder)
            && state.sources_in(folder).iter().all(|file| state.is_helper(file, at))
    };
    let is_done = |file: &File| is_found && !is_only(file.folder);
    let (done, waiting): (Vec<File>, Vec<File>) = helpers.into_iter().partition(is_done);
    outcome.left.extend(done.into_iter().map(Left::Helper));
    here.sources.extend(waiting);
    is_found
}

/// Leaves the sources in folders among the cases, if others remain: with these, the author made the cases. Returns the others,
/// and the sets of cases without and with those that the author tried there.
fn leave_authors(
    state: &State<'_>,
    sources: Vec<File>,
    sets: Vec<PairedCases>,
    outcome: &mut JoinResult,
) -> (Vec<File>, Vec<PairedCases>, Vec<PairedCases>) {
    let homes: BTreeSet<usize> = sets
        .iter()
        .filter(|set| is_numerous(set) && waits(state, set.home))
        .map(|set| set.home)
        .collect();
    let is_among = |folder: usize| {
        let chain = state.tree.chain(folder);
        chain.iter().any(|one| *one != folder && homes.contains(one))
    };
    let is_author = |file: &File| is_among(file.folder) && !state.is_named(file);
    let (authors, others): (Vec<File>, Vec<File>) = sources.into_iter().partition(is_author);
    let own = sets.iter().map(|set| set.home).filter(|home| is_among(*home));
    let folders: BTreeSet<usize> = own.filter(|home| !state.sources[*home].is_empty()).collect();
    if authors.is_empty() && folders.is_empty() || others.is_empty() {
        return ([authors, others].concat(), sets, Vec::new());
    }
    outcome.left.extend(authors.into_iter().map(Left::Helper));
    let (tried, sets) = sets.into_iter().partition(|set| folders.contains(&set.home));
    (others, sets, tried)
}

/// Whether a set has several cases with answers.
fn is_numerous(set: &PairedCases) -> bool {
    const ENOUGH: usize = 2;
    set.is_answered() && set.cases.len() >= ENOUGH
}

/// Joins cases beside which only helpers lie with these: they are solutions after all.
fn join_helpers(state: &State<'_>, rest: Waiting, outcome: &mut JoinResult) -> Waiting {
    let Waiting { sources, sets, has_problems } = rest;
    let mut left = Waiting { has_problems, ..Waiting::default() };
    let homes: BTreeSet<usize> = sets.iter().map(|set| set.home).collect();
    // The cases that a problem's solutions leave over are not its generator's.
    let are_all = |folder: usize| {
        homes.contains(&folder)
            && state.sources_in(folder).iter().all(|file| state.is_helper(file, 0))
    };
    let (own, others): (Vec<File>, Vec<File>) =
        sources.into_iter().partition(|file| are_all(file.folder));
    left.sources = others;
    let folders: BTreeSet<usize> = own.iter().map(|file| file.folder).collect();
    let (used, free): (Vec<PairedCases>, Vec<PairedCases>) =
        sets.into_iter().partition(|set| folders.contains(&set.home));
    left.sets = free;
    for folder in folders {
        let share = Meeting {
            label: None,
            sources: own.iter().filter(|file| file.folder == folder).cloned().collect(),
            sets: used.iter().filter(|set| set.home == folder).cloned().collect(),
        };
        if state.tree.chain(folder).into_iter().any(|one| waits(state, one)) {
            outcome.left.extend(share.sources.into_iter().map(Left::Helper));
            left.sets.extend(share.sets);
            continue;
        }
        let done = Cluster::of(state, folder, share, ClusterKind::Near).divide(outcome);
        outcome.left.extend(done.sources.into_iter().map(Left::Helper));
    }
    left
}

fn report(state: &State<'_>, rest: Waiting, doubts: Doubts, outcome: &mut JoinResult) {
    let mut waiting: BTreeSet<File> = rest.sources.into_iter().collect();
    let mut told = BTreeSet::new();
    for unclear in doubts.unclear {
        let is_waiting = |file: &File| waiting.contains(file);
        let sources: Vec<File> = unclear.sources.into_iter().filter(is_waiting).collect();
        if !sources.is_empty() {
            for file in &sources {
                waiting.remove(file);
            }
            told.extend(unclear.homes);
            let Unclear { folder, cases, .. } = unclear;
            outcome.left.push(Left::Ambiguous { folder, sources, cases });
        }
    }
    for file in waiting {
        outcome.left.push(match () {
            () if state.is_helper(&file, 0) => Left::Helper(file),
            () if doubts.own_nothing.contains(&file) => Left::OwnsNothing(file),
            () => Left::Source(file),
        });
    }
    for set in rest.sets {
        if !told.contains(&set.home) {
            outcome.left.push(Left::unused(&set));
        }
    }
}

impl Left {
    fn unused(set: &PairedCases) -> Self {
        let (first, cases) = set.summary();
        Self::Cases { folder: set.home, first, cases }
    }
}
