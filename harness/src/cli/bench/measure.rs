//! Plain measurements: every solution on its chosen cases, again and again, in random order.

use anyhow::Result;

use super::judged::{self, Choice};
use super::{Stage, set_meter, shortest};
use crate::bench::report::{LEVEL, LeftOut, Measured, Report};
use crate::bench::sampling::{self, Target};
use crate::bench::{Dice, Reading, Stand};
use crate::cli::project::Selected;
use crate::sequence::Entry;
use crate::statistics::{Quantity, Summary};

/// Measures what is left of `selected`.
pub(super) fn measure(stage: &Stage<'_>, mut selected: Selected) -> Result<Report> {
    let mut left_out = Vec::new();
    let targets = judged::choose(stage, &mut selected, &Choice::Usual, &mut left_out)?;
    let entries = judged::entries(&selected);
    let mut stand = stage.stand(&entries)?;
    set_meter(&mut stand, stage.quantity)?;
    let place = |target: Target| judged::place(&entries, target);
    let shortest = shortest(&mut stand, stage.quantity)?;
    let mut timed = Vec::new();
    for (target, cpu) in targets {
        if cpu >= shortest {
            timed.push(target);
        } else {
            left_out.push(LeftOut::too_short(&place(target), cpu, shortest));
        }
    }
    let runs = stage.settings.runs;
    let found = take(stage, &mut stand, &entries, &timed, runs, &mut left_out)?;
    let mut measured = Vec::new();
    for (target, readings) in found {
        measured.push(Measured {
            figures: figures(&readings, stage.quantity)?,
            place: place(target),
        });
    }
    Ok(Report {
        meter: stand.meter().name(),
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
    stand: &mut Stand<'_>,
    entries: &[Entry<'_>],
    targets: &[Target],
    runs: usize,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<(Target, Vec<Reading>)>> {
    let mut live = stage.args.output.progress();
    live.expect(targets.len() * (runs + 1));
    let found = sampling::measure(stand, targets, runs, &mut Dice::thrown(), &mut |target| {
        let place = judged::place(entries, target);
        live.step(&format!("{} {}", place.submission, place.case));
    })?;
    live.finish();
    let mut taken = Vec::new();
    for (target, found) in targets.iter().zip(found) {
        match found {
            Ok(readings) => taken.push((*target, readings)),
            Err(why) => left_out.push(LeftOut::failed(&judged::place(entries, *target), why)),
        }
    }
    Ok(taken)
}

/// Every figure that the runs have, the one that is looked at first.
pub(super) fn figures(
    readings: &[Reading],
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
            let sample: Vec<f64> = readings.iter().map(|one| one.of(quantity)).collect();
            let summary = Summary::of(&sample, LEVEL)?;
            Ok((quantity, sample, summary))
        })
        .collect()
}
