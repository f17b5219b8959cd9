//! Infers the time limit of a package that sets none from the running times of its jury's submissions.
//!
//! The judge measures; this module decides which submissions bound the limit, from which side, and computes the limit.
//! The formats 2025-09 and legacy have the same rule with different margins.

use std::time::Duration;

use crate::expectation::{Bound, VerdictFolder};
use crate::judge::{Options, Tools};
use crate::problem::{Format, Problem};
use crate::sandbox::SandboxError;
use crate::submission::Submission;

pub(crate) mod json;
mod key;
mod measure;
mod review;
mod search;
pub(crate) mod text;

pub(crate) use key::{KeyParts, add_case, key};
use measure::Measurement;
pub(crate) use measure::{TimingStep, repeat};
pub(crate) use review::{Review, ReviewRow};
pub(crate) use search::{Conflict, Timed};

/// A limit, and the calculation that leads to it.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Inferred {
    /// The limit.
    pub(crate) limit: Duration,
    /// The calculation of the limit, human-readable.
    pub(crate) why: String,
}

/// Whether the time limit of a problem is inferred when it is judged: a package without a limit and with submissions.
pub(crate) fn is_inferred(problem: &Problem) -> bool {
    problem.limits.cpu_time.is_none()
        && problem.is_package
        && !problem.kind.submit_answer
        && problem.dir.join("submissions").is_dir()
}

/// The result of an inference.
#[derive(Debug)]
pub(crate) struct Inference {
    /// The limit that fits the submissions that bound it from below; `None` if there are none.
    pub(crate) limit: Option<Inferred>,
    /// Why no limit fits all submissions, if none does.
    pub(crate) conflict: Option<Conflict>,
    /// The submissions that bound the limit, with their times.
    pub(crate) timed: Vec<Timed>,
}

impl Inference {
    /// The submissions that could not be run, with the reasons.
    pub(crate) fn left_out(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.timed.iter();
        all.filter_map(|one| Some((one.submission.as_str(), one.unusable.as_deref()?)))
    }

    /// Whether the same inference on this machine gives the same limit, so that it can be cached.
    pub(crate) fn is_whole(&self) -> bool {
        self.conflict.is_none() && self.left_out().next().is_none()
    }
}

/// Infers the limit of `problem` from its own `submissions`. `on_step` is called before and after each part of the
/// work.
pub(crate) fn infer(
    problem: &Problem,
    submissions: &[Submission],
    tools: Tools<'_>,
    options: &Options,
    on_step: &mut dyn FnMut(&TimingStep<'_>),
) -> Result<Inference, SandboxError> {
    let mut candidates = Vec::new();
    let mut timed = Vec::new();
    for submission in submissions {
        for side in [Bound::Lower, Bound::Upper] {
            let cases = bounded(submission, problem, side);
            if !cases.is_empty() {
                timed.push(Timed::new(submission, side));
                candidates.push((submission, cases));
            }
        }
    }
    let mut measurement = Measurement::new(problem, candidates, tools, options, on_step);
    let margins = problem.margins;
    let found = search::search(margins, &mut timed, &mut measurement)?;
    let limit = found.limit.map(|limit| {
        let why = found.slowest.map(|slowest| {
            format!("{slowest}, and the limit is at least {} times that, rounded up", margins.below)
        });
        Inferred {
            limit,
            why: why.unwrap_or_else(|| {
                let longest = search::LONGEST.as_secs();
                format!("every submission that must be in time takes longer than {longest} s")
            }),
        }
    });
    Ok(Inference { limit, conflict: found.conflict, timed })
}

/// Indices of the cases on which the submission bounds the limit from this side.
fn bounded(submission: &Submission, problem: &Problem, side: Bound) -> Vec<usize> {
    let judged = (0..problem.cases.len()).filter(|&index| !problem.cases[index].is_static());
    if problem.format == Format::Legacy || problem.is_graded() {
        // A partial solution is often slow on purpose: `partially_accepted` bounds nothing.
        return match (submission.expected.folder(), side) {
            (Some(VerdictFolder::Accepted), Bound::Lower)
            | (Some(VerdictFolder::TimeLimit), Bound::Upper) => judged.collect(),
            _ => Vec::new(),
        };
    }
    let rules = &submission.expected.rules;
    judged
        .filter(|&index| {
            let name = problem.cases[index].name();
            rules.iter().any(|rule| rule.covers(name) && rule.time_bound() == side)
        })
        .collect()
}
