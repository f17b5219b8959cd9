//! Plain measurements: every solution on its chosen cases, again and again, in random order.

use anyhow::Result;

use super::judged::{self, Choice};
use super::{Stage, set_meter, shortest};
use crate::bench::report::{LEVEL, LeftOut, Measured, Report};
use crate::bench::sampling::{self, Target};
use crate::bench::{BenchRunner, RandomSource, RunMeasurement};
use crate::cli::project::Selected;
use crate::sequence::SubmissionEntry;
use crate::statistics::{Quantity, Summary};

/// Measures what is left of `selected`.
pub(super) fn measure(stage: &Stage<'_>, mut selected: Selected) -> Result<Report> {
    let mut left_out = Vec::new();
    let targets = judged::choose(stage, &mut selected, &Choice::Usual, &mut left_out)?;
    let entries = judged::entries(&selected);
    let mut runner = stage.runner(&entries)?;
    set_meter(&mut runner, stage.quantity)?;
    let case_id = |target: Target| judged::case_id(&entries, target);
    let shortest = shortest(&mut runner, stage.quantity)?;
    let mut timed = Vec::new();
    for (target, cpu) in targets {
        if cpu >= shortest {
            timed.push(target);
        } else {
            left_out.push(LeftOut::too_short(&case_id(target), cpu, shortest));
        }
    }
    let runs = stage.settings.runs;
    let found = take(stage, &mut runner, &entries, &timed, runs, &mut left_out)?;
    let mut measured = Vec::new();
    for (target, measurements) in found {
        measured.push(Measured {
            figures: figures(&measurements, stage.quantity)?,
            case_id: case_id(target),
        });
    }
    Ok(Report {
        meter: runner.meter().name(),
        sandbox: Some(stage.session.facts().clone()),
        quantity: stage.quantity,
        measured,
        comparison: None,
        left_out,
    })
}

/// Runs all targets so often; what fails is left out.
pub(super) fn take(
    stage: &Stage<'_>,
    runner: &mut BenchRunner<'_>,
    entries: &[SubmissionEntry<'_>],
    targets: &[Target],
    runs: usize,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<(Target, Vec<RunMeasurement>)>> {
    let mut live = stage.args.output.progress();
    live.expect(targets.len() * (runs + 1));
    let found = sampling::measure(
        runner,
        targets,
        runs,
        &mut RandomSource::from_clock(),
        &mut |target| {
            let case_id = judged::case_id(entries, target);
            live.step(&format!("{} {}", case_id.submission, case_id.case));
        },
    )?;
    live.finish();
    let mut taken = Vec::new();
    for (target, found) in targets.iter().zip(found) {
        match found {
            Ok(measurements) => taken.push((*target, measurements)),
            Err(why) => left_out.push(LeftOut::failed(&judged::case_id(entries, *target), why)),
        }
    }
    Ok(taken)
}

/// Every figure that the runs have, the one that is looked at first.
pub(super) fn figures(
    measurements: &[RunMeasurement],
    quantity: Quantity,
) -> Result<Vec<(Quantity, Vec<f64>, Summary)>> {
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
            let summary = Summary::of(&sample, LEVEL)?;
            Ok((quantity, sample, summary))
        })
        .collect()
}
