//! Everything that is known about the strength of a problem's cases.

use super::bounds::BoundsReview;
use super::margin::CloseCatch;
use super::matrix::{JudgedSubmission, ResultMatrix};
use super::mutant_review::MutantReview;
use super::order::{CaseOrder, fastest};
use crate::killing::{Catch, Killing, killing};
use crate::verify::CatchCounts;

/// The strength of the cases of one problem.
#[derive(Debug)]
pub(crate) struct StrengthReview {
    pub(crate) matrix: ResultMatrix,
    /// About the wrong submissions, in the order of [`ResultMatrix::wrong`].
    pub(crate) killing: Killing,
    pub(crate) order: CaseOrder,
    pub(crate) close: Vec<CloseCatch>,
    /// `None`: no mutants were asked for.
    pub(crate) mutants: Option<MutantReview>,
    /// `None`: no input validator told them.
    pub(crate) bounds: Option<BoundsReview>,
}

impl StrengthReview {
    /// Evaluates the results.
    pub(crate) fn of(matrix: ResultMatrix, close: Vec<CloseCatch>) -> Self {
        Self {
            killing: killing(&matrix.catches()),
            order: fastest(&matrix),
            close,
            mutants: None,
            bounds: None,
            matrix,
        }
    }

    /// How many wrong submissions are caught.
    pub(crate) fn counts(&self) -> CatchCounts {
        let catches = self.matrix.catches();
        let caught = catches.iter().filter(|row| row.contains(&Catch::Caught));
        CatchCounts {
            wrong: catches.len(),
            caught: caught.count(),
            uncaught: self.killing.uncaught.len(),
            minimal: self.killing.minimal.len(),
            cases: self.matrix.cases.len(),
        }
    }

    /// The names of the cases that catch a submission.
    pub(crate) fn catching(&self, submission: &JudgedSubmission) -> Vec<&str> {
        self.cases_with(submission, Catch::Caught)
    }

    /// The names of the cases on which a submission was not run, or not judged.
    pub(crate) fn unknown(&self, submission: &JudgedSubmission) -> Vec<&str> {
        self.cases_with(submission, Catch::Unknown)
    }

    /// The names of these cases.
    pub(crate) fn names(&self, cases: &[usize]) -> Vec<&str> {
        cases.iter().map(|case| self.matrix.cases[*case].as_str()).collect()
    }

    /// The wrong submissions that no case catches.
    pub(crate) fn uncaught(&self) -> impl Iterator<Item = &JudgedSubmission> {
        let wrong = self.matrix.wrong().enumerate();
        wrong
            .filter(|(index, _)| self.killing.uncaught.contains(index))
            .map(|(_, submission)| submission)
    }

    /// The cases that catch no wrong submission, although each was run on it.
    pub(crate) fn idle(&self) -> Vec<usize> {
        let catches = self.matrix.catches();
        let misses = |case: &usize| catches.iter().all(|row| row[*case] == Catch::Missed);
        let cases = 0..self.matrix.cases.len();
        cases.filter(|case| !catches.is_empty() && misses(case)).collect()
    }

    fn cases_with(&self, submission: &JudgedSubmission, catch: Catch) -> Vec<&str> {
        let cases = self.matrix.cases.iter().enumerate();
        cases
            .filter(|(case, _)| submission.catch(*case) == catch)
            .map(|(_, name)| name.as_str())
            .collect()
    }
}
