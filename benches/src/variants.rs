//! Ways to run the same program on the same case, measured beside each other.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::Criterion;
use rejudge::sandbox::{Exit, Facts, Input, Job, Limits, Runner, RunnerOptions, WorkDir};

use crate::{median, rounds};

const ROUNDS: usize = 41;
const RUNS_PER_ROUND: u32 = 25;
/// Runs before anything is measured.
pub const WARM_UP: u32 = 20;

/// What it is called, and what runs the program so many times and says how long that took.
pub type Variant<'a> = (String, Box<dyn FnMut(u32) -> Duration + 'a>);

/// The median time of a run in each way. All of them take their turn in every round, so that noise of the machine meets
/// each.
#[must_use]
pub fn medians(variants: &mut [Variant<'_>]) -> Vec<Duration> {
    let mut times = vec![Vec::new(); variants.len()];
    for _ in 0..rounds(ROUNDS) {
        for ((_, run), times) in variants.iter_mut().zip(&mut times) {
            times.push(run(RUNS_PER_ROUND));
        }
    }
    let medians = times.into_iter().map(median);
    medians.map(|time| time / RUNS_PER_ROUND).collect()
}

/// Shows all ways to criterion, as the group `name`.
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

/// The sandbox by itself: what the program prints is compared, and nothing else is done.
pub struct Sandboxed {
    runner: Runner,
    job: Job,
    input: PathBuf,
    answer: PathBuf,
}

impl Sandboxed {
    /// `program` on the case `00001` of [`write_sums`](crate::write_sums) in `cases`, warmed up.
    ///
    /// # Panics
    /// If there is no sandbox, or a run fails.
    pub fn new(options: &RunnerOptions, program: &Path, cases: &Path, limits: Limits) -> Self {
        let mut sandboxed = Self {
            runner: Runner::start(options).expect("a launcher"),
            job: Job {
                argv: vec![program.into()],
                env: vec![],
                work_dir: WorkDir::Fresh,
                readable: vec![],
                limits,
            },
            input: cases.join("00001.in"),
            answer: cases.join("00001.ans"),
        };
        sandboxed.time(WARM_UP);
        sandboxed
    }

    /// What isolates the program.
    pub fn facts(&self) -> &Facts {
        self.runner.facts()
    }

    /// How long so many runs take.
    ///
    /// # Panics
    /// If one fails.
    pub fn time(&mut self, runs: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..runs {
            let input = File::open(&self.input).expect("the input");
            let execution = self.runner.run(&self.job, Input::File(input));
            let execution = execution.expect("a run");
            assert_eq!(execution.exit, Exit::Code(0));
            let answer = fs::read(&self.answer).expect("the answer");
            assert_eq!(execution.stdout.as_slice(), Some(&answer[..]));
        }
        start.elapsed()
    }
}
