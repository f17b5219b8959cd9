//! Cases whose folders bear no name of a source: they belong to all sources of their folder, or of folders in which attempts
//! at one problem lie.

use std::collections::BTreeSet;

use super::attempts::is_contest_id;
use super::cluster::{Cluster, ClusterKind, stem_of};
use super::division::Meeting;
use super::facts::{bears, is_generic, is_number};
use super::sets::PairedCases;
use super::{File, JoinResult, State, vocabulary};

/// Sources that cannot be told apart beside cases.
pub(super) struct Unclear {
    pub(super) folder: usize,
    pub(super) sources: Vec<File>,
    pub(super) cases: usize,
    pub(super) homes: Vec<usize>,
}

/// What the places know of sources that still wait.
#[derive(Default)]
pub(super) struct Doubts {
    pub(super) unclear: Vec<Unclear>,
    /// Sources beside cases with the names of others.
    pub(super) own_nothing: BTreeSet<File>,
}

impl Doubts {
    fn add_unclear(&mut self, folder: usize, sets: &mut [PairedCases], sources: &[File]) {
        self.unclear.push(Unclear {
            folder,
            cases: sets.iter().map(|set| set.cases.len()).sum(),
            homes: sets.iter().map(|set| set.home).collect(),
            sources: sources.to_vec(),
        });
        for set in sets {
            set.refused.extend(sources.iter().cloned());
        }
    }
}

/// Joins sources with sets whose folders bear no name of a source.
pub(super) fn pool(
    state: &State<'_>,
    at: usize,
    share: Meeting,
    is_container: bool,
    doubts: &mut Doubts,
    outcome: &mut JoinResult,
) -> Meeting {
    let Meeting { sources, sets, .. } = share;
    let (mut pooled, other_sets) = common_sets(state, at, sets, is_container);
    let is_refused = |file: &File| pooled.iter().any(|set| set.refused.contains(file));
    let (refused, sources): (Vec<File>, Vec<File>) = sources.into_iter().partition(is_refused);
    let choice = if pooled.is_empty() {
        Chosen::Nothing
    } else {
        choose(state, at, &sources, &pooled, is_container)
    };
    let (candidates, kind, mut rest) = match choice {
        Chosen::Some { candidates, kind, rest } => (candidates, kind, rest),
        Chosen::Nothing | Chosen::Unclear => {
            if matches!(choice, Chosen::Unclear) {
                doubts.add_unclear(at, &mut pooled, &sources);
            }
            return Meeting {
                label: None,
                sources: [sources, refused].concat(),
                sets: [pooled, other_sets].concat(),
            };
        }
    };
    let pooled_share = |sources: Vec<File>| Meeting { label: None, sources, sets: pooled.clone() };
    let mut done = Cluster::of(state, at, pooled_share(candidates.clone()), kind).divide(outcome);
    let near: Vec<File> =
        candidates.iter().filter(|file| is_near(state, at, file.folder)).cloned().collect();
    if done.is_unclear && !near.is_empty() && near.len() < candidates.len() {
        let far = candidates.into_iter().filter(|file| !near.contains(file));
        rest.extend(far);
        done = Cluster::of(state, at, pooled_share(near), ClusterKind::Near).divide(outcome);
    }
    let mut sets = other_sets;
    if done.is_unclear {
        doubts.add_unclear(done.folder, &mut pooled, &done.sources);
        sets.extend(pooled);
    } else {
        sets.extend(done.cases);
        doubts.own_nothing.extend(done.sources.iter().cloned());
    }
    Meeting { label: None, sources: [done.sources, rest, refused].concat(), sets }
}

/// Which sources the pooled sets belong to.
enum Chosen {
    Some {
        candidates: Vec<File>,
        kind: ClusterKind,
        rest: Vec<File>,
    },
    /// The folders of the sources are the problems of a contest.
    Unclear,
    Nothing,
}

fn choose(
    state: &State<'_>,
    at: usize,
    sources: &[File],
    pooled: &[PairedCases],
    is_container: bool,
) -> Chosen {
    let (near, far): (Vec<File>, Vec<File>) =
        sources.iter().cloned().partition(|file| is_near(state, at, file.folder));
    if near.is_empty() && far.is_empty() {
        return Chosen::Nothing;
    }
    let is_scratch = pooled.iter().all(PairedCases::is_scratch);
    let arranged = if (is_container || is_scratch) && !near.is_empty() {
        Arrangement::Other
    } else {
        arrangement(state, at, &far)
    };
    match (near.is_empty(), arranged) {
        (_, Arrangement::Other) if are_named(&far, pooled) => Chosen::Some {
            candidates: [near, far].concat(),
            kind: ClusterKind::Near,
            rest: Vec::new(),
        },
        (_, Arrangement::Other)
            if !is_container && are_among(&near, pooled) && are_of_same(state, at, pooled, &[]) =>
        {
            let candidates = [near, far].concat();
            Chosen::Some { candidates, kind: ClusterKind::Attempts, rest: Vec::new() }
        }
        (true, Arrangement::Other) if !is_container => in_one_folder(state, at, far),
        (false, Arrangement::Other) => {
            let (named, rest) = called_like_cases(far, pooled);
            let candidates = [near, named].concat();
            Chosen::Some { candidates, kind: ClusterKind::Near, rest }
        }
        (true, Arrangement::Other) => Chosen::Nothing,
        (_, Arrangement::Problems) => Chosen::Unclear,
        (false, Arrangement::Attempts) if !far.is_empty() => Chosen::Some {
            candidates: [near, far].concat(),
            kind: ClusterKind::Attempts,
            rest: Vec::new(),
        },
        (true, Arrangement::Attempts) => {
            Chosen::Some { candidates: far, kind: ClusterKind::Attempts, rest: Vec::new() }
        }
        (false, _) => Chosen::Some { candidates: near, kind: ClusterKind::Near, rest: far },
    }
}

/// Whether all sources lie in folders of the cases, as those of their author do.
fn are_among(sources: &[File], pooled: &[PairedCases]) -> bool {
    sources.iter().all(|file| pooled.iter().any(|set| set.home == file.folder))
}

/// Whether most sources are called like cases: several people's folders with solutions of the same problems.
fn are_named(sources: &[File], pooled: &[PairedCases]) -> bool {
    let stems: BTreeSet<String> = sources.iter().map(|file| stem_of(&file.name)).collect();
    let named = stems.iter().filter(|stem| is_called_like_case(stem, pooled)).count();
    named > 1 && named * 2 > stems.len()
}

/// The sources that are called like cases, and the others. Few are none: their names may be chance.
fn called_like_cases(sources: Vec<File>, pooled: &[PairedCases]) -> (Vec<File>, Vec<File>) {
    const ENOUGH: usize = 3;
    const LONG: usize = 3;
    let (named, rest): (Vec<File>, Vec<File>) = sources.into_iter().partition(|file| {
        let stem = stem_of(&file.name);
        stem.chars().count() >= LONG && is_called_like_case(&stem, pooled)
    });
    let stems: BTreeSet<String> = named.iter().map(|file| stem_of(&file.name)).collect();
    if stems.len() < ENOUGH {
        return (Vec::new(), [named, rest].concat());
    }
    (named, rest)
}

fn is_called_like_case(stem: &str, pooled: &[PairedCases]) -> bool {
    let says_nothing = is_number(stem) || is_generic(stem) || vocabulary::says_nothing(stem);
    let mut keys = pooled.iter().flat_map(|set| &set.cases).map(|case| case.pair.lower_key());
    !says_nothing && keys.any(|key| bears(stem, key))
}

/// The sources in a folder whose subfolders hold all others: `Quellcode/Main.java` and `Quellcode/util/Sieve.java`.
fn in_one_folder(state: &State<'_>, at: usize, sources: Vec<File>) -> Chosen {
    let common = state.tree.common(sources.iter().map(|file| file.folder));
    let (own, rest): (Vec<File>, Vec<File>) =
        sources.into_iter().partition(|file| file.folder == common);
    if common == at || own.is_empty() {
        return Chosen::Nothing;
    }
    Chosen::Some { candidates: own, kind: ClusterKind::Attempts, rest }
}

/// The sets that belong to all sources of a folder: one set, those whose names say nothing, and those whose names differ by a
/// number.
fn common_sets(
    state: &State<'_>,
    at: usize,
    sets: Vec<PairedCases>,
    is_container: bool,
) -> (Vec<PairedCases>, Vec<PairedCases>) {
    let is_any_answered = sets.iter().any(PairedCases::is_answered);
    let (sets, mut others): (Vec<PairedCases>, Vec<PairedCases>) =
        sets.into_iter().partition(|set| {
            // Other sources lie beside it, and nobody knows whose it is.
            let is_in_doubt = set.home != at && !set.refused.is_empty();
            !is_in_doubt && (!set.is_guessed || !is_any_answered)
        });
    let says_nothing = |set: &PairedCases| {
        let chain = state.tree.between(at, set.home);
        let says_nothing = |name: &String| {
            vocabulary::is_for_cases(name) && (set.is_scratch() || !is_number(name))
        };
        chain.iter().all(|one| says_nothing(&state.lower[*one]))
    };
    let (mut common, named): (Vec<PairedCases>, Vec<PairedCases>) =
        sets.into_iter().partition(says_nothing);
    let keys: Vec<String> = common
        .iter()
        .flat_map(|set| &set.cases)
        .map(|case| case.pair.lower_key().to_owned())
        .collect();
    let top = |set: &PairedCases| state.tree.between(at, set.home)[0];
    let word = |set: &PairedCases| {
        let name = &state.lower[top(set)];
        name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
    };
    let words: BTreeSet<String> = named.iter().map(word).collect();
    // `lostcow_bronze_open17` beside `lostcow.in`.
    let (after_cases, named): (Vec<PairedCases>, Vec<PairedCases>) = named
        .into_iter()
        .partition(|set| keys.iter().any(|key| continues(&state.lower[top(set)], key)));
    let is_one = words.len() == 1;
    let is_of_same = !common.is_empty() && are_of_same(state, at, &common, &named);
    let is_bare =
        |set: &PairedCases| set.cases.iter().all(|case| case.pair.is_bare() && case.is_answered());
    let is_common = !is_container
        && (is_one || is_of_same || after_cases.is_empty() && named.iter().all(is_bare));
    common.extend(after_cases);
    if is_common { &mut common } else { &mut others }.extend(named);
    (common, others)
}

/// Whether sets in folders beside a folder of cases are further cases of its problem: all are numbered only, as `data/1.in`,
/// `down/1.in` and `pre/1.in`.
fn are_of_same(
    state: &State<'_>,
    at: usize,
    common: &[PairedCases],
    named: &[PairedCases],
) -> bool {
    let is_beside = |set: &PairedCases| set.home != at && state.tree.folders[set.home].parent == at;
    let is_numbered = |set: &PairedCases| {
        let mut keys = set.cases.iter().map(|case| case.pair.key());
        set.is_answered() && keys.all(|key| !key.is_empty() && is_number(key))
    };
    let is_one = |set: &PairedCases| set.cases.len() == 1;
    let is_alike = |set: &PairedCases| is_beside(set) && is_numbered(set);
    common.iter().chain(named).all(is_alike)
        && !common.iter().all(is_one)
        && named.iter().all(|set| !state.has_source[set.home])
}

/// Whether a folder's name continues the name of a case.
fn continues(folder: &str, key: &str) -> bool {
    const ENOUGH: usize = 4;
    let rest = folder.strip_prefix(key).filter(|_| key.len() >= ENOUGH);
    rest.is_some_and(|rest| rest.starts_with(['_', '-', '.', ' ']))
}

/// Whether all folders between `at` and a source's folder are named after solutions, languages or verdicts.
fn is_near(state: &State<'_>, at: usize, folder: usize) -> bool {
    let is_for_sources = |name: &String| {
        vocabulary::is_for_solutions(name) || vocabulary::is_for_cases(name) && !is_number(name)
    };
    state.tree.between(at, folder).iter().all(|one| is_for_sources(&state.lower[*one]))
}

/// What the folders of sources say about them.
enum Arrangement {
    /// They are attempts at one problem: in one folder, or in each folder those with the same names, or one.
    Attempts,
    /// Their folders are the problems of a contest.
    Problems,
    Other,
}

fn arrangement(state: &State<'_>, at: usize, sources: &[File]) -> Arrangement {
    let folders: BTreeSet<usize> = sources.iter().map(|file| file.folder).collect();
    if folders.len() < 2 {
        return Arrangement::Attempts;
    }
    let label = |folder: &usize| {
        let chain = state.tree.between(at, *folder);
        let mut names = chain.iter().map(|one| state.lower[*one].as_str());
        names.rfind(|name| !vocabulary::is_for_solutions(name)).unwrap_or_default()
    };
    let labels: BTreeSet<&str> = folders.iter().map(label).collect();
    let is_id = |label: &&&str| is_contest_id(label) || is_number(label);
    if labels.len() > 1 && labels.iter().filter(is_id).count() * 2 > labels.len() {
        return Arrangement::Problems;
    }
    let stems_in = |folder: &usize| -> BTreeSet<String> {
        let own = sources.iter().filter(|file| file.folder == *folder);
        own.map(|file| vocabulary::stem(&file.name).to_lowercase()).collect()
    };
    let stems: Vec<BTreeSet<String>> = folders.iter().map(stems_in).collect();
    let is_one_each = stems.iter().all(|own| own.len() == 1);
    let is_same = stems.windows(2).all(|two| two[0] == two[1]);
    if is_one_each || is_same { Arrangement::Attempts } else { Arrangement::Other }
}
