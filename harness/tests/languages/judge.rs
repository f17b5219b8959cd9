//! Compiles and runs a source in any language, as the judge does.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::path::Path;

use rejudge::cache::Cache;
use rejudge::compile::{Artifact, Built, CompileOptions, Compiler};
use rejudge::language::{Language, Languages, Profile};
use rejudge::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
use rejudge::problem::ProblemLimits;
use rejudge::sandbox::{Execution, Input, Interrupt, Limits, Runner, RunnerOptions, WorkDir};

use crate::languages::each::{CORE, FULL};

pub(crate) struct Judge {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) languages: Languages,
    compiler: Compiler,
    runner: Runner,
}

impl Judge {
    pub(crate) fn new(profile: Profile) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::open_at(crate::support::cache()).unwrap();
        let options = CompileOptions { profile, ..CompileOptions::default() };
        let runner = Runner::start(&RunnerOptions::new(folder.path(), Interrupt::new().unwrap()));
        Self {
            languages: Languages::load(&BTreeMap::new()).unwrap(),
            compiler: Compiler::new(cache, options).unwrap(),
            runner: runner.unwrap(),
            folder,
        }
    }

    pub(crate) fn compile(&mut self, source: &Path) -> Built {
        let language = self.languages.of_file(source).unwrap();
        let runner = &mut self.runner;
        let mut run = |job: &_, input| runner.run(job, input);
        let limits = ProblemLimits::default();
        self.compiler.compile(source, language, &limits, &mut run).unwrap()
    }

    /// The program of a source that the compiler accepts.
    pub(crate) fn built(&mut self, source: &Path) -> Artifact {
        match self.compile(source) {
            Built::Ready(artifact) => artifact,
            Built::Failed(failure) => panic!("{}: {failure:#?}", source.display()),
        }
    }

    /// Runs `source` under the usual limits.
    pub(crate) fn run(&mut self, source: &Path, input: &str) -> (Execution, String) {
        let limits =
            effective_limits(&ProblemLimits::default(), DEFAULT_OUTPUT, &LimitOverrides::default());
        self.run_under(&limits, source, input)
    }

    pub(crate) fn run_under(
        &mut self,
        limits: &Limits,
        source: &Path,
        input: &str,
    ) -> (Execution, String) {
        let artifact = self.built(source);
        let job = artifact.job(limits, &[], WorkDir::Fresh);
        let mut file: File = tempfile::tempfile().unwrap();
        file.write_all(input.as_bytes()).unwrap();
        file.rewind().unwrap();
        let execution = self.runner.run(&job, Input::File(file)).unwrap();
        let mut output = String::new();
        let mut reader = execution.stdout.reader().unwrap();
        reader.read_to_string(&mut output).unwrap();
        (execution, output)
    }

    /// Whether the language is installed; if not, prints a message, and fails if CI must install
    /// it. Tests of the languages of `FULL` are ignored, and run where CI installs them.
    pub(crate) fn has(&self, language: &Language) -> bool {
        let Err(missing) = language.toolchain(self.compiler.cache()) else {
            return true;
        };
        let id = language.id.as_str();
        if CORE.contains(&id) || FULL.contains(&id) {
            crate::support::skip(&missing.to_string());
        } else {
            crate::support::skip_even_in_ci(&missing.to_string());
        }
        false
    }
}
