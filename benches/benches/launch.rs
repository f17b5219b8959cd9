//! What the sandbox adds to starting a program: its runs against a bare loop in C over the same program and files.
//!
//! Both go in turns within one process run, so that noise of the machine meets both; the ratio of medians is printed
//! first, then criterion's own figures follow.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rejudge::bytes::Bytes;
use rejudge::sandbox::{
    Exit, Input, Interrupt, Job, Limits, Runner, RunnerOptions, WorkDir, work_base,
};
use rejudge_benches::{BareLoop, compile, median, rounds, write_sums};
use tempfile::TempDir;

const ROUNDS: usize = 20;
const RUNS_PER_ROUND: u32 = 50;

/// A program, its input and answer, and both ways to run it.
struct Bench {
    bare_loop: BareLoop,
    program: PathBuf,
    dir: PathBuf,
    input: PathBuf,
    answer: PathBuf,
    runner: Runner,
    job: Job,
    /// Removed after the launcher is gone.
    _work_base: TempDir,
}

impl Bench {
    fn new(dir: &Path) -> Self {
        let work_base = work_base().expect("a temporary folder");
        write_sums(dir, 1).expect("a fresh temporary folder");
        let program = compile(dir, "a_plus_b.c");
        let interrupt = Interrupt::new().expect("a pipe");
        let options = RunnerOptions::new(work_base.path(), interrupt);
        Self {
            bare_loop: BareLoop::build(dir),
            dir: dir.to_owned(),
            input: dir.join("00001.in"),
            answer: dir.join("00001.ans"),
            runner: Runner::start(&options).expect("a launcher"),
            job: Job {
                argv: vec![program.clone().into()],
                env: vec![],
                work_dir: WorkDir::Fresh,
                readable: vec![],
                limits: limits(),
            },
            program,
            _work_base: work_base,
        }
    }

    fn bare(&self, runs: u32) -> Duration {
        self.bare_loop.time(&self.program, &self.dir, 1, runs, 1)
    }

    fn sandboxed(&mut self, runs: u32) -> Duration {
        let start = Instant::now();
        for _ in 0..runs {
            let input = File::open(&self.input).expect("the input");
            let execution = self
                .runner
                .run(&self.job, Input::File(input))
                .expect("a run");
            assert_eq!(execution.exit, Exit::Code(0));
            let answer = fs::read(&self.answer).expect("the answer");
            assert_eq!(execution.stdout.as_slice(), Some(&answer[..]));
        }
        start.elapsed()
    }
}

fn limits() -> Limits {
    Limits {
        cpu_time: Duration::from_secs(1),
        cpu_kill: Duration::from_secs(1),
        wall_time: Duration::from_secs(3),
        memory: Bytes::mib(256),
        output: Bytes::mib(64),
        stack: Bytes::mib(256),
        processes: 64,
        file_size: Bytes::mib(64),
        one_core: false,
    }
}

fn launch(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut bench = Bench::new(dir.path());
    let (mut bare, mut sandboxed) = (Vec::new(), Vec::new());
    for _ in 0..rounds(ROUNDS) {
        bare.push(bench.bare(RUNS_PER_ROUND));
        sandboxed.push(bench.sandboxed(RUNS_PER_ROUND));
    }
    let (bare, sandboxed) = (
        median(bare) / RUNS_PER_ROUND,
        median(sandboxed) / RUNS_PER_ROUND,
    );
    let ratio = sandboxed.as_secs_f64() / bare.as_secs_f64();
    println!("bare {bare:?}, sandboxed {sandboxed:?} a run: {ratio:.3} times the bare loop");

    let mut group = criterion.benchmark_group("launch");
    group.sample_size(20);
    group.bench_function("bare", |b| {
        b.iter_custom(|runs| bench.bare(u32::try_from(runs).unwrap_or(u32::MAX)));
    });
    group.bench_function("sandboxed", |b| {
        b.iter_custom(|runs| bench.sandboxed(u32::try_from(runs).unwrap_or(u32::MAX)));
    });
    group.finish();
}

criterion_group!(benches, launch);
criterion_main!(benches);
