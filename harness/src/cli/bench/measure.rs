//! Plain measurements: every solution on its chosen cases, again and again, in random order.

use anyhow::Result;
use rejudge_statistics::{Quantity, SampleSummary};

use super::judged::{self, Choice};
use super::{BenchStage, leave_out_uncounted, set_meter, shortest};
use crate::bench::report::{BenchReport, LEVEL, LeftOut, MeasuredCase};
use crate::bench::sampling::{self, ProgramCase};
use crate::bench::{BenchRunner, RandomSource, RunMeasurement};
use crate::cli::project::Selected;
use crate::sandbox::SandboxError;
use crate::sequence::SubmissionEntry;

/// Measures what is left of `selected`. After an interruption, the report has what was measured until then.
pub(super) fn measure(stage: &BenchStage<'_>, mut selected: Selected) -> Result<BenchReport> {
    let mut left_out = Vec::new();
    // Who names several solutions compares them.
    let choice = match stage.args.select.paths.len() {
        0 | 1 => Choice::Usual,
        _ => Choice::Common,
    };
    let program_cases = judged::choose(stage, &mut selected, &choice, &mut left_out)?;
    let entries = judged::entries(&selected);
    let mut runner = stage.runner(&entries)?;
    set_meter(&mut runner, stage.quantity)?;
    let case_id = |program_case: ProgramCase| judged::case_id(&entries, program_case);
    let shortest = shortest(&mut runner, stage.quantity)?;
    let mut timed = Vec::new();
    for (program_case, cpu) in program_cases {
        let at = case_id(program_case);
        if cpu < shortest {
            left_out.push(LeftOut::too_short(&at, cpu, shortest));
        } else if !leave_out_uncounted(&mut runner, &[program_case], &at, &mut left_out)? {
            timed.push(program_case);
        }
    }
    let runs = stage.settings.runs;
    let (found, ended) =
        take_until_error(stage, &mut runner, &entries, &timed, runs, &mut left_out);
    match ended {
        Ok(()) | Err(SandboxError::Interrupted) => {}
        Err(error) => return Err(error.into()),
    }
    let mut measured = Vec::new();
    let found = found.into_iter();
    for (program_case, measurements) in found.filter(|(_, runs)| !runs.is_empty()) {
        measured.push(MeasuredCase {
            figures: figures(&measurements, stage.quantity)?,
            case_id: case_id(program_case),
        });
    }
    Ok(BenchReport {
        meter: runner.meter().name(),
        sandbox: Some(stage.session.facts().clone()),
        quantity: stage.quantity,
        measured,
        comparison: None,
        left_out,
    })
}

/// Runs each program on each of its cases `runs` times. Pairs that fail are left out.
pub(super) fn take(
    stage: &BenchStage<'_>,
    runner: &mut BenchRunner<'_>,
    entries: &[SubmissionEntry<'_>],
    program_cases: &[ProgramCase],
    runs: usize,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<TakenRuns>> {
    let (taken, ended) = take_until_error(stage, runner, entries, program_cases, runs, left_out);
    ended?;
    Ok(taken)
}

/// A program on a case, with its runs.
type TakenRuns = (ProgramCase, Vec<RunMeasurement>);

/// Like [`take`], but returns what was measured before an error, too.
fn take_until_error(
    stage: &BenchStage<'_>,
    runner: &mut BenchRunner<'_>,
    entries: &[SubmissionEntry<'_>],
    program_cases: &[ProgramCase],
    runs: usize,
    left_out: &mut Vec<LeftOut>,
) -> (Vec<TakenRuns>, Result<(), SandboxError>) {
    let mut live = stage.args.output.progress();
    live.expect(program_cases.len() * (runs + 1));
    let (found, ended) = sampling::measure_until_error(
        runner,
        program_cases,
        runs,
        &mut RandomSource::from_clock(),
        &mut |program_case| {
            let case_id = judged::case_id(entries, program_case);
            live.step(&format!("{} {}", case_id.submission, case_id.case));
        },
    );
    live.finish();
    let mut taken = Vec::new();
    for (program_case, found) in program_cases.iter().zip(found) {
        match found {
            Ok(measurements) => taken.push((*program_case, measurements)),
            Err(why) => {
                left_out.push(LeftOut::failed(&judged::case_id(entries, *program_case), why));
            }
        }
    }
    (taken, ended)
}

/// Every figure that the runs have, the one that is looked at first.
pub(super) fn figures(
    measurements: &[RunMeasurement],
    quantity: Quantity,
) -> Result<Vec<(Quantity, Vec<f64>, SampleSummary)>> {
    let all: &[Quantity] = match quantity {
        Quantity::Instructions => &[Quantity::Instructions],
        Quantity::Memory => &[Quantity::Memory, Quantity::CpuTime, Quantity::WallTime],
        Quantity::CpuTime | Quantity::WallTime => {
            &[Quantity::CpuTime, Quantity::WallTime, Quantity::Memory]
        }
    };
    all.iter()
        .map(|&quantity| {
            let sample: Vec<f64> = measurements.iter().map(|one| one.of(quantity)).collect();
            let summary = SampleSummary::of(&sample, LEVEL)?;
            Ok((quantity, sample, summary))
        })
        .collect()
}
