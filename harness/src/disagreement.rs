//! Accepted solutions that disagree: on one case, the answer accepts the output of one and rejects that of another.
//!
//! Either a solution is wrong, or the problem has more than one answer and needs an output validator. Outputs do not show
//! which. Only packages promise accepted solutions; in other folders, a solution may be an attempt.

use std::collections::{BTreeMap, HashMap};

use crate::checker_spec::CheckerSpec;
use crate::event::{CaseResult, Event};
use crate::expectation::VerdictFolder;
use crate::notice::{Code, Notice};
use crate::problem::{Problem, TestCase};
use crate::submission::Submission;
use crate::verdict::Verdict;

/// Collects the results of solutions that must be accepted.
#[derive(Debug, Default)]
pub(crate) struct Disagreements<'a> {
    /// The solutions that must be accepted, of problems with several of them, by name.
    claims: HashMap<&'a str, &'a Problem>,
    /// By problem and case.
    cases: HashMap<(&'a str, String), DisagreeingPair<'a>>,
    /// Of each problem, the cases with solutions on both sides, in the order of the run.
    found: BTreeMap<&'a str, Vec<String>>,
}

/// The first solution that passed a case, and the first one whose output was rejected.
#[derive(Debug, Default)]
struct DisagreeingPair<'a> {
    accepted: Option<&'a str>,
    rejected: Option<&'a str>,
}

/// Whether a folder called `accepted` promises that the solution is accepted.
pub(crate) fn is_promised(submission: &Submission) -> bool {
    let mut folders = submission.path.components().rev().skip(1);
    folders.any(|folder| {
        let name = folder.as_os_str().to_str().unwrap_or_default();
        VerdictFolder::of_any_name(name) == Some(VerdictFolder::Accepted)
    })
}

impl<'a> Disagreements<'a> {
    /// A collector for these submissions with their problems.
    pub(crate) fn new(entries: impl IntoIterator<Item = (&'a Submission, &'a Problem)>) -> Self {
        let mut by_problem: BTreeMap<&str, Vec<(&'a str, &'a Problem)>> = BTreeMap::new();
        for (submission, problem) in entries {
            if problem.is_package && submission.expected.is_all_accepted() {
                let claims = by_problem.entry(&problem.id).or_default();
                claims.push((&submission.name, problem));
            }
        }
        by_problem.retain(|_, claims| claims.len() > 1);
        Self { claims: by_problem.into_values().flatten().collect(), ..Self::default() }
    }

    /// Records one event.
    pub(crate) fn hear(&mut self, event: &Event<'_>) {
        if let Event::Case(result) = event {
            self.case(result);
        }
    }

    fn case(&mut self, result: &CaseResult) {
        let Some((&name, &problem)) = self.claims.get_key_value(result.submission.as_str()) else {
            return;
        };
        let is_compared = |case: &TestCase| {
            let spec = case.checker().unwrap_or(&problem.checker);
            let has_answer = !problem.is_interactive() && !problem.kind.multi_pass;
            has_answer
                && matches!(
                    spec,
                    CheckerSpec::Exact | CheckerSpec::Tokens(_) | CheckerSpec::Lines(_)
                )
        };
        let is_rejected = match result.verdict {
            Verdict::Accepted => false,
            Verdict::WrongAnswer => {
                let mut cases = problem.cases.iter();
                let case = cases.find(|case| case.name() == result.case);
                if !case.is_some_and(is_compared) {
                    return;
                }
                true
            }
            _ => return,
        };
        let key = (problem.id.as_str(), result.case.clone());
        let pair = self.cases.entry(key).or_default();
        let side = if is_rejected { &mut pair.rejected } else { &mut pair.accepted };
        side.get_or_insert(name);
        if pair.accepted.is_some() && pair.rejected.is_some() {
            let cases = self.found.entry(&problem.id).or_default();
            if !cases.contains(&result.case) {
                cases.push(result.case.clone());
            }
        }
    }

    /// A notice for each problem whose accepted solutions disagree.
    pub(crate) fn notices(&self) -> Vec<Notice> {
        let notice = |(problem, cases): (&&'a str, &Vec<String>)| {
            let first = cases.first()?;
            let pair = self.cases.get(&(*problem, first.clone()))?;
            let others = match cases.len() - 1 {
                0 => String::new(),
                1 => " and of one other case".to_owned(),
                more => format!(" and of {more} other cases"),
            };
            let says = format!(
                "`{}` and `{}` must both be accepted, but the answer of `{first}`{others} accepts only one of them",
                pair.accepted?, pair.rejected?
            );
            let help = "if both outputs are right, the problem has more than one answer: add an output validator; otherwise \
                        correct the wrong solution or the answer";
            Some(Code::Conflict.says(says).help(help))
        };
        self.found.iter().filter_map(notice).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    #[test]
    fn only_solutions_that_must_be_accepted_can_disagree() {
        use Verdict::{Accepted as AC, TimeLimit as TLE, WrongAnswer as WA};
        let folder = |name| Expectation::of_folder(name).unwrap();
        let submissions = [
            specimen::submission("a", Expectation::accepted()),
            specimen::submission("b", Expectation::accepted()),
            specimen::submission("c", folder("wrong_answer")),
        ];
        let mut problem = specimen::problem(3);
        let cases: Vec<String> = problem.cases.iter().map(|one| one.name().to_owned()).collect();
        let notices = |problem: &Problem, results: &[(&str, usize, Verdict)]| -> Vec<String> {
            let entries = submissions.iter().map(|one| (one, problem));
            let mut found = Disagreements::new(entries);
            for (submission, case, verdict) in results {
                let result = CaseResult {
                    submission: (*submission).to_owned(),
                    ..specimen::result(&cases[*case], *verdict)
                };
                found.hear(&Event::Case(&result));
            }
            let notices = found.notices().into_iter();
            notices.map(|notice| notice.message).collect()
        };
        problem.is_package = true;
        let quiet: [&[(&str, usize, Verdict)]; 4] = [
            &[("a", 0, AC), ("b", 0, AC)],
            &[("a", 0, WA), ("b", 0, WA)],
            &[("a", 0, AC), ("c", 0, WA)],
            &[("a", 0, AC), ("b", 0, TLE), ("b", 1, WA)],
        ];
        for results in quiet {
            assert_eq!(notices(&problem, results), [""; 0], "{results:?}");
        }
        let found = [("a", 0, WA), ("a", 1, AC), ("b", 0, AC), ("b", 1, WA)];
        let message = format!(
            "`b` and `a` must both be accepted, but the answer of `{}` and of one other case accepts only one of them",
            cases[0]
        );
        assert_eq!(notices(&problem, &found), [message]);
        problem.is_package = false;
        assert_eq!(notices(&problem, &found), [""; 0]);
    }
}
