//! The digest of a plan: a hash of everything that decides which unit a shard judges and what its results are.
//!
//! Shards on several machines have equal digests although their folders have different paths and their compilers
//! different versions. What the machine contributes is in the first line of each report.

use std::path::{Path, PathBuf};

use super::PlanContext;
use crate::cache::{Cache, Part};
use crate::compile::{self, Terms};
use crate::judge::{Options, Tools};
use crate::language::Language;
use crate::problem::{Problem, TestCase};
use crate::sequence::SubmissionEntry;
use crate::submission::Submission;
use crate::time_limit::{KeyParts, add_case};

/// Increased when a new version makes different plans of the same data.
const FORMAT: u32 = 1;

/// The digest of the plan that gives each of `entries` the shard `assigned`, of `shards`, in hexadecimal. Paths below the
/// root are relative to it.
pub(super) fn digest(
    entries: &[SubmissionEntry<'_>],
    assigned: &[usize],
    shards: usize,
    context: PlanContext<'_>,
) -> String {
    let mut digest = PlanDigest {
        parts: KeyParts::default(),
        tools: context.tools,
        root: context.root.to_path_buf(),
        stored: Cache::open().ok().map(|cache| cache.part(Part::Cases)),
        cases: None,
    };
    digest.parts.add(FORMAT.to_le_bytes());
    digest.parts.add(env!("CARGO_PKG_VERSION"));
    digest.parts.add(shards.to_le_bytes());
    digest.options(context.options);
    let include = context.tools.compiler.include_key();
    digest.parts.add(include.as_deref().unwrap_or("unreadable"));
    let mut last: Option<&Problem> = None;
    for ((submission, problem), shard) in entries.iter().zip(assigned) {
        digest.parts.add(shard.to_le_bytes());
        if !last.is_some_and(|last| std::ptr::eq(last, *problem)) {
            digest.problem(problem);
            last = Some(problem);
        }
        digest.submission(submission, problem);
    }
    digest.parts.finish()
}

struct PlanDigest<'a> {
    parts: KeyParts,
    tools: Tools<'a>,
    /// The folder that paths are relative to.
    root: PathBuf,
    /// The folder in the cache of what is read from archives or generated. The names in it come from the content.
    stored: Option<PathBuf>,
    /// The folder of the current problem.
    cases: Option<PathBuf>,
}

impl PlanDigest<'_> {
    /// Adds a value as its text, without the paths of this machine.
    fn value(&mut self, value: &impl std::fmt::Debug) {
        let mut text = format!("{value:?}");
        for folder in self.cases.iter().chain(&self.stored).chain([&self.root]) {
            text = text.replace(&*folder.to_string_lossy(), "");
        }
        self.parts.add(text);
    }

    fn options(&mut self, options: &Options) {
        let Options {
            limits,
            fail_fast,
            allow_unchecked,
            repeat,
            print_input,
            transcript,
            arguments,
            ..
        } = options;
        self.value(&(limits, fail_fast, allow_unchecked, repeat));
        self.value(&(print_input, transcript, arguments));
    }

    fn problem(&mut self, problem: &Problem) {
        self.cases = Some(problem.dir.clone());
        let Problem {
            id,
            format,
            kind,
            limits,
            limits_of_extensions,
            limits_of_cases,
            streams,
            additions,
            checker,
            interactor,
            is_package,
            scoring,
            ..
        } = problem;
        self.value(&(id, format, kind, limits, problem.default_output(), is_package));
        self.value(&(limits_of_extensions, limits_of_cases));
        self.value(&(streams, additions, checker, interactor, scoring));
        let interactor = interactor.iter().map(|one| &one.source);
        for source in checker.sources().iter().chain(interactor) {
            self.program(source, problem);
        }
        let mut last = None;
        for case in &problem.cases {
            self.case(case, problem);
            if case.checker() != last {
                last = case.checker();
                self.value(&last);
                last.iter()
                    .flat_map(|one| one.sources())
                    .for_each(|source| self.program(source, problem));
            }
        }
    }

    fn case(&mut self, case: &TestCase, problem: &Problem) {
        if add_case(&mut self.parts, case, problem).is_none() {
            self.parts.add("unreadable");
        }
    }

    fn submission(&mut self, submission: &Submission, problem: &Problem) {
        let Submission { path, name, problem: id, language, entrypoint, expected, files } =
            submission;
        self.value(&(name, id, language, entrypoint, expected, files));
        if let Some(language) = self.tools.languages.get(language) {
            self.language(language);
            let (entrypoint, terms) = (entrypoint.as_deref(), Terms::of_submission(problem));
            let compiler = self.tools.compiler;
            let key = compiler.content_key(path, entrypoint, language, terms);
            self.source(key, path);
        }
    }

    /// Adds a checker or an interactor.
    fn program(&mut self, source: &Path, problem: &Problem) {
        let Tools { compiler, languages } = self.tools;
        let key = compiler.program_content_key(source, languages, Terms::of_program(problem));
        self.source(key, source);
    }

    /// Adds the key of a program; if it cannot be compiled, its text.
    fn source(&mut self, key: Option<String>, source: &Path) {
        let key = key.or_else(|| compile::source_blake3(source));
        self.parts.add(key.as_deref().unwrap_or("unreadable"));
    }

    fn language(&mut self, language: &Language) {
        let Language { compile, judge_flags, run, env, processes, time_factor, .. } = language;
        let whole_program_flags = &language.whole_program_flags;
        self.value(&(compile, judge_flags, whole_program_flags, run, env, processes, time_factor));
    }
}
