//! Sample problems, submissions and results for the unit tests.

use std::sync::Arc;

use crate::event::{Build, CaseResult, Origin, Outline, SubmissionReport};
use crate::limits::{LimitOverrides, effective_limits};
use crate::problem::default_output::OF_PACKAGE;
use crate::problem::{CaseSet, DefaultOutput, Problem, ProblemLimits, TestCase};
use crate::sandbox::{Facts, Limits};
use crate::submission::{Expectation, FileNames, Submission};
use crate::verdict::Verdict;

/// The default limits.
pub(crate) fn limits() -> Limits {
    effective_limits(&ProblemLimits::default(), OF_PACKAGE, &LimitOverrides::default())
}

/// Cases `0.in` to `N.in` with their answers, in a folder that does not exist.
fn cases(count: usize) -> Vec<TestCase> {
    let set = Arc::new(CaseSet {
        root: "data".into(),
        input: ".in",
        answer: Some(".ans"),
        ..CaseSet::default()
    });
    let case = |index: usize| TestCase::new(index.to_string(), Arc::clone(&set));
    (0..count).map(case).collect()
}

/// Problem `p` with `count` cases.
pub(crate) fn problem(count: usize) -> Problem {
    Problem {
        is_package: true,
        default_output: DefaultOutput::of_layout(OF_PACKAGE),
        cases: cases(count),
        ..Problem::bare(std::path::Path::new("p"))
    }
}

/// A submission in Rust for problem `p`.
pub(crate) fn submission(name: &str, expected: Expectation) -> Submission {
    Submission {
        path: name.into(),
        name: name.into(),
        problem: "p".into(),
        language: "rust".into(),
        entrypoint: None,
        expected,
        files: FileNames::default(),
    }
}

/// The result of `p.rs` on a case; only an accepted one is permitted.
pub(crate) fn result(case: &str, verdict: Verdict) -> CaseResult {
    let submission = submission("solutions/p/p.rs", Expectation::accepted());
    CaseResult {
        permitted: verdict == Verdict::Accepted,
        reason: None,
        ..CaseResult::without_run(&submission, case, verdict, String::new())
    }
}

/// The report of a submission that is expected to be accepted.
pub(crate) fn report(name: &str, verdict: Verdict) -> SubmissionReport {
    let met = verdict == Verdict::Accepted;
    SubmissionReport {
        submission: name.to_owned(),
        problem: String::from("p"),
        language: String::from("rust"),
        expected: String::from("accepted"),
        must_fail: false,
        verdict,
        met,
        complaint: (!met).then(|| format!("got {verdict}, expected AC")),
        not_judged: None,
        score: None,
        cases: 2,
        run: 2,
        accepted: if met { 2 } else { 1 },
        slowest: None,
        peak_memory: rejudge_quantity::Bytes::mib(3),
        limits: limits(),
        build: Build::default(),
        failures: Vec::new(),
        failed: 0,
    }
}

/// A run of `count` submissions with one case each, without a sandbox.
pub(crate) fn outline(count: usize) -> Outline {
    Outline {
        submissions: count,
        cases: count,
        jobs: 1,
        sandbox: Facts::none(),
        origin: Origin::here(Vec::new()),
        shard: None,
    }
}
