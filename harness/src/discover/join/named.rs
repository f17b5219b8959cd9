//! Sources that are parts of others: a source names them, and they are no programs of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, SourceFacts, Tree};

/// A folder with more sources is an archive of solutions, each in one file.
const MOST: usize = 1000;

/// The parts of the programs of a tree. Sources that only name each other are no parts: one of them may be a solution.
pub(super) fn parts(tree: &Tree, facts: SourceFacts<'_>) -> BTreeSet<File> {
    let mut named: BTreeMap<File, Vec<File>> = BTreeMap::new();
    for (folder, found) in tree.folders.iter().enumerate() {
        if found.sources.len() > MOST || tree.is_in_leaf(folder) {
            continue;
        }
        for name in &found.sources {
            let name = name.clone();
            let file = File { folder, name };
            let others = (facts.named)(&file);
            if !others.is_empty() {
                named.insert(file, others);
            }
        }
    }
    let all: BTreeSet<&File> = named.values().flatten().collect();
    let candidates = all.into_iter().filter(|file| {
        let is_given = tree.named.contains(&(file.folder, file.name.clone()));
        !is_given && !(facts.is_program)(file)
    });
    let candidates: BTreeSet<File> = candidates.cloned().collect();
    let roots = named.keys().filter(|file| !candidates.contains(file));
    let mut open: Vec<&File> = roots.collect();
    let mut parts = BTreeSet::new();
    while let Some(file) = open.pop() {
        for other in named.get(file).into_iter().flatten() {
            if candidates.contains(other) && parts.insert(other.clone()) {
                open.push(other);
            }
        }
    }
    parts
}
