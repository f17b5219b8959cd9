//! The cases that failed last time, kept in the cache for each repository: for `--failed` and `--watch`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::project::Selected;
use crate::cache::{Cache, Part};
use crate::event::{CaseResult, Event, SubmissionReport};
use crate::problem::{Problem, ProblemsById};
use crate::sequence::SubmissionEntry;
use crate::submission::Submission;
use crate::verdict::Verdict;

/// What failed, for each submission by its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Failures(BTreeMap<String, Failed>);

/// What failed of a submission.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
struct Failed {
    /// The cases whose verdicts its expectation does not permit.
    cases: BTreeSet<String>,
    /// It failed as a whole: it does not compile, or no case failed that must fail.
    whole: bool,
}

impl Failures {
    /// What failed last time in the repository or folder `root`.
    pub(crate) fn of(cache: &Cache, root: &Path) -> Self {
        cache.answer(Part::Failures, &key(root)).unwrap_or_default()
    }

    /// Stores what failed in `root`.
    pub(crate) fn keep(&self, cache: &Cache, root: &Path) {
        cache.keep_answer(Part::Failures, &key(root), self);
    }

    /// Notes a result. What was not judged stays as it was.
    pub(crate) fn note(&mut self, event: &Event<'_>) {
        match event {
            Event::Case(result) => self.note_case(result),
            Event::Submission(report) => self.note_submission(report),
            _ => {}
        }
    }

    fn note_case(&mut self, result: &CaseResult) {
        if result.verdict == Verdict::Skipped {
            return;
        }
        if !result.permitted {
            let failed = self.0.entry(result.submission.clone()).or_default();
            failed.cases.insert(result.case.clone());
        } else if let Some(failed) = self.0.get_mut(&result.submission) {
            failed.cases.remove(&result.case);
        }
    }

    fn note_submission(&mut self, report: &SubmissionReport) {
        let failed = self.0.entry(report.submission.clone()).or_default();
        failed.whole = !report.met && report.failed == 0;
        if !failed.whole && failed.cases.is_empty() {
            self.0.remove(&report.submission);
        }
    }

    /// Keeps only the submissions that failed, and of their problems only the cases that did.
    pub(crate) fn retain(&self, selected: &mut Selected) -> Narrowed {
        let by_id = ProblemsById::of(&selected.problems);
        selected.submissions.retain(|submission| {
            let failed = self.0.get(&submission.name);
            let problem = problem_of(submission, &by_id);
            failed.is_some_and(|failed| failed.whole || failed.any_of(problem))
        });
        self.problems_with(selected, |failed, problem| {
            if !failed.whole {
                problem.retain_cases(|case| failed.cases.contains(case.name()));
            }
        })
    }

    /// Puts the cases that failed first, if the order decides nothing.
    pub(crate) fn first(&self, selected: &mut Selected) -> Narrowed {
        self.problems_with(selected, |failed, problem| {
            if problem.scoring.is_none() {
                problem.cases.sort_by_key(|case| !failed.cases.contains(case.name()));
            }
        })
    }

    fn problems_with(
        &self,
        selected: &mut Selected,
        change: impl Fn(&Failed, &mut Problem),
    ) -> Narrowed {
        let by_id = ProblemsById::of(&selected.problems);
        let mut narrowed = BTreeMap::new();
        for submission in &mut selected.submissions {
            let Some(failed) = self.0.get(&submission.name) else {
                continue;
            };
            let whole = problem_of(submission, &by_id);
            let mut problem = whole.clone();
            change(failed, &mut problem);
            if problem.cases.len() < whole.cases.len() {
                // It need not fail on a part of the cases.
                submission.expected.waive();
            }
            narrowed.insert(submission.name.clone(), problem);
        }
        Narrowed(narrowed)
    }
}

impl Failed {
    fn any_of(&self, problem: &Problem) -> bool {
        let mut cases = problem.cases.iter();
        cases.any(|case| self.cases.contains(case.name()))
    }
}

/// Problems that are different for some submissions.
#[derive(Debug, Default)]
pub(crate) struct Narrowed(BTreeMap<String, Problem>);

impl Narrowed {
    /// Each submission with its problem.
    pub(crate) fn entries<'a>(&'a self, selected: &'a Selected) -> Vec<SubmissionEntry<'a>> {
        let by_id = ProblemsById::of(&selected.problems);
        let entry = |submission: &'a Submission| {
            let own = self.0.get(&submission.name);
            let common = || problem_of(submission, &by_id);
            (submission, own.unwrap_or_else(common))
        };
        selected.submissions.iter().map(entry).collect()
    }

    /// Takes over the limits of the selected problems, which are known only later.
    pub(crate) fn settle(&mut self, selected: &Selected) {
        let by_id = ProblemsById::of(&selected.problems);
        for problem in self.0.values_mut() {
            if let Some(common) = by_id.get(&problem.id) {
                problem.limits = common.limits;
            }
        }
    }
}

fn problem_of<'a>(submission: &Submission, by_id: &ProblemsById<'a>) -> &'a Problem {
    let found = by_id.get(&submission.problem);
    found.expect("discovery joins them by id")
}

fn key(root: &Path) -> String {
    let hash = blake3::hash(root.as_os_str().as_encoded_bytes());
    hash.to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    fn noted(failures: &mut Failures, case: &str, verdict: Verdict) {
        failures.note(&Event::Case(&specimen::result(case, verdict)));
    }

    #[test]
    fn a_case_is_kept_until_it_passes() {
        let mut failures = Failures::default();
        noted(&mut failures, "0", Verdict::WrongAnswer);
        noted(&mut failures, "1", Verdict::Accepted);
        noted(&mut failures, "2", Verdict::TimeLimit);
        noted(&mut failures, "2", Verdict::Skipped);
        let mut selected = Selected {
            problems: vec![specimen::problem(4)],
            submissions: ["solutions/p/p.rs", "solutions/p/q.rs"]
                .map(|name| specimen::submission(name, Expectation::accepted()))
                .into(),
            faulty: false,
        };
        let first = failures.first(&mut selected);
        let names = |narrowed: &Narrowed, selected: &Selected| -> Vec<String> {
            let (_, problem) = narrowed.entries(selected)[0];
            let names = problem.cases.iter().map(|case| case.name().to_owned());
            names.collect()
        };
        assert_eq!(names(&first, &selected), ["0", "2", "1", "3"]);
        let narrowed = failures.retain(&mut selected);
        assert_eq!(selected.submissions.len(), 1);
        assert_eq!(names(&narrowed, &selected), ["0", "2"]);
        for case in ["0", "2"] {
            noted(&mut failures, case, Verdict::Accepted);
        }
        let report = specimen::report("solutions/p/p.rs", Verdict::Accepted);
        failures.note(&Event::Submission(&report));
        assert_eq!(failures, Failures::default());
    }

    #[test]
    fn a_submission_that_does_not_compile_failed_as_a_whole() {
        let mut failures = Failures::default();
        let report = specimen::report("solutions/p/p.rs", Verdict::CompileError);
        failures.note(&Event::Submission(&report));
        let mut selected = Selected {
            problems: vec![specimen::problem(2)],
            submissions: vec![specimen::submission("solutions/p/p.rs", Expectation::accepted())],
            faulty: false,
        };
        let narrowed = failures.retain(&mut selected);
        assert_eq!(narrowed.entries(&selected)[0].1.cases.len(), 2);
    }
}
