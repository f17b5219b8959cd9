//! Judges mutants until the first case that rejects each.

use std::collections::BTreeMap;
use std::time::Duration;

use super::matrix::{JudgedSubmission, ResultMatrix};
use super::mutants::{Mutant, MutantSet};
use crate::event::{CaseResult, Event};
use crate::fail_fast::FailFast;
use crate::judge::{self, Options, Tools};
use crate::killing::Catch;
use crate::limits::LimitOverrides;
use crate::problem::{Problem, ProblemLimits, TestCase};
use crate::sandbox::SandboxError;
use crate::verdict::Verdict;

/// A mutant that takes this many times as long as its solution on the slowest case is stopped.
const SLOWER: u32 = 10;

/// No mutant is stopped before this time, unless the time limit is shorter.
const AT_LEAST: Duration = Duration::from_millis(500);

/// The number of mutants after which the cases are put in a new order.
const CHUNK: usize = 16;

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MutantFate {
    /// A case rejects it.
    Killed { case: String, verdict: Verdict },
    /// Every case accepts it.
    Survives,
    /// It could not be judged, for this reason.
    NotJudged(String),
}

/// Judges all mutants of a set, with the results of the solutions in `matrix`. The first cases are those of `order`,
/// which are indices of the cases in `matrix`; later, those that have killed the most mutants. `on_step` gets the
/// number of mutants that are done.
pub(crate) fn fates(
    problem: &Problem,
    set: &MutantSet,
    matrix: &ResultMatrix,
    order: &[usize],
    tools: Tools<'_>,
    options: &Options,
    on_step: &mut dyn FnMut(usize),
) -> Result<Vec<MutantFate>, SandboxError> {
    let mut kills: BTreeMap<String, usize> = BTreeMap::new();
    let mut fates: BTreeMap<usize, MutantFate> = BTreeMap::new();
    for (index, parent) in set.parents.iter().enumerate() {
        let judged = matrix.submissions.iter().find(|one| one.name == parent.submission.name);
        let judged = judged.expect("only judged solutions are changed");
        let options = options_for(judged, problem, options);
        let own: Vec<&Mutant> = set.mutants.iter().filter(|one| one.parent == index).collect();
        for chunk in own.chunks(CHUNK) {
            let ordered = in_order(problem, matrix, judged, order, &kills);
            let done = fates.len();
            let mut count = 0;
            for (mutant, fate) in judge_chunk(&ordered, chunk, tools, &options, &mut || {
                count += 1;
                on_step(done + count);
            })? {
                if let MutantFate::Killed { case, .. } = &fate {
                    *kills.entry(case.clone()).or_default() += 1;
                }
                fates.insert(mutant, fate);
            }
        }
    }
    Ok(fates.into_values().collect())
}

/// The problem with the cases that the solution passes, those that reject soonest first.
fn in_order(
    problem: &Problem,
    matrix: &ResultMatrix,
    judged: &JudgedSubmission,
    order: &[usize],
    kills: &BTreeMap<String, usize>,
) -> Problem {
    let passed = order.iter().filter(|case| judged.catch(**case) == Catch::Missed);
    let mut names: Vec<&str> = passed.map(|case| matrix.cases[*case].as_str()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(kills.get(*name).copied().unwrap_or(0)));
    let mut cases: BTreeMap<&str, &TestCase> = BTreeMap::new();
    for case in &problem.cases {
        cases.insert(case.name(), case);
    }
    let ordered = names.iter().filter_map(|name| cases.get(name).copied());
    problem.with_cases(ordered.cloned().collect())
}

/// The options for the mutants of a solution.
fn options_for(parent: &JudgedSubmission, problem: &Problem, options: &Options) -> Options {
    Options {
        fail_fast: FailFast::Case,
        limits: limits_for(parent, &problem.limits, options.limits),
        measures: false,
        ..options.clone()
    }
}

/// A mutant that does not end is stopped long before the time limit of slow problems. A wall time limit that somebody
/// set stays as it is: it may be short already, because it says nothing about CPU time.
fn limits_for(
    parent: &JudgedSubmission,
    problem: &ProblemLimits,
    over: LimitOverrides,
) -> LimitOverrides {
    let limit = parent.cpu_limit;
    let enough = (parent.slowest() * SLOWER).max(AT_LEAST).min(limit);
    let shorter = enough.as_secs_f64() / limit.as_secs_f64().max(1e-3);
    // The time factor is applied to this limit, too.
    let kept = |wall: Duration| {
        Duration::try_from_secs_f64(wall.as_secs_f64() / shorter).unwrap_or(Duration::MAX / 2)
    };
    LimitOverrides {
        wall_time: over.wall_time.or(problem.wall_time).map(kept),
        time_factor: Some(over.time_factor.unwrap_or(1.0) * shorter),
        ..over
    }
}

/// The fates of these mutants, by their numbers.
fn judge_chunk(
    problem: &Problem,
    chunk: &[&Mutant],
    tools: Tools<'_>,
    options: &Options,
    on_step: &mut dyn FnMut(),
) -> Result<Vec<(usize, MutantFate)>, SandboxError> {
    let entries: Vec<_> = chunk.iter().map(|one| (&one.submission, problem)).collect();
    let mut fates = Vec::new();
    let mut worst: Option<MutantFate> = None;
    let summary = judge::judge_entries(&entries, tools, options, &mut |event| match event {
        Event::Case(result) => {
            if let Some(fate) = fate(result) {
                worst.get_or_insert(fate);
            }
        }
        Event::Submission(report) => {
            let fate = match report.why_not_run() {
                Some(why) => MutantFate::NotJudged(why.to_owned()),
                None => worst.take().unwrap_or(MutantFate::Survives),
            };
            let own = chunk.iter().find(|one| one.submission.name == report.submission);
            fates.extend(own.map(|mutant| (mutant.number, fate)));
            on_step();
        }
        _ => {}
    })?;
    if summary.interrupted {
        return Err(SandboxError::Interrupted);
    }
    Ok(fates)
}

/// What a result decides; `None`: nothing yet.
fn fate(result: &CaseResult) -> Option<MutantFate> {
    match Catch::of(result.verdict) {
        Catch::Missed => None,
        Catch::Caught => {
            Some(MutantFate::Killed { case: result.case.clone(), verdict: result.verdict })
        }
        Catch::Unknown => {
            let why = result.reason.clone();
            Some(MutantFate::NotJudged(why.unwrap_or_default()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{DEFAULT_OUTPUT, effective_limits};
    use crate::strength::matrix::CaseOutcome;

    #[test]
    fn mutants_have_less_cpu_time_and_the_wall_time_that_somebody_set() {
        let secs = Duration::from_secs;
        let parent = JudgedSubmission {
            name: "right".to_owned(),
            verdict: Verdict::Accepted,
            must_fail: false,
            cpu_limit: secs(100),
            outcomes: vec![Some(CaseOutcome {
                verdict: Verdict::Accepted,
                cpu: secs(1),
                is_stopped: false,
            })],
        };
        let limits = |of_problem: Option<u64>, over: Option<u64>| {
            let problem = ProblemLimits {
                cpu_time: Some(secs(50)),
                wall_time: of_problem.map(secs),
                ..ProblemLimits::default()
            };
            let over = LimitOverrides {
                wall_time: over.map(secs),
                time_factor: Some(2.0),
                ..LimitOverrides::default()
            };
            let limits =
                effective_limits(&problem, DEFAULT_OUTPUT, &limits_for(&parent, &problem, over));
            [limits.cpu_time, limits.wall_time].map(|time| format!("{:.1}", time.as_secs_f64()))
        };
        assert_eq!(limits(Some(3), None), ["10.0", "6.0"]);
        assert_eq!(limits(Some(3), Some(4)), ["10.0", "8.0"]);
        assert_eq!(limits(None, None), ["10.0", "30.0"]);
    }
}
