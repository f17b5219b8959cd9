//! Measures the running times of submissions with the judge, one run at a time.

use std::time::Duration;

use super::search::{CaseTime, Stopwatch, Timed};
use crate::event::{CaseResult, Event, SubmissionReport};
use crate::expectation::Bound;
use crate::fail_fast::FailFast;
use crate::judge::{self, Options, Tools};
use crate::limits::LimitOverrides;
use crate::problem::{Problem, TestCase};
use crate::sandbox::SandboxError;
use crate::submission::Submission;
use crate::verdict::Verdict;

/// The largest number of cases that are judged together. A submission that is too slow on each of them costs that many
/// runs.
const TOGETHER: usize = 8;

/// The state of the measurement, for people who wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimingStep<'a> {
    /// The submission that is timed.
    pub(crate) submission: &'a str,
    /// The longest time of a run.
    pub(crate) most: Duration,
    /// Number of cases that have ended, of all submissions.
    pub(crate) done: usize,
    /// Number of all cases.
    pub(crate) all: usize,
}

/// A submission and the indices of the cases that have not ended yet, the next one last.
struct RemainingCases<'a> {
    submission: &'a Submission,
    left: Vec<usize>,
}

/// Measures submissions to one problem.
pub(super) struct Measurement<'a> {
    problem: &'a Problem,
    tools: Tools<'a>,
    options: &'a Options,
    open: Vec<RemainingCases<'a>>,
    all: usize,
    on_step: &'a mut dyn FnMut(&TimingStep<'_>),
}

impl<'a> Measurement<'a> {
    /// A measurement of these submissions on these cases.
    pub(super) fn new(
        problem: &'a Problem,
        candidates: Vec<(&'a Submission, Vec<usize>)>,
        tools: Tools<'a>,
        options: &'a Options,
        on_step: &'a mut dyn FnMut(&TimingStep<'_>),
    ) -> Self {
        let size = |index: &usize| {
            let input = problem.cases[*index].input();
            std::fs::metadata(input).map_or(0, |data| data.len())
        };
        let open: Vec<RemainingCases<'_>> = candidates
            .into_iter()
            .map(|(submission, mut left)| {
                // The largest case is usually the slowest; of equal ones the last.
                left.sort_by_cached_key(size);
                RemainingCases { submission, left }
            })
            .collect();
        Self {
            problem,
            tools,
            options,
            all: open.iter().map(|open| open.left.len()).sum(),
            open,
            on_step,
        }
    }

    fn step(&mut self, index: usize, most: Duration) {
        let left: usize = self.open.iter().map(|open| open.left.len()).sum();
        (self.on_step)(&TimingStep {
            submission: &self.open[index].submission.name,
            most,
            done: self.all - left,
            all: self.all,
        });
    }

    /// Judges the submission on these cases. Returns the indices of those that ended.
    fn judge(
        &self,
        submission: &Submission,
        cases: &[usize],
        timed: &mut Timed,
        most: Duration,
    ) -> Result<Vec<usize>, SandboxError> {
        let part = part_of(self.problem, cases);
        let factor = factor_of(submission, self.tools);
        let options = options_for(self.options, most, 1);
        let mut ended = Vec::new();
        let summary = judge::judge(
            &[part],
            std::slice::from_ref(submission),
            self.tools,
            &options,
            &mut |event| match event {
                Event::Case(result) => match counted(result, timed.side) {
                    Counted::Stopped => {
                        timed.stopped = Some(CaseTime { case: result.case.clone(), time: most });
                    }
                    Counted::Ended => {
                        let time = result.usage.cpu().div_f64(factor);
                        timed.ended(&result.case, time);
                        ended.push(result.case.clone());
                    }
                    Counted::Not => ended.push(result.case.clone()),
                },
                Event::Submission(report) => timed.unusable = why_unusable(report),
                _ => {}
            },
        )?;
        if summary.interrupted {
            return Err(SandboxError::Interrupted);
        }
        let is_ended = |case: &TestCase| ended.iter().any(|name| name == case.name());
        let cases = cases.iter().copied();
        Ok(cases.filter(|&index| is_ended(&self.problem.cases[index])).collect())
    }
}

/// The problem with only these cases, each judged for itself.
fn part_of(problem: &Problem, cases: &[usize]) -> Problem {
    let chosen = cases.iter().map(|&index| problem.cases[index].clone());
    let mut part = problem.with_cases(chosen.collect());
    part.scoring = None;
    part
}

/// The factor by which the times of the submission's language are divided.
fn factor_of(submission: &Submission, tools: Tools<'_>) -> f64 {
    let language = tools.languages.get(&submission.language);
    let factor = language.and_then(|language| language.time_factor);
    factor.unwrap_or(1.0)
}

/// How to measure runs of at most this time.
fn options_for(options: &Options, most: Duration, repeat: usize) -> Options {
    Options {
        jobs: 1,
        limits: LimitOverrides { cpu_time: Some(most), ..options.limits },
        fail_fast: FailFast::Never,
        measures: true,
        repeat,
        keep: None,
        ..options.clone()
    }
}

/// The times of several runs on one case.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spread {
    pub(crate) least: Duration,
    pub(crate) median: Duration,
    pub(crate) greatest: Duration,
}

/// Runs a submission several times on its slowest case. `None`: it was stopped there, or has none.
pub(crate) fn repeat(
    problem: &Problem,
    submission: &Submission,
    timed: &Timed,
    runs: usize,
    tools: Tools<'_>,
    options: &Options,
) -> Result<Option<Spread>, SandboxError> {
    let Some(slowest) = timed.slowest.as_ref().filter(|_| timed.stopped.is_none()) else {
        return Ok(None);
    };
    let mut cases = problem.cases.iter();
    let Some(index) = cases.position(|case| case.name() == slowest.case) else {
        return Ok(None);
    };
    // No repetition is stopped.
    let most = slowest.time * 4 + Duration::from_secs(2);
    let factor = factor_of(submission, tools);
    let mut spread = None;
    let summary = judge::judge(
        &[part_of(problem, &[index])],
        std::slice::from_ref(submission),
        tools,
        &options_for(options, most, runs),
        &mut |event| {
            if let Event::Case(CaseResult { repeats: Some(repeats), .. }) = event {
                spread = Some(Spread {
                    least: repeats.cpu_min.div_f64(factor),
                    median: repeats.cpu_median.div_f64(factor),
                    greatest: repeats.cpu_max.div_f64(factor),
                });
            }
        },
    )?;
    if summary.interrupted {
        return Err(SandboxError::Interrupted);
    }
    Ok(spread)
}

/// How a case counts.
#[derive(Debug, PartialEq, Eq)]
enum Counted {
    /// It took longer than the run was allowed to.
    Stopped,
    /// It ended; its time counts.
    Ended,
    /// Its time says nothing.
    Not,
}

fn counted(result: &CaseResult, side: Bound) -> Counted {
    match result.verdict {
        Verdict::TimeLimit => Counted::Stopped,
        // It would have gone on: that it prints much does not make it fast.
        Verdict::OutputLimit if side == Bound::Upper => Counted::Stopped,
        Verdict::JudgeError | Verdict::Skipped => Counted::Not,
        _ => Counted::Ended,
    }
}

fn why_unusable(report: &SubmissionReport) -> Option<String> {
    let why = report.why_not_run()?;
    Some(why.lines().next().unwrap_or_default().to_owned())
}

impl Stopwatch for Measurement<'_> {
    fn time(
        &mut self,
        index: usize,
        timed: &mut Timed,
        most: Duration,
    ) -> Result<(), SandboxError> {
        timed.stopped = None;
        let mut together = 1;
        while timed.stopped.is_none() && timed.unusable.is_none() {
            let RemainingCases { submission, left } = &self.open[index];
            let start = left.len().saturating_sub(together);
            let cases: Vec<usize> = left[start..].iter().rev().copied().collect();
            let submission = *submission;
            if cases.is_empty() {
                break;
            }
            self.step(index, most);
            let ended = self.judge(submission, &cases, timed, most)?;
            let left = &mut self.open[index].left;
            left.retain(|case| !ended.contains(case));
            if ended.is_empty() && timed.stopped.is_none() {
                break;
            }
            // The slowest case usually comes first, so the following ones are rarely stopped.
            together = (together * 2).min(TOGETHER);
        }
        self.step(index, most);
        Ok(())
    }
}
