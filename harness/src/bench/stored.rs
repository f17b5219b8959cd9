//! Decisions about stored samples, from an earlier run or from another program.
//!
//! Stored samples were not measured side by side, so the decision is only advice: a change of the machine between the
//! two measurements looks like a change of the program. They cannot be measured again either, so one pass serves as
//! both. The null control compares the even runs of the base with its odd runs.

use rejudge_statistics::{CaseGate, Pairs, Pass, Quantity};

use super::settings::Override;

/// The warning that accompanies every decision about stored samples.
pub const CAUTION: &str = "base and new were not measured side by side, so a change of the machine looks like a change of the program";

/// A case whose samples were stored.
#[must_use]
pub fn case(
    name: String,
    quantity: Quantity,
    mut base: Vec<f64>,
    mut new: Vec<f64>,
    over: Override,
) -> CaseGate {
    if quantity == Quantity::Instructions {
        let runs = base.len().max(new.len());
        lengthen(&mut base, runs);
        lengthen(&mut new, runs);
    }
    let null = (quantity != Quantity::Instructions).then(|| halves(&base));
    let pairs = base.len().min(new.len());
    base.truncate(pairs);
    new.truncate(pairs);
    let pass = Pass {
        pairs: Pairs { base, new },
        null: null.filter(|null| null.len() >= FEWEST_CONTROL_PAIRS),
    };
    CaseGate {
        name,
        threshold: over.threshold,
        floor: over.floor,
        // The second pass is the first one again, without a control: it would only repeat the first control.
        again: Some(Pass { pairs: pass.pairs.clone(), null: None }),
        first: pass,
    }
}

/// Number of runs if a count does not repeat exactly: enough for a significant result among a thousand cases.
pub const VARYING_COUNT_RUNS: usize = 16;

/// Extends a sample to `runs` runs, if its count repeats exactly: more runs would give the same count.
fn lengthen(sample: &mut Vec<f64>, runs: usize) {
    let repeats_itself = sample.windows(2).all(|two| two[0].to_bits() == two[1].to_bits());
    if sample.len() > 1 && repeats_itself {
        sample.resize(runs.max(sample.len()), sample[0]);
    }
}

/// The fewest pairs of a useful null control. With fewer pairs it can never be significant, and the gate would reject
/// the case because of too few pairs.
const FEWEST_CONTROL_PAIRS: usize = 15;

/// Pairs the even runs of a sample with its odd runs.
fn halves(sample: &[f64]) -> Pairs {
    let mut pairs = Pairs::default();
    for two in sample.chunks_exact(2) {
        pairs.push(two[0], two[1]);
    }
    pairs
}

#[cfg(test)]
mod tests {
    use rejudge_statistics::{Decision, Gate, GateOptions};

    use super::*;

    fn decide(quantity: Quantity, base: Vec<f64>, new: Vec<f64>) -> Decision {
        let gate = Gate::new(GateOptions::of(quantity)).unwrap();
        let case = case(String::new(), quantity, base, new, Override::default());
        gate.judge(&[case]).decision
    }

    #[test]
    fn stored_samples_are_decided_in_one_pass() {
        let sample = |factor: f64, runs: u32| -> Vec<f64> {
            (0..runs).map(|run| factor * (0.05 + 1e-6 * f64::from(run * 7 % 10))).collect()
        };
        let time = |factor| decide(Quantity::CpuTime, sample(1.0, 100), sample(factor, 80));
        assert_eq!(time(1.1), Decision::Regression);
        assert_eq!(time(0.9), Decision::Improvement);
        assert_eq!(time(1.0), Decision::Pass);
        let few = decide(Quantity::CpuTime, sample(1.0, 4), sample(1.1, 4));
        assert!(matches!(few, Decision::Inconclusive(_)), "{few:?}");
        let count = |new| decide(Quantity::Instructions, vec![1e7; 2], vec![new; 2]);
        assert_eq!(count(1.01e7), Decision::Regression);
        assert_eq!(count(1e7), Decision::Pass);
    }

    #[test]
    fn counts_that_vary_on_one_side_or_both_are_decided() {
        let options = GateOptions::of(Quantity::Instructions);
        assert!(options.pairs_needed(1000) <= VARYING_COUNT_RUNS);
        let sides: [fn(f64) -> Vec<f64>; 2] = [
            |factor| vec![factor * 1e7; 2],
            |factor| {
                let runs = (0..16).map(|run| 1e7 + 100.0 * f64::from(run * 7 % 10));
                runs.map(|count| factor * count).collect()
            },
        ];
        for base in sides {
            for new in sides {
                let decide = |factor| decide(Quantity::Instructions, base(1.0), new(factor));
                assert_eq!(decide(1.01), Decision::Regression);
                assert_eq!(decide(1.0), Decision::Pass);
                assert_eq!(decide(0.99), Decision::Improvement);
            }
        }
    }
}
