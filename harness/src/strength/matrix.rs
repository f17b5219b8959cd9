//! What each submission of a problem got on each case, collected from the events of a run.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::event::{CaseResult, Event, SubmissionReport};
use crate::killing::Sight;
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
    pub(crate) fn sight(&self, case: usize) -> Sight {
        let outcome = self.outcomes.get(case).copied().flatten();
        outcome.map_or(Sight::Unknown, |outcome| Sight::of(outcome.verdict))
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
    pub(crate) fn sights(&self) -> Vec<Vec<Sight>> {
        let cases = self.cases.len();
        let rows = self.wrong();
        rows.map(|one| (0..cases).map(|case| one.sight(case)).collect()).collect()
    }
}

/// Collects the results of a run, of one or several problems.
#[derive(Debug, Default)]
pub(crate) struct MatrixCollector {
    problems: Vec<ResultMatrix>,
    places: BTreeMap<String, CasePlaces>,
    /// The results of the submission whose cases are coming, with the names of the cases.
    open: Vec<(String, Option<CaseOutcome>)>,
    /// Names of submissions that could not be judged, with the reasons.
    pub(crate) not_judged: Vec<(String, String)>,
}

/// The indices of a problem and of its cases.
#[derive(Debug, Default)]
struct CasePlaces {
    problem: usize,
    cases: BTreeMap<String, usize>,
}

impl MatrixCollector {
    /// Records one event.
    pub(crate) fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Case(result) => self.open.push((result.case.clone(), outcome(result))),
            Event::Submission(report) => self.submission(report),
            _ => {}
        }
    }

    /// Adds a problem whose cases are known, so that they keep their order even if some are not run.
    pub(crate) fn expect(&mut self, problem: &str, cases: impl Iterator<Item = String>) {
        let place = self.problem(problem);
        for case in cases {
            self.case(place, problem, &case);
        }
    }

    /// The matrices of all problems.
    pub(crate) fn finish(self) -> Vec<ResultMatrix> {
        let mut problems = self.problems;
        for problem in &mut problems {
            let cases = problem.cases.len();
            for submission in &mut problem.submissions {
                submission.outcomes.resize(cases, None);
            }
        }
        problems
    }

    fn problem(&mut self, id: &str) -> usize {
        if let Some(known) = self.places.get(id) {
            return known.problem;
        }
        let problem = self.problems.len();
        self.problems.push(ResultMatrix { problem: id.to_owned(), ..ResultMatrix::default() });
        let cases = BTreeMap::new();
        self.places.insert(id.to_owned(), CasePlaces { problem, cases });
        problem
    }

    fn case(&mut self, problem: usize, id: &str, name: &str) -> usize {
        let cases = &mut self.places.entry(id.to_owned()).or_default().cases;
        if let Some(known) = cases.get(name) {
            return *known;
        }
        let names = &mut self.problems[problem].cases;
        names.push(name.to_owned());
        cases.insert(name.to_owned(), names.len() - 1);
        names.len() - 1
    }

    fn submission(&mut self, report: &SubmissionReport) {
        let results = std::mem::take(&mut self.open);
        let problem = self.problem(&report.problem);
        if let Some(why) = report.why_not_run() {
            let why = why.lines().next().unwrap_or_default().to_owned();
            let is_expected = report.verdict == Verdict::CompileError && report.met;
            if !is_expected {
                self.not_judged.push((report.submission.clone(), why));
            }
        }
        let mut outcomes = Vec::new();
        for (name, outcome) in results {
            let case = self.case(problem, &report.problem, &name);
            if outcomes.len() <= case {
                outcomes.resize(case + 1, None);
            }
            outcomes[case] = outcome;
        }
        self.problems[problem].submissions.push(JudgedSubmission {
            name: report.submission.clone(),
            verdict: report.verdict,
            must_fail: report.must_fail,
            cpu_limit: report.limits.cpu_time,
            outcomes,
        });
    }
}

fn outcome(result: &CaseResult) -> Option<CaseOutcome> {
    (result.verdict != Verdict::Skipped).then(|| CaseOutcome {
        verdict: result.verdict,
        cpu: result.usage.cpu(),
        is_stopped: matches!(result.exit, Some(Exit::Killed(_))),
    })
}
