//! How fast the five problems' solutions are, against what is promised of them and against their second opinions.
//!
//! A figure is the CPU time of the whole process, user and system, as the judge's own sandbox measures it, over that
//! of an empty program. In every round the empty program, the solution and the second opinion take turns on an input,
//! so that noise of the machine meets all three; an input's figure is the median of its rounds. Every output is checked
//! once, outside the timing. Whether a promise is kept is printed, never asserted: machines differ. The table comes
//! first, then criterion's own figures of the first input of each target that does not take
//! seconds follow.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use rejudge::bytes::Bytes;
use rejudge::compile::Artifact;
use rejudge::sandbox::Input;
use rejudge_benches::{median, rounds};

mod targets;
mod workshop;

use targets::{Case, Promise, Target, Unit, targets};
use workshop::{Run, Workshop, repository};

/// The programs of a target.
struct Programs {
    empty: Artifact,
    solution: Artifact,
    second: Artifact,
    /// Where more than one answer is right.
    validator: Option<Artifact>,
}

/// What was measured on one input, over the empty program; sorted.
struct Measured {
    solution: Vec<Duration>,
    second: Option<Duration>,
    peak: Bytes,
    amount: f64,
}

impl Measured {
    fn median(&self) -> Duration {
        median(self.solution.clone())
    }
}

impl Programs {
    fn of(target: &Target, empty: &Artifact, workshop: &mut Workshop) -> Self {
        let solutions = repository().join("solutions").join(target.problem);
        let package = repository().join("cases").join(target.problem);
        let validator = package.join("output_validator/replay.rs");
        Self {
            empty: empty.clone(),
            solution: workshop.compile(&solutions.join(target.problem).with_extension("rs")),
            second: workshop.compile(&solutions.join(target.second)),
            validator: validator.exists().then(|| workshop.compile(&validator)),
        }
    }

    /// Runs both programs once and checks what they print.
    fn check(&self, case: &Case, workshop: &mut Workshop) {
        let found = run(workshop, &self.solution, case).output;
        let second = case
            .compare
            .then(|| run(workshop, &self.second, case).output);
        let answer = case.answer.as_ref().or(second.as_ref());
        let answer = answer.expect("an answer is known, or a second opinion asked for");
        for output in [Some(&found), second.as_ref()].into_iter().flatten() {
            let right = match &self.validator {
                Some(validator) => workshop.accepts(validator, &case.input, answer, output),
                None => output.trim_ascii() == answer.trim_ascii(),
            };
            assert!(right, "a wrong answer to {}", case.input.display());
        }
    }

    fn measure(&self, case: &Case, most: usize, workshop: &mut Workshop) -> Measured {
        self.check(case, workshop);
        let (mut solution, mut second) = (Vec::new(), Vec::new());
        let mut peak = Bytes::mib(0);
        for _ in 0..rounds(most) {
            let empty = run(workshop, &self.empty, case).cpu;
            let own = run(workshop, &self.solution, case);
            solution.push(own.cpu.saturating_sub(empty));
            peak = peak.max(own.peak);
            if case.compare {
                let other = run(workshop, &self.second, case).cpu;
                second.push(other.saturating_sub(empty));
            }
        }
        solution.sort_unstable();
        Measured {
            solution,
            second: case.compare.then(|| median(second)),
            peak,
            amount: case.amount,
        }
    }
}

fn run(workshop: &mut Workshop, program: &Artifact, case: &Case) -> Run {
    let input = File::open(&case.input).expect("the input is there");
    workshop.run(program, &[], Input::File(input))
}

impl Unit {
    fn figure(self, time: Duration, amount: f64) -> f64 {
        let seconds = time.as_secs_f64();
        match self {
            Self::Milliseconds => seconds * 1e3,
            Self::Seconds => seconds,
            Self::Nanoseconds => seconds * 1e9 / amount,
            Self::MegabytesPerSecond => amount / 1e6 / seconds,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Milliseconds => "ms",
            Self::Seconds => "s",
            Self::Nanoseconds => "ns",
            Self::MegabytesPerSecond => "MB/s",
        }
    }

    /// From good to bad.
    fn order(self, a: f64, b: f64) -> std::cmp::Ordering {
        match self {
            Self::MegabytesPerSecond => b.total_cmp(&a),
            _ => a.total_cmp(&b),
        }
    }
}

/// The figure at `percent` of the way from the best to the worst.
fn at<T>(percent: usize, sorted: &[T]) -> &T {
    &sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]
}

fn print_row(target: &Target, promise: &Promise, measured: &[Measured]) {
    let (unit, limit, percent, what) = match *promise {
        Promise::Worst(limit) if measured.len() == 1 => (target.unit, limit, 100, ""),
        Promise::Worst(limit) => (target.unit, limit, 100, ", worst"),
        Promise::Percentile95(limit) => (target.unit, limit, 95, ", 95 %"),
        Promise::Memory(limit) => {
            let peak = measured.iter().map(|one| one.peak).max();
            let peak = peak.expect("a target has inputs");
            let name = format!("{}, memory", target.name);
            let met = if peak <= limit { "met" } else { "MISSED" };
            let [peak, limit] = [peak, limit].map(|bytes| bytes.get() >> 20);
            return println!("{name:<42} {limit:>5} MiB {peak:>9} MiB {met:>44}");
        }
    };
    let figure = |one: &Measured, time| unit.figure(time, one.amount);
    let mut inputs: Vec<_> = measured
        .iter()
        .map(|one| (figure(one, one.median()), one))
        .collect();
    inputs.sort_by(|a, b| unit.order(a.0, b.0));
    let &(worst, one) = at(percent, &inputs);
    // Of the rounds of that input; where there is but one round, of all inputs.
    let spread = if one.solution.len() > 1 {
        [25, 75].map(|percent| figure(one, *at(percent, &one.solution)))
    } else {
        [25, 75].map(|percent| at(percent, &inputs).0)
    };
    let mut second: Vec<f64> = measured
        .iter()
        .filter_map(|one| Some(figure(one, one.second?)))
        .collect();
    second.sort_by(|a, b| unit.order(*a, *b));
    let compared = measured
        .iter()
        .filter_map(|one| Some((one.second?, one.median())));
    let (theirs, ours): (Vec<_>, Vec<_>) = compared.unzip();
    let times =
        theirs.iter().sum::<Duration>().as_secs_f64() / ours.iter().sum::<Duration>().as_secs_f64();
    let (second, times) = match second.as_slice() {
        [] => (String::new(), String::new()),
        some => (format!("{:.3}", at(percent, some)), format!("{times:.1}")),
    };
    let met = if unit.order(worst, limit).is_gt() {
        "MISSED"
    } else {
        "met"
    };
    println!(
        "{:<42} {limit:>5} {:<4} {worst:>9.3} {:>19} {second:>11} {times:>6} {met:>7}",
        format!("{}{what}", target.name),
        unit.name(),
        format!("{:.3}..{:.3}", spread[0], spread[1]),
    );
}

fn problems(criterion: &mut Criterion) {
    let workshop = &mut Workshop::new();
    let empty = workshop.write("empty.rs", b"fn main() {}\n");
    let empty = workshop.compile(Path::new(&empty));
    let targets = targets(workshop);
    println!(
        "{:<42} {:>10} {:>9} {:>19} {:>11} {:>6}",
        "CPU time over an empty program's",
        "promised",
        "median",
        "middle half",
        "2nd opinion",
        "faster"
    );
    let mut programs = Vec::new();
    for target in &targets {
        let own = Programs::of(target, &empty, workshop);
        let measure = |case| own.measure(case, target.rounds, workshop);
        let measured: Vec<_> = target.cases.iter().map(measure).collect();
        for promise in &target.promises {
            print_row(target, promise, &measured);
        }
        programs.push(own);
    }
    let mut group = criterion.benchmark_group("problems");
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(100))
        .measurement_time(Duration::from_secs(1));
    let measured = targets.iter().zip(&programs);
    for (target, programs) in measured.filter(|(target, _)| !matches!(target.unit, Unit::Seconds)) {
        let case = &target.cases[0];
        group.bench_function(target.name, |b| {
            b.iter_custom(|runs| {
                (0..runs)
                    .map(|_| run(workshop, &programs.solution, case).cpu)
                    .sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, problems);
criterion_main!(benches);
