//! The digest of a plan: a hash of everything that decides which unit a shard judges and what its results are.
//!
//! Shards on several machines have equal digests although their folders have different paths and their compilers
//! different versions. What the machine contributes is in the first line of each report.

use std::path::{Path, PathBuf};

use super::PlanContext;
use crate::compile;
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
        root: context.root.to_path_buf(),
        cases: None,
    };
    digest.parts.add(FORMAT.to_le_bytes());
    digest.parts.add(env!("CARGO_PKG_VERSION"));
    digest.parts.add(shards.to_le_bytes());
    digest.options(context.options);
    let mut last: Option<&Problem> = None;
    for ((submission, problem), shard) in entries.iter().zip(assigned) {
        digest.parts.add(shard.to_le_bytes());
        if !last.is_some_and(|last| std::ptr::eq(last, *problem)) {
            digest.problem(problem);
            last = Some(problem);
        }
        digest.submission(submission, problem, context.tools);
    }
    digest.parts.finish()
}

struct PlanDigest {
    parts: KeyParts,
    /// The folder that paths are relative to.
    root: PathBuf,
    /// The folder of the current problem.
    cases: Option<PathBuf>,
}

impl PlanDigest {
    /// Adds a value as its text, without the paths of this machine.
    fn value(&mut self, value: &impl std::fmt::Debug) {
        let mut text = format!("{value:?}");
        for folder in self.cases.iter().chain([&self.root]) {
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
            streams,
            additions,
            checker,
            interactor,
            is_package,
            scoring,
            ..
        } = problem;
        self.value(&(
            id,
            format,
            kind,
            limits,
            problem.default_output(),
            is_package,
        ));
        self.value(&(streams, additions, checker, interactor, scoring));
        for (_, folder) in &additions.include {
            self.source(folder);
        }
        let interactor = interactor.iter().map(|one| &one.source);
        for source in checker.sources().iter().chain(interactor) {
            self.source(source);
        }
        let mut last = None;
        for case in &problem.cases {
            self.case(case, problem);
            if case.checker() != last {
                last = case.checker();
                self.value(&last);
                last.iter()
                    .flat_map(|one| one.sources())
                    .for_each(|source| self.source(source));
            }
        }
    }

    fn case(&mut self, case: &TestCase, problem: &Problem) {
        if add_case(&mut self.parts, case, problem).is_none() {
            self.parts.add("unreadable");
        }
    }

    fn submission(&mut self, submission: &Submission, problem: &Problem, tools: Tools<'_>) {
        let Submission {
            path,
            name,
            problem: id,
            language,
            entrypoint,
            expected,
            files,
        } = submission;
        self.value(&(name, id, language, entrypoint, expected, files));
        if let Some(language) = tools.languages.get(language) {
            self.language(language);
        }
        self.source(path);
        // Files that the source includes, wherever they are.
        let linked = problem
            .additions
            .local
            .iter()
            .flat_map(|local| &local.linked);
        linked.for_each(|(_, source)| self.source(source));
    }

    fn language(&mut self, language: &Language) {
        let Language {
            compile,
            judge_flags,
            run,
            env,
            processes,
            time_factor,
            ..
        } = language;
        self.value(&(compile, judge_flags, run, env, processes, time_factor));
    }

    fn source(&mut self, path: &Path) {
        match compile::source_blake3(path) {
            Some(sum) => self.parts.add(sum),
            None => self.parts.add("unreadable"),
        }
    }
}
