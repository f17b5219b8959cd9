//! The speed of the solutions of the five problems, compared with their targets and with a second solution.
//!
//! A figure is the CPU time (user and system) of the whole process, as the sandbox of the judge measures it, minus that
//! of an empty program. Every round runs the empty program, the solution and the second solution on an input, so that
//! noise of the machine affects all three; the figure of an input is the median of its rounds. Rounds that the hypervisor
//! of a virtual machine disturbed are repeated: see [`rounds`]. Every output is checked once, outside of the measured
//! time. The benchmark prints whether a target is met, but does not fail if it is not, because machines differ. The table
//! comes first. Then follow criterion's own figures for the first input of each target, except for targets in seconds.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use rejudge::Bytes;
use rejudge::compile::Artifact;
use rejudge::sandbox::Input;
use rejudge_benches::{median, root, rounds};

mod program_runner;
mod table;
mod targets;

use program_runner::{ProgramRun, ProgramRunner};
use table::{MeasuredInput, print_head, print_row};
use targets::{BenchmarkCase, BenchmarkedProgram, Unit, targets};

/// The programs of a target.
struct BenchmarkPrograms {
    empty: Artifact,
    solution: Artifact,
    second: Artifact,
    /// The output validator, if an input has more than one right answer.
    validator: Option<Artifact>,
}

impl BenchmarkPrograms {
    fn of(target: &BenchmarkedProgram, empty: &Artifact, runner: &mut ProgramRunner) -> Self {
        let solutions = root().join("solutions").join(target.problem);
        let package = root().join("cases").join(target.problem);
        let validator = package.join("output_validator/replay.rs");
        Self {
            empty: empty.clone(),
            solution: runner.compile(&solutions.join(target.problem).with_extension("rs")),
            second: runner.compile(&solutions.join(target.second)),
            validator: validator.exists().then(|| runner.compile(&validator)),
        }
    }

    /// Runs both programs once and checks their outputs.
    fn check(&self, case: &BenchmarkCase, runner: &mut ProgramRunner) {
        let found = run(runner, &self.solution, case).output;
        let needs_second = case.compare || case.answer.is_none();
        let second = needs_second.then(|| run(runner, &self.second, case).output);
        let answer = case.answer.as_ref().or(second.as_ref());
        let answer = answer.expect("the second solution runs if no answer is known");
        for output in [Some(&found), second.as_ref()].into_iter().flatten() {
            let right = match &self.validator {
                Some(validator) => runner.accepts(validator, &case.input, answer, output),
                None => output.trim_ascii() == answer.trim_ascii(),
            };
            assert!(right, "a wrong answer to {}", case.input.display());
        }
    }

    fn measure(
        &self,
        case: &BenchmarkCase,
        count: usize,
        runner: &mut ProgramRunner,
    ) -> MeasuredInput {
        self.check(case, runner);
        let mut peak = Bytes::mib(0);
        let rounds = rounds::measure(count, || {
            let empty = run(runner, &self.empty, case).cpu;
            let solution = run(runner, &self.solution, case);
            peak = peak.max(solution.peak);
            let second =
                case.compare.then(|| run(runner, &self.second, case).cpu.saturating_sub(empty));
            (solution.cpu.saturating_sub(empty), second)
        });
        let (mut solution, second): (Vec<_>, Vec<_>) = rounds.results.into_iter().unzip();
        solution.sort_unstable();
        let second: Vec<Duration> = second.into_iter().flatten().collect();
        MeasuredInput {
            solution,
            second: case.compare.then(|| median(second)),
            peak,
            amount: case.amount,
        }
    }
}

fn run(runner: &mut ProgramRunner, program: &Artifact, case: &BenchmarkCase) -> ProgramRun {
    let input = File::open(&case.input).expect("the input is there");
    runner.run(program, &[], Input::File(input))
}

fn problems(criterion: &mut Criterion) {
    let runner = &mut ProgramRunner::new();
    let empty = runner.write("empty.rs", b"fn main() {}\n");
    let empty = runner.compile(Path::new(&empty));
    let targets = targets(runner);
    print_head();
    let mut programs = Vec::new();
    for target in &targets {
        let target_programs = BenchmarkPrograms::of(target, &empty, runner);
        let measure = |case| target_programs.measure(case, target.rounds, runner);
        let measured: Vec<_> = target.cases.iter().map(measure).collect();
        for promise in &target.promises {
            print_row(target, promise, &measured);
        }
        programs.push(target_programs);
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
                (0..runs).map(|_| run(runner, &programs.solution, case).cpu).sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, problems);
criterion_main!(benches);
