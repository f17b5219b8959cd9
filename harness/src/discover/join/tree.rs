//! The listing of a tree: names only.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::vocabulary;
use crate::name_text;

/// A folder that its own reader judges, with everything below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::discover) enum Leaf {
    /// A file describes the problem.
    Package,
    /// `rejudge.toml`, or `solutions/` and `cases/`.
    Repository,
}

#[derive(Debug, Default)]
pub(in crate::discover) struct TreeFolder {
    pub(in crate::discover) name: String,
    pub(in crate::discover) parent: usize,
    /// Files in a known language, sorted.
    pub(super) sources: Vec<String>,
    /// All other files, sorted.
    pub(in crate::discover) others: Vec<String>,
    pub(in crate::discover) folders: Vec<usize>,
    /// The files in `.cph/`.
    pub(super) probs: Vec<String>,
    pub(in crate::discover) leaf: Option<Leaf>,
}

/// Folders in the order of a walk: parents before their children. The first is the root.
#[derive(Debug)]
pub(in crate::discover) struct Tree {
    pub(in crate::discover) folders: Vec<TreeFolder>,
    /// Whether a part of the tree was not read.
    pub(in crate::discover) is_cut: bool,
    /// Sources that the command line names: never helpers.
    pub(super) named: BTreeSet<(usize, String)>,
}

impl Tree {
    /// A tree without files. `name` is the name of its root.
    pub(in crate::discover) fn new(name: &str) -> Self {
        let root = TreeFolder { name: name.to_owned(), ..TreeFolder::default() };
        Self { folders: vec![root], is_cut: false, named: BTreeSet::new() }
    }

    /// Adds a folder and returns its index.
    pub(in crate::discover) fn add_folder(&mut self, parent: usize, name: &str) -> usize {
        let at = self.folders.len();
        self.folders.push(TreeFolder { name: name.to_owned(), parent, ..TreeFolder::default() });
        self.folders[parent].folders.push(at);
        at
    }

    /// Adds a folder with the contents of another tree, and returns its index.
    pub(in crate::discover) fn graft(&mut self, parent: usize, name: &str, other: Self) -> usize {
        let base = self.add_folder(parent, name);
        for (at, folder) in other.folders.into_iter().enumerate() {
            let index =
                if at == 0 { base } else { self.add_folder(base + folder.parent, &folder.name) };
            self.folders[index].sources = folder.sources;
            self.folders[index].others = folder.others;
        }
        base
    }

    /// Adds a file.
    pub(in crate::discover) fn add_file(&mut self, folder: usize, name: &str, is_source: bool) {
        let folder = &mut self.folders[folder];
        let list = if is_source && !vocabulary::is_never_a_solution(name) {
            &mut folder.sources
        } else {
            &mut folder.others
        };
        list.push(name.to_owned());
    }

    /// Adds a file of `.cph/`.
    pub(in crate::discover) fn add_prob(&mut self, folder: usize, name: &str) {
        self.folders[folder].probs.push(name.to_owned());
    }

    /// The command line names this source.
    pub(in crate::discover) fn name_source(&mut self, folder: usize, name: &str) {
        let sources = &mut self.folders[folder].sources;
        if !sources.iter().any(|known| known == name) {
            sources.push(name.to_owned());
            self.folders[folder].others.retain(|known| known != name);
        }
        self.named.insert((folder, name.to_owned()));
    }

    /// Sorts the names. Call it once, after all were added.
    pub(in crate::discover) fn sort(&mut self) {
        for folder in &mut self.folders {
            folder.sources.sort_unstable();
            folder.others.sort_unstable();
        }
        let names: Vec<String> = self.folders.iter().map(|one| one.name.clone()).collect();
        for folder in &mut self.folders {
            let order = |at: &usize| names[*at].as_str();
            folder.folders.sort_by(|a, b| crate::problem::natural_order(order(a), order(b)));
        }
    }

    /// Whether a folder has a source with this name.
    pub(in crate::discover) fn has_source(&self, folder: usize, name: &str) -> bool {
        let sources = &self.folders[folder].sources;
        sources.binary_search_by(|known| known.as_str().cmp(name)).is_ok()
    }

    /// Replaces all sources by one with this name in the root.
    pub(in crate::discover) fn leave_only(&mut self, name: &str) {
        for folder in &mut self.folders {
            folder.sources.clear();
            folder.probs.clear();
        }
        self.folders[0].sources.push(name.to_owned());
        self.named.insert((0, name.to_owned()));
    }

    /// Number of sources.
    pub(in crate::discover) fn count_sources(&self) -> usize {
        self.folders.iter().map(|folder| folder.sources.len()).sum()
    }

    /// The path below the root.
    pub(in crate::discover) fn path(&self, folder: usize) -> PathBuf {
        self.parts(folder).into_iter().map(name_text::path).collect()
    }

    /// The names of the folders from the root to `folder`, without the root's.
    pub(in crate::discover) fn parts(&self, folder: usize) -> Vec<&str> {
        let mut parts = Vec::new();
        let mut at = folder;
        while at != 0 {
            parts.push(self.folders[at].name.as_str());
            at = self.folders[at].parent;
        }
        parts.reverse();
        parts
    }

    /// The folders from the root, without it, to `folder`.
    pub(super) fn chain(&self, folder: usize) -> Vec<usize> {
        self.between(0, folder)
    }

    /// The folders below `above` that lead to `folder`, with it.
    pub(super) fn between(&self, above: usize, folder: usize) -> Vec<usize> {
        let mut chain = Vec::new();
        let mut at = folder;
        while at > above {
            chain.push(at);
            at = self.folders[at].parent;
        }
        chain.reverse();
        chain
    }

    /// The deepest folder that contains all of these.
    pub(super) fn common(&self, folders: impl Iterator<Item = usize>) -> usize {
        let shared = |a: usize, b: usize| {
            let (mut a, mut b) = (a, b);
            while a != b {
                // Parents come before their children.
                if a > b {
                    a = self.folders[a].parent;
                } else {
                    b = self.folders[b].parent;
                }
            }
            a
        };
        folders.reduce(shared).unwrap_or_default()
    }

    /// The folder at a path below the root.
    pub(in crate::discover) fn find(&self, below: &Path) -> Option<usize> {
        let mut at = 0;
        for part in below.components() {
            let name = name_text::text(part.as_os_str());
            let inner = &self.folders[at].folders;
            at = *inner.iter().find(|one| self.folders[**one].name == name)?;
        }
        Some(at)
    }

    /// Whether `folder` is `above` or below it.
    pub(in crate::discover) fn is_within(&self, folder: usize, above: usize) -> bool {
        let mut at = folder;
        while at > above {
            at = self.folders[at].parent;
        }
        at == above
    }

    /// Whether `folder` is a leaf or below one.
    pub(in crate::discover) fn is_in_leaf(&self, folder: usize) -> bool {
        let mut at = folder;
        loop {
            if self.folders[at].leaf.is_some() {
                return true;
            }
            if at == 0 {
                return false;
            }
            at = self.folders[at].parent;
        }
    }

    /// The leaves that are not inside other leaves.
    pub(super) fn leaves(&self) -> Vec<(usize, Leaf)> {
        let folders = self.folders.iter().enumerate();
        folders
            .filter_map(|(at, folder)| Some((at, folder.leaf?)))
            .filter(|(at, _)| *at == 0 || !self.is_in_leaf(self.folders[*at].parent))
            .collect()
    }

    /// Whether `folder` or a folder above it, up to `place` of its problem, is one for solutions. A folder above the problem says
    /// nothing: who names the problem does not see it.
    pub(super) fn is_below_solutions(&self, folder: usize, place: usize) -> bool {
        let place = self.common([folder, place].into_iter());
        let mut at = folder;
        loop {
            if vocabulary::is_for_solutions_only(&self.folders[at].name) {
                return true;
            }
            if at <= place {
                return false;
            }
            at = self.folders[at].parent;
        }
    }

    /// Whether a tool keeps the cases of a source in a file: `.cph/.NAME_….prob`, or
    /// `testcases/STEM.yml` beside `src/bin/`.
    pub(super) fn has_own_file(&self, folder: usize, source: &str) -> bool {
        let head = format!(".{source}_");
        let own = &self.folders[folder];
        let mut probs = own.probs.iter();
        if probs.any(|name| name.starts_with(&head)) {
            return true;
        }
        let above = &self.folders[own.parent];
        if own.name != "bin" || above.name != "src" {
            return false;
        }
        let package = &self.folders[above.parent];
        let cases = package.folders.iter().map(|at| &self.folders[*at]);
        let wanted = format!("{}.yml", vocabulary::stem(source));
        cases
            .filter(|folder| folder.name == "testcases")
            .any(|folder| folder.others.contains(&wanted))
    }
}
