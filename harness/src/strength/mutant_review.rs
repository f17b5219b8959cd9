//! What became of the mutants of a problem.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use super::kill::MutantFate;
use super::mutants::{Mutant, MutantParent, MutantSet};
use super::syntax::ChangeKind;
use crate::verdict::Verdict;

/// The mutants of a problem, judged.
#[derive(Debug)]
pub(crate) struct MutantReview {
    pub(crate) set: MutantSet,
    /// The fate of each mutant.
    pub(crate) fates: Vec<MutantFate>,
    pub(crate) seed: u64,
    /// The wall time of the compilation of all mutants, and of their judgement.
    pub(crate) compiled_in: Duration,
    pub(crate) judged_in: Duration,
    /// The folder in which the user types commands.
    pub(crate) current: PathBuf,
    /// The files of the survivors, by the number of the mutant.
    pub(crate) kept: BTreeMap<usize, PathBuf>,
    /// The searches for inputs that kill survivors, by the number of the mutant.
    pub(crate) searches: BTreeMap<usize, SurvivorSearch>,
    /// Whether a search failed, or an input could not be added.
    pub(crate) is_faulty: bool,
}

/// The result of a search for an input that kills a survivor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SurvivorSearch {
    /// The mutant gets this verdict on this input.
    Killed { verdict: Verdict, input: Vec<u8> },
    /// The solution itself gets this verdict on this input.
    SolutionFails { verdict: Verdict, input: Vec<u8> },
    /// No input of this number of rounds kills it.
    NothingFound { rounds: u64 },
    /// A program of the problem failed, so the search could not be made.
    Fault,
}

impl MutantReview {
    /// The mutants, each with its solution and its fate.
    pub(crate) fn mutants(&self) -> impl Iterator<Item = (&Mutant, &MutantParent, &MutantFate)> {
        let all = self.set.mutants.iter().zip(&self.fates);
        all.map(|(mutant, fate)| (mutant, &self.set.parents[mutant.parent], fate))
    }

    /// The mutants that every case accepts.
    pub(crate) fn survivors(&self) -> impl Iterator<Item = (&Mutant, &MutantParent)> {
        self.mutants()
            .filter(|(_, _, fate)| **fate == MutantFate::Survives)
            .map(|(mutant, parent, _)| (mutant, parent))
    }

    /// The number of mutants that a case rejects.
    pub(crate) fn killed(&self) -> usize {
        let fates = self.fates.iter();
        fates.filter(|fate| matches!(fate, MutantFate::Killed { .. })).count()
    }

    /// The number of mutants that could not be judged.
    pub(crate) fn not_judged(&self) -> usize {
        self.fates.len() - self.killed() - self.survivors().count()
    }

    /// For each kind, the number of mutants that a case rejects, and of all.
    pub(crate) fn by_kind(&self) -> BTreeMap<ChangeKind, (usize, usize)> {
        let mut kinds: BTreeMap<ChangeKind, (usize, usize)> = BTreeMap::new();
        for (mutant, _, fate) in self.mutants() {
            let (killed, all) = kinds.entry(mutant.change.kind).or_default();
            *killed += usize::from(matches!(fate, MutantFate::Killed { .. }));
            *all += 1;
        }
        kinds
    }

    /// The number of survivors that an input kills.
    pub(crate) fn killed_by_search(&self) -> usize {
        self.searched(|one| matches!(one, SurvivorSearch::Killed { .. }))
    }

    /// The number of survivors that no input kills.
    pub(super) fn equivalent(&self) -> usize {
        self.searched(|one| matches!(one, SurvivorSearch::NothingFound { .. }))
    }

    fn searched(&self, is_counted: impl Fn(&SurvivorSearch) -> bool) -> usize {
        let searches = self.searches.values();
        searches.filter(|one| is_counted(one)).count()
    }

    /// Stores the sources of the survivors as `folder/NUMBER/NAME`.
    pub(crate) fn keep(&mut self, folder: &Path) -> io::Result<()> {
        let mut kept = BTreeMap::new();
        for (mutant, parent) in self.survivors() {
            let folder = folder.join(mutant.number.to_string());
            fs::create_dir_all(&folder)?;
            let name = parent.submission.path.file_name().unwrap_or_default();
            let path = folder.join(name);
            fs::write(&path, mutant.change.apply(&parent.text))?;
            kept.insert(mutant.number, path);
        }
        self.kept = kept;
        Ok(())
    }
}
