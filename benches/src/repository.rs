//! A repository whose solutions are measured, with the tools that build and run them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge::bench::settings::{BenchSettings, CommandLineSettings};
use rejudge::bench::{BenchRunner, selection};
use rejudge::config;
use rejudge::limits::LimitOverrides;
use rejudge::problem::ReadOptions;
use rejudge::sandbox::{Interrupt, ProcessFolder, RunnerOptions, work_base};
use rejudge::statistics::Quantity;
use rejudge::{
    Cache, CompileOptions, Compiler, Languages, Problem, Request, Submission, Tools, discover,
};

use crate::is_test;

/// The problems and submissions of a repository, and the tools.
pub struct BenchmarkRepository {
    /// All problems, each with its existing cases.
    pub problems: Vec<Problem>,
    /// The submissions that must be accepted.
    pub submissions: Vec<Submission>,
    root: PathBuf,
    settings: BenchSettings,
    compiler: Compiler,
    languages: Languages,
    interrupt: Interrupt,
    work_base: ProcessFolder,
}

impl BenchmarkRepository {
    /// Discovers the repository at `root`. Cases that are generated on demand are used if an earlier run of the judge
    /// generated them. If the benchmark is only tested, only the samples are used.
    ///
    /// # Panics
    /// If the repository cannot be read or contains an error.
    pub fn open(root: &Path) -> Self {
        let repository = config::Repository::open(root).expect("its settings");
        let languages = Languages::load(&repository.config.languages).expect("the languages");
        let found = discover(&Request {
            current: root,
            paths: &[],
            cases: None,
            repository: Some(&repository),
            read_options: ReadOptions::default(),
            language_of: &|extension| Some(languages.by_extension(extension.to_str()?)?.id.clone()),
            language_of_text: &|extension, text| languages.id_of_text(extension, text),
        });
        assert!(found.errors.is_empty(), "{:?}", found.errors);
        let settings = BenchSettings::new(
            Quantity::CpuTime,
            &repository.config.bench,
            &CommandLineSettings::default(),
        );
        let mut problems = found.problems;
        for problem in &mut problems {
            problem
                .cases
                .retain(|case| case.input().exists() && (!is_test() || case.group() == "sample"));
            problem.on_demand.clear();
        }
        let mut submissions = found.submissions;
        let problem_of = |id: &str| problems.iter().find(|problem| problem.id == id);
        submissions.retain(|submission| {
            let problem = problem_of(&submission.problem).expect("joined by id");
            selection::is_measured_by_default(submission)
                && selection::why_not_measurable(problem, submission).is_none()
        });
        let cache = Cache::open().expect("a cache folder");
        Self {
            problems,
            submissions,
            root: root.to_owned(),
            settings: settings.expect("its settings"),
            compiler: Compiler::new(cache, CompileOptions::default()).expect("room to compile"),
            languages,
            interrupt: Interrupt::new().expect("a pipe"),
            work_base: work_base().expect("a temporary folder"),
        }
    }

    /// The cases of a problem to measure: those that `rejudge.toml` names, otherwise the slowest of each group.
    pub fn worth_timing(&self, problem: &Problem, cpu: &[Option<Duration>]) -> Vec<usize> {
        if !self.settings.names_cases_of(problem) {
            return selection::slowest_of_each_group(problem, cpu);
        }
        let cases = problem.cases.iter().enumerate();
        let named = cases.filter(|(_, case)| self.settings.names(&problem.id, case.name()));
        named.map(|(index, _)| index).collect()
    }

    /// The root folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The tools that build the programs.
    pub fn tools(&self) -> Tools<'_> {
        Tools { compiler: &self.compiler, languages: &self.languages }
    }

    /// The options of the sandbox that runs the programs.
    pub fn runner_options(&self) -> RunnerOptions {
        RunnerOptions::new(self.work_base.path(), self.interrupt.clone())
    }

    /// The solutions, each with its problem.
    #[expect(clippy::missing_panics_doc, reason = "discovery finds a problem for every submission")]
    pub fn entries(&self) -> Vec<(&Submission, &Problem)> {
        let problem_of = |submission: &Submission| {
            let mut problems = self.problems.iter();
            problems.find(|problem| problem.id == submission.problem)
        };
        let entries = self.submissions.iter();
        entries
            .map(|submission| (submission, problem_of(submission).expect("joined by id")))
            .collect()
    }

    /// A runner that measures `entries`.
    ///
    /// # Panics
    /// If the sandbox cannot be started.
    pub fn runner<'a>(&'a self, entries: &'a [(&'a Submission, &'a Problem)]) -> BenchRunner<'a> {
        let runner = BenchRunner::new(
            entries,
            self.tools(),
            LimitOverrides::default(),
            &self.runner_options().into(),
        );
        runner.expect("a sandbox")
    }
}
