//! What each submission of a problem got on each case, collected from the events of a run.

use std::time::Duration;

use crate::event::{CaseResult, Event, SubmissionReport};
use crate::killing::Catch;
use crate::report::matrix::RunMatrix;
use crate::sandbox::Exit;
use crate::verdict::Verdict;

/// The result of a submission on a case.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CaseOutcome {
    pub(crate) verdict: Verdict,
    pub(crate) cpu: Duration,
    /// Whether the program was stopped by a limit, so that it would have taken longer than `cpu`.
    pub(crate) is_stopped: bool,
}

/// A submission and its results.
#[derive(Debug)]
pub(crate) struct JudgedSubmission {
    pub(crate) name: String,
    pub(crate) verdict: Verdict,
    /// Whether it must be rejected.
    pub(crate) must_fail: bool,
    pub(crate) cpu_limit: Duration,
    /// A result for each case of the problem; `None`: the case was not run.
    pub(crate) outcomes: Vec<Option<CaseOutcome>>,
}

impl JudgedSubmission {
    /// What the case with this index shows about it.
    pub(crate) fn catch(&self, case: usize) -> Catch {
        let outcome = self.outcomes.get(case).copied().flatten();
        outcome.map_or(Catch::Unknown, |outcome| Catch::of(outcome.verdict))
    }

    /// Whether every case that was run accepts it, and at least one was.
    pub(crate) fn is_accepted(&self) -> bool {
        let mut run = self.outcomes.iter().flatten().peekable();
        run.peek().is_some() && run.all(|outcome| outcome.verdict == Verdict::Accepted)
    }

    /// The CPU time of its slowest case.
    pub(crate) fn slowest(&self) -> Duration {
        let run = self.outcomes.iter().flatten();
        run.map(|outcome| outcome.cpu).max().unwrap_or_default()
    }
}

/// The results of all submissions of a problem.
#[derive(Debug, Default)]
pub(crate) struct ResultMatrix {
    pub(crate) problem: String,
    /// The names of the cases, in the order in which they are judged.
    pub(crate) cases: Vec<String>,
    pub(crate) submissions: Vec<JudgedSubmission>,
}

impl ResultMatrix {
    /// The submissions that must be rejected and that could be run.
    pub(crate) fn wrong(&self) -> impl Iterator<Item = &JudgedSubmission> {
        self.submissions
            .iter()
            .filter(|one| one.must_fail && one.outcomes.iter().any(Option::is_some))
    }

    /// What each case shows about each wrong submission.
    pub(crate) fn catches(&self) -> Vec<Vec<Catch>> {
        let cases = self.cases.len();
        let rows = self.wrong();
        rows.map(|one| (0..cases).map(|case| one.catch(case)).collect()).collect()
    }
}

/// Collects the results of a run, of one or several problems.
#[derive(Debug, Default)]
pub(crate) struct MatrixCollector {
    matrix: RunMatrix<CaseOutcome>,
    /// Names of submissions that could not be judged, with the reasons.
    pub(crate) not_judged: Vec<(String, String)>,
}

impl MatrixCollector {
    /// Records one event.
    pub(crate) fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Case(result) => self.matrix.case(result, |_| outcome(result)),
            Event::Submission(report) => self.submission(report),
            _ => {}
        }
    }

    /// Adds a problem whose cases are known, so that they keep their order even if some are not run.
    pub(crate) fn expect(&mut self, problem: &str, cases: impl Iterator<Item = String>) {
        self.matrix.expect(problem, cases);
    }

    /// The matrices of all problems.
    pub(crate) fn finish(&self) -> Vec<ResultMatrix> {
        let matrices = self.matrix.matrices().map(|(problem, rows)| {
            let cases: Vec<String> = problem.cases.iter().map(|case| case.name.clone()).collect();
            let submissions = rows.map(|row| JudgedSubmission {
                name: row.report.submission.clone(),
                verdict: row.report.verdict,
                must_fail: row.report.must_fail,
                cpu_limit: row.report.limits.cpu_time,
                outcomes: (0..cases.len()).map(|case| row.cell(case)).collect(),
            });
            let submissions = submissions.collect();
            ResultMatrix { problem: problem.id.clone(), cases, submissions }
        });
        matrices.collect()
    }

    fn submission(&mut self, report: &SubmissionReport) {
        self.matrix.submission(report);
        if let Some(why) = report.why_not_run() {
            let why = why.lines().next().unwrap_or_default().to_owned();
            let is_expected = report.verdict == Verdict::CompileError && report.met;
            if !is_expected {
                self.not_judged.push((report.submission.clone(), why));
            }
        }
    }
}

fn outcome(result: &CaseResult) -> Option<CaseOutcome> {
    (result.verdict != Verdict::Skipped).then(|| CaseOutcome {
        verdict: result.verdict,
        cpu: result.usage.cpu(),
        is_stopped: matches!(result.exit, Some(Exit::Killed(_))),
    })
}
