//! Variants of running the same program on the same case, measured alternately.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::Criterion;
use rejudge::sandbox::{Exit, Facts, Input, Job, Limits, Runner, RunnerOptions, WorkDir};

use crate::{median, rounds};

const ROUNDS: usize = 41;
const RUNS_PER_ROUND: u32 = 25;
/// The number of warm-up runs.
pub const WARM_UP: u32 = 20;

/// The name of a variant, and a function that runs the program the given number of times and returns the total time.
pub type Variant<'a> = (String, Box<dyn FnMut(u32) -> Duration + 'a>);

/// The median time of a run for each variant, and the [text](rounds::CountedRounds) about these rounds. Every round
/// measures every variant, so that noise of the machine affects all of them.
#[must_use]
pub fn medians(variants: &mut [Variant<'_>]) -> (Vec<Duration>, String) {
    let rounds = rounds::measure(ROUNDS, || -> Vec<Duration> {
        let runs = variants.iter_mut().map(|(_, run)| run(RUNS_PER_ROUND));
        runs.collect()
    });
    let of_variant = |variant: usize| rounds.results.iter().map(move |times| times[variant]);
    let medians = (0..variants.len())
        .map(|variant| median(of_variant(variant).collect()) / RUNS_PER_ROUND)
        .collect();
    (medians, rounds.to_string())
}

/// Measures all variants with criterion, as the group `name`.
pub fn show(criterion: &mut Criterion, name: &str, variants: &mut [Variant<'_>]) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    for (name, run) in variants {
        group.bench_function(name.as_str(), |b| {
            b.iter_custom(|runs| run(u32::try_from(runs).unwrap_or(u32::MAX)));
        });
    }
    group.finish();
}

/// The sandbox alone: it runs the program and compares the output, and does nothing else.
pub struct Sandboxed {
    runner: Runner,
    job: Job,
    input: PathBuf,
    answer: PathBuf,
}

impl Sandboxed {
    /// Runs `program` on the case `00001` that [`write_sums`](crate::write_sums) wrote to `cases`, and warms up.
    ///
    /// # Panics
    /// If the sandbox cannot be started, or a run fails.
    pub fn new(options: &RunnerOptions, program: &Path, cases: &Path, limits: Limits) -> Self {
        let mut sandboxed = Self {
            runner: Runner::start(options).expect("a launcher"),
            job: Job {
                argv: vec![program.into()],
                env: vec![],
                work_dir: WorkDir::Fresh,
                readable: vec![],
                limits,
                preload: None,
            },
            input: cases.join("00001.in"),
            answer: cases.join("00001.ans"),
        };
        sandboxed.time(WARM_UP);
        sandboxed
    }

    /// The protections of the sandbox.
    pub fn facts(&self) -> &Facts {
        self.runner.facts()
    }

    /// The total time of `runs` runs.
    ///
    /// # Panics
    /// If a run fails.
    pub fn time(&mut self, runs: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..runs {
            let input = File::open(&self.input).expect("the input");
            let execution = self.runner.run(&self.job, Input::File(input)).expect("a run");
            assert_eq!(execution.exit, Exit::Code(0));
            let answer = fs::read(&self.answer).expect("the answer");
            assert_eq!(execution.stdout.as_slice(), Some(&answer[..]));
        }
        start.elapsed()
    }
}
