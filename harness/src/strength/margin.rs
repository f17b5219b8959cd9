//! Finds the wrong submissions that are caught only because they are a little too slow.

use super::matrix::{CaseOutcome, JudgedSubmission, ResultMatrix};
use crate::event::Event;
use crate::fail_fast::FailFast;
use crate::judge::{self, Options, Tools};
use crate::killing::Catch;
use crate::limits::LimitOverrides;
use crate::problem::Problem;
use crate::sandbox::SandboxError;
use crate::submission::Submission;
use crate::verdict::Verdict;

/// A catch counts as close to the limit if this many times the limit would be enough.
pub(crate) const MARGIN: f64 = 1.2;

/// A wrong submission that is caught only by time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CloseCatch {
    pub(crate) submission: String,
    /// The cases that catch it.
    pub(crate) cases: Vec<String>,
    /// Whether it is known that none of them catches it with [`MARGIN`] times the limit. Otherwise it was stopped, and
    /// nobody knows how long it would have taken.
    pub(crate) is_certain: bool,
}

/// The submissions that only time catches, as far as the results tell.
pub(crate) fn close_catches(matrix: &ResultMatrix) -> Vec<CloseCatch> {
    let close = matrix.wrong().filter_map(|one| {
        let catching = catching(one);
        let by_time = |(_, outcome): &(usize, CaseOutcome)| {
            outcome.verdict == Verdict::TimeLimit && outcome.cpu < one.cpu_limit.mul_f64(MARGIN)
        };
        (!catching.is_empty() && catching.iter().all(by_time)).then(|| CloseCatch {
            submission: one.name.clone(),
            cases: catching.iter().map(|(case, _)| matrix.cases[*case].clone()).collect(),
            is_certain: !catching.iter().any(|(_, outcome)| outcome.is_stopped),
        })
    });
    close.collect()
}

fn catching(submission: &JudgedSubmission) -> Vec<(usize, CaseOutcome)> {
    let outcomes = submission.outcomes.iter().enumerate();
    outcomes
        .filter(|(case, _)| submission.catch(*case) == Catch::Caught)
        .filter_map(|(case, outcome)| Some((case, (*outcome)?)))
        .collect()
}

/// Runs the submissions that were stopped again with [`MARGIN`] times the limit, so that every result is certain.
pub(crate) fn decide_by_runs(
    close: Vec<CloseCatch>,
    problem: &Problem,
    submissions: &[Submission],
    tools: Tools<'_>,
    options: &Options,
) -> Result<Vec<CloseCatch>, SandboxError> {
    let mut decided = Vec::new();
    for catch in close {
        let named = |one: &&Submission| one.name == catch.submission;
        let found = submissions.iter().find(named);
        let (false, Some(submission)) = (catch.is_certain, found) else {
            decided.push(catch);
            continue;
        };
        if !is_late(submission, &catch, problem, tools, options)? {
            decided.push(CloseCatch { is_certain: true, ..catch });
        }
    }
    Ok(decided)
}

/// Whether the submission is still caught by one of these cases if it gets more time.
fn is_late(
    submission: &Submission,
    catch: &CloseCatch,
    problem: &Problem,
    tools: Tools<'_>,
    options: &Options,
) -> Result<bool, SandboxError> {
    let mut problem = problem.clone();
    let is_catching = |name: &str| catch.cases.iter().any(|case| case == name);
    problem.retain_cases(|case| is_catching(case.name()));
    let mut submission = submission.clone();
    submission.expected.waive();
    let factor = options.limits.time_factor.unwrap_or(1.0) * MARGIN;
    let options = Options {
        fail_fast: FailFast::Case,
        limits: LimitOverrides { time_factor: Some(factor), ..options.limits },
        ..options.clone()
    };
    let mut is_late = false;
    let entries = [(&submission, &problem)];
    let summary = judge::judge_entries(&entries, tools, &options, &mut |event| {
        if let Event::Case(result) = event {
            is_late |= Catch::of(result.verdict) == Catch::Caught;
        }
    })?;
    if summary.interrupted {
        return Err(SandboxError::Interrupted);
    }
    Ok(is_late)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// Verdict, milliseconds of a limit of 1000, whether the program was stopped.
    fn close(outcomes: &[(Verdict, u64, bool)]) -> Vec<CloseCatch> {
        let outcomes = outcomes.iter().map(|(verdict, ms, is_stopped)| {
            Some(CaseOutcome {
                verdict: *verdict,
                cpu: Duration::from_millis(*ms),
                is_stopped: *is_stopped,
            })
        });
        let outcomes: Vec<_> = outcomes.collect();
        let matrix = ResultMatrix {
            problem: String::new(),
            cases: (0..outcomes.len()).map(|case| case.to_string()).collect(),
            submissions: vec![JudgedSubmission {
                name: "slow".to_owned(),
                verdict: Verdict::TimeLimit,
                must_fail: true,
                cpu_limit: Duration::from_secs(1),
                outcomes,
            }],
        };
        close_catches(&matrix)
    }

    #[test]
    fn a_submission_is_close_if_only_time_below_the_margin_catches_it() {
        const AC: Verdict = Verdict::Accepted;
        const TLE: Verdict = Verdict::TimeLimit;
        let found = close(&[(AC, 10, false), (TLE, 1100, false)]);
        assert_eq!(found[0].cases, ["1"]);
        assert!(found[0].is_certain);
        let found = close(&[(TLE, 1000, true), (TLE, 1100, false)]);
        assert!(!found[0].is_certain, "the first was stopped");
        assert_eq!(close(&[(TLE, 1100, false), (TLE, 1500, true)]), []);
        assert_eq!(close(&[(TLE, 1100, false), (Verdict::WrongAnswer, 10, false)]), []);
        assert_eq!(close(&[(AC, 900, false)]), []);
    }
}
