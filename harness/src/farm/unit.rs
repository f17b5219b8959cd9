//! Judges a unit with the ordinary judge.

use super::UnitOrder;
use crate::event::{CaseResult, Event};
use crate::judge::{Options, Tools, judge_part};
use crate::notice::Code;
use crate::problem::Problem;
use crate::report::carried::{BuildKind, CarriedBuild};
use crate::sandbox::{Limits, SandboxError};
use crate::sequence::SubmissionEntry;
use crate::verdict::Verdict;

/// The part of a time limit from which a run is close to it, and the part up to which it is.
const CLOSE: (f64, f64) = (0.8, 1.25);

/// What can be missing on one machine and be there on another. A worker blames itself for nothing else.
const OF_MACHINE: [Code; 4] =
    [Code::MissingTool, Code::MissingSystem, Code::UnusableCache, Code::UnusableFolder];

/// A unit that was judged.
pub(crate) struct JudgedUnit {
    pub(crate) build: CarriedBuild,
    pub(crate) cases: Vec<CaseResult>,
    /// The limits that held.
    pub(crate) limits: Limits,
}

impl JudgedUnit {
    /// Whether this worker could not judge it, and another one may: something is missing on this machine, or fails. That the
    /// programs of the package do not compile or fail is a result like others.
    pub(crate) fn is_fault_of_worker(&self) -> bool {
        let build = self.build.why();
        build.is_some_and(|why| OF_MACHINE.contains(&why.code))
            || self.cases.iter().any(|case| case.is_of_machine)
    }
}

/// Judges the unit of `entry`. `None`: the user interrupts it. `bare` is the problem without cases. `progress` is called
/// after each case.
pub(crate) fn judge_unit(
    (submission, problem): SubmissionEntry<'_>,
    bare: &Problem,
    order: &UnitOrder,
    (tools, options): (Tools<'_>, &Options),
    progress: &mut dyn FnMut(),
) -> Result<Option<JudgedUnit>, SandboxError> {
    let is_whole = order.first == 0 && order.end == problem.cases.len();
    let part = (!is_whole)
        .then(|| Problem { cases: problem.cases[order.first..order.end].to_vec(), ..bare.clone() });
    let mut cases = Vec::new();
    let mut judged = None;
    let entry = (submission, part.as_ref().unwrap_or(problem));
    let summary = judge_part(entry, tools, options, &mut |event| match event {
        Event::Case(result) => {
            cases.push((*result).clone());
            progress();
        }
        Event::Submission(report) => {
            let kind = match report.verdict {
                _ if report.not_judged.is_some() => BuildKind::Impossible,
                Verdict::CompileError => BuildKind::Refused,
                _ => BuildKind::Ready,
            };
            let build = CarriedBuild::new(kind, &report.build, report.not_judged.as_ref());
            judged = Some((build, report.limits));
        }
        _ => {}
    })?;
    if summary.interrupted {
        return Ok(None);
    }
    Ok(judged.map(|(build, limits)| JudgedUnit { build, cases, limits }))
}

/// Whether the time of a run is so close to its limit that the verdict may depend on the machine.
pub(crate) fn is_close_to_limit(result: &CaseResult, limits: &Limits) -> bool {
    let (least, most) = CLOSE;
    let close = |time: std::time::Duration, limit: std::time::Duration| {
        (limit.mul_f64(least)..=limit.mul_f64(most)).contains(&time)
    };
    let usage = &result.usage;
    result.verdict != Verdict::Skipped
        && (close(usage.cpu(), limits.cpu_time) || close(usage.wall, limits.wall_time))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::specimen;

    #[test]
    fn a_run_is_close_to_its_limit_from_four_fifths_to_five_fourths_of_it() {
        let limits = specimen::limits();
        for (part, close) in [(0.79, false), (0.81, true), (1.24, true), (1.26, false)] {
            let mut result = specimen::result("1", Verdict::Accepted);
            result.usage.wall = Duration::ZERO;
            result.usage.cpu_user = limits.cpu_time.mul_f64(part);
            assert_eq!(is_close_to_limit(&result, &limits), close, "{part}");
        }
    }
}
