//! The order of runs: every program runs once on every case in each round, in random order.

use rejudge_statistics::Version;

use super::failure::{FailureText, PairFailure};
use super::random_source::RandomSource;
use super::run_measurement::RunMeasurement;
use super::runner::BenchRunner;
use crate::judge::InSandbox;
use crate::sandbox::SandboxError;

/// One program on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramCase {
    /// The index of the program in the runner.
    pub program: usize,
    /// The index of the case in the problem.
    pub case: usize,
}

/// Two programs that are compared on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProgramCasePair {
    /// The base.
    pub base: ProgramCase,
    /// The new version.
    pub new: ProgramCase,
}

/// The measurements of two consecutive runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasurementPair {
    /// The base.
    pub base: RunMeasurement,
    /// The new version; in a control, the base again.
    pub new: RunMeasurement,
}

/// The measurements of two programs on one case.
#[derive(Debug, Clone, Default)]
pub struct MeasurementPairs {
    /// Base against new version.
    pub base_and_new: Vec<MeasurementPair>,
    /// Base against base.
    pub control: Vec<MeasurementPair>,
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
pub type RunProgress<'a> = dyn FnMut(ProgramCase) + 'a;

/// The measurements of a program on a case, or why there are none.
pub type CaseMeasurements = Result<Vec<RunMeasurement>, FailureText>;

/// Runs every program on its case `runs` times, after one warm-up run that is not counted.
pub fn measure(
    runner: &mut BenchRunner<'_>,
    program_cases: &[ProgramCase],
    runs: usize,
    random: &mut RandomSource,
    progress: &mut RunProgress<'_>,
) -> Result<Vec<CaseMeasurements>, SandboxError> {
    let (found, ended) = measure_until_error(runner, program_cases, runs, random, progress);
    ended.map(|()| found)
}

/// Like [`measure`], but returns what was measured before an error, too.
pub(crate) fn measure_until_error(
    runner: &mut BenchRunner<'_>,
    program_cases: &[ProgramCase],
    runs: usize,
    random: &mut RandomSource,
    progress: &mut RunProgress<'_>,
) -> (Vec<CaseMeasurements>, Result<(), SandboxError>) {
    let mut found = vec![Ok(Vec::with_capacity(runs)); program_cases.len()];
    let ended = rounds(runner, program_cases, runs, random, progress, &mut found);
    (found, ended)
}

fn rounds(
    runner: &mut BenchRunner<'_>,
    program_cases: &[ProgramCase],
    runs: usize,
    random: &mut RandomSource,
    progress: &mut RunProgress<'_>,
    found: &mut [CaseMeasurements],
) -> Result<(), SandboxError> {
    let mut order: Vec<usize> = (0..program_cases.len()).collect();
    for round in 0..=runs {
        random.shuffle(&mut order);
        for &index in &order {
            let Ok(measurements) = &mut found[index] else {
                continue;
            };
            match runner.run(program_cases[index].program, program_cases[index].case)? {
                Ok(measurement) if round > 0 => measurements.push(measurement),
                Ok(_) => {}
                Err(why) => found[index] = Err(why),
            }
            progress(program_cases[index]);
        }
    }
    Ok(())
}

/// Runs each pair of programs on its case `pairs` times, and its control as often, after one warm-up run of both
/// programs that is not counted.
pub fn measure_pairs(
    runner: &mut BenchRunner<'_>,
    case_pairs: &[ProgramCasePair],
    pairs: usize,
    control: Control,
    random: &mut RandomSource,
    progress: &mut RunProgress<'_>,
) -> Result<Vec<Result<MeasurementPairs, PairFailure>>, SandboxError> {
    let mut found = Vec::with_capacity(case_pairs.len());
    for program_cases in case_pairs {
        let ready = match control {
            Control::Interleaved => warm_up(runner, *program_cases)?,
            Control::None => Ok(()),
        };
        found.push(ready.map(|()| MeasurementPairs::default()));
    }
    // In each round, every pair of programs runs twice on its case: base against new version, and its control.
    let mut order: Vec<(usize, bool)> = (0..case_pairs.len())
        .flat_map(|index| [(index, false), (index, true)])
        .filter(|(_, is_control)| control == Control::Interleaved || !is_control)
        .collect();
    for _ in 0..pairs {
        random.shuffle(&mut order);
        for &(index, is_control) in &order {
            let Ok(so_far) = &mut found[index] else {
                continue;
            };
            let ProgramCasePair { base, new } = case_pairs[index];
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
    program_cases: ProgramCasePair,
) -> InSandbox<(), PairFailure> {
    for (program_case, version) in
        [(program_cases.base, Version::Base), (program_cases.new, Version::New)]
    {
        if let Err(why) = runner.run(program_case.program, program_case.case)? {
            return Ok(Err(PairFailure { version, why }));
        }
    }
    Ok(Ok(()))
}

fn pair(
    runner: &mut BenchRunner<'_>,
    base: ProgramCase,
    new: ProgramCase,
    new_first: bool,
    progress: &mut RunProgress<'_>,
) -> InSandbox<MeasurementPair, PairFailure> {
    let mut measurements = [None, None];
    let order = if new_first { [1, 0] } else { [0, 1] };
    for index in order {
        let program_case = [base, new][index];
        match runner.run(program_case.program, program_case.case)? {
            Ok(measurement) => measurements[index] = Some(measurement),
            Err(why) => {
                let version = [Version::Base, Version::New][index];
                return Ok(Err(PairFailure { version, why }));
            }
        }
        progress(program_case);
    }
    let [base, new] = measurements.map(|measurement| measurement.expect("both versions ran"));
    Ok(Ok(MeasurementPair { base, new }))
}
