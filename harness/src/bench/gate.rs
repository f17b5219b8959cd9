//! The two passes of a comparison: all cases, then the candidates afresh. The statistics decide; this only measures.

use crate::sandbox::SandboxError;
use crate::statistics::{CaseGate, Gate, GateReport, Pairs as Sides, Pass, Quantity};

use super::dice::Dice;
use super::sampling::{self, Control, Duel, Pairs, Progress};
use super::settings::Override;
use super::stand::{Refusal, Stand};

/// Runs that show whether a count repeats itself.
pub const PROBE: usize = 2;

/// Two programs on one case, and what people call that.
#[derive(Debug, Clone)]
pub struct Contest {
    /// `SUBMISSION CASE`.
    pub name: String,
    /// What is run.
    pub duel: Duel,
    /// What counts for this case alone.
    pub over: Override,
}

/// The answer, with all that was measured.
#[derive(Debug)]
pub struct Outcome {
    /// The decision, of the contests that could be measured, in their order.
    pub report: GateReport,
    /// Their samples.
    pub cases: Vec<CaseGate>,
    /// Their indices among the contests.
    pub measured: Vec<usize>,
    /// The indices of the others, and why.
    pub refused: Vec<(usize, Refusal)>,
}

/// How many runs the first pass takes, as far as it can be foreseen.
pub fn runs(gate: &Gate, contests: usize) -> usize {
    match gate.options().quantity {
        Quantity::Instructions => 2 * PROBE * contests,
        _ => 4 * gate.options().pairs * contests,
    }
}

/// Measures every contest, and those that look slower twice.
pub fn decide(
    stand: &mut Stand<'_>,
    gate: &Gate,
    contests: &[Contest],
    dice: &mut Dice,
    progress: &mut Progress<'_>,
) -> Result<Outcome, SandboxError> {
    let mut refused = Vec::new();
    let duels: Vec<Duel> = contests.iter().map(|contest| contest.duel).collect();
    let passes = pass(stand, gate, &duels, dice, progress)?;
    let (mut cases, mut measured) = (Vec::new(), Vec::new());
    for (index, pass) in passes.into_iter().enumerate() {
        match pass {
            Ok(first) => {
                let contest = &contests[index];
                cases.push(CaseGate {
                    name: contest.name.clone(),
                    threshold: contest.over.threshold,
                    floor: contest.over.floor,
                    first,
                    again: None,
                });
                measured.push(index);
            }
            Err(why) => refused.push((index, why)),
        }
    }
    let candidates = gate.first_pass(&cases);
    if !candidates.is_empty() {
        let duels: Vec<Duel> = candidates
            .iter()
            .map(|index| contests[measured[*index]].duel)
            .collect();
        let passes = pass(stand, gate, &duels, dice, progress)?;
        for (index, pass) in candidates.into_iter().zip(passes) {
            match pass {
                Ok(pass) => cases[index].again = Some(pass),
                Err(why) => refused.push((measured[index], why)),
            }
        }
    }
    Ok(Outcome {
        report: gate.judge(&cases),
        cases,
        measured,
        refused,
    })
}

/// One pass. A count is taken twice; only if it does not repeat itself the full number of pairs follows.
fn pass(
    stand: &mut Stand<'_>,
    gate: &Gate,
    duels: &[Duel],
    dice: &mut Dice,
    progress: &mut Progress<'_>,
) -> Result<Vec<Result<Pass, Refusal>>, SandboxError> {
    let quantity = gate.options().quantity;
    let mut all = |duels: &[Duel], pairs, control| {
        sampling::duel(stand, duels, pairs, control, dice, progress)
    };
    if quantity != Quantity::Instructions {
        let found = all(duels, gate.options().pairs, Control::Beside)?;
        return Ok(found
            .into_iter()
            .map(|pairs| pairs.map(|pairs| sides(&pairs, quantity)))
            .collect());
    }
    let probed = all(duels, PROBE, Control::None)?;
    let mut found: Vec<Result<Pass, Refusal>> = probed
        .into_iter()
        .map(|pairs| pairs.map(|pairs| sides(&pairs, quantity)))
        .collect();
    let varying: Vec<usize> = (0..duels.len())
        .filter(|&index| matches!(&found[index], Ok(pass) if !pass.pairs.repeat_themselves()))
        .collect();
    let duels: Vec<Duel> = varying.iter().map(|&index| duels[index]).collect();
    // Enough to show something, however many cases there are.
    let enough = gate.options().pairs_needed(2 * found.len()) + 2;
    let more = all(&duels, gate.options().pairs.max(enough), Control::Beside)?;
    for (index, pairs) in varying.into_iter().zip(more) {
        found[index] = pairs.map(|pairs| sides(&pairs, quantity));
    }
    Ok(found)
}

fn sides(pairs: &Pairs, quantity: Quantity) -> Pass {
    let of = |pairs: &[sampling::Pair]| {
        let mut sides = Sides::default();
        for pair in pairs {
            sides.push(pair.base.of(quantity), pair.new.of(quantity));
        }
        sides
    };
    Pass {
        pairs: of(&pairs.duel),
        null: (!pairs.control.is_empty()).then(|| of(&pairs.control)),
    }
}
