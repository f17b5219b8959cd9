//! A tree that was read and joined, and what of it is selected.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::join::{File, JoinResult, Joined, Leaf, Left, Source, Tree};
use super::source_texts::SourceTexts;
use super::tree_texts::joined_tree;
use crate::name_text;
use crate::notice::Notices;
use crate::problem::GatheredCase;

/// What of a tree to judge.
#[derive(Clone, Copy)]
pub(super) enum Selection<'a> {
    Folder(&'a Path),
    Source(&'a Path),
}

/// By folder of a tree: where an archive was unpacked.
pub(super) type Unpacked = BTreeMap<usize, PathBuf>;

/// A tree that was read and joined.
pub(super) struct Scope {
    pub(super) root: PathBuf,
    pub(super) tree: Tree,
    pub(super) outcome: JoinResult,
    /// By folder.
    paths: Vec<PathBuf>,
    /// The faults of reading it.
    pub(super) notices: Notices,
}

impl Scope {
    /// A tree that was read from `root`, joined.
    pub(super) fn of(root: &Path, tree: Tree, texts: &SourceTexts) -> Self {
        let paths = folder_paths(root, &tree, &Unpacked::new());
        Self {
            root: root.to_path_buf(),
            outcome: joined_tree(&paths, &tree, texts),
            tree,
            paths,
            notices: Notices::relative_to(Some(root)),
        }
    }

    /// Joins the tree again, with archives that count as folders.
    pub(super) fn join_again(&mut self, unpacked: &Unpacked, texts: &SourceTexts) {
        self.tree.sort();
        self.paths = folder_paths(&self.root, &self.tree, unpacked);
        self.outcome = joined_tree(&self.paths, &self.tree, texts);
    }

    pub(super) fn path(&self, file: &File) -> PathBuf {
        let folder = &self.paths[file.folder];
        // `join` would allocate twice.
        let mut path = PathBuf::with_capacity(folder.as_os_str().len() + 1 + file.name.len());
        path.push(folder);
        path.push(name_text::path(&file.name));
        path
    }

    pub(super) fn selects(&self, selection: Selection<'_>, file: &File) -> bool {
        match selection {
            Selection::Source(path) => {
                path.file_name().is_some_and(|name| *name_text::text(name) == *file.name)
                    && path.parent() == Some(&self.paths[file.folder])
            }
            Selection::Folder(dir) => self.is_in(file.folder, dir),
        }
    }

    fn is_in(&self, folder: usize, dir: &Path) -> bool {
        // Often the whole tree is meant.
        if self.root.as_os_str() == dir.as_os_str() {
            return true;
        }
        let at = dir.strip_prefix(&self.root).ok().and_then(|below| self.tree.find(below));
        at.is_some_and(|at| self.tree.is_within(folder, at))
    }

    /// Whether a selected source has no cases.
    pub(super) fn lacks_cases(&self, selection: Selection<'_>) -> bool {
        let mut left = self.outcome.left.iter();
        left.any(|left| matches!(left, Left::Source(file) if self.selects(selection, file)))
    }

    /// Whether no case of a selected source has an answer.
    pub(super) fn only_runs(&self, selection: Selection<'_>) -> bool {
        let is_unanswered = |one: &&Joined| one.cases.iter().all(|case| case.answer.is_none());
        let mut sources =
            self.outcome.problems.iter().filter(is_unanswered).flat_map(|one| &one.sources);
        sources.any(|one| self.selects(selection, &one.file))
    }

    /// What to judge, by path.
    pub(super) fn actions(&self, selection: Selection<'_>) -> Vec<(PathBuf, Action<'_>)> {
        let mut actions = Vec::new();
        if let Selection::Folder(dir) = selection {
            for (folder, leaf) in &self.outcome.leaves {
                let path = self.folder(*folder);
                if path.starts_with(dir) {
                    let action = match leaf {
                        Leaf::Package => Action::Package,
                        Leaf::Repository => Action::Repository,
                    };
                    actions.push((path, action));
                }
            }
        }
        let mut of_packages: BTreeMap<usize, Vec<&Source>> = BTreeMap::new();
        for (folder, source) in &self.outcome.of_packages {
            if self.selects(selection, &source.file) {
                of_packages.entry(*folder).or_default().push(source);
            }
        }
        let of_packages = of_packages.into_iter();
        actions.extend(of_packages.map(|(at, found)| (self.folder(at), Action::OfPackage(found))));
        let own = self.outcome.with_own_file.iter().filter(|file| self.selects(selection, file));
        actions.extend(own.map(|file| (self.path(file), Action::OwnFile)));
        for joined in &self.outcome.problems {
            let sources = joined.sources.iter();
            let selected: Vec<&Source> =
                sources.filter(|one| self.selects(selection, &one.file)).collect();
            if !selected.is_empty() {
                let dir = self.folder(joined.folder);
                let stem = joined.stem.as_ref();
                let path = match stem {
                    Some(stem) => dir.join(stem),
                    None => dir,
                };
                actions.push((path, Action::Judge(joined, selected)));
            }
        }
        actions
    }

    /// Whether something that is left is in the selection.
    pub(super) fn concerns(&self, selection: Selection<'_>, left: &Left) -> bool {
        match left {
            Left::Source(file) | Left::OwnsNothing(file) | Left::Helper(file) => {
                self.selects(selection, file)
            }
            Left::Ambiguous { sources, .. } => {
                sources.iter().any(|file| self.selects(selection, file))
            }
            Left::Cases { folder, .. } => match selection {
                Selection::Folder(dir) => self.is_in(*folder, dir),
                Selection::Source(_) => false,
            },
            Left::Stray(file) => match selection {
                Selection::Folder(dir) => self.is_in(file.folder, dir),
                Selection::Source(_) => true,
            },
        }
    }

    /// The cases of a problem.
    pub(super) fn gathered(&self, joined: &Joined) -> Vec<GatheredCase> {
        let cases = joined.cases.iter().map(|case| GatheredCase {
            name: case.name.clone(),
            input: self.path(&case.input),
            answer: case.answer.as_ref().map(|file| self.path(file)),
        });
        cases.collect()
    }

    /// The path of a folder.
    pub(super) fn folder(&self, folder: usize) -> PathBuf {
        self.paths[folder].clone()
    }

    /// The path of a file.
    pub(super) fn file(&self, file: &File) -> PathBuf {
        self.path(file)
    }
}

/// What to do with a path of the tree.
pub(super) enum Action<'a> {
    Package,
    /// Sources outside the package.
    OfPackage(Vec<&'a Source>),
    Repository,
    /// A source whose cases are in a tool's own file.
    OwnFile,
    Judge(&'a Joined, Vec<&'a Source>),
}

/// The paths of the folders of the tree that was read from `root`.
fn folder_paths(root: &Path, tree: &Tree, unpacked: &Unpacked) -> Vec<PathBuf> {
    let mut paths = vec![root.to_path_buf()];
    for (at, folder) in tree.folders.iter().enumerate().skip(1) {
        let place = unpacked.get(&at).cloned();
        paths.push(
            place.unwrap_or_else(|| paths[folder.parent].join(name_text::path(&folder.name))),
        );
    }
    paths
}
