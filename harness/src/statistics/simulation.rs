//! The gate against noise as shared machines make it, seeded: how often it cries wolf, and what it sees.
//!
//! The noise is that of measured programs: a core of about one per cent that neighbours in time share, long one-sided
//! tails, phases in which all is slower, and a slow drift. A false alarm is a regression of a program against itself.

use super::{CaseGate, Decision, Gate, GateOptions, GateReport, Pairs, Pass, Quantity};

/// A machine: every run takes its time times a factor that remembers the one before.
struct Machine {
    rng: fastrand::Rng,
    /// Slowly varying, in log.
    drift: f64,
    /// Remembered by the next run, in log.
    memory: f64,
    /// Runs left of a phase in which another program is heavy.
    busy: usize,
    /// How rough it is; 1 is a quiet virtual machine.
    rough: f64,
}

impl Machine {
    fn new(seed: u64, rough: f64) -> Self {
        Self {
            rng: fastrand::Rng::with_seed(seed),
            drift: 0.0,
            memory: 0.0,
            busy: 0,
            rough,
        }
    }

    /// About normal.
    fn bell(&mut self) -> f64 {
        (0..6).map(|_| self.rng.f64() - 0.5).sum::<f64>() * 2.0_f64.sqrt()
    }

    /// What a run of `seconds` measures.
    fn run(&mut self, seconds: f64) -> f64 {
        self.drift += 0.002 * self.rough * self.bell();
        self.memory = 0.8 * self.memory + 0.02 * self.rough * self.bell();
        if self.busy > 0 {
            self.busy -= 1;
        } else if self.rng.f64() < 0.01 {
            self.busy = self.rng.usize(5..40);
        }
        let phase = if self.busy > 0 {
            0.08 * self.rough * self.rng.f64()
        } else {
            0.0
        };
        // A Pareto tail without variance: rare runs take several times as long.
        let tail = 0.01 * self.rough * (self.rng.f64().max(1e-9).powf(-1.0 / 1.8) - 1.0);
        let own = 0.01 * self.rough * self.bell();
        seconds * (self.drift + self.memory + phase + tail + own).exp()
    }

    fn pairs(&mut self, ratio: f64, count: usize) -> Pairs {
        let mut pairs = Pairs::default();
        for _ in 0..count {
            let (base, new) = if self.rng.bool() {
                let base = self.run(0.05);
                (base, self.run(0.05 * ratio))
            } else {
                let new = self.run(0.05 * ratio);
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

struct Tally {
    regressions: usize,
    inconclusive: usize,
}

fn tally(ratio: f64, comparisons: u64, rough: f64, options: GateOptions) -> Tally {
    let gate = Gate::new(options).unwrap();
    let mut tally = Tally {
        regressions: 0,
        inconclusive: 0,
    };
    for seed in 0..comparisons {
        match Machine::new(seed, rough).compare(&gate, ratio).decision {
            Decision::Regression => tally.regressions += 1,
            Decision::Inconclusive(_) => tally.inconclusive += 1,
            Decision::Pass | Decision::Improvement => {}
        }
    }
    tally
}

fn defaults() -> GateOptions {
    GateOptions::of(Quantity::CpuTime)
}

#[test]
fn a_thousand_comparisons_of_a_program_with_itself_raise_fewer_than_ten_alarms() {
    for rough in [1.0, 4.0] {
        let found = tally(1.0, 1000, rough, defaults());
        println!(
            "rough {rough}: {} alarms, {} inconclusive",
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
    let found = tally(1.0, 1000, 4.0, bare);
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
        let found = tally(ratio, 200, 1.0, defaults());
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
