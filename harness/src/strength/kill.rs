//! Judges mutants until the first case that rejects each.

use std::collections::BTreeMap;
use std::time::Duration;

use super::matrix::{JudgedSubmission, ResultMatrix};
use super::mutants::{Mutant, MutantSet};
use crate::event::{CaseResult, Event};
use crate::fail_fast::FailFast;
use crate::judge::{self, Options, Tools};
use crate::killing::Sight;
use crate::limits::LimitOverrides;
use crate::problem::{Problem, TestCase};
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
        let mut judged = matrix.submissions.iter();
        let judged = judged.find(|one| one.name == parent.submission.name);
        let judged = judged.expect("only judged solutions are changed");
        let options = options_for(judged, options);
        let own: Vec<&Mutant> = set
            .mutants
            .iter()
            .filter(|one| one.parent == index)
            .collect();
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
    let passed = order
        .iter()
        .filter(|case| judged.sight(**case) == Sight::Missed);
    let mut names: Vec<&str> = passed.map(|case| matrix.cases[*case].as_str()).collect();
    names.sort_by_key(|name| std::cmp::Reverse(kills.get(*name).copied().unwrap_or(0)));
    let mut cases: BTreeMap<&str, &TestCase> = BTreeMap::new();
    for case in &problem.cases {
        cases.insert(case.name(), case);
    }
    let ordered = names.iter().filter_map(|name| cases.get(name).copied());
    problem.with_cases(ordered.cloned().collect())
}

/// A mutant that does not end is stopped long before the time limit of slow problems.
fn options_for(parent: &JudgedSubmission, options: &Options) -> Options {
    let limit = parent.cpu_limit;
    let enough = (parent.slowest() * SLOWER).max(AT_LEAST).min(limit);
    let factor = options.limits.time_factor.unwrap_or(1.0) * enough.as_secs_f64()
        / limit.as_secs_f64().max(1e-3);
    Options {
        fail_fast: FailFast::Submission,
        limits: LimitOverrides {
            time_factor: Some(factor),
            ..options.limits
        },
        measures: false,
        ..options.clone()
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
            let mut own = chunk.iter();
            let own = own.find(|one| one.submission.name == report.submission);
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
    match result.verdict.sight() {
        Sight::Missed => None,
        Sight::Caught => Some(MutantFate::Killed {
            case: result.case.clone(),
            verdict: result.verdict,
        }),
        Sight::Unknown => {
            let why = result.reason.clone();
            Some(MutantFate::NotJudged(why.unwrap_or_default()))
        }
    }
}
