//! The problems of a search: by folder, by name, and with names that tell them apart.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use crate::notice::{Code, Notices};
use crate::problem::Problem;

/// A problem, and the folder that it was read from.
#[derive(Debug)]
pub(super) struct ProblemEntry {
    /// The folder, or the name of the problem in it.
    pub(super) key: PathBuf,
    /// `None`: it cannot be judged.
    pub(super) problem: Option<Problem>,
}

/// The problems in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct ProblemTable {
    pub(super) entries: Vec<ProblemEntry>,
    /// The indices of the problems by their keys, and by their ids.
    by_key: HashMap<PathBuf, usize>,
    by_id: HashMap<String, usize>,
    /// By id: the name of the problem's folder, for problems whose folders have the same name.
    renamed: BTreeMap<String, String>,
}

impl ProblemTable {
    /// What was read from `key`.
    pub(super) fn known(&self, key: &Path) -> Option<&ProblemEntry> {
        Some(&self.entries[*self.by_key.get(key)?])
    }

    /// The problem with this id.
    pub(super) fn of_id(&self, id: &str) -> Option<&Problem> {
        self.entry(id)?.problem.as_ref()
    }

    /// The problem with this id, and its key.
    pub(super) fn entry(&self, id: &str) -> Option<&ProblemEntry> {
        Some(&self.entries[*self.by_id.get(id)?])
    }

    /// The folder of a problem's files. For an archive, it is the folder that it was unpacked to.
    pub(super) fn place_of(&self, key: &Path) -> PathBuf {
        let problem = self.known(key).and_then(|entry| entry.problem.as_ref());
        problem.map_or_else(|| key.to_path_buf(), |problem| problem.dir.clone())
    }

    /// Adds a problem that was read from `key`; `None`: it cannot be judged. Returns its id, which
    /// is the path if another problem has the same name.
    pub(super) fn add(
        &mut self,
        key: &Path,
        mut problem: Option<Problem>,
        notices: &mut Notices,
    ) -> Option<String> {
        if let Some(problem) = &mut problem
            && self.by_id.contains_key(&problem.id)
        {
            let name = problem.id.clone();
            let path = notices.show(&key.with_file_name(&name));
            if self.by_id.contains_key(&path) || self.is_twin(key, &name) {
                let first = &self.entries[self.by_id[&name]].key;
                let (first, second) = (notices.show(first), notices.show(key));
                notices.error_help(
                    Code::Conflict
                        .says(format!("two problems are called `{name}`: {first} and {second}")),
                    "rename one of the folders, or judge them one at a time",
                );
                self.push(key, None);
                return None;
            }
            problem.id.clone_from(&path);
            self.renamed.insert(name.clone(), name.clone());
            self.renamed.insert(path, name);
        }
        let id = problem.as_ref().map(|problem| problem.id.clone());
        self.push(key, problem);
        id
    }

    /// Whether the problem with this name has the same path.
    fn is_twin(&self, key: &Path, name: &str) -> bool {
        let first = &self.entries[self.by_id[name]].key;
        first.with_file_name(name) == key.with_file_name(name)
    }

    fn push(&mut self, key: &Path, problem: Option<Problem>) {
        let at = self.entries.len();
        if let Some(problem) = &problem {
            self.by_id.insert(problem.id.clone(), at);
        }
        self.by_key.insert(key.to_path_buf(), at);
        self.entries.push(ProblemEntry { key: key.to_path_buf(), problem });
    }

    /// Gives problems in folders with the same name the shortest paths that tell them apart. Returns the new ids by the old
    /// ones.
    pub(super) fn shorten_names(&mut self, notices: &Notices) -> BTreeMap<String, String> {
        let mut same: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
        for (id, name) in &self.renamed {
            same.entry(name).or_default().extend(self.by_id.get(id));
        }
        let mut new_ids: BTreeMap<String, String> = BTreeMap::new();
        for (name, indices) in same {
            let parts = indices.iter().map(|at| {
                let path = notices.show(&self.entries[*at].key.with_file_name(name));
                path.split('/').map(str::to_owned).collect::<Vec<String>>()
            });
            let parts: Vec<Vec<String>> = parts.collect();
            for (at, new) in indices.iter().zip(shortest(&parts)) {
                if let Some(problem) = &mut self.entries[*at].problem {
                    let old = std::mem::replace(&mut problem.id, new.clone());
                    new_ids.insert(old, new);
                }
            }
        }
        new_ids
    }
}

/// For each path, the shortest end that no other path has.
fn shortest(paths: &[Vec<String>]) -> Vec<String> {
    let end = |path: &Vec<String>, length: usize| -> String {
        path[path.len().saturating_sub(length)..].join("/")
    };
    let mut lengths = vec![1; paths.len()];
    loop {
        let ends: Vec<String> =
            paths.iter().zip(&lengths).map(|(path, length)| end(path, *length)).collect();
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for end in &ends {
            *count.entry(end).or_default() += 1;
        }
        let mut longer = false;
        for (at, end) in ends.iter().enumerate() {
            if count[end.as_str()] > 1 && lengths[at] < paths[at].len() {
                lengths[at] += 1;
                longer = true;
            }
        }
        if !longer {
            return ends;
        }
    }
}
