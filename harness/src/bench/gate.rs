//! The two passes of a comparison: all cases, then the candidates afresh. The statistics decide; this only measures.

use crate::sandbox::SandboxError;
use crate::statistics::{CaseGate, Gate, GateReport, Pairs as Sides, Pass, Quantity};

use super::random_source::RandomSource;
use super::runner::{BenchRunner, Failure};
use super::sampling::{self, Control, Pairs, Progress, TargetPair};
use super::settings::Override;

/// Runs that show whether a count repeats itself.
pub const PROBE_RUNS: usize = 2;

/// Two programs on one case, and what people call that.
#[derive(Debug, Clone)]
pub struct PlannedComparison {
    /// `SUBMISSION CASE`.
    pub name: String,
    /// What is run.
    pub targets: TargetPair,
    /// What counts for this case alone.
    pub over: Override,
}

/// The answer, with all that was measured.
#[derive(Debug)]
pub struct GateOutcome {
    /// The decision, of the planned that could be measured, in their order.
    pub report: GateReport,
    /// Their samples.
    pub cases: Vec<CaseGate>,
    /// Their indices among the planned.
    pub measured: Vec<usize>,
    /// The indices of the others, and why.
    pub failed: Vec<(usize, Failure)>,
}

/// How many runs the first pass takes, as far as it can be foreseen.
pub fn runs(gate: &Gate, planned: usize) -> usize {
    match gate.options().quantity {
        Quantity::Instructions => 2 * PROBE_RUNS * planned,
        _ => 4 * gate.options().pairs * planned,
    }
}

/// Measures every comparison, and those that look slower twice.
pub fn decide(
    runner: &mut BenchRunner<'_>,
    gate: &Gate,
    planned: &[PlannedComparison],
    random: &mut RandomSource,
    progress: &mut Progress<'_>,
) -> Result<GateOutcome, SandboxError> {
    let mut failed = Vec::new();
    let target_pairs: Vec<TargetPair> = planned
        .iter()
        .map(|comparison| comparison.targets)
        .collect();
    let passes = pass(runner, gate, &target_pairs, random, progress)?;
    let (mut cases, mut measured) = (Vec::new(), Vec::new());
    for (index, pass) in passes.into_iter().enumerate() {
        match pass {
            Ok(first) => {
                let comparison = &planned[index];
                cases.push(CaseGate {
                    name: comparison.name.clone(),
                    threshold: comparison.over.threshold,
                    floor: comparison.over.floor,
                    first,
                    again: None,
                });
                measured.push(index);
            }
            Err(why) => failed.push((index, why)),
        }
    }
    let candidates = gate.first_pass(&cases);
    if !candidates.is_empty() {
        let target_pairs: Vec<TargetPair> = candidates
            .iter()
            .map(|index| planned[measured[*index]].targets)
            .collect();
        let passes = pass(runner, gate, &target_pairs, random, progress)?;
        for (index, pass) in candidates.into_iter().zip(passes) {
            match pass {
                Ok(pass) => cases[index].again = Some(pass),
                Err(why) => failed.push((measured[index], why)),
            }
        }
    }
    Ok(GateOutcome {
        report: gate.judge(&cases),
        cases,
        measured,
        failed,
    })
}

/// One pass. A count is taken twice; only if it does not repeat itself the full number of pairs follows.
fn pass(
    runner: &mut BenchRunner<'_>,
    gate: &Gate,
    target_pairs: &[TargetPair],
    random: &mut RandomSource,
    progress: &mut Progress<'_>,
) -> Result<Vec<Result<Pass, Failure>>, SandboxError> {
    let quantity = gate.options().quantity;
    let mut all = |target_pairs: &[TargetPair], pairs, control| {
        sampling::measure_pairs(runner, target_pairs, pairs, control, random, progress)
    };
    if quantity != Quantity::Instructions {
        let found = all(target_pairs, gate.options().pairs, Control::Interleaved)?;
        return Ok(found
            .into_iter()
            .map(|pairs| pairs.map(|pairs| sides(&pairs, quantity)))
            .collect());
    }
    let probed = all(target_pairs, PROBE_RUNS, Control::None)?;
    let mut found: Vec<Result<Pass, Failure>> = probed
        .into_iter()
        .map(|pairs| pairs.map(|pairs| sides(&pairs, quantity)))
        .collect();
    let varying: Vec<usize> = (0..target_pairs.len())
        .filter(|&index| matches!(&found[index], Ok(pass) if !pass.pairs.repeat_themselves()))
        .collect();
    let target_pairs: Vec<TargetPair> = varying.iter().map(|&index| target_pairs[index]).collect();
    // Enough to show something, however many cases there are.
    let enough = gate.options().pairs_needed(2 * found.len()) + 2;
    let more = all(
        &target_pairs,
        gate.options().pairs.max(enough),
        Control::Interleaved,
    )?;
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
        pairs: of(&pairs.base_and_new),
        null: (!pairs.control.is_empty()).then(|| of(&pairs.control)),
    }
}
