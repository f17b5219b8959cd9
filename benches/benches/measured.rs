//! The overhead of a measured run: the loop of `rejudge bench`, compared with a bare loop in C over the same program and
//! files, and with the sandbox alone.
//!
//! Every round measures all three, so that noise of the machine affects all of them. The benchmark prints the medians and
//! the target first, then criterion's own figures. If other processes keep the processors busy, give the benchmark
//! priority: run the program that `cargo bench --no-run` names with `chrt --fifo 10`.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use rejudge::Bytes;
use rejudge::bench::sampling::{self, ProgramCase};
use rejudge::bench::{BenchRunner, RandomSource};
use rejudge::sandbox::Limits;
use rejudge_benches::repository::BenchmarkRepository;
use rejudge_benches::variants::{Sandboxed, Variant, WARM_UP, medians, show};
use rejudge_benches::{BareLoop, compile, source, write_sums};

/// The target: the largest overhead of a measured run over a run of the bare loop.
const TARGET: Duration = Duration::from_micros(500);

/// Writes a repository with one solution and one case.
fn write(root: &Path) -> std::io::Result<()> {
    let (cases, solutions) = (root.join("cases/sum/data/sample"), root.join("solutions/sum"));
    fs::create_dir_all(&cases)?;
    fs::create_dir_all(&solutions)?;
    let yaml = "problem_format_version: 2025-09\nname: Sum\nlimits:\n  time_limit: 10\n";
    fs::write(root.join("cases/sum/problem.yaml"), yaml)?;
    fs::copy(source("a_plus_b.c"), solutions.join("a_plus_b.c"))?;
    write_sums(&cases, 1)
}

/// The limits that follow from the problem above.
fn limits() -> Limits {
    Limits {
        cpu_time: Duration::from_secs(10),
        cpu_kill: Duration::from_secs(10),
        wall_time: Duration::from_secs(30),
        memory: Bytes::mib(2048),
        output: Bytes::mib(8),
        stack: Bytes::mib(2048),
        processes: 64,
        file_size: Bytes::mib(8),
        one_core: true,
    }
}

/// The loop of `rejudge bench`: runs in random order, each with a check of the output and a measurement.
fn measured(runner: &mut BenchRunner<'_>, runs: u32) -> Duration {
    let program_cases = [ProgramCase { program: 0, case: 0 }];
    // `measure` adds one warm-up run.
    let counted = usize::try_from(runs).expect("few") - 1;
    let random = &mut RandomSource::new(1);
    let start = Instant::now();
    let found = sampling::measure(runner, &program_cases, counted, random, &mut |_| {});
    let time = start.elapsed();
    assert!(found.expect("a sandbox")[0].is_ok());
    time
}

fn print_medians(variants: &mut [Variant<'_>]) {
    let (medians, rounds) = medians(variants);
    let mut medians = medians.into_iter();
    let mut next = || medians.next().expect("there are three variants");
    let (bare, alone, measured) = (next(), next(), next());
    println!("bare: {} µs a run{rounds}", bare.as_micros());
    println!("the sandbox alone: {} µs a run", alone.as_micros());
    println!("the loop of `rejudge bench`: {} µs a run", measured.as_micros());
    let cost = measured.saturating_sub(bare);
    println!(
        "overhead of a measured run: {} µs, of which {} µs are in the loop itself (target: at most {} µs): {}",
        cost.as_micros(),
        measured.saturating_sub(alone).as_micros(),
        TARGET.as_micros(),
        if cost <= TARGET { "met" } else { "MISSED" }
    );
}

fn costs(criterion: &mut Criterion) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    write(dir.path()).expect("room for a repository");
    let programs = tempfile::tempdir().expect("a temporary folder");
    let program = compile(programs.path(), "a_plus_b.c");
    let bare_loop = BareLoop::build(programs.path());
    let cases = dir.path().join("cases/sum/data/sample");
    let repository = BenchmarkRepository::open(dir.path());
    let mut alone = Sandboxed::new(&repository.runner_options(), &program, &cases, limits());
    let entries = repository.entries();
    let mut runner = repository.runner(&entries);
    measured(&mut runner, WARM_UP);
    let mut variants: Vec<Variant<'_>> = vec![
        ("bare".into(), Box::new(|runs| bare_loop.time(&program, &cases, 1, runs, 1))),
        ("the sandbox alone".into(), Box::new(|runs| alone.time(runs))),
        ("measured".into(), Box::new(|runs| measured(&mut runner, runs))),
    ];
    print_medians(&mut variants);
    show(criterion, "a measured run", &mut variants);
}

criterion_group!(benches, costs);
criterion_main!(benches);
