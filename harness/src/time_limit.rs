//! A time limit for a package that gives none, from the running times of its jury's submissions.
//!
//! Beside the judge, which measures; here is settled who bounds the limit, from which side, and what
//! comes of it. 2025-09 and legacy have the same rule with other margins.

use std::time::Duration;

use crate::event::Event;
use crate::judge::{self, Options, Tools};
use crate::limits::LimitOverrides;
use crate::problem::{Format, Problem};
use crate::sandbox::SandboxError;
use crate::submission::{Bound, Submission};
use crate::verdict::Verdict;

mod key;

pub(crate) use key::key;

/// No jury's submission may take longer.
const LONGEST: Duration = Duration::from_secs(60);

/// The margins between running times and the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Margins {
    /// The limit is a multiple of this, in seconds.
    pub(crate) resolution: f64,
    /// The limit is at least so many times the slowest time that must be in it.
    pub(crate) below: f64,
    /// A time that must be too slow is at least so many times the limit.
    pub(crate) above: f64,
}

impl Margins {
    /// Those of a format.
    pub(crate) fn of(format: Format) -> Self {
        let (below, above) = match format {
            Format::V2025 => (2.0, 1.5),
            Format::Legacy => (5.0, 2.0),
        };
        Self {
            resolution: 1.0,
            below,
            above,
        }
    }

    /// The least limit that leaves the margin above `slowest`.
    fn limit(self, slowest: Duration) -> Duration {
        let steps = slowest.as_secs_f64() * self.below / self.resolution;
        // What is a multiple but for rounding is one.
        let steps = (steps - 1e-9).ceil().max(1.0);
        Duration::from_secs_f64(steps * self.resolution)
    }
}

/// A time that bounds the limit: whose, on which case.
#[derive(Debug, Clone, PartialEq)]
struct Witness {
    submission: String,
    case: String,
    time: Duration,
}

/// What was found out.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Inferred {
    /// The limit.
    pub(crate) limit: Duration,
    /// How it came about, in a few words.
    pub(crate) why: String,
}

/// Infers the limit of `problem` from `submissions`, its own. `Ok(None)`: nothing bounds it from
/// below. The inner error says in words why no limit fits.
pub(crate) fn infer(
    problem: &Problem,
    submissions: &[Submission],
    tools: Tools<'_>,
    options: &Options,
) -> Result<Result<Option<Inferred>, String>, SandboxError> {
    let margins = problem.margins;
    let mut slowest: Option<Witness> = None;
    for submission in submissions {
        let covered = bounded(submission, problem, Bound::Lower);
        if covered.is_empty() {
            continue;
        }
        match measure(problem, submission, &covered, LONGEST, tools, options)? {
            Ok(found) if found.late => {
                return Ok(Err(format!(
                    "`{}` takes longer than {} s on `{}`",
                    submission.name,
                    LONGEST.as_secs(),
                    found.witness.case
                )));
            }
            Ok(found)
                if slowest
                    .as_ref()
                    .is_none_or(|old| old.time < found.witness.time) =>
            {
                slowest = Some(found.witness);
            }
            Ok(_) => {}
            Err(why) => return Ok(Err(why)),
        }
    }
    let Some(slowest) = slowest else {
        return Ok(Ok(None));
    };
    let limit = margins.limit(slowest.time);
    let why = format!(
        "`{}` takes {:.3} s on `{}`, times {}",
        slowest.submission,
        slowest.time.as_secs_f64(),
        slowest.case,
        margins.below
    );
    let enough = limit.mul_f64(margins.above);
    for submission in submissions {
        let covered = bounded(submission, problem, Bound::Upper);
        if covered.is_empty() {
            continue;
        }
        match measure(problem, submission, &covered, enough, tools, options)? {
            Ok(found) if found.late || found.witness.time >= enough => {}
            Ok(found) => {
                return Ok(Err(format!(
                    "{why}, needs {} s, but `{}`, which must be too slow, takes no more than {:.3} s, \
                     and must take {} times the limit",
                    limit.as_secs_f64(),
                    submission.name,
                    found.witness.time.as_secs_f64(),
                    margins.above
                )));
            }
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(Some(Inferred { limit, why })))
}

/// The cases, by index, on which the submission bounds the limit from this side.
fn bounded(submission: &Submission, problem: &Problem, side: Bound) -> Vec<usize> {
    let all = || (0..problem.cases.len()).collect();
    if problem.format == Format::Legacy || problem.is_graded() {
        return match (submission.expected.label.as_str(), side) {
            ("accepted" | "partially_accepted", Bound::Lower)
            | ("time_limit_exceeded", Bound::Upper) => all(),
            _ => Vec::new(),
        };
    }
    let rules = &submission.expected.rules;
    (0..problem.cases.len())
        .filter(|&index| {
            let name = problem.cases[index].name();
            rules
                .iter()
                .any(|rule| rule.covers(name) && rule.time_bound() == side)
        })
        .collect()
}

/// What one submission took.
struct Measured {
    witness: Witness,
    /// A case went over the limit of the measurement.
    late: bool,
}

/// Runs a submission on some cases, each alone, up to the first that goes over `most`.
fn measure(
    problem: &Problem,
    submission: &Submission,
    cases: &[usize],
    most: Duration,
    tools: Tools<'_>,
    options: &Options,
) -> Result<Result<Measured, String>, SandboxError> {
    let language = tools.languages.get(&submission.language);
    let factor = language
        .and_then(|language| language.time_factor)
        .unwrap_or(1.0);
    let options = Options {
        jobs: 1,
        limits: LimitOverrides {
            cpu_time: Some(most),
            ..options.limits
        },
        fail_fast: false,
        measures: true,
        repeat: 1,
        keep: None,
        ..options.clone()
    };
    let mut found = Measured {
        witness: Witness {
            submission: submission.name.clone(),
            case: String::new(),
            time: Duration::ZERO,
        },
        late: false,
    };
    // The last ones are more often the largest.
    for chunk in cases.rchunks(8) {
        let mut part = problem.clone();
        part.cases = chunk
            .iter()
            .map(|&index| problem.cases[index].clone())
            .collect();
        part.scoring = None;
        let mut refused = None;
        let summary = judge::judge(
            &[part],
            std::slice::from_ref(submission),
            tools,
            &options,
            &mut |event| match event {
                Event::Case(result) => {
                    found.late |= result.verdict == Verdict::TimeLimit;
                    let time = result.usage.cpu().div_f64(factor);
                    if time >= found.witness.time {
                        found.witness.time = time;
                        found.witness.case.clone_from(&result.case);
                    }
                }
                Event::Submission(report) => {
                    refused = report.not_judged.clone().or(report.build.error.clone());
                }
                _ => {}
            },
        )?;
        if summary.interrupted {
            return Err(SandboxError::Interrupted);
        }
        if let Some(why) = refused {
            let why = why.lines().next().unwrap_or_default().to_owned();
            return Ok(Err(format!("`{}` cannot be run: {why}", submission.name)));
        }
        if found.late {
            break;
        }
    }
    Ok(Ok(found))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_the_least_multiple_that_leaves_the_margin() {
        let table = [
            (Format::V2025, 1.0, 100, 1000),
            (Format::V2025, 1.0, 500, 1000),
            (Format::V2025, 1.0, 501, 2000),
            (Format::V2025, 0.1, 130, 300),
            (Format::V2025, 0.1, 150, 300),
            (Format::Legacy, 1.0, 200, 1000),
            (Format::Legacy, 1.0, 1300, 7000),
            (Format::V2025, 1.0, 0, 1000),
        ];
        for (format, resolution, slowest_ms, expected_ms) in table {
            let margins = Margins {
                resolution,
                ..Margins::of(format)
            };
            let limit = margins.limit(Duration::from_millis(slowest_ms));
            let expected = Duration::from_millis(expected_ms);
            let apart = limit.abs_diff(expected);
            assert!(
                apart < Duration::from_micros(1),
                "{format:?} {slowest_ms} {limit:?}"
            );
        }
    }
}
