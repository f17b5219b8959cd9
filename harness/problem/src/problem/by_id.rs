//! Problems by their ids.

use std::collections::HashMap;

use super::Problem;

/// Finds the problem of a submission. A loop over submissions that reads all problems for each of them takes quadratic time.
#[derive(Debug)]
pub struct ProblemsById<'a>(HashMap<&'a str, &'a Problem>);

impl<'a> ProblemsById<'a> {
    /// The problems by their ids, which discovery makes unique.
    pub fn of(problems: &'a [Problem]) -> Self {
        let entries = problems.iter();
        Self(entries.map(|one| (one.id.as_str(), one)).collect())
    }

    /// The problem with this id, if there is one.
    pub fn get(&self, id: &str) -> Option<&'a Problem> {
        self.0.get(id).copied()
    }
}
