//! Submissions, grouped by their problems.

use std::collections::HashMap;

use super::Submission;

/// The submissions of each problem. A loop over problems that reads all submissions for each of them takes quadratic time.
#[derive(Debug)]
pub struct SubmissionsByProblem<'a>(HashMap<&'a str, Vec<&'a Submission>>);

impl<'a> SubmissionsByProblem<'a> {
    /// Groups these submissions. Within a problem they keep their order.
    pub fn of(all: &'a [Submission]) -> Self {
        let mut groups: HashMap<&str, Vec<&Submission>> = HashMap::new();
        for one in all {
            groups.entry(&one.problem).or_default().push(one);
        }
        Self(groups)
    }

    /// The submissions of the problem with this id.
    pub fn of_problem(&self, id: &str) -> &[&'a Submission] {
        self.0.get(id).map_or(&[], Vec::as_slice)
    }

    /// Copies of the submissions of the problem with this id.
    pub fn copied(&self, id: &str) -> Vec<Submission> {
        let own = self.of_problem(id).iter();
        own.map(|one| (*one).clone()).collect()
    }
}
