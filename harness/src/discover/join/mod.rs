//! Which cases belong to which solution: a pure function from the listing of a tree to problems.
//!
//! Discovery in plain folders has two steps. [`walk`](super::walk) reads the tree once and makes a
//! [`Tree`]: the names of the files and folders, without their contents. [`join`] decides on these
//! names, so that tables of names can test it. It never reads the disk. Where names leave a doubt,
//! it asks for the names of the files that a source opens ([`evidence`]), and which sources are
//! parts of others ([`named`]).
//!
//! 1. The files of each folder are paired by one table of words ([`words`]).
//! 2. A folder without sources of its own whose name is one for cases belongs to the folder above
//!    it ([`pool`]). A folder of cases that has sources is a problem of its own.
//! 3. Sources without cases in their folder look for them above it, as long as the folders
//!    between are named after solutions, languages or verdicts ([`anchors`]).
//! 4. Within such a place, the names of the sources decide which cases belong to which of them
//!    ([`owners`]).
//! 5. The sources and the cases that are left are joined by the names of their folders
//!    ([`apart`]).
//! 6. Everything that is left after that is reported ([`Left`]). Nothing is guessed: a source that
//!    could be judged on cases of another problem is not judged.
//!
//! Packages, repositories and sources with a tool's file of cases are leaves: their own readers
//! know what belongs to what. They hide nothing next to them.

mod anchors;
mod apart;
mod attempts;
mod evidence;
mod facts;
mod named;
mod opened;
mod owners;
mod pool;
mod tree;
mod vocabulary;
mod words;

use std::collections::BTreeSet;

pub(super) use tree::{Leaf, Tree};
pub(super) use vocabulary::{is_for_cases as may_hold_cases, is_for_solutions, is_helper};
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
    /// Whether a source is a checker, a generator or another program about the cases.
    pub(super) is_tool: &'a dyn Fn(&File) -> bool,
}

/// The facts of a tree whose sources nobody reads.
pub(super) const NO_TEXTS: SourceFacts<'static> = SourceFacts {
    opened: &|_| Vec::new(),
    named: &|_| Vec::new(),
    is_program: &|_| true,
    is_tool: &|_| false,
};

/// Joins the sources of a tree with its cases.
pub(super) fn join(tree: &Tree, facts: SourceFacts<'_>) -> JoinResult {
    let mut outcome = JoinResult { leaves: tree.leaves(), ..JoinResult::default() };
    let mut state = State::of(tree, facts, &mut outcome);
    let places = anchors::places(&mut state);
    for place in places {
        anchors::judge(&state, place, &mut outcome);
    }
    apart::judge(&mut state, &mut outcome);
    outcome.problems.sort_by(|a, b| {
        let key = |one: &Joined| (one.folder, one.stem.clone());
        key(a).cmp(&key(b))
    });
    outcome
}

/// What the steps share.
struct State<'a> {
    tree: &'a Tree,
    opened: Opened<'a>,
    /// By folder: the sources that are candidates for solutions.
    sources: Vec<Vec<String>>,
    /// By folder: whether it or a folder below it has such a source.
    has_source: Vec<bool>,
    /// By folder: its name in lower case.
    lower: Vec<String>,
    /// By folder: the cases and strays of its own files.
    paired: Vec<words::Paired>,
    /// The names of sources, and of the folders that contain sources: a folder of cases with such
    /// a name belongs to no other source.
    claims: BTreeSet<String>,
    /// Folders whose cases have an owner, or were reported.
    taken: BTreeSet<usize>,
    /// Sources without cases in their place.
    without: Vec<File>,
}

impl<'a> State<'a> {
    fn of(tree: &'a Tree, facts: SourceFacts<'a>, outcome: &mut JoinResult) -> Self {
        let count = tree.folders.len();
        let by_text = named::helpers(tree, facts);
        let mut state = Self {
            tree,
            opened: facts.opened,
            sources: vec![Vec::new(); count],
            has_source: vec![false; count],
            lower: tree.folders.iter().map(|one| one.name.to_lowercase()).collect(),
            paired: Vec::with_capacity(count),
            claims: BTreeSet::new(),
            taken: BTreeSet::new(),
            without: Vec::new(),
        };
        for (at, folder) in tree.folders.iter().enumerate() {
            let inside = tree.is_in_leaf(at);
            state.paired.push(if inside {
                words::Paired::default()
            } else {
                words::pair(&folder.others)
            });
            if inside {
                continue;
            }
            let mut sources = Vec::new();
            for name in &folder.sources {
                let file = File { folder: at, name: name.clone() };
                if by_text.contains(&file) {
                    outcome.left.push(Left::Helper(file));
                } else if tree.has_own_file(at, name) {
                    outcome.with_own_file.push(file);
                } else {
                    sources.push(name.clone());
                }
            }
            let helpers = state.helpers(at, &sources);
            sources.retain(|name| !helpers.contains(name));
            outcome
                .left
                .extend(helpers.into_iter().map(|name| Left::Helper(File { folder: at, name })));
            state.sources[at] = sources;
        }
        for at in 0..count {
            state.claim(at);
        }
        for at in (0..count).rev() {
            let own = !state.sources[at].is_empty();
            state.has_source[at] |= own;
            if state.has_source[at] && at > 0 {
                state.has_source[tree.folders[at].parent] = true;
            }
        }
        state
    }

    fn claim(&mut self, at: usize) {
        if self.sources[at].is_empty() {
            return;
        }
        let folder = &self.tree.folders[at].name;
        let stems = self.sources[at].iter().map(|name| vocabulary::stem(name));
        let names = stems.chain([folder.as_str()]).map(str::to_lowercase);
        let says = |name: &String| {
            name.chars().count() > 1
                && !facts::is_generic(name)
                && !vocabulary::says_nothing(name)
                && !vocabulary::is_for_solutions(name)
        };
        self.claims.extend(names.filter(says));
    }

    /// The helpers among the sources of a folder: never below a folder of solutions, never one
    /// with cases of its own, and only if another source remains or if the folder has cases.
    fn helpers(&self, at: usize, sources: &[String]) -> Vec<String> {
        if self.tree.is_below_solutions(at) {
            return Vec::new();
        }
        let pairs = &self.paired[at].pairs;
        let owns = |name: &str| {
            let stem = vocabulary::stem(name).to_lowercase();
            pairs.iter().any(|pair| pair.before().to_lowercase() == stem)
        };
        let for_cases = vocabulary::is_for_cases(&self.tree.folders[at].name) && at > 0;
        let is_helper = |name: &&String| {
            let stem = vocabulary::stem(name);
            (vocabulary::is_helper(stem) || for_cases && vocabulary::makes_cases(stem))
                && !owns(name)
                && !self.tree.named.contains(&(at, (*name).clone()))
        };
        let found: Vec<String> = sources.iter().filter(is_helper).cloned().collect();
        if found.len() < sources.len() || for_cases { found } else { Vec::new() }
    }
}
