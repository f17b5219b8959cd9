//! What a search found and nobody judges.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::join::Left;
use super::scope::Scope;
use super::source_files::{LANGUAGES_HELP, extension_of};
use super::submission_table::SubmissionTable;
use crate::notice::{Code, Notices, few};

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

/// What is left over, and told at the end.
#[derive(Debug, Default)]
pub(super) struct LeftOvers {
    pub(super) found: Vec<NotJudged>,
    /// Sources without a function `main`, next to others that have one.
    pub(super) parts: BTreeSet<PathBuf>,
    /// Sources in packages outside `submissions/`.
    pub(super) outside_submissions: BTreeSet<PathBuf>,
    /// Files next to submissions that are in no known language.
    pub(super) unknown: BTreeSet<PathBuf>,
    /// Testlib checkers among the helpers, about which nothing is reported yet.
    pub(super) checkers: BTreeSet<PathBuf>,
}

impl LeftOvers {
    /// Notes what is not judged for one reason.
    pub(super) fn note(
        &mut self,
        paths: impl IntoIterator<Item = PathBuf>,
        reason: NotJudgedReason,
    ) {
        self.found.extend(paths.into_iter().map(|path| NotJudged { path, reason }));
    }

    /// Notes what is left of a tree.
    pub(super) fn note_left(&mut self, scope: &Scope, left: &[&Left]) {
        for left in left {
            let (files, reason) = match left {
                Left::Source(file) => (vec![scope.file(file)], NotJudgedReason::NoCases),
                Left::OwnsNothing(file) => (vec![scope.file(file)], NotJudgedReason::CasesOfOthers),
                Left::Helper(file) => (vec![scope.file(file)], NotJudgedReason::Helper),
                Left::Stray(file) => (vec![scope.file(file)], NotJudgedReason::NotACase),
                Left::Cases { folder, .. } => {
                    (vec![scope.folder(*folder)], NotJudgedReason::UnusedCases)
                }
                Left::Ambiguous { sources, .. } => {
                    let sources = sources.iter().map(|file| scope.file(file));
                    (sources.collect(), NotJudgedReason::DifferentProblems)
                }
            };
            self.note(files, reason);
        }
    }

    /// Reports the files that are no solutions, a line for each kind.
    pub(super) fn report(&mut self, submissions: &SubmissionTable, notices: &mut Notices) {
        let is_free = |path: &PathBuf| !submissions.has(path);
        let parts: Vec<PathBuf> =
            std::mem::take(&mut self.parts).into_iter().filter(is_free).collect();
        if !parts.is_empty() {
            let what = list(notices, &parts);
            notices.warn_help(
                Code::NotJudged
                    .says(format!("sources without a `main` function are not judged: {what}")),
                "name such a file on the command line to judge it",
            );
        }
        let outside: Vec<PathBuf> =
            std::mem::take(&mut self.outside_submissions).into_iter().filter(is_free).collect();
        if !outside.is_empty() {
            let what = list(notices, &outside);
            notices.warn_help(
                Code::NotJudged.says(format!(
                    "sources of packages outside `submissions/` are not judged: {what}"
                )),
                "move a solution to the folder of its verdict, for example to `submissions/accepted/`",
            );
        }
        let unknown: Vec<PathBuf> = std::mem::take(&mut self.unknown).into_iter().collect();
        report_unknown(&unknown, notices);
        for paths in [parts, outside, unknown] {
            self.note(paths, NotJudgedReason::NotASolution);
        }
    }
}

/// Reports files next to submissions that are in no known language.
fn report_unknown(unknown: &[PathBuf], notices: &mut Notices) {
    let message = match unknown {
        [] => return,
        [path] => {
            let shown = notices.show(path);
            format!("{shown} is not in a known language ({}); it is ignored", extension_of(path))
        }
        several => {
            let ends: BTreeSet<String> = several.iter().map(|path| extension_of(path)).collect();
            let ends = few(&ends.into_iter().collect::<Vec<String>>());
            let (count, names) = (several.len(), list(notices, several));
            format!("{count} files are not in a known language ({ends}); they are ignored: {names}")
        }
    };
    notices.warn_help(Code::UnknownLanguage.says(message), LANGUAGES_HELP);
}

/// The first of some paths, and the number of the others.
pub(super) fn list(notices: &Notices, paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths.iter().map(|path| notices.show(path)).collect();
    few(&shown)
}
