//! The problem's own programs, built once and run in the sandbox.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use super::inputs::file_name;
use super::{Finding, Subject};
use crate::attempts::run_fairly;
use crate::checker::CheckOutcome;
use crate::compile::{Artifact, Terms, is_testlib};
use crate::generate::{MakeError, VALIDATORS, build, files_in, stdin, words};
use crate::judge::{Inspector, Tools, launch_with};
use crate::limits::of_validator;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{
    Captured, Execution, Exit, LimitKind, Limits, Runner, RunnerOptions, SandboxError,
};
use crate::verdict;

/// What an input validator says of one input.
pub(super) enum Says {
    /// 42, or 0 of one that is written with testlib: it is valid.
    Valid,
    /// Any other end: it is not; how it ended if not with 43, and its words.
    Refused(String),
    /// It was ended by a limit: the validator failed; how, and its words.
    Failed(String),
    /// It was not asked: it was over its time limit before.
    NotAsked,
}

/// The input validators and the checker of one problem, and what runs them.
pub(crate) struct Programs<'a> {
    tools: Tools<'a>,
    runner: Runner,
    pub(super) validators: Vec<(PathBuf, Artifact)>,
    pub(super) checker: Option<Inspector>,
    /// Those of a problem's validators.
    limits: Limits,
    /// The validators that were once over their time limit: asking them again and again would take for ever.
    stuck: BTreeSet<usize>,
}

impl<'a> Programs<'a> {
    /// Builds what `problem` has; what cannot be built is a finding.
    pub(crate) fn build(
        problem: &Problem,
        tools: Tools<'a>,
        options: &RunnerOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, SandboxError> {
        let mut programs = Self {
            tools,
            runner: options.runner()?,
            validators: Vec::new(),
            checker: None,
            limits: of_validator(&problem.limits),
            stuck: BTreeSet::new(),
        };
        programs.build_validators(problem, findings)?;
        programs.checker = match Inspector::new(problem, tools, &mut programs.runner)? {
            Ok(inspector) => Some(inspector),
            Err(why) => {
                findings.push(Finding::error(Subject::OutputValidator, why));
                None
            }
        };
        Ok(programs)
    }

    fn build_validators(
        &mut self,
        problem: &Problem,
        findings: &mut Vec<Finding>,
    ) -> Result<(), SandboxError> {
        let terms = Terms::of_program(problem);
        let mut found = Vec::new();
        for folder in VALIDATORS.map(|name| problem.dir.join(name)) {
            let sources = match files_in(&folder) {
                Ok(sources) => sources,
                Err(error) => {
                    let message = format!("cannot be read: {error}");
                    findings.push(Finding::error(Subject::InputValidator, message).at(folder));
                    continue;
                }
            };
            found.extend(sources);
        }
        for source in found.into_iter().chain(problem.validators.clone()) {
            {
                let run = &mut |job: &_, input| run_fairly(&mut self.runner, job, input);
                match build(
                    self.tools.languages,
                    self.tools.compiler,
                    &source,
                    terms,
                    run,
                ) {
                    Ok(artifact) => self.validators.push((source, artifact)),
                    Err(MakeError::Sandbox(error)) => return Err(error),
                    Err(error) => {
                        let message = format!("{:#}", anyhow::Error::new(error));
                        findings.push(Finding::error(Subject::InputValidator, message).at(source));
                    }
                }
            }
        }
        Ok(())
    }

    /// What the validator at `index` says of `input`.
    pub(super) fn validate(
        &mut self,
        index: usize,
        case: &TestCase,
        input: &Captured,
    ) -> Result<Says, SandboxError> {
        if self.stuck.contains(&index) {
            return Ok(Says::NotAsked);
        }
        let (source, artifact) = &self.validators[index];
        let args = case.input_validator_args(&file_name(source));
        let launch = launch_with(artifact, &args, case.beside(), &self.limits)?;
        let input = stdin(input).map_err(as_sandbox_error)?;
        let execution = run_fairly(&mut self.runner, &launch.job, input)?;
        let testlib = is_testlib(source);
        Ok(match execution.exit {
            Exit::Code(42) => Says::Valid,
            Exit::Code(0) if testlib => Says::Valid,
            Exit::Code(code) => Says::Refused(refusal(code, testlib, &execution)),
            // As by a failed assertion.
            Exit::Signal(_) => Says::Refused(format!(": {}", ending(&execution, &self.limits))),
            Exit::Killed(limit) => {
                if matches!(limit, LimitKind::Cpu | LimitKind::Wall) {
                    self.stuck.insert(index);
                }
                Says::Failed(ending(&execution, &self.limits))
            }
        })
    }

    /// What the checker says of `output`; `None` if it could not be built, or was over its time limit before.
    pub(super) fn judge(
        &mut self,
        case: &TestCase,
        output: &Captured,
    ) -> Result<Option<CheckOutcome>, SandboxError> {
        let Some(checker) = &self.checker else {
            return Ok(None);
        };
        let start = Instant::now();
        let outcome = checker.check(case, output, &mut self.runner)?.outcome;
        // Only a limit ends it that late.
        if matches!(outcome, CheckOutcome::Fault(_)) && start.elapsed() >= self.limits.cpu_time {
            self.checker = None;
        }
        Ok(Some(outcome))
    }
}

fn as_sandbox_error(error: MakeError) -> SandboxError {
    match error {
        MakeError::Sandbox(error) => error,
        MakeError::Io { source, .. } => SandboxError::Io {
            action: "cannot copy an input".into(),
            source,
        },
        other => SandboxError::Launcher(other.to_string()),
    }
}

/// How a validator refused: with an exit code that is not usual for that, and its words.
fn refusal(code: i32, testlib: bool, execution: &Execution) -> String {
    let usual = code == 43 || (testlib && (1..=3).contains(&code));
    let end = if usual {
        String::new()
    } else {
        format!(": it exited with {code}, not with 42 (valid)")
    };
    end + &words(&execution.stderr_tail)
}

/// How a validator ended that said neither yes nor no.
fn ending(execution: &Execution, limits: &Limits) -> String {
    let end =
        verdict::of_execution(execution, limits).map_or_else(String::new, |(_, evidence)| evidence);
    end + &words(&execution.stderr_tail)
}
