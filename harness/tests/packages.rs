//! The repository's own packages: validators accept right files and reject each wrong one with a
//! reason, the drawings are created, and the published figures are cases.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rejudge::cache::Cache;
use rejudge::compile::{Artifact, Built, CompileOptions, Compiler};
use rejudge::language::Languages;
use rejudge::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
use rejudge::problem::ProblemLimits;
use rejudge::sandbox::{
    Execution, Exit, Input, Interrupt, Job, Limits, Runner, RunnerOptions, WorkDir,
};

const ACCEPT: Exit = Exit::Code(42);
const REFUSE: Exit = Exit::Code(43);

/// Compiles and runs the packages' programs.
struct PackageFixture {
    folder: tempfile::TempDir,
    languages: Languages,
    compiler: Compiler,
    runner: Runner,
}

impl PackageFixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open_at(crate::support::cache()).unwrap();
        let runner = Runner::start(&RunnerOptions::new(folder.path(), Interrupt::new().unwrap()));
        Self {
            languages: Languages::load(&BTreeMap::new()).unwrap(),
            compiler: Compiler::new(cache, CompileOptions::default()).unwrap(),
            runner: runner.unwrap(),
            folder,
        }
    }

    fn compile(&mut self, source: &Path) -> Artifact {
        let language = self.languages.of_file(source).unwrap();
        let run = &mut |job: &_, input| self.runner.run(job, input);
        let built = self.compiler.compile(source, language, &ProblemLimits::default(), run);
        match built.unwrap() {
            Built::Ready(artifact) => artifact,
            Built::Failed(failure) => panic!("{}: {failure:#?}", source.display()),
        }
    }

    fn run(&mut self, program: &Artifact, stdin: &Path) -> Execution {
        let job = program.job(&limits(), &[], WorkDir::Fresh);
        self.start(&job, stdin)
    }

    fn start(&mut self, job: &Job, stdin: &Path) -> Execution {
        let input = Input::File(File::open(stdin).unwrap());
        self.runner.run(job, input).unwrap()
    }

    /// The verdict of the output validator on an output, and its message.
    fn judge(&mut self, program: &Artifact, input: &Path, output: &Path) -> (Exit, String) {
        let feedback = tempfile::tempdir_in(self.folder.path()).unwrap();
        let mut slashed = feedback.path().as_os_str().to_owned();
        slashed.push("/");
        let answer = input.with_extension("ans");
        let args = [input.into(), answer.clone().into(), slashed];
        let place = WorkDir::At(feedback.path().to_owned());
        let mut job = program.job(&limits(), &args, place);
        job.readable.extend([input.to_owned(), answer]);
        let execution = self.start(&job, output);
        let message = fs::read_to_string(feedback.path().join("judgemessage.txt"));
        (execution.exit, message.unwrap_or_default())
    }
}

fn limits() -> Limits {
    effective_limits(&ProblemLimits::default(), DEFAULT_OUTPUT, &LimitOverrides::default())
}

fn problems() -> Vec<PathBuf> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases").canonicalize().unwrap();
    let mut problems: Vec<PathBuf> =
        fs::read_dir(cases).unwrap().map(|entry| entry.unwrap().path()).collect();
    problems.sort();
    assert_eq!(problems.len(), 5);
    problems
}

/// The files below `folder` with this extension, sorted; empty if the folder does not exist.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let walk = walkdir::WalkDir::new(folder).sort_by_file_name().into_iter();
    let paths = walk.filter_map(|entry| Some(entry.ok()?.into_path()));
    paths.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

#[test]
fn input_validators_accept_every_input_and_reject_the_invalid_ones() {
    let mut workshop = PackageFixture::new();
    for problem in problems() {
        let validators = files(&problem.join("input_validators"), "rs");
        assert!(!validators.is_empty(), "{}", problem.display());
        for source in validators {
            let validator = workshop.compile(&source);
            let mut inputs = files(&problem.join("data/sample"), "in");
            // A fifth of the many secret inputs is enough: `rejudge generate` validates all of them.
            inputs.extend(files(&problem.join("data/secret"), "in").into_iter().step_by(5));
            for input in inputs {
                let exit = workshop.run(&validator, &input).exit;
                assert_eq!(exit, ACCEPT, "{}", input.display());
            }
            let invalid = files(&problem.join("data/invalid_input"), "in");
            assert!(invalid.len() >= 10, "{}", problem.display());
            for input in invalid {
                let execution = workshop.run(&validator, &input);
                assert_eq!(execution.exit, REFUSE, "{}", input.display());
                let silent = execution.stdout.is_empty() && execution.stderr_tail.is_empty();
                assert!(!silent, "{} is refused without a reason", input.display());
            }
        }
    }
}

#[test]
fn solutions_reject_bad_input_with_a_message_and_without_output() {
    let mut workshop = PackageFixture::new();
    for problem in problems() {
        let id = problem.file_name().unwrap().to_str().unwrap();
        let solutions = problem.join("../../solutions").join(id);
        let solution = workshop.compile(&solutions.join(format!("{id}.rs")));
        let mut refused = 0;
        for input in files(&problem.join("data/invalid_input"), "in") {
            let execution = workshop.run(&solution, &input);
            // A solution may accept input that is invalid only in its whitespace.
            if execution.exit == Exit::Code(0) {
                continue;
            }
            refused += 1;
            assert_eq!(execution.exit, Exit::Code(1), "{}", input.display());
            assert!(execution.stdout.is_empty(), "{}", input.display());
            assert!(!execution.stderr_tail.is_empty(), "{}", input.display());
        }
        assert!(refused >= 10, "{id}: {refused}");
    }
}

#[test]
fn output_validators_accept_right_outputs_and_reject_wrong_ones_with_a_reason() {
    let mut workshop = PackageFixture::new();
    for problem in problems() {
        let Some(source) = files(&problem.join("output_validator"), "rs").pop() else {
            continue;
        };
        let validator = workshop.compile(&source);
        for input in files(&problem.join("data/secret"), "in") {
            let (exit, message) = workshop.judge(&validator, &input, &input.with_extension("ans"));
            assert_eq!(exit, ACCEPT, "{}: {message}", input.display());
        }
        let valid = files(&problem.join("data/valid_output"), "in");
        let invalid = files(&problem.join("data/invalid_output"), "in");
        assert!(!valid.is_empty() && invalid.len() >= 10, "{}", problem.display());
        for input in valid {
            let (exit, message) = workshop.judge(&validator, &input, &input.with_extension("out"));
            assert_eq!(exit, ACCEPT, "{}: {message}", input.display());
        }
        for input in invalid {
            let (exit, message) = workshop.judge(&validator, &input, &input.with_extension("out"));
            assert_eq!(exit, REFUSE, "{}", input.display());
            assert!(!message.is_empty(), "{} is refused without a reason", input.display());
        }
    }
}

#[test]
fn the_published_figures_are_cases() {
    let cases = problems().first().unwrap().parent().unwrap().to_owned();
    let answers = |problem: &str| -> Vec<String> {
        let folder = cases.join(problem).join("data/secret/known");
        files(&folder, "ans").iter().map(|path| fs::read_to_string(path).unwrap()).collect()
    };
    let first = |problem: &str, line: &str| {
        assert!(
            answers(problem).iter().any(|answer| answer.starts_with(line)),
            "{problem} has no known case whose answer begins with {line:?}"
        );
    };
    first("klotskisteps", "116\n25955 167 754\n");
    for (slides, steps, positions) in [
        (81, 116, 25_955),
        (59, 83, 1_398),
        (99, 131, 81_340),
        (138, 179, 81_340),
        (123, 158, 81_462),
        (84, 115, 888),
        (74, 103, 6_216),
        (18, 31, 161),
        (131, 179, 9_591),
    ] {
        first("klotski", &format!("{slides}\n"));
        first("klotskisteps", &format!("{steps}\n{positions} "));
    }
}

#[test]
fn no_file_of_a_case_is_too_large_for_a_repository() {
    let mut all = 0;
    for problem in problems() {
        for entry in walkdir::WalkDir::new(problem.join("data")) {
            let entry = entry.unwrap();
            let size = entry.metadata().unwrap().len();
            assert!(size <= 4 << 20, "{}: {size}", entry.path().display());
            all += size;
        }
    }
    assert!(all <= 32 << 20, "{all}");
}
