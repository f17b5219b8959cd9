//! Plain measurements: every solution on its chosen cases, again and again, in random order.

use anyhow::Result;

use super::{Stage, judged, set_meter, shortest};
use crate::bench::report::{Kind, LEVEL, LeftOut, Measured, Place, Report};
use crate::bench::sampling::{self, Target};
use crate::bench::{Dice, Reading, Stand};
use crate::cli::project::Selected;
use crate::statistics::{Quantity, Summary};

/// Measures what is left of `selected`.
pub(super) fn measure(stage: &Stage<'_>, mut selected: Selected) -> Result<Report> {
    let mut left_out = Vec::new();
    let targets = judged::choose(stage, &mut selected, &mut left_out)?;
    let entries: Vec<_> = selected
        .submissions
        .iter()
        .map(|submission| (submission, judged::problem_of(&selected, submission)))
        .collect();
    let mut stand = Stand::new(
        &entries,
        stage.project.tools(),
        (&stage.args.limits).into(),
        &stage.session.runner_options(),
    )?;
    set_meter(&mut stand, stage.quantity)?;
    let place = |target: Target| {
        let (submission, problem) = entries[target.program];
        Place {
            submission: submission.name.clone(),
            problem: problem.id.clone(),
            case: problem.cases[target.case].name().to_owned(),
        }
    };
    let shortest = shortest(&mut stand, stage.quantity)?;
    let mut timed = Vec::new();
    for (target, cpu) in targets {
        if cpu >= shortest {
            timed.push(target);
        } else {
            left_out.push(LeftOut::too_short(&place(target), cpu, shortest));
        }
    }
    let mut live = stage.args.output.progress();
    live.expect(timed.len() * (stage.settings.runs + 1));
    let found = sampling::measure(
        &mut stand,
        &timed,
        stage.settings.runs,
        &mut Dice::thrown(),
        &mut |target| {
            let place = place(target);
            live.step(format!("{} {}", place.submission, place.case));
        },
    )?;
    live.finish();
    let mut measured = Vec::new();
    for (target, found) in timed.into_iter().zip(found) {
        let place = place(target);
        match found {
            Ok(readings) => measured.push(Measured {
                figures: figures(&readings, stage.quantity)?,
                place,
            }),
            Err(why) => left_out.push(LeftOut {
                submission: place.submission,
                case: Some(place.case),
                kind: Kind::Failed,
                why,
            }),
        }
    }
    Ok(Report {
        meter: stand.meter().name(),
        quantity: stage.quantity,
        measured,
        comparison: None,
        left_out,
    })
}

/// Every figure that the runs have, the one that is looked at first.
fn figures(readings: &[Reading], quantity: Quantity) -> Result<Vec<(Quantity, Vec<f64>, Summary)>> {
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
