//! The cache key of an inferred limit: a hash of everything that it depends on.
//!
//! A source is represented by the key of its artefact. So everything that changes the program changes the key: the
//! command line, the compiler, included files. Other data that changes a running time or the limit is hashed
//! completely.

use std::path::Path;

use crate::compile::{self, Terms};
use crate::judge::{Options, Tools};
use crate::machine::Machine;
use crate::problem::{Problem, TestCase};
use crate::submission::Submission;

/// Increased when a new version infers different limits from the same data.
const FORMAT: u32 = 4;

/// Hashes a list of byte strings. Lengths keep different lists apart.
#[derive(Default)]
pub(crate) struct KeyParts(blake3::Hasher);

impl KeyParts {
    /// Adds a byte string.
    pub(crate) fn add(&mut self, part: impl AsRef<[u8]>) {
        let part = part.as_ref();
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    /// Adds the contents of a file; `None` if it cannot be read.
    fn add_file(&mut self, path: &Path) -> Option<()> {
        let file = std::fs::File::open(path).ok()?;
        let sum = blake3::Hasher::new().update_reader(file).ok()?.finalize();
        self.add(sum.as_bytes());
        Some(())
    }

    /// The hash of everything that was added, in hexadecimal.
    pub(crate) fn finish(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

/// The key of the limit that `options` give `problem`; `None` if something that it depends on cannot be read.
pub(crate) fn key(
    problem: &Problem,
    submissions: &[Submission],
    tools: Tools<'_>,
    options: &Options,
) -> Option<String> {
    let mut parts = KeyParts::default();
    parts.add(FORMAT.to_le_bytes());
    parts.add(env!("CARGO_PKG_VERSION"));
    parts.add(format!("{:?}", Machine::this()));
    let (limits, runner) = (&options.limits, options.runners.options());
    parts.add(format!("{limits:?} {:?} {:?}", runner.isolation, runner.without));
    let Problem { margins, kind, format, limits, limits_of_extensions, limits_of_cases, .. } =
        problem;
    let default_output = problem.default_output();
    parts.add(format!("{margins:?} {kind:?} {format:?} {limits:?} {default_output:?}"));
    parts.add(format!("{limits_of_extensions:?} {limits_of_cases:?}"));
    parts.add(format!("{}", problem.is_graded()));
    for submission in submissions {
        add_submission(&mut parts, submission, problem, tools)?;
    }
    add_programs(&mut parts, problem, tools)?;
    for case in problem.cases.iter().filter(|case| !case.is_static()) {
        add_case(&mut parts, case, problem)?;
    }
    Some(parts.finish())
}

fn add_submission(
    parts: &mut KeyParts,
    submission: &Submission,
    problem: &Problem,
    tools: Tools<'_>,
) -> Option<()> {
    parts.add(&submission.name);
    parts.add(format!("{:?} {:?}", submission.expected, submission.files));
    let language = tools.languages.get(&submission.language)?;
    parts.add(format!("{:?} {}", language.time_factor, language.processes));
    let (entrypoint, terms) = (submission.entrypoint.as_deref(), Terms::of_submission(problem));
    let compiler = tools.compiler;
    let run = compiler.run_key(&submission.path, entrypoint, language, terms);
    parts.add(run.ok()??);
    Some(())
}

/// Adds checkers and interactors, which determine how long a submission talks to them.
fn add_programs(parts: &mut KeyParts, problem: &Problem, tools: Tools<'_>) -> Option<()> {
    let groups = problem.cases.iter().filter_map(TestCase::checker);
    let checkers = std::iter::once(&problem.checker).chain(groups);
    let mut last = None;
    for checker in checkers {
        if last == Some(checker) {
            continue;
        }
        last = Some(checker);
        parts.add(format!("{checker:?}"));
        for source in checker.sources() {
            add_program(parts, source, problem, tools)?;
        }
    }
    if let Some(interactor) = &problem.interactor {
        parts.add(format!("{} {:?}", interactor.then_check, interactor.call));
        add_program(parts, &interactor.source, problem, tools)?;
    }
    Some(())
}

fn add_program(
    parts: &mut KeyParts,
    source: &Path,
    problem: &Problem,
    tools: Tools<'_>,
) -> Option<()> {
    let terms = Terms::of_program(problem);
    let compiler = tools.compiler;
    let run = compiler.program_run_key(source, tools.languages, terms);
    parts.add(run.ok()??);
    Some(())
}

/// Adds the data of a case; `None` if a part of it cannot be read.
pub(crate) fn add_case(parts: &mut KeyParts, case: &TestCase, problem: &Problem) -> Option<()> {
    parts.add(case.name());
    parts.add(format!("{:?}", case.args()));
    // The files of a case that is made on demand may be missing. The list has their hashes.
    let mut on_demand = problem.on_demand.iter();
    if let Some(listed) = on_demand.find(|one| one.name == case.name()) {
        parts.add(&listed.input_blake3);
        parts.add(&listed.answer_blake3);
        return Some(());
    }
    parts.add_file(&case.input())?;
    match case.answer() {
        Some(answer) => parts.add_file(&answer)?,
        None => parts.add("no answer"),
    }
    if let Some(beside) = case.beside() {
        parts.add(compile::source_blake3(&beside)?);
    }
    Some(())
}
