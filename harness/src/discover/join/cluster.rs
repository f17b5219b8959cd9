//! Sources and cases that belong together, with several problems or with one.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::attempts::{are_ids, is_contest_id};
use super::case_names::named;
use super::division::Meeting;
use super::facts::{CaseName, FolderFacts, Groups, Owners, assign, is_number};
use super::owners::owners;
use super::sets::{PairedCases, PooledCase};
use super::{File, JoinResult, Joined, Left, Source, State, Why, vocabulary};

/// Why sources and cases are in one cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ClusterKind {
    /// The names of their folders agree.
    Named,
    /// The sources lie beside the cases, or in folders for solutions.
    Near,
    /// The sources lie elsewhere, as attempts at one problem do.
    Attempts,
}

/// Sources and cases that belong together.
pub(super) struct Cluster<'a> {
    pub(super) state: &'a State<'a>,
    /// The folder of the problem.
    pub(super) folder: usize,
    /// The name of the problem within `folder`, if that has several.
    stem: Option<String>,
    /// Whether a contest has several problems with the name that joins the cluster.
    is_of_contest: bool,
    pub(super) sources: Vec<Source>,
    pub(super) cases: Vec<PooledCase>,
    yielded: Vec<PooledCase>,
    why: Why,
    kind: ClusterKind,
    homes: BTreeSet<usize>,
}

/// The folders that lead to a case.
type FolderPath = Rc<[usize]>;

/// What a division leaves.
pub(super) struct Undivided {
    pub(super) folder: usize,
    /// Sources that own no cases.
    pub(super) sources: Vec<File>,
    /// Cases that no source owns.
    pub(super) cases: Option<PairedCases>,
    /// Whether the sources seem to solve different problems, and nothing joins the cases to one of them.
    pub(super) is_unclear: bool,
}

/// Where a problem is.
struct ProblemPlace {
    folder: usize,
    /// The folder with all its sources and cases.
    whole: usize,
    why: Why,
}

impl ProblemPlace {
    /// The place of what meets in the folder `at`.
    fn of(
        state: &State<'_>,
        at: usize,
        (share, homes): (&Meeting, &BTreeSet<usize>),
        kind: ClusterKind,
    ) -> Self {
        let tree = state.tree;
        let mut of_cases = tree.common(homes.iter().copied());
        let whole =
            tree.common(homes.iter().copied().chain(share.sources.iter().map(|one| one.folder)));
        let is_lone = |at: usize| {
            share.sets.iter().all(PairedCases::is_scratch) || !is_number(&state.lower[at])
        };
        while of_cases > whole
            && vocabulary::says_nothing(&tree.folders[of_cases].name)
            && is_lone(of_cases)
        {
            of_cases = tree.folders[of_cases].parent;
        }
        let is_named = kind == ClusterKind::Named;
        // `a.py` beside `a/` or `tests/a/`: the problem is called like the source.
        let is_beside = is_named && share.sources.iter().all(|one| one.folder == at);
        let is_apart = is_named && !is_beside && of_cases != whole;
        let (folder, why) = match (is_beside, is_apart) {
            (true, _) => (at, Why::Stem),
            (_, true) => (of_cases, Why::Apart),
            _ => (whole, Why::Folder),
        };
        Self { folder, whole, why }
    }
}

impl<'a> Cluster<'a> {
    /// A cluster of what meets in the folder `at`.
    pub(super) fn of(state: &'a State<'a>, at: usize, share: Meeting, kind: ClusterKind) -> Self {
        let homes: BTreeSet<usize> = share.sets.iter().map(|set| set.home).collect();
        let ProblemPlace { folder, whole, why } =
            ProblemPlace::of(state, at, (&share, &homes), kind);
        let tree = state.tree;
        let depth = tree.parts(folder).len();
        let mut last: Option<(FolderPath, FolderPath)> = None;
        let mut below = |case: PooledCase| {
            let known = last.as_ref().filter(|(whole, _)| Rc::ptr_eq(whole, &case.between));
            let between = match known {
                Some((_, between)) => Rc::clone(between),
                None => Rc::from(case.between.get(depth..).unwrap_or_default()),
            };
            last = Some((case.between, Rc::clone(&between)));
            PooledCase { between, ..case }
        };
        let mut cases = Vec::new();
        let mut yielded = Vec::new();
        for set in share.sets {
            cases.extend(set.cases.into_iter().map(&mut below));
            yielded.extend(set.yielded.into_iter().map(&mut below));
        }
        let stems: Vec<String> =
            share.sources.iter().map(|one| vocabulary::stem(&one.name).to_owned()).collect();
        let sources = share.sources.into_iter().map(|file| Source {
            verdict: state.verdict_of(file.folder, whole),
            opens: false,
            file,
        });
        Self {
            state,
            folder,
            is_of_contest: share.label.as_deref().is_some_and(is_contest_id),
            stem: share.label.filter(|_| kind == ClusterKind::Named && folder == at).map(|label| {
                let written = stems.iter().find(|stem| stem.to_lowercase() == label);
                written.cloned().unwrap_or(label)
            }),
            sources: sources.collect(),
            cases,
            yielded,
            why,
            kind,
            homes,
        }
    }

    /// Adds the problems of the cluster.
    pub(super) fn divide(mut self, outcome: &mut JoinResult) -> Undivided {
        let yielded = std::mem::take(&mut self.yielded);
        self.leave_written(outcome);
        let used = self.give_opened(yielded, outcome);
        outcome.left.retain(|left| !matches!(left, Left::Stray(file) if used.contains(file)));
        if self.sources.is_empty() {
            let cases = self.rest(&self.cases.iter().collect::<Vec<_>>());
            return Undivided {
                folder: self.folder,
                sources: Vec::new(),
                cases,
                is_unclear: false,
            };
        }
        let labels = self.labels();
        let stems = distinct(&labels);
        let state = self.state;
        let of_case: Vec<Vec<&str>> = self.cases.iter().map(|case| case.names(state)).collect();
        let folder = state.lower[self.folder].clone();
        let files: Vec<CaseName<'_>> = self.cases.iter().map(PooledCase::case_name).collect();
        let opened = |stem: &str| -> Vec<String> {
            let sources = self.sources.iter().zip(&labels).filter(|(_, label)| *label == stem);
            sources.flat_map(|(one, _)| (state.opened)(&one.file)).collect()
        };
        let facts = FolderFacts {
            stems: &stems,
            opened: &opened,
            files: &files,
            cases: &of_case,
            folder: &folder,
            attempts: self.are_attempts(&stems),
            scratch: self.cases.iter().all(|case| case.pair.is_bare() && case.between.is_empty()),
        };
        let owners = owners(&facts);
        match owners {
            Owners::All => {
                self.leave_helpers(outcome);
                let cases: Vec<&PooledCase> = self.cases.iter().collect();
                let cases = named(state, &cases, None);
                let Self { folder, stem, sources, why, .. } = self;
                outcome.problems.push(Joined { folder, stem, sources, cases, why });
                Undivided { folder, sources: Vec::new(), cases: None, is_unclear: false }
            }
            Owners::Each(groups) => self.by_stem(&labels, &stems, &groups, outcome),
            Owners::Unknown => self.give_named(outcome),
        }
    }

    /// Gives all cases to the sources that the user names. Whose the cases are is unclear for the others.
    fn give_named(self, outcome: &mut JoinResult) -> Undivided {
        let Self { state, folder, sources, cases, why, .. } = self;
        let (given, others): (Vec<Source>, Vec<Source>) =
            sources.into_iter().partition(|one| state.is_named(&one.file));
        if !given.is_empty() {
            let cases = named(state, &cases.iter().collect::<Vec<_>>(), None);
            outcome.problems.push(Joined { folder, stem: None, sources: given, cases, why });
        }
        Undivided {
            folder,
            is_unclear: !others.is_empty(),
            sources: others.into_iter().map(|one| one.file).collect(),
            cases: None,
        }
    }

    /// Whether all sources are attempts at one problem, unless all names say otherwise.
    fn are_attempts(&self, stems: &[String]) -> bool {
        let tree = self.state.tree;
        let count = self.sources.len();
        let folders = self.sources.iter().map(|one| one.file.folder);
        let direct = folders.clone().filter(|at| !tree.is_below_solutions(*at, self.folder));
        let direct = direct.count();
        if direct == 0 || direct < count && direct < 2 {
            return true;
        }
        if self.is_of_contest {
            return false;
        }
        let beside = |at: &usize| *at == self.folder || self.homes.contains(at);
        let is_elsewhere = self.kind != ClusterKind::Near || !folders.clone().any(|at| beside(&at));
        is_elsewhere && !are_ids(stems, &self.state.lower[self.folder])
    }

    /// The name of each source, in lower case: its stem, or that of its folder if no case bears a stem and some bear those of
    /// folders.
    fn labels(&self) -> Vec<String> {
        let state = self.state;
        let stems: Vec<String> = self.sources.iter().map(|one| stem_of(&one.file.name)).collect();
        let of_case: Vec<Vec<&str>> = self.cases.iter().map(|case| case.names(state)).collect();
        let owned = |labels: &[String]| {
            let found = assign(&distinct(labels), &of_case);
            found.into_iter().flatten().count()
        };
        let folders: BTreeSet<usize> = self.sources.iter().map(|one| one.file.folder).collect();
        if folders.len() < 2 || owned(&stems) > 0 {
            return stems;
        }
        let top = state.tree.common(folders.into_iter());
        let chains: Vec<Vec<usize>> =
            self.sources.iter().map(|one| state.tree.between(top, one.file.folder)).collect();
        let deepest = chains.iter().map(Vec::len).max().unwrap_or_default();
        let at_depth = |depth: usize| -> Vec<String> {
            let name = |(chain, stem): (&Vec<usize>, &String)| {
                let from_end = chain.len().checked_sub(depth + 1).map(|index| chain[index]);
                from_end.map_or_else(|| stem.clone(), |at| state.lower[at].clone())
            };
            chains.iter().zip(&stems).map(name).collect()
        };
        let mut others = (0..deepest).map(at_depth);
        others.find(|labels| owned(labels) > 0).unwrap_or(stems)
    }

    /// Cases that no source of the cluster owns, for folders above.
    fn rest(&self, cases: &[&PooledCase]) -> Option<PairedCases> {
        let first = cases.first()?;
        let above = self.state.tree.chain(self.folder);
        let mut last: Option<(FolderPath, FolderPath)> = None;
        let whole = |case: &&PooledCase| {
            let known = last.as_ref().filter(|(short, _)| Rc::ptr_eq(short, &case.between));
            let between: Rc<[usize]> = match known {
                Some((_, whole)) => Rc::clone(whole),
                None => [&above[..], &case.between[..]].concat().into(),
            };
            last = Some((Rc::clone(&case.between), Rc::clone(&between)));
            PooledCase { between, ..(*case).clone() }
        };
        Some(PairedCases {
            home: first.folder,
            cases: cases.iter().map(whole).collect(),
            yielded: Vec::new(),
            is_guessed: false,
            refused: self.sources.iter().map(|one| one.file.clone()).collect(),
        })
    }

    fn by_stem(
        self,
        labels: &[String],
        stems: &[String],
        groups: &Groups,
        outcome: &mut JoinResult,
    ) -> Undivided {
        let Groups { of_case: owners, of_stem, told } = groups;
        let mut used: Vec<usize> = owners.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let index = |label: &String| stems.binary_search(label).ok();
        let group_of = |label: &String| -> Option<usize> { of_stem[index(label)?] };
        let labelled = || self.sources.iter().zip(labels);
        for stem in &used {
            let owned = self.cases.iter().zip(owners);
            let cases: Vec<&PooledCase> =
                owned.filter(|(_, owner)| **owner == Some(*stem)).map(|(case, _)| case).collect();
            let mine = labelled().filter(|(_, label)| group_of(label) == Some(*stem));
            let first = mine.clone().find(|(_, label)| **label == stems[*stem]);
            let name =
                first.map_or_else(|| stems[*stem].clone(), |(one, label)| self.written(one, label));
            let sources = mine.map(|(one, label)| Source {
                opens: index(label).is_some_and(|at| told.contains(&at)),
                ..one.clone()
            });
            let sources: Vec<Source> = sources.collect();
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
        let free = self.cases.iter().zip(owners);
        let free: Vec<&PooledCase> =
            free.filter(|(_, owner)| owner.is_none()).map(|(case, _)| case).collect();
        let nothing = labelled().filter(|(_, label)| group_of(label).is_none());
        Undivided {
            folder: self.folder,
            sources: nothing.map(|(one, _)| one.file.clone()).collect(),
            cases: self.rest(&free),
            is_unclear: false,
        }
    }

    /// A label as it is written.
    fn written(&self, source: &Source, label: &str) -> String {
        let stem = vocabulary::stem(&source.file.name);
        if stem.to_lowercase() == label {
            return stem.to_owned();
        }
        let chain = self.state.tree.between(0, source.file.folder);
        let mut names = chain.iter().map(|at| &self.state.tree.folders[*at].name);
        names
            .rfind(|name| name.to_lowercase() == label)
            .map_or_else(|| label.to_owned(), String::clone)
    }
}

pub(super) fn distinct(labels: &[String]) -> Vec<String> {
    let mut stems = labels.to_vec();
    stems.sort_unstable();
    stems.dedup();
    stems
}

pub(super) fn stem_of(name: &str) -> String {
    vocabulary::stem(name).to_lowercase()
}
