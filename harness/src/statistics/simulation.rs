//! The gate against noise as shared machines make it, seeded: how often it cries wolf, and what it sees.
//!
//! The noise is that of measured programs: a core of about one per cent that neighbours in time share, long one-sided
//! tails, phases in which all is slower, and a slow drift. A false alarm is a regression of a program against itself.
//!
//! A machine may be biased, too: then whatever stands for the new program is slower or faster by that, in null controls
//! as in comparisons, which no coin makes up for.

use super::{CaseGate, Decision, Gate, GateOptions, GateReport, Pairs, Pass, Quantity};

/// A machine: every run takes its time times a factor that remembers the one before.
struct Machine {
    rng: fastrand::Rng,
    /// Slowly varying, in log.
    drift: f64,
    /// Remembered by the next run, in log.
    previous: f64,
    /// Runs left of a phase in which another program is heavy.
    busy: usize,
    /// How rough it is; 1 is a quiet virtual machine.
    noise: f64,
    /// What it adds to the new side of every pair, in log.
    bias: f64,
}

impl Machine {
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

    /// About normal.
    fn normal(&mut self) -> f64 {
        (0..6).map(|_| self.rng.f64() - 0.5).sum::<f64>() * 2.0_f64.sqrt()
    }

    /// What a run of `seconds` measures.
    fn run(&mut self, seconds: f64) -> f64 {
        self.drift += 0.002 * self.noise * self.normal();
        self.previous = 0.8 * self.previous + 0.02 * self.noise * self.normal();
        if self.busy > 0 {
            self.busy -= 1;
        } else if self.rng.f64() < 0.01 {
            self.busy = self.rng.usize(5..40);
        }
        let phase = if self.busy > 0 {
            0.08 * self.noise * self.rng.f64()
        } else {
            0.0
        };
        // A Pareto tail without variance: rare runs take several times as long.
        let tail = 0.01 * self.noise * (self.rng.f64().max(1e-9).powf(-1.0 / 1.8) - 1.0);
        let own = 0.01 * self.noise * self.normal();
        seconds * (self.drift + self.previous + phase + tail + own).exp()
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

    /// One comparison of a case that takes `ratio` of its time, as the benchmark would make it.
    fn compare(&mut self, gate: &Gate, ratio: f64) -> GateReport {
        let count = gate.options().pairs;
        let mut pass = || Pass {
            pairs: self.pairs(ratio, count),
            null: Some(self.pairs(1.0, count)),
        };
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
    count_decisions_on(comparisons, ratio, options, |seed| {
        Machine::new(seed, noise)
    })
}

fn count_decisions_on(
    comparisons: u64,
    ratio: f64,
    options: GateOptions,
    machine: impl Fn(u64) -> Machine,
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
fn a_thousand_comparisons_of_a_program_with_itself_raise_fewer_than_ten_alarms() {
    for noise in [1.0, 4.0] {
        let found = count_decisions(1.0, 1000, noise, defaults());
        println!(
            "noise {noise}: {} alarms, {} inconclusive",
            found.regressions, found.inconclusive
        );
        assert!(found.regressions < 10, "{} alarms", found.regressions);
        assert!(
            found.inconclusive < 10,
            "{} inconclusive",
            found.inconclusive
        );
    }
}

#[test]
fn even_without_a_threshold_the_level_of_both_passes_holds() {
    let bare = GateOptions {
        threshold: 0.0,
        floor: 0.0,
        ..defaults()
    };
    let found = count_decisions(1.0, 1000, 4.0, bare);
    println!(
        "{} alarms, {} inconclusive",
        found.regressions, found.inconclusive
    );
    assert!(found.regressions < 10, "{} alarms", found.regressions);
    assert!(
        found.inconclusive < 10,
        "{} inconclusive",
        found.inconclusive
    );
}

#[test]
fn slowdowns_are_seen() {
    for (ratio, least) in [(1.03, 180), (1.05, 195), (1.10, 198)] {
        let found = count_decisions(ratio, 200, 1.0, defaults());
        println!(
            "{ratio}: {} of 200, {} inconclusive",
            found.regressions, found.inconclusive
        );
        assert!(found.regressions >= least, "{ratio}: {}", found.regressions);
    }
}

#[test]
fn what_is_said_to_be_detectable_is_detected() {
    let gate = Gate::new(defaults()).unwrap();
    let mut seen = 0;
    for seed in 0..200 {
        let mut machine = Machine::new(seed, 2.0);
        let said = machine.compare(&gate, 1.0).detectable().unwrap();
        seen += u32::from(machine.compare(&gate, 1.0 + said).decision == Decision::Regression);
    }
    println!("{seen} of 200");
    assert!(seen >= 170, "{seen} of 200");
}

#[test]
fn beside_busy_neighbours_alarms_stay_rare_and_large_changes_are_found() {
    for (noise, ratio, least) in [(4.0, 1.1, 180), (4.0, 2.0, 200), (10.0, 2.0, 200)] {
        let found = count_decisions(ratio, 200, noise, defaults());
        println!(
            "noise {noise}, {ratio}: {} of 200, {} inconclusive",
            found.regressions, found.inconclusive
        );
        assert!(
            found.regressions >= least,
            "{noise} {ratio}: {}",
            found.regressions
        );
    }
    let same = count_decisions(1.0, 500, 10.0, defaults());
    assert!(same.regressions < 5, "{} alarms", same.regressions);
    assert!(same.inconclusive < 5, "{} inconclusive", same.inconclusive);
}

#[test]
fn fifteen_pairs_are_enough_for_nine_times_as_slow_however_the_base_looks_beside_itself() {
    // Of nine, all must agree, and now and then one run takes many times as long.
    let few = GateOptions {
        pairs: 15,
        ..defaults()
    };
    for bias in [0.0, 0.026, -0.026, 0.1, -0.1] {
        let biased = |seed| Machine::new(seed, 4.0).biased(bias);
        let found = count_decisions_on(300, 9.06, few, biased);
        assert_eq!(found.regressions, 300, "{bias}: {}", found.inconclusive);
    }
}

#[test]
fn a_bias_raises_few_alarms_and_hides_nothing_that_is_much_larger() {
    // As many regressions as may be found of a program against itself, of 200.
    for (bias, most) in [(0.01, 20), (0.015, 30), (0.026, 4), (0.1, 4)] {
        for (bias, most) in [(bias, most), (-bias, 0)] {
            let biased = |seed| Machine::new(seed, 1.0).biased(bias);
            let same = count_decisions_on(200, 1.0, defaults(), biased);
            println!("{bias}: {} of 200", same.regressions);
            assert!(same.regressions <= most, "{bias}: {}", same.regressions);
            let twice = count_decisions_on(100, 2.0, defaults(), biased);
            assert_eq!(twice.regressions, 100, "{bias}: {}", twice.inconclusive);
        }
    }
}
