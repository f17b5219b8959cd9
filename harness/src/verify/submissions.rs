//! Compares submissions with their expectations, also under other time limits.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use super::{Finding, FindingSubject};
use crate::event::{CaseResult, Event, SubmissionReport};
use crate::fail_fast::FailFast;
use crate::judge::{self, Options, Tools};
use crate::limits::LimitOverrides;
use crate::notice::Code;
use crate::problem::Problem;
use crate::sandbox::SandboxError;
use crate::submission::Submission;
use crate::verdict::Verdict;

/// The case results of one submission that depend on the time limit.
#[derive(Debug, Default)]
struct Times {
    /// The largest CPU time among the cases within the time limit.
    slowest: Duration,
    /// The names of the cases above the time limit.
    over: Vec<String>,
}

/// Collects events from the judge.
#[derive(Debug, Default)]
pub(crate) struct JudgingListener {
    times: HashMap<String, Times>,
    reports: Vec<SubmissionReport>,
}

impl JudgingListener {
    /// Records one event.
    pub(crate) fn hear(&mut self, event: &Event<'_>) {
        match event {
            Event::Case(result) => self.case(result),
            Event::Submission(report) => self.reports.push((*report).clone()),
            _ => {}
        }
    }

    fn case(&mut self, result: &CaseResult) {
        let times = self.times.entry(result.submission.clone()).or_default();
        if result.verdict == Verdict::TimeLimit {
            times.over.push(result.case.clone());
        } else {
            times.slowest = times.slowest.max(result.usage.cpu());
        }
    }
}

/// How many submissions are as expected.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SubmissionCounts {
    pub(crate) submissions: usize,
    pub(crate) met: usize,
    /// Whether some could not be judged at all.
    pub(crate) not_judged: bool,
}

/// Converts the collected results into findings.
pub(crate) fn findings(
    listener: &JudgingListener,
    submissions: &[Submission],
    found: &mut Vec<Finding>,
) -> SubmissionCounts {
    let mut looked = SubmissionCounts::default();
    for report in &listener.reports {
        let path = submissions
            .iter()
            .find(|submission| submission.name == report.submission)
            .map_or(Path::new(&report.submission), |submission| &submission.path);
        looked.submissions += 1;
        if let Some(why) = &report.not_judged {
            looked.not_judged = true;
            let message = format!("cannot be judged: {}", why.message);
            let finding = Finding {
                help: why.help.clone(),
                ..Finding::error(FindingSubject::Submission, Code::NotJudged, message)
            };
            found.push(finding.at(path));
        } else if report.met {
            looked.met += 1;
        } else {
            found.push(unexpected(report).at(path));
        }
    }
    looked
}

fn unexpected(report: &SubmissionReport) -> Finding {
    let why = report.complaint.as_deref().unwrap_or("not as expected");
    let mut message = format!("{} instead of {}: {why}", report.verdict, report.expected);
    if let Some(failure) = report.failures.first() {
        let reason = failure.reason.as_deref().unwrap_or_default();
        let _ = write!(message, "\n  {}: {} {reason}", failure.case, failure.verdict);
    }
    Finding::error(FindingSubject::Submission, Code::UnexpectedVerdict, message)
        .help(format!("run `rejudge run {}` to see every case", report.submission))
}

/// Reports submissions that half the time limit would reject, although they must be accepted.
pub(crate) fn half(
    listener: &JudgingListener,
    submissions: &[Submission],
    found: &mut Vec<Finding>,
) {
    for (submission, report, times) in judged(listener, submissions) {
        let limit = report.limits.cpu_time;
        let may_be_late = submission.expected.permits_somewhere(Verdict::TimeLimit);
        if may_be_late || !report.met || times.slowest * 2 <= limit {
            continue;
        }
        let message = format!(
            "needs {:.2} s of {} s: it would exceed half the time limit",
            times.slowest.as_secs_f64(),
            limit.as_secs_f64()
        );
        let finding = Finding::warning(FindingSubject::TimeLimit, Code::TightTimeLimit, message)
            .at(&submission.path);
        found.push(finding.help("raise the time limit or make the largest cases smaller"));
    }
}

/// Reports submissions that are expected to be too slow but would not be with twice the time limit:
/// each is run again on the cases where it was too slow.
pub(crate) fn twice(
    listener: &JudgingListener,
    problem: &Problem,
    submissions: &[Submission],
    tools: Tools<'_>,
    options: &Options,
    found: &mut Vec<Finding>,
) -> Result<(), SandboxError> {
    for (submission, report, times) in judged(listener, submissions) {
        if times.over.is_empty() || !report.met {
            continue;
        }
        let limit = report.limits.cpu_time * 2;
        let mut problem = problem.clone();
        problem.cases.retain(|case| times.over.iter().any(|name| name == case.name()));
        let mut submission = submission.clone();
        submission.expected.waive();
        // The factor scales all limits, because the problem may set its own wall limit.
        let factor = options.limits.time_factor.unwrap_or(1.0) * 2.0;
        let options = Options {
            fail_fast: FailFast::Submission,
            limits: LimitOverrides { time_factor: Some(factor), ..options.limits },
            ..options.clone()
        };
        let mut late = false;
        let problems = [problem];
        let summary =
            judge::judge(&problems, &[submission.clone()], tools, &options, &mut |event| {
                if let Event::Case(result) = event {
                    late |= result.verdict == Verdict::TimeLimit;
                }
            })?;
        if summary.interrupted {
            return Err(SandboxError::Interrupted);
        }
        if !late {
            let message = format!(
                "is too slow now, but not with {} s, twice the time limit",
                limit.as_secs_f64()
            );
            let finding =
                Finding::warning(FindingSubject::TimeLimit, Code::TightTimeLimit, message)
                    .at(&submission.path);
            found.push(finding.help(
                "make the largest cases larger, so that it is also too slow on a faster machine",
            ));
        }
    }
    Ok(())
}

fn judged<'a>(
    listener: &'a JudgingListener,
    submissions: &'a [Submission],
) -> impl Iterator<Item = (&'a Submission, &'a SubmissionReport, &'a Times)> {
    let by_name: HashMap<&str, &Submission> =
        submissions.iter().map(|one| (one.name.as_str(), one)).collect();
    listener.reports.iter().filter_map(move |report| {
        let submission = *by_name.get(report.submission.as_str())?;
        Some((submission, report, listener.times.get(&report.submission)?))
    })
}
