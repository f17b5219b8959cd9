//! Seeded simulations of the gate on shared machines: its false alarms, and the changes that it detects.
//!
//! The simulated noise resembles that of measured programs: a core of about one per cent that is correlated in time,
//! long one-sided tails, phases in which everything is slower, and a slow drift. A false alarm is a regression of a
//! program against itself.
//!
//! A machine may also be biased: the second program of a comparison is then slower or faster by the bias, in null
//! controls too. The random order within pairs does not remove such a bias.

use super::{CaseGate, Decision, Gate, GateOptions, GateReport, Pairs, Pass, Quantity};

/// A simulated machine: the time of every run is multiplied by a random factor that is correlated with the previous one.
struct SimulatedMachine {
    rng: fastrand::Rng,
    /// The slow drift, as a logarithm.
    drift: f64,
    /// The correlated noise of the previous run, as a logarithm.
    previous: f64,
    /// The remaining runs of a phase in which another program is busy.
    busy: usize,
    /// The scale of the noise; 1 is a quiet virtual machine.
    noise: f64,
    /// The bias of the new side of every pair, as a logarithm.
    bias: f64,
}

impl SimulatedMachine {
    fn new(seed: u64, noise: f64) -> Self {
        Self {
            rng: fastrand::Rng::with_seed(seed),
            drift: 0.0,
            previous: 0.0,
            busy: 0,
            noise,
            bias: 0.0,
        }
    }

    fn biased(self, bias: f64) -> Self {
        Self { bias, ..self }
    }

    /// An approximately normal random number.
    fn normal(&mut self) -> f64 {
        (0..6).map(|_| self.rng.f64() - 0.5).sum::<f64>() * 2.0_f64.sqrt()
    }

    /// The measured time of a run that takes `seconds` without noise.
    fn run(&mut self, seconds: f64) -> f64 {
        self.drift += 0.002 * self.noise * self.normal();
        self.previous = 0.8 * self.previous + 0.02 * self.noise * self.normal();
        if self.busy > 0 {
            self.busy -= 1;
        } else if self.rng.f64() < 0.01 {
            self.busy = self.rng.usize(5..40);
        }
        let phase = if self.busy > 0 { 0.08 * self.noise * self.rng.f64() } else { 0.0 };
        // A Pareto tail without variance: rare runs take several times as long.
        let tail = 0.01 * self.noise * (self.rng.f64().max(1e-9).powf(-1.0 / 1.8) - 1.0);
        let independent = 0.01 * self.noise * self.normal();
        seconds * (self.drift + self.previous + phase + tail + independent).exp()
    }

    fn pairs(&mut self, ratio: f64, count: usize) -> Pairs {
        let mut pairs = Pairs::default();
        let seconds = 0.05 * ratio * self.bias.exp();
        for _ in 0..count {
            let (base, new) = if self.rng.bool() {
                let base = self.run(0.05);
                (base, self.run(seconds))
            } else {
                let new = self.run(seconds);
                (self.run(0.05), new)
            };
            pairs.push(base, new);
        }
        pairs
    }

    /// One comparison of a case whose time changed by the factor `ratio`, as `rejudge bench` performs it.
    fn compare(&mut self, gate: &Gate, ratio: f64) -> GateReport {
        let count = gate.options().pairs;
        let mut pass =
            || Pass { pairs: self.pairs(ratio, count), null: Some(self.pairs(1.0, count)) };
        let mut case = CaseGate {
            name: String::new(),
            threshold: None,
            floor: None,
            first: pass(),
            again: None,
        };
        if !gate.first_pass(std::slice::from_ref(&case)).is_empty() {
            case.again = Some(pass());
        }
        gate.judge(std::slice::from_ref(&case))
    }
}

#[derive(Default)]
struct DecisionCounts {
    regressions: usize,
    inconclusive: usize,
}

fn count_decisions(
    ratio: f64,
    comparisons: u64,
    noise: f64,
    options: GateOptions,
) -> DecisionCounts {
    count_decisions_on(comparisons, ratio, options, |seed| SimulatedMachine::new(seed, noise))
}

fn count_decisions_on(
    comparisons: u64,
    ratio: f64,
    options: GateOptions,
    machine: impl Fn(u64) -> SimulatedMachine,
) -> DecisionCounts {
    let gate = Gate::new(options).unwrap();
    let mut counts = DecisionCounts::default();
    for seed in 0..comparisons {
        match machine(seed).compare(&gate, ratio).decision {
            Decision::Regression => counts.regressions += 1,
            Decision::Inconclusive(_) => counts.inconclusive += 1,
            Decision::Pass | Decision::Improvement => {}
        }
    }
    counts
}

fn defaults() -> GateOptions {
    GateOptions::of(Quantity::CpuTime)
}

#[test]
fn a_thousand_comparisons_of_a_program_with_itself_cause_fewer_than_ten_false_alarms() {
    for noise in [1.0, 4.0] {
        let found = count_decisions(1.0, 1000, noise, defaults());
        println!(
            "noise {noise}: {} alarms, {} inconclusive",
            found.regressions, found.inconclusive
        );
        assert!(found.regressions < 10, "{} alarms", found.regressions);
        assert!(found.inconclusive < 10, "{} inconclusive", found.inconclusive);
    }
}

#[test]
fn the_level_of_both_passes_holds_without_a_threshold() {
    let bare = GateOptions { threshold: 0.0, floor: 0.0, ..defaults() };
    let found = count_decisions(1.0, 1000, 4.0, bare);
    println!("{} alarms, {} inconclusive", found.regressions, found.inconclusive);
    assert!(found.regressions < 10, "{} alarms", found.regressions);
    assert!(found.inconclusive < 10, "{} inconclusive", found.inconclusive);
}

#[test]
fn slowdowns_are_detected() {
    for (ratio, least) in [(1.03, 180), (1.05, 195), (1.10, 198)] {
        let found = count_decisions(ratio, 200, 1.0, defaults());
        println!("{ratio}: {} of 200, {} inconclusive", found.regressions, found.inconclusive);
        assert!(found.regressions >= least, "{ratio}: {}", found.regressions);
    }
}

#[test]
fn a_detectable_slowdown_is_detected() {
    let gate = Gate::new(defaults()).unwrap();
    let mut seen = 0;
    for seed in 0..200 {
        let mut machine = SimulatedMachine::new(seed, 2.0);
        let slowdown = machine.compare(&gate, 1.0).detectable().unwrap();
        seen += u32::from(machine.compare(&gate, 1.0 + slowdown).decision == Decision::Regression);
    }
    println!("{seen} of 200");
    assert!(seen >= 170, "{seen} of 200");
}

#[test]
fn on_a_busy_machine_false_alarms_stay_rare_and_large_changes_are_detected() {
    for (noise, ratio, least) in [(4.0, 1.1, 180), (4.0, 2.0, 200), (10.0, 2.0, 200)] {
        let found = count_decisions(ratio, 200, noise, defaults());
        println!(
            "noise {noise}, {ratio}: {} of 200, {} inconclusive",
            found.regressions, found.inconclusive
        );
        assert!(found.regressions >= least, "{noise} {ratio}: {}", found.regressions);
    }
    let same = count_decisions(1.0, 500, 10.0, defaults());
    assert!(same.regressions < 5, "{} alarms", same.regressions);
    assert!(same.inconclusive < 5, "{} inconclusive", same.inconclusive);
}

#[test]
fn fifteen_pairs_detect_a_ninefold_slowdown_whatever_the_null_control_shows() {
    // Of nine pairs, all would have to agree, but occasionally a run takes many times as long.
    let few = GateOptions { pairs: 15, ..defaults() };
    for bias in [0.0, 0.026, -0.026, 0.1, -0.1] {
        let biased = |seed| SimulatedMachine::new(seed, 4.0).biased(bias);
        let found = count_decisions_on(300, 9.06, few, biased);
        assert_eq!(found.regressions, 300, "{bias}: {}", found.inconclusive);
    }
}

#[test]
fn a_bias_causes_few_false_alarms_and_hides_no_much_larger_change() {
    // The bias, and the largest number of false alarms in 200 comparisons of a program with itself.
    for (bias, most) in [(0.01, 20), (0.015, 30), (0.026, 4), (0.1, 4)] {
        for (bias, most) in [(bias, most), (-bias, 0)] {
            let biased = |seed| SimulatedMachine::new(seed, 1.0).biased(bias);
            let same = count_decisions_on(200, 1.0, defaults(), biased);
            println!("{bias}: {} of 200", same.regressions);
            assert!(same.regressions <= most, "{bias}: {}", same.regressions);
            let twice = count_decisions_on(100, 2.0, defaults(), biased);
            assert_eq!(twice.regressions, 100, "{bias}: {}", twice.inconclusive);
        }
    }
}
