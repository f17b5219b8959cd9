//! What the sandbox adds to starting a program: its runs against a bare loop in C over the same program and files.
//!
//! Both go in turns within one process run, so that noise of the machine meets both; the ratio of medians is printed
//! first, then criterion's own figures follow.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rejudge::bytes::Bytes;
use rejudge::sandbox::{
    Exit, Input, Interrupt, Job, Limits, Runner, RunnerOptions, WorkDir, work_base,
};
use tempfile::TempDir;

const ROUNDS: usize = 20;
const RUNS_PER_ROUND: u32 = 50;

fn compile(dir: &Path, name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("benches/launch")
        .join(name);
    let program = dir.join(Path::new(name).with_extension(""));
    let status = Command::new("gcc")
        .arg("-O2")
        .arg("-o")
        .arg(&program)
        .arg(source)
        .status();
    assert!(
        status.expect("gcc is needed for this benchmark").success(),
        "gcc {name}"
    );
    program
}

/// A program, its input and answer, and both ways to run it.
struct Bench {
    bare_loop: PathBuf,
    program: PathBuf,
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
        let (input, answer) = (dir.join("1.in"), dir.join("1.ans"));
        fs::write(&input, "1 2\n").expect("a fresh temporary folder");
        fs::write(&answer, "3\n").expect("a fresh temporary folder");
        let program = compile(dir, "a_plus_b.c");
        let interrupt = Interrupt::new().expect("a pipe");
        let options = RunnerOptions {
            work_base: work_base.path().to_owned(),
            interrupt,
        };
        Self {
            bare_loop: compile(dir, "bare_loop.c"),
            input,
            answer,
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

    /// The bare loop measures itself, so that its own start is not counted.
    fn bare(&self, runs: u32) -> Duration {
        let output = Command::new(&self.bare_loop)
            .args([&self.program, &self.input, &self.answer])
            .arg(runs.to_string())
            .output()
            .expect("the bare loop starts");
        assert!(output.status.success(), "{output:?}");
        let nanos = String::from_utf8_lossy(&output.stdout);
        Duration::from_nanos(nanos.trim().parse().expect("nanoseconds"))
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
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2] / RUNS_PER_ROUND
}

fn launch(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut bench = Bench::new(dir.path());
    let (mut bare, mut sandboxed) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.push(bench.bare(RUNS_PER_ROUND));
        sandboxed.push(bench.sandboxed(RUNS_PER_ROUND));
    }
    let (bare, sandboxed) = (median(bare), median(sandboxed));
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
