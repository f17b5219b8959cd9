//! The two passes of a comparison: the first measures all cases, the second measures the suspected regressions again.
//! This module only measures; [`statistics`](rejudge_statistics) decides.

use rejudge_statistics::{CaseGate, Gate, GateReport, Pairs, Pass, Quantity};

use crate::sandbox::SandboxError;

use super::failure::PairFailure;
use super::random_source::RandomSource;
use super::runner::BenchRunner;
use super::sampling::{self, Control, MeasurementPairs, ProgramCasePair, RunProgress};
use super::settings::Override;

/// Number of runs that show whether a count repeats exactly.
pub const PROBE_RUNS: usize = 2;

/// Two programs to compare on one case.
#[derive(Debug, Clone)]
pub struct PlannedComparison {
    /// `SUBMISSION CASE`.
    pub name: String,
    /// The programs and the case.
    pub program_cases: ProgramCasePair,
    /// Settings for this case alone.
    pub over: Override,
}

/// The decision and all samples.
#[derive(Debug)]
pub struct GateOutcome {
    /// The decision about the comparisons that could be measured, in the planned order.
    pub report: GateReport,
    /// The samples of these comparisons.
    pub cases: Vec<CaseGate>,
    /// The indices of these comparisons in the planned ones.
    pub measured: Vec<usize>,
    /// The indices of the other comparisons, and the reasons.
    pub failed: Vec<(usize, PairFailure)>,
}

/// The expected number of runs in the first pass.
pub fn runs(gate: &Gate, planned: usize) -> usize {
    match gate.options().quantity {
        Quantity::Instructions => 2 * PROBE_RUNS * planned,
        _ => 4 * gate.options().pairs * planned,
    }
}

/// Measures every planned comparison, and measures those that look slower a second time.
pub fn decide(
    runner: &mut BenchRunner<'_>,
    gate: &Gate,
    planned: &[PlannedComparison],
    random: &mut RandomSource,
    progress: &mut RunProgress<'_>,
) -> Result<GateOutcome, SandboxError> {
    let mut failed = Vec::new();
    let case_pairs: Vec<ProgramCasePair> =
        planned.iter().map(|comparison| comparison.program_cases).collect();
    let passes = pass(runner, gate, &case_pairs, random, progress)?;
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
        let case_pairs: Vec<ProgramCasePair> =
            candidates.iter().map(|index| planned[measured[*index]].program_cases).collect();
        let passes = pass(runner, gate, &case_pairs, random, progress)?;
        for (index, pass) in candidates.into_iter().zip(passes) {
            match pass {
                Ok(pass) => cases[index].again = Some(pass),
                Err(why) => failed.push((measured[index], why)),
            }
        }
    }
    Ok(GateOutcome { report: gate.judge(&cases), cases, measured, failed })
}

/// One pass. Instructions are counted twice; only if the count does not repeat exactly, the full number of pairs follows.
fn pass(
    runner: &mut BenchRunner<'_>,
    gate: &Gate,
    case_pairs: &[ProgramCasePair],
    random: &mut RandomSource,
    progress: &mut RunProgress<'_>,
) -> Result<Vec<Result<Pass, PairFailure>>, SandboxError> {
    let quantity = gate.options().quantity;
    let mut all = |case_pairs: &[ProgramCasePair], pairs, control| {
        sampling::measure_pairs(runner, case_pairs, pairs, control, random, progress)
    };
    if quantity != Quantity::Instructions {
        let found = all(case_pairs, gate.options().pairs, Control::Interleaved)?;
        return Ok(found
            .into_iter()
            .map(|pairs| pairs.map(|pairs| pairs_of(&pairs, quantity)))
            .collect());
    }
    let probed = all(case_pairs, PROBE_RUNS, Control::None)?;
    let mut found: Vec<Result<Pass, PairFailure>> =
        probed.into_iter().map(|pairs| pairs.map(|pairs| pairs_of(&pairs, quantity))).collect();
    let varying: Vec<usize> = (0..case_pairs.len())
        .filter(|&index| matches!(&found[index], Ok(pass) if !pass.pairs.repeat_themselves()))
        .collect();
    let case_pairs: Vec<ProgramCasePair> = varying.iter().map(|&index| case_pairs[index]).collect();
    // Enough pairs for a significant result, whatever the number of cases.
    let enough = gate.options().pairs_needed(2 * found.len()) + 2;
    let more = all(&case_pairs, gate.options().pairs.max(enough), Control::Interleaved)?;
    for (index, pairs) in varying.into_iter().zip(more) {
        found[index] = pairs.map(|pairs| pairs_of(&pairs, quantity));
    }
    Ok(found)
}

fn pairs_of(pairs: &MeasurementPairs, quantity: Quantity) -> Pass {
    let of = |pairs: &[sampling::MeasurementPair]| {
        let mut figures = Pairs::default();
        for pair in pairs {
            figures.push(pair.base.of(quantity), pair.new.of(quantity));
        }
        figures
    };
    Pass {
        pairs: of(&pairs.base_and_new),
        null: (!pairs.control.is_empty()).then(|| of(&pairs.control)),
    }
}
