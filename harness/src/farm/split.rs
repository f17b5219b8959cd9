//! Divides a run into units: a submission on some of its cases, so that a unit takes about as long as another one.

use std::time::Duration;

use crate::fail_fast::FailFast;
use crate::judge::Options;
use crate::sequence::SubmissionEntry;
use crate::shard::Durations;

/// The CPU time that a unit should take, if earlier times are known.
const WANTED: Duration = Duration::from_secs(1);

/// The number of cases of a unit if nothing is known.
const UNKNOWN: usize = 20;

/// The most cases of a unit.
const MOST: usize = 500;

/// The size of units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UnitSizes<'a> {
    /// The number of cases, if the user sets it.
    pub(crate) cases: Option<usize>,
    pub(crate) durations: &'a Durations,
}

/// A unit: the index of a submission, and of its first case and the one after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnitSpan {
    pub(crate) entry: usize,
    pub(crate) first: usize,
    pub(crate) end: usize,
}

/// The units, in the order of the report. A submission without cases has one, because it must be compiled.
pub(crate) fn split(
    entries: &[SubmissionEntry<'_>],
    options: &Options,
    batches: UnitSizes<'_>,
) -> Vec<UnitSpan> {
    let mut units = Vec::new();
    for (entry, one) in entries.iter().enumerate() {
        let cases = one.1.cases.len();
        let size = size(*one, options, batches).max(1);
        let starts = (0..cases.max(1)).step_by(size);
        units.extend(starts.map(|first| UnitSpan { entry, first, end: (first + size).min(cases) }));
    }
    units
}

/// The number of cases of a unit of this submission.
fn size(
    (submission, problem): SubmissionEntry<'_>,
    options: &Options,
    batches: UnitSizes<'_>,
) -> usize {
    let cases = problem.cases.len();
    // An earlier case decides whether a later one is run, or what is recorded of it.
    let depends = problem.scoring.is_some()
        || problem.is_interactive()
        || options.fail_fast != FailFast::Never
        || options.print_input;
    if depends {
        return cases;
    }
    if let Some(size) = batches.cases {
        return size;
    }
    let known = batches.durations.cpu(&problem.id, &submission.name).filter(|cpu| !cpu.is_zero());
    known.map_or(UNKNOWN, |cpu| {
        let fit = WANTED.as_nanos() * cases as u128 / cpu.as_nanos();
        usize::try_from(fit).unwrap_or(MOST).clamp(1, MOST)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::{Interrupt, RunnerOptions};
    use crate::specimen;
    use crate::submission::Expectation;

    fn units(cases: usize, size: usize, fail_fast: FailFast) -> Vec<(usize, usize)> {
        let problem = specimen::problem(cases);
        let submission = specimen::submission("a.rs", Expectation::accepted());
        let work = std::env::temp_dir();
        let mut options = Options::new(RunnerOptions::new(&work, Interrupt::new().unwrap()));
        options.fail_fast = fail_fast;
        let batches = UnitSizes { cases: Some(size), durations: &Durations::default() };
        let units = split(&[(&submission, &problem)], &options, batches);
        units.iter().map(|unit| (unit.first, unit.end)).collect()
    }

    #[test]
    fn every_case_is_in_one_unit() {
        let never = FailFast::Never;
        assert_eq!(units(5, 2, never), [(0, 2), (2, 4), (4, 5)]);
        assert_eq!(units(4, 2, never), [(0, 2), (2, 4)]);
        assert_eq!(units(0, 2, never), [(0, 0)]);
        assert_eq!(units(5, 2, FailFast::Submission), [(0, 5)]);
    }
}
