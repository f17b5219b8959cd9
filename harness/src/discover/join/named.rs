//! Sources that are no solutions, by their texts: parts of others, which a source names and which are no programs of their own,
//! and programs about the cases.

use std::collections::{BTreeMap, BTreeSet};

use super::{File, SourceFacts, Tree};

/// A folder with more sources is an archive of solutions, each in one file.
const MOST: usize = 1000;

/// The helpers of a tree that its texts show. Sources that only name each other are none: one of them may be a solution.
pub(super) fn helpers(tree: &Tree, facts: SourceFacts<'_>) -> BTreeSet<File> {
    let mut named: BTreeMap<File, Vec<File>> = BTreeMap::new();
    let mut helpers = BTreeSet::new();
    let is_given = |file: &File| tree.named.contains(&(file.folder, file.name.clone()));
    for (folder, found) in tree.folders.iter().enumerate() {
        if found.sources.len() > MOST || tree.is_in_leaf(folder) {
            continue;
        }
        for name in &found.sources {
            let name = name.clone();
            let file = File { folder, name };
            if !is_given(&file) && (facts.is_tool)(&file) {
                helpers.insert(file);
                continue;
            }
            let others = (facts.named)(&file);
            if !others.is_empty() {
                named.insert(file, others);
            }
        }
    }
    let all: BTreeSet<&File> = named.values().flatten().collect();
    let candidates = all.into_iter().filter(|file| !is_given(file) && !(facts.is_program)(file));
    let candidates: BTreeSet<File> = candidates.cloned().collect();
    let roots = named.keys().filter(|file| !candidates.contains(file));
    let mut open: Vec<&File> = roots.collect();
    while let Some(file) = open.pop() {
        for other in named.get(file).into_iter().flatten() {
            if candidates.contains(other) && helpers.insert(other.clone()) {
                open.push(other);
            }
        }
    }
    helpers
}
