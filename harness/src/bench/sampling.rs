//! The order of runs: every target runs once in each round, in random order.

use crate::sandbox::SandboxError;

use super::failure::{Failure, PairFailure};
use super::random_source::RandomSource;
use super::run_measurement::RunMeasurement;
use super::runner::BenchRunner;
use crate::statistics::Side;

/// One program on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The index of the program in the runner.
    pub program: usize,
    /// The index of the case in the problem.
    pub case: usize,
}

/// Two programs that are compared on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TargetPair {
    /// The base.
    pub base: Target,
    /// The new version.
    pub new: Target,
}

/// The measurements of two consecutive runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// The base.
    pub base: RunMeasurement,
    /// The new version; in a control, the base again.
    pub new: RunMeasurement,
}

/// The measurements of one target pair.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// Base against new version.
    pub base_and_new: Vec<Pair>,
    /// Base against base.
    pub control: Vec<Pair>,
}

/// Whether the base also runs against itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// As often as base against new version, in the same rounds.
    Interleaved,
    /// Never, and without warm-up runs: for counts. A count that repeats exactly needs no control.
    None,
}

/// Called after every run.
pub type Progress<'a> = dyn FnMut(Target) + 'a;

/// Runs every target `runs` times, after one warm-up run that is not counted.
pub fn measure(
    runner: &mut BenchRunner<'_>,
    targets: &[Target],
    runs: usize,
    random: &mut RandomSource,
    progress: &mut Progress<'_>,
) -> Result<Vec<Result<Vec<RunMeasurement>, Failure>>, SandboxError> {
    let mut found = vec![Ok(Vec::with_capacity(runs)); targets.len()];
    let mut order: Vec<usize> = (0..targets.len()).collect();
    for round in 0..=runs {
        random.shuffle(&mut order);
        for &index in &order {
            let Ok(measurements) = &mut found[index] else {
                continue;
            };
            match runner.run(targets[index].program, targets[index].case)? {
                Ok(measurement) if round > 0 => measurements.push(measurement),
                Ok(_) => {}
                Err(why) => found[index] = Err(why),
            }
            progress(targets[index]);
        }
    }
    Ok(found)
}

/// Runs `pairs` pairs of every target pair and as many pairs of its control, after one warm-up run of both programs that
/// is not counted.
pub fn measure_pairs(
    runner: &mut BenchRunner<'_>,
    target_pairs: &[TargetPair],
    pairs: usize,
    control: Control,
    random: &mut RandomSource,
    progress: &mut Progress<'_>,
) -> Result<Vec<Result<Pairs, PairFailure>>, SandboxError> {
    let mut found = Vec::with_capacity(target_pairs.len());
    for targets in target_pairs {
        let ready = match control {
            Control::Interleaved => warm_up(runner, *targets)?,
            Control::None => Ok(()),
        };
        found.push(ready.map(|()| Pairs::default()));
    }
    // In each round, every target pair runs twice: base against new version, and its control.
    let mut order: Vec<(usize, bool)> = (0..target_pairs.len())
        .flat_map(|index| [(index, false), (index, true)])
        .filter(|(_, is_control)| control == Control::Interleaved || !is_control)
        .collect();
    for _ in 0..pairs {
        random.shuffle(&mut order);
        for &(index, is_control) in &order {
            let Ok(so_far) = &mut found[index] else {
                continue;
            };
            let TargetPair { base, new } = target_pairs[index];
            let other = if is_control { base } else { new };
            let new_first = random.coin();
            match pair(runner, base, other, new_first, progress)? {
                Ok(pair) if is_control => so_far.control.push(pair),
                Ok(pair) => so_far.base_and_new.push(pair),
                Err(why) => found[index] = Err(why),
            }
        }
    }
    Ok(found)
}

fn warm_up(
    runner: &mut BenchRunner<'_>,
    targets: TargetPair,
) -> Result<Result<(), PairFailure>, SandboxError> {
    for (target, side) in [(targets.base, Side::Base), (targets.new, Side::New)] {
        if let Err(why) = runner.run(target.program, target.case)? {
            return Ok(Err(PairFailure { side, why }));
        }
    }
    Ok(Ok(()))
}

fn pair(
    runner: &mut BenchRunner<'_>,
    base: Target,
    new: Target,
    new_first: bool,
    progress: &mut Progress<'_>,
) -> Result<Result<Pair, PairFailure>, SandboxError> {
    let mut measurements = [None, None];
    let order = if new_first { [1, 0] } else { [0, 1] };
    for side in order {
        let target = [base, new][side];
        match runner.run(target.program, target.case)? {
            Ok(measurement) => measurements[side] = Some(measurement),
            Err(why) => {
                let side = [Side::Base, Side::New][side];
                return Ok(Err(PairFailure { side, why }));
            }
        }
        progress(target);
    }
    let [base, new] = measurements.map(|measurement| measurement.expect("both sides ran"));
    Ok(Ok(Pair { base, new }))
}
