//! Answers of interactive problems whose checker reads them: what the interactor writes about the main solution.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::programs::{MakeError, file_name, io_error, limits};
use crate::checker_spec::CheckerSpec;
use crate::judge::{SingleRunners, SingleSubmission, Tools};
use crate::left_behind::Temporary;
use crate::limits::LimitOverrides;
use crate::problem::{Additions, CaseFiles, CaseSet, Interactor, Problem, ProblemLimits, TestCase};
use crate::sandbox::{Captured, RunnerSource};
use crate::submission::{Expectation, FileNames, Submission};
use crate::verdict::Verdict;

/// The name of the input in its folder.
const INPUT: &str = "input";

/// Lets solutions of one problem talk with its interactor.
pub(crate) struct Dialogues<'a> {
    tools: Tools<'a>,
    source: &'a RunnerSource,
    problem: Problem,
    runners: Option<SingleRunners>,
    solutions: HashMap<PathBuf, SingleSubmission>,
}

impl<'a> Dialogues<'a> {
    /// Of the package in `dir`; nothing is compiled yet.
    pub(crate) fn new(
        dir: &Path,
        interactor: &Interactor,
        additions: &Additions,
        tools: Tools<'a>,
        source: &'a RunnerSource,
    ) -> Self {
        let limits = limits();
        let problem = Problem {
            interactor: Some(Interactor {
                // The checker would need the answer.
                then_check: false,
                ..interactor.clone()
            }),
            checker: CheckerSpec::default(),
            additions: additions.clone(),
            limits: ProblemLimits {
                cpu_time: Some(limits.cpu_time),
                memory: Some(limits.memory),
                output: Some(limits.output),
                validation_time: Some(limits.cpu_time),
                validation_memory: Some(limits.memory),
                validation_output: Some(limits.output),
                ..ProblemLimits::default()
            },
            ..Problem::bare(dir)
        };
        Self { tools, source, problem, runners: None, solutions: HashMap::new() }
    }

    /// What the interactor writes about this solution, which it must accept.
    pub(super) fn answer(
        &mut self,
        solution: &Path,
        input: &Captured,
    ) -> Result<Captured, MakeError> {
        let failed = |evidence: String| MakeError::Failed {
            role: "main solution",
            program: file_name(solution),
            evidence,
            words: String::new(),
        };
        let runners = match &mut self.runners {
            Some(runners) => runners,
            none => none.insert(SingleRunners::start(self.source)?),
        };
        let single = match self.solutions.entry(solution.to_owned()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => {
                let language = self.tools.languages.of_file(solution);
                let language = language.ok_or_else(|| failed("unknown language".to_owned()))?;
                let submission = Submission {
                    path: solution.to_owned(),
                    name: file_name(solution),
                    problem: self.problem.id.clone(),
                    language: language.id.clone(),
                    entrypoint: None,
                    expected: Expectation::accepted(),
                    files: FileNames::default(),
                };
                let over = LimitOverrides::default();
                let mut runner = self.source.runner()?;
                let (problem, tools) = (&self.problem, self.tools);
                let built =
                    SingleSubmission::build(&submission, problem, over, tools, &mut runner)?;
                new.insert(built.map_err(|why| failed(why.to_string()))?)
            }
        };
        let temp = std::env::temp_dir();
        let folder = Temporary::new_in(&temp, "rejudge-generate-")
            .map_err(io_error("create a folder in", &temp))?;
        let copied = folder
            .folder()
            .create(Path::new(INPUT), 0o644)
            .and_then(|mut file| io::copy(&mut input.reader()?, &mut file));
        copied.map_err(io_error("write to", folder.path()))?;
        let files = CaseFiles { input: folder.path().join(INPUT), answer: None };
        let case = TestCase::with_files("secret/1", Arc::new(CaseSet::default()), files);
        let run = runners.run(single, &case)?;
        if run.verdict != Verdict::Accepted {
            let reason = run.reason.map(|reason| format!(": {reason}"));
            return Err(failed(format!("{}{}", run.verdict.code(), reason.unwrap_or_default())));
        }
        Ok(run.for_checker)
    }
}
