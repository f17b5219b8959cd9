//! Measures every solution of the repository that must be accepted, as a whole program, on the slowest case of each group
//! or on the cases that `[bench]` in `rejudge.toml` names. Solutions and cases are discovered; there is a group for each
//! solution and a benchmark for each case.
//!
//! The programs run in the sandbox of the judge, and its checkers check the outputs. `REJUDGE_BENCH` selects the
//! quantity: `cpu` (user and system time, the default), `wall`, `memory` or `instructions`. With
//! `REJUDGE_BENCH_AGAINST=main` (any revision of git, or a folder), each solution that changed runs alternately with its
//! base, and the pairs are replayed to criterion, which plots both. Use `rejudge bench` to decide whether they differ.

use std::collections::HashMap;
use std::env;
use std::time::Duration;

use criterion::{BenchmarkGroup, BenchmarkId, Criterion, SamplingMode};
use rejudge::bench::sampling::{self, Control, MeasurementPair, ProgramCase, ProgramCasePair};
use rejudge::bench::{Against, BaseSource, BenchRunner, RandomSource};
use rejudge::statistics::Quantity;
use rejudge::{Event, Options, Problem, Submission, Verdict, judge};
use rejudge_benches::repository::BenchmarkRepository;
use rejudge_benches::{is_test, root};
use tempfile::TempDir;

mod figure;

use figure::Figure;

/// The number of pairs that are replayed.
const PAIRS: usize = 30;

/// A solution on a case, and the CPU time that it takes.
struct TimedCase {
    program_case: ProgramCase,
    cpu: Duration,
}

/// Judges every solution once, and chooses the cases to measure among those that it solves.
fn chosen(repository: &BenchmarkRepository) -> Vec<TimedCase> {
    let mut times = HashMap::new();
    let options = Options::new(repository.runner_options());
    let submissions = &repository.submissions;
    let judged =
        judge(&repository.problems, submissions, repository.tools(), &options, &mut |event| {
            if let Event::Case(result) = event
                && result.verdict == Verdict::Accepted
            {
                times.insert((result.submission.clone(), result.case.clone()), result.usage.cpu());
            }
        });
    judged.expect("a sandbox");
    let mut found = Vec::new();
    for (program, (submission, problem)) in repository.entries().iter().enumerate() {
        let cpu: Vec<Option<Duration>> = problem
            .cases
            .iter()
            .map(|case| times.get(&(submission.name.clone(), case.name().to_owned())).copied())
            .collect();
        let cases = repository.worth_timing(problem, &cpu);
        found.extend(cases.into_iter().filter_map(|case| {
            let program_case = ProgramCase { program, case };
            Some(TimedCase { program_case, cpu: cpu[case]? })
        }));
    }
    found
}

/// Sets a number of samples at which a benchmark takes seconds, not minutes.
fn configure(group: &mut BenchmarkGroup<'_, Figure>, cpu: Duration) {
    let samples = if cpu < Duration::from_millis(200) { 30 } else { 10 };
    let runs = if cpu < Duration::from_millis(10) { 5 } else { 1 };
    group
        .sample_size(samples)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(1))
        .measurement_time(
            (cpu * runs).max(Duration::from_millis(1)) * u32::try_from(samples).unwrap_or(30),
        );
}

fn run(runner: &mut BenchRunner<'_>, program_case: ProgramCase, quantity: Quantity) -> f64 {
    let measurement = runner.run(program_case.program, program_case.case).expect("a sandbox");
    Figure::value(&measurement.expect("it was accepted a moment ago"), quantity)
}

/// Measures every solution without a base.
fn bench_each(
    criterion: &mut Criterion<Figure>,
    runner: &mut BenchRunner<'_>,
    repository: &BenchmarkRepository,
    chosen: &[TimedCase],
    quantity: Quantity,
) {
    for cases in chosen.chunk_by(|a, b| a.program_case.program == b.program_case.program) {
        let (submission, problem) = repository.entries()[cases[0].program_case.program];
        let mut group = criterion.benchmark_group(&submission.name);
        for TimedCase { program_case, cpu } in cases {
            configure(&mut group, *cpu);
            let id = BenchmarkId::new(
                figure::quantity_name(quantity),
                problem.cases[program_case.case].name(),
            );
            group.bench_function(id, |b| {
                b.iter_custom(|runs| (0..runs).map(|_| run(runner, *program_case, quantity)).sum());
            });
        }
        group.finish();
    }
}

/// Replays pairs as two benchmarks, base and new version, with one sample for each measurement.
fn replay(
    group: &mut BenchmarkGroup<'_, Figure>,
    case: &str,
    pairs: &[MeasurementPair],
    quantity: Quantity,
) {
    group
        .sample_size(pairs.len())
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_nanos(1))
        .measurement_time(Duration::from_nanos(1));
    for (side, is_base) in [("base", true), ("new", false)] {
        let mut values =
            pairs.iter().map(|pair| if is_base { &pair.base } else { &pair.new }).cycle();
        group.bench_function(
            BenchmarkId::new(format!("{} {side}", figure::quantity_name(quantity)), case),
            |b| {
                b.iter_custom(|runs| {
                    // Each sample takes one value, and so does the warm-up; therefore the values repeat.
                    let next = values.by_ref().take(usize::try_from(runs).unwrap_or(1));
                    next.map(|measurement| Figure::value(measurement, quantity)).sum()
                });
            },
        );
    }
}

/// Measures every solution that changed, alternately with its base.
fn bench_against_base(
    criterion: &mut Criterion<Figure>,
    repository: &BenchmarkRepository,
    chosen: &[TimedCase],
    against: &str,
    quantity: Quantity,
) {
    let root = repository.root();
    let against = Against::parse(against, root, root)
        .unwrap_or_else(|error| panic!("REJUDGE_BENCH_AGAINST: {error}"));
    let scratch = TempDir::new().expect("a temporary folder");
    let mut bases = HashMap::new();
    for (program, submission) in repository.submissions.iter().enumerate() {
        let folder = scratch.path().join(program.to_string());
        let base = against.source(submission, repository.submissions.len(), &folder);
        match base.unwrap_or_else(|error| panic!("REJUDGE_BENCH_AGAINST: {error}")) {
            BaseSource::At(path) => {
                let base = Submission { path, ..submission.clone() };
                bases.insert(program, base);
            }
            BaseSource::Unchanged => println!("{}: unchanged", submission.name),
            BaseSource::Missing(why) => println!("{}: {why}", submission.name),
        }
    }
    let mut entries: Vec<(&Submission, &Problem)> = repository.entries();
    let mut of_base = HashMap::new();
    for (program, base) in &bases {
        of_base.insert(*program, entries.len());
        entries.push((base, entries[*program].1));
    }
    let mut runner = repository.runner(&entries);
    set_meter(&mut runner, quantity);
    for cases in chosen.chunk_by(|a, b| a.program_case.program == b.program_case.program) {
        let (submission, problem) = entries[cases[0].program_case.program];
        let Some(base) = of_base.get(&cases[0].program_case.program) else {
            continue;
        };
        let mut group = criterion.benchmark_group(&submission.name);
        for TimedCase { program_case, .. } in cases {
            let base = ProgramCase { program: *base, ..*program_case };
            let case_pair = ProgramCasePair { base, new: *program_case };
            let pairs = if is_test() { 1 } else { PAIRS };
            let random = &mut RandomSource::from_clock();
            let found = sampling::measure_pairs(
                &mut runner,
                &[case_pair],
                pairs,
                Control::None,
                random,
                &mut |_| {},
            );
            let case = problem.cases[program_case.case].name();
            match found.expect("a sandbox").remove(0) {
                Ok(pairs) => replay(&mut group, case, &at_least_ten(pairs.base_and_new), quantity),
                Err(why) => println!("{} {case}: {why}", submission.name),
            }
        }
        group.finish();
    }
}

/// Repeats the pairs until there are ten, because criterion requires at least ten samples, even in test mode.
fn at_least_ten(pairs: Vec<MeasurementPair>) -> Vec<MeasurementPair> {
    let most = pairs.len().max(10);
    pairs.into_iter().cycle().take(most).collect()
}

fn set_meter(runner: &mut BenchRunner<'_>, quantity: Quantity) {
    if quantity == Quantity::Instructions {
        runner.count_instructions().unwrap_or_else(|error| panic!("{error}"));
    }
}

fn main() {
    let quantity = figure::quantity_from_environment();
    let mut criterion =
        Criterion::default().with_measurement(Figure(quantity)).configure_from_args();
    let repository = BenchmarkRepository::open(root());
    let chosen = chosen(&repository);
    let against = env::var("REJUDGE_BENCH_AGAINST").unwrap_or_default();
    if against.is_empty() {
        let entries = repository.entries();
        let mut runner = repository.runner(&entries);
        set_meter(&mut runner, quantity);
        bench_each(&mut criterion, &mut runner, &repository, &chosen, quantity);
    } else {
        bench_against_base(&mut criterion, &repository, &chosen, &against, quantity);
    }
    criterion.final_summary();
}
