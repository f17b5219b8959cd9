//! Which cases belong to which solution: a pure function from the listing of a tree to problems.
//!
//! Discovery in plain folders has two steps. [`walk`](super::walk) reads the tree once and makes a
//! [`Tree`]: the names of the files and folders, without their contents. [`join`] decides on these
//! names, so that tables of names can test it. It never reads the disk. Where names leave a doubt,
//! it asks for the names of the files that a source opens ([`evidence`]), and which sources are
//! parts of others ([`named`]).
//!
//! 1. Files are pairs: two files of one folder whose names differ in a word for their side, or files of
//!    a folder of inputs and a folder of answers with the same names ([`words`]). Pairs that lie together are a set ([`sets`]).
//! 2. From the leaves of the tree to its root, each folder that has sources and sets below it joins them, and leaves the rest to
//!    the folder above ([`places`]). A folder of cases leaves everything to the folder above: sources in it are their author's.
//! 3. Names of folders come first, and say something only if sources bear them as well ([`division`]). Sets without such a name
//!    belong to all sources of the folder, if these are attempts at one problem by their place ([`pooling`]).
//! 4. Within what belongs together, the names of sources and cases decide ([`cluster`], [`owners`]).
//! 5. Sources that have no cases in the end join the problem whose name they bear, if a tree of sources lies beside a tree of
//!    problems ([`offers`]).
//! 6. Everything that is left after that is reported ([`Left`]). Nothing is guessed: a source that
//!    could be judged on cases of another problem is not judged.
//!
//! Packages, repositories and sources with a tool's file of cases are leaves: their own readers
//! know what belongs to what. They hide nothing next to them.

mod abbreviated;
mod asides;
mod attempts;
mod case_names;
mod cluster;
mod division;
mod evidence;
mod facts;
mod named;
mod numbered;
mod offers;
mod opened;
mod owners;
mod places;
mod pooling;
mod sets;
mod tree;
mod vocabulary;
mod words;

use std::collections::BTreeSet;

pub(super) use tree::{Leaf, Tree};
use vocabulary::Helper;

use crate::beside::Conduct;
use crate::expectation::VerdictFolder;
pub(super) use vocabulary::{
    is_for_cases as may_hold_cases, is_for_solutions, is_helper, is_word_for_cases,
};
pub(super) use words::are_only_cases;

/// A file: its folder in the tree, and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct File {
    pub(super) folder: usize,
    pub(super) name: String,
}

/// A problem: its sources and its cases.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Joined {
    /// The folder that the names of the cases are relative to.
    pub(super) folder: usize,
    /// The name of the problem within `folder`, if the folder has several.
    pub(super) stem: Option<String>,
    pub(super) sources: Vec<Source>,
    /// In the order of the report.
    pub(super) cases: Vec<Case>,
    pub(super) why: Why,
}

/// A source, and the verdict folder that contains it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) file: File,
    pub(super) verdict: Option<String>,
    /// Its text names its cases.
    pub(super) opens: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) name: String,
    pub(super) input: File,
    pub(super) answer: Option<File>,
}

/// Why the cases belong to the sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// All cases in and below the folder belong to all of its sources.
    Folder,
    /// The names of the cases begin with the name of the source.
    Stem,
    /// The sources and the cases are in different trees.
    Apart,
}

/// Something that is not judged.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// No cases belong to the source.
    Source(File),
    /// There are cases, and other sources own them.
    OwnsNothing(File),
    /// The sources seem to solve different problems, and nothing joins the cases to one of them.
    Ambiguous { folder: usize, sources: Vec<File>, cases: usize },
    /// A helper, such as a generator or a module that other sources name.
    Helper(File),
    /// Cases that no source uses.
    Cases { folder: usize, first: String, cases: usize },
    /// An answer without an input, or a file that gives way to better ones.
    Stray(File),
}

/// The result of [`join`].
#[derive(Debug, Default)]
pub(super) struct JoinResult {
    pub(super) problems: Vec<Joined>,
    /// Folders that other readers judge, in the order of the tree.
    pub(super) leaves: Vec<(usize, Leaf)>,
    /// Sources outside packages that bear their names, with the folders of the packages.
    pub(super) of_packages: Vec<(usize, Source)>,
    /// Sources whose cases are in a tool's own file.
    pub(super) with_own_file: Vec<File>,
    pub(super) left: Vec<Left>,
}

/// Returns the names of the files in the text of a source.
pub(super) type Opened<'a> = &'a dyn Fn(&File) -> Vec<String>;

/// What the texts of sources say.
#[derive(Clone, Copy)]
pub(super) struct SourceFacts<'a> {
    pub(super) opened: Opened<'a>,
    /// Returns the sources of the tree that a source names as parts of itself.
    pub(super) named: &'a dyn Fn(&File) -> Vec<File>,
    /// Whether a source is a program of its own.
    pub(super) is_program: &'a dyn Fn(&File) -> bool,
    /// What a source does, as far as its text shows; `None`: nobody reads it.
    pub(super) conduct: &'a dyn Fn(&File) -> Option<Conduct>,
    /// Whether a source opens a file with this name to write it, as far as its text shows.
    pub(super) writes: &'a dyn Fn(&File, &str) -> bool,
    /// Whether a source is a checker, a generator or another program about the cases.
    pub(super) is_tool: &'a dyn Fn(&File) -> bool,
}

/// The facts of a tree whose sources nobody reads.
pub(super) const NO_TEXTS: SourceFacts<'static> = SourceFacts {
    opened: &|_| Vec::new(),
    named: &|_| Vec::new(),
    is_program: &|_| true,
    conduct: &|_| None,
    writes: &|_, _| false,
    is_tool: &|_| false,
};

/// Joins the sources of a tree with its cases.
pub(super) fn join(tree: &Tree, facts: SourceFacts<'_>) -> JoinResult {
    let mut outcome = JoinResult { leaves: tree.leaves(), ..JoinResult::default() };
    let state = State::of(tree, facts, &mut outcome);
    let sets = sets::sets(tree, &state.has_source);
    places::join(&state, sets, &mut outcome);
    outcome.problems.sort_by(|a, b| {
        let key = |one: &Joined| (one.folder, one.stem.clone());
        key(a).cmp(&key(b))
    });
    tell_apart(tree, &mut outcome.problems);
    outcome
}

/// Gives problems of the same folder different stems, and those whose stem is the name of a folder with a problem of its own.
fn tell_apart(tree: &Tree, problems: &mut [Joined]) {
    let own: BTreeSet<usize> =
        problems.iter().filter(|one| one.stem.is_none()).map(|one| one.folder).collect();
    let mut known: BTreeSet<(usize, Option<String>)> = BTreeSet::new();
    for problem in problems {
        if let Some(stem) = &mut problem.stem
            && tree.folders[problem.folder]
                .folders
                .iter()
                .any(|inner| tree.folders[*inner].name == *stem && own.contains(inner))
        {
            problem.cases[0].input.name.clone_into(stem);
        }
        while !known.insert((problem.folder, problem.stem.clone())) {
            let first = &problem.sources[0].file;
            let name = problem.stem.take().map(|name| format!("{name}'"));
            problem.stem = name.or_else(|| Some(vocabulary::stem(&first.name).to_owned()));
        }
    }
}

/// What the steps share.
struct State<'a> {
    tree: &'a Tree,
    opened: Opened<'a>,
    conduct: &'a dyn Fn(&File) -> Option<Conduct>,
    writes: &'a dyn Fn(&File, &str) -> bool,
    /// By folder: the sources that may be solutions or helpers.
    sources: Vec<Vec<String>>,
    /// By folder: whether it or a folder below it has such a source.
    has_source: Vec<bool>,
    /// By folder: its name in lower case.
    lower: Vec<String>,
}

impl<'a> State<'a> {
    fn of(tree: &'a Tree, facts: SourceFacts<'a>, outcome: &mut JoinResult) -> Self {
        let count = tree.folders.len();
        let by_text = named::helpers(tree, facts);
        let mut state = Self {
            tree,
            opened: facts.opened,
            conduct: facts.conduct,
            writes: facts.writes,
            sources: vec![Vec::new(); count],
            has_source: vec![false; count],
            lower: tree.folders.iter().map(|one| one.name.to_lowercase()).collect(),
        };
        for (at, folder) in tree.folders.iter().enumerate() {
            if tree.is_in_leaf(at) {
                continue;
            }
            for name in &folder.sources {
                let file = File { folder: at, name: name.clone() };
                if by_text.contains(&file) {
                    outcome.left.push(Left::Helper(file));
                } else if tree.has_own_file(at, name) {
                    outcome.with_own_file.push(file);
                } else {
                    state.sources[at].push(file.name);
                }
            }
        }
        for at in (0..count).rev() {
            state.has_source[at] |= !state.sources[at].is_empty();
            if state.has_source[at] && at > 0 {
                state.has_source[tree.folders[at].parent] = true;
            }
        }
        state
    }

    fn sources_in(&self, folder: usize) -> Vec<File> {
        let names = self.sources[folder].iter().cloned();
        names.map(|name| File { folder, name }).collect()
    }

    /// Whether a source of a problem in `place` is a helper, such as a generator: never below a folder of solutions, and never
    /// one that the command line names.
    fn is_helper(&self, file: &File, place: usize) -> bool {
        let stem = vocabulary::stem(&file.name);
        let is_in_folder_of_helpers = {
            let name = &self.lower[file.folder];
            vocabulary::is_folder_of_helpers(name) && !facts::is_generic(&stem.to_lowercase())
        };
        let is_helper = match vocabulary::helper(stem) {
            _ if is_in_folder_of_helpers => true,
            Some(Helper::Sure) => true,
            Some(Helper::Slow) => {
                let folder = &self.tree.folders[file.folder];
                !folder.others.is_empty()
            }
            Some(Helper::Unsure) => {
                let is_about_chance = stem.to_lowercase().contains("rand");
                let conduct = (self.conduct)(file);
                conduct.is_some_and(|one| !one.reads_input || one.draws_numbers && !is_about_chance)
            }
            None => false,
        };
        is_helper && !self.tree.is_below_solutions(file.folder, place) && !self.is_named(file)
    }

    /// Whether the command line names a source.
    fn is_named(&self, file: &File) -> bool {
        self.tree.named.contains(&(file.folder, file.name.clone()))
    }

    /// The verdict folder between the place of a problem and one of its sources, if there is one.
    fn verdict_of(&self, source: usize, place: usize) -> Option<String> {
        let chain = self.tree.between(place, source);
        let mut names = chain.iter().rev().map(|at| &self.tree.folders[*at].name);
        names.find(|name| VerdictFolder::of_any_name(name).is_some()).cloned()
    }
}
