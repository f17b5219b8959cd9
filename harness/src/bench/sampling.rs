//! The order of runs: rounds in which everything takes its turn, at random.

use crate::sandbox::SandboxError;

use super::dice::Dice;
use super::reading::Reading;
use super::stand::{Refusal, Stand};

/// One program on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// The program's index on the stand.
    pub program: usize,
    /// The case's index in the problem.
    pub case: usize,
}

/// Two programs that are compared on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Duel {
    /// What it was.
    pub base: Target,
    /// What it is now.
    pub new: Target,
}

/// Two readings that were taken next to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Of what it was.
    pub base: Reading,
    /// Of what it is now; in a control, of the same program again.
    pub new: Reading,
}

/// What a duel gave.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// Base and new.
    pub duel: Vec<Pair>,
    /// Base and base.
    pub control: Vec<Pair>,
}

/// Whether base runs against base too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// As often as base against new.
    Beside,
    /// Not at all: for a count that may repeat itself exactly, and is then its own control. Nothing is warmed up either.
    None,
}

/// Told after every run.
pub type Progress<'a> = dyn FnMut(Target) + 'a;

/// Runs every target `runs` times, after one run that warms up and is not counted.
pub fn measure(
    stand: &mut Stand<'_>,
    targets: &[Target],
    runs: usize,
    dice: &mut Dice,
    progress: &mut Progress<'_>,
) -> Result<Vec<Result<Vec<Reading>, Refusal>>, SandboxError> {
    let mut found = vec![Ok(Vec::with_capacity(runs)); targets.len()];
    let mut order: Vec<usize> = (0..targets.len()).collect();
    for round in 0..=runs {
        dice.shuffle(&mut order);
        for &index in &order {
            let Ok(readings) = &mut found[index] else {
                continue;
            };
            match stand.run(targets[index].program, targets[index].case)? {
                Ok(reading) if round > 0 => readings.push(reading),
                Ok(_) => {}
                Err(why) => found[index] = Err(why),
            }
            progress(targets[index]);
        }
    }
    Ok(found)
}

/// Runs `pairs` pairs of every duel, and as many of its control, after one run of either side that is not counted.
pub fn duel(
    stand: &mut Stand<'_>,
    duels: &[Duel],
    pairs: usize,
    control: Control,
    dice: &mut Dice,
    progress: &mut Progress<'_>,
) -> Result<Vec<Result<Pairs, Refusal>>, SandboxError> {
    let mut found = Vec::with_capacity(duels.len());
    for duel in duels {
        let ready = match control {
            Control::Beside => warm_up(stand, *duel)?,
            Control::None => Ok(()),
        };
        found.push(ready.map(|()| Pairs::default()));
    }
    // Each duel twice in a round: once in earnest, once as its control.
    let mut order: Vec<(usize, bool)> = (0..duels.len())
        .flat_map(|index| [(index, false), (index, true)])
        .filter(|(_, is_control)| control == Control::Beside || !is_control)
        .collect();
    for _ in 0..pairs {
        dice.shuffle(&mut order);
        for &(index, is_control) in &order {
            let Ok(so_far) = &mut found[index] else {
                continue;
            };
            let Duel { base, new } = duels[index];
            let other = if is_control { base } else { new };
            let new_first = dice.coin();
            match pair(stand, base, other, new_first, progress)? {
                Ok(pair) if is_control => so_far.control.push(pair),
                Ok(pair) => so_far.duel.push(pair),
                Err(why) => found[index] = Err(why),
            }
        }
    }
    Ok(found)
}

fn warm_up(stand: &mut Stand<'_>, duel: Duel) -> Result<Result<(), Refusal>, SandboxError> {
    for (target, which) in [(duel.base, "the base"), (duel.new, "the new one")] {
        if let Err(why) = stand.run(target.program, target.case)? {
            return Ok(Err(format!("{which}: {why}")));
        }
    }
    Ok(Ok(()))
}

fn pair(
    stand: &mut Stand<'_>,
    base: Target,
    new: Target,
    new_first: bool,
    progress: &mut Progress<'_>,
) -> Result<Result<Pair, Refusal>, SandboxError> {
    let mut readings = [None, None];
    let order = if new_first { [1, 0] } else { [0, 1] };
    for side in order {
        let target = [base, new][side];
        match stand.run(target.program, target.case)? {
            Ok(reading) => readings[side] = Some(reading),
            Err(why) => {
                let which = ["the base", "the new one"][side];
                return Ok(Err(format!("{which}: {why}")));
            }
        }
        progress(target);
    }
    let [base, new] = readings.map(|reading| reading.expect("both sides ran"));
    Ok(Ok(Pair { base, new }))
}
