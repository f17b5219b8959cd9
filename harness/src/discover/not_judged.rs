//! What a search found and nobody judges.

use std::path::PathBuf;

use super::Finder;
use super::join::Left;
use super::scope::Scope;

/// A file or folder that is not judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotJudged {
    /// Its absolute path.
    pub path: PathBuf,
    /// Why it is not judged.
    pub reason: NotJudgedReason,
}

/// Why something is not judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotJudgedReason {
    /// A source without test cases.
    NoCases,
    /// A source next to the test cases of other sources.
    CasesOfOthers,
    /// One of several sources that seem to solve different problems, next to test cases that are named after none of them.
    DifferentProblems,
    /// A helper, such as a generator.
    Helper,
    /// A file that is no source of a solution, such as a unit test or a part of a program.
    NotASolution,
    /// A folder with test cases that no source uses.
    UnusedCases,
    /// A file that is shaped like one of a test case, and is not part of one.
    NotACase,
    /// A problem outside the folders of the repository.
    OutsideRepository,
}

impl NotJudgedReason {
    /// The word for machines.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::NoCases => "no_cases",
            Self::CasesOfOthers => "cases_of_others",
            Self::DifferentProblems => "different_problems",
            Self::Helper => "helper",
            Self::NotASolution => "not_a_solution",
            Self::UnusedCases => "unused_cases",
            Self::NotACase => "not_a_case",
            Self::OutsideRepository => "outside_repository",
        }
    }
}

impl Finder<'_> {
    /// Notes what is left of a tree.
    pub(super) fn note_left(&mut self, scope: &Scope, left: &[&Left]) {
        for left in left {
            let found: Vec<(PathBuf, NotJudgedReason)> = match left {
                Left::Source(file) => vec![(scope.file(file), NotJudgedReason::NoCases)],
                Left::OwnsNothing(file) => vec![(scope.file(file), NotJudgedReason::CasesOfOthers)],
                Left::Helper(file) => vec![(scope.file(file), NotJudgedReason::Helper)],
                Left::Stray(file) => vec![(scope.file(file), NotJudgedReason::NotACase)],
                Left::Cases { folder, .. } => {
                    vec![(scope.folder(*folder), NotJudgedReason::UnusedCases)]
                }
                Left::Ambiguous { sources, .. } => sources
                    .iter()
                    .map(|file| (scope.file(file), NotJudgedReason::DifferentProblems))
                    .collect(),
            };
            let found = found.into_iter();
            self.not_judged.extend(found.map(|(path, reason)| NotJudged { path, reason }));
        }
    }
}
