//! Infers the time limit of a package that sets none from the running times of its jury's submissions.
//!
//! The judge measures; this module decides which submissions bound the limit, from which side, and computes the limit.
//! The formats 2025-09 and legacy have the same rule with different margins.

use std::time::Duration;

use crate::event::Event;
use crate::fail_fast::FailFast;
use crate::judge::{self, Options, Tools};
use crate::limits::LimitOverrides;
use crate::problem::{Format, Problem};
use crate::sandbox::SandboxError;
use crate::submission::{Bound, Submission};
use crate::verdict::Verdict;

mod key;

pub(crate) use key::key;

/// Maximum running time of a submission of the jury.
const LONGEST: Duration = Duration::from_secs(60);

/// A time that bounds the limit, with its submission and case.
#[derive(Debug, Clone, PartialEq)]
struct Witness {
    submission: String,
    case: String,
    time: Duration,
}

/// An inferred limit.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Inferred {
    /// The limit.
    pub(crate) limit: Duration,
    /// The calculation of the limit, human-readable.
    pub(crate) why: String,
}

/// Infers the limit of `problem` from its own `submissions`. `Ok(None)` if nothing bounds it from below. The inner
/// error explains why no limit fits.
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
        "`{}` takes {:.3} s on `{}`, and the limit is at least {} times that",
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
                    "{why}, which gives {} s; but `{}` must take at least {} times the limit and takes only {:.3} s",
                    limit.as_secs_f64(),
                    submission.name,
                    margins.above,
                    found.witness.time.as_secs_f64()
                )));
            }
            Err(why) => return Ok(Err(why)),
        }
    }
    Ok(Ok(Some(Inferred { limit, why })))
}

/// Indices of the cases on which the submission bounds the limit from this side.
fn bounded(submission: &Submission, problem: &Problem, side: Bound) -> Vec<usize> {
    let all = || (0..problem.cases.len()).collect();
    if problem.format == Format::Legacy || problem.is_graded() {
        return match (submission.expected.folder(), side) {
            (Some("accepted" | "partially_accepted"), Bound::Lower)
            | (Some("time_limit_exceeded"), Bound::Upper) => all(),
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

/// The slowest case of a submission.
struct SlowestCase {
    witness: Witness,
    /// A case exceeded the limit of the measurement.
    late: bool,
}

/// Runs a submission on some cases, one at a time, and stops soon after one that takes longer than `most`.
fn measure(
    problem: &Problem,
    submission: &Submission,
    cases: &[usize],
    most: Duration,
    tools: Tools<'_>,
    options: &Options,
) -> Result<Result<SlowestCase, String>, SandboxError> {
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
        fail_fast: FailFast::Never,
        measures: true,
        repeat: 1,
        keep: None,
        ..options.clone()
    };
    let mut found = SlowestCase {
        witness: Witness {
            submission: submission.name.clone(),
            case: String::new(),
            time: Duration::ZERO,
        },
        late: false,
    };
    // The last cases are usually the largest.
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
            return Ok(Err(format!("cannot run `{}`: {why}", submission.name)));
        }
        if found.late {
            break;
        }
    }
    Ok(Ok(found))
}
