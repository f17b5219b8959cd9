//! The problem's own programs, which are built once and run in the sandbox.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use super::file_name;
use super::{Finding, FindingSubject};
use crate::attempts::run_fairly;
use crate::checker::CheckOutcome;
use crate::checktestdata::is_grammar;
use crate::checktestdata::{Grammar, Ruling};
use crate::compile::{Artifact, Terms, is_testlib};
use crate::decide;
use crate::generate::{
    MakeError, VALIDATORS, build, check_grammar, files_in, grammar, is_viva, stdin, words,
};
use crate::judge::{Inspector, Launch, Solution, Tools};
use crate::limits::of_validator;
use crate::notice::Code;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{
    Captured, Execution, Exit, LimitKind, Limits, Runner, RunnerSource, SandboxError,
};
use crate::submission::FileNames;

/// The name of the log of a validator written with testlib.
const OVERVIEW: &str = "overview.log";

/// The decision of an input validator on one input.
pub(super) enum ValidatorDecision {
    /// The input is valid: exit code 42, or 0 from a validator written with testlib.
    Valid,
    /// The input is invalid: any other exit code or a signal. Holds an unusual exit code and the
    /// validator's messages.
    Rejected(String),
    /// The validator exceeded a limit, which is a failure of the validator. Holds the limit and the
    /// validator's messages.
    Failed(String),
    /// The validator was not run, because it exceeded its time limit before.
    NotRun,
}

/// An input validator that can be run.
pub(super) enum VerifiedValidator {
    Program(Box<Artifact>),
    Grammar(Grammar),
}

/// The input validators and the checker of one problem, and the runner that starts them.
pub(crate) struct VerifiedPrograms<'a> {
    tools: Tools<'a>,
    runner: Runner,
    pub(super) validators: Vec<(PathBuf, VerifiedValidator)>,
    pub(super) checker: Option<Inspector>,
    /// The limits of the problem's validators.
    limits: Limits,
    /// The indices of validators that exceeded their time limit. They are not run again, because
    /// that would take too long.
    timed_out: BTreeSet<usize>,
}

impl<'a> VerifiedPrograms<'a> {
    /// Builds the programs of `problem`; a program that cannot be built is a finding.
    pub(crate) fn build(
        problem: &Problem,
        tools: Tools<'a>,
        runners: &RunnerSource,
        findings: &mut Vec<Finding>,
    ) -> Result<Self, SandboxError> {
        let mut programs = Self {
            tools,
            runner: runners.runner()?,
            validators: Vec::new(),
            checker: None,
            limits: of_validator(&problem.limits),
            timed_out: BTreeSet::new(),
        };
        programs.build_validators(problem, findings)?;
        programs.checker = match Inspector::new(problem, tools, &mut programs.runner)? {
            Ok(inspector) => Some(inspector),
            Err(fault) => {
                let subject = FindingSubject::OutputValidator;
                findings.push(Finding::error(subject, fault.code, fault.to_string()));
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
                    let code = Code::UnreadableFile;
                    let finding = Finding::error(FindingSubject::InputValidator, code, message);
                    findings.push(finding.at(folder));
                    continue;
                }
            };
            found.extend(sources);
        }
        for source in found.into_iter().chain(problem.validators.clone()) {
            if is_viva(&source) {
                let message =
                    "is a grammar of Viva, which rejudge cannot run, so it checks no input";
                let subject = FindingSubject::InputValidator;
                let finding = Finding::warning(subject, Code::Unsupported, message).at(source);
                let help = "write it in Checktestdata, as a `.ctd` file, or as a program";
                findings.push(finding.help(help));
                continue;
            }
            let built = if is_grammar(&source) {
                grammar(&source, &problem.additions).map(VerifiedValidator::Grammar)
            } else {
                let run = &mut |job: &_, input| run_fairly(&mut self.runner, job, input);
                let Tools {
                    languages,
                    compiler,
                    ..
                } = self.tools;
                build(languages, compiler, &source, terms, run)
                    .map(|artifact| VerifiedValidator::Program(Box::new(artifact)))
            };
            match built {
                Ok(validator) => self.validators.push((source, validator)),
                Err(MakeError::Sandbox(error)) => return Err(error),
                Err(error) => {
                    let message = format!("{:#}", anyhow::Error::new(error));
                    let code = Code::BrokenProgram;
                    let finding = Finding::error(FindingSubject::InputValidator, code, message);
                    findings.push(finding.at(source));
                }
            }
        }
        Ok(())
    }

    /// Whether the problem has input validators.
    pub(crate) fn has_validators(&self) -> bool {
        !self.validators.is_empty()
    }

    /// The indices of the input validators that are written with testlib.
    pub(crate) fn testlib_validators(&self) -> Vec<usize> {
        let all = self.validators.iter().enumerate();
        all.filter(|(_, (source, _))| is_testlib(source))
            .map(|(index, _)| index)
            .collect()
    }

    /// Whether every input validator accepts `input`.
    pub(crate) fn accept(
        &mut self,
        case: &TestCase,
        input: &Captured,
    ) -> Result<bool, SandboxError> {
        for index in 0..self.validators.len() {
            if !matches!(self.validate(index, case, input)?, ValidatorDecision::Valid) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The overview that the validator at `index`, which is written with testlib, logs about `input`; `None`: it
    /// rejects the input, or its testlib is too old.
    pub(crate) fn overview(
        &mut self,
        index: usize,
        case: &TestCase,
        input: &Captured,
    ) -> Result<Option<Captured>, SandboxError> {
        let (source, VerifiedValidator::Program(artifact)) = &self.validators[index] else {
            return Ok(None);
        };
        let mut args = case.input_validator_args(&file_name(source));
        args.extend(["--testOverviewLogFileName", OVERVIEW].map(str::to_owned));
        // The log is collected like the output of a solution that writes to a file.
        let files = FileNames {
            inputs: Vec::new(),
            outputs: vec![OVERVIEW.to_owned()],
            are_stated: true,
            links: Vec::new(),
        };
        let program = Solution {
            artifact,
            files: &files,
            limits: &self.limits,
        };
        let launch = program.launch_on(&args, case.beside(), || Ok(io::empty()))?;
        let input = stdin(input).map_err(as_sandbox_error)?;
        let run = &mut |job: &_, input| run_fairly(&mut self.runner, job, input);
        let execution = launch.run(input, run)?;
        Ok((execution.exit == Exit::Code(0)).then_some(execution.stdout))
    }

    /// Runs the validator at `index` on `input`.
    pub(super) fn validate(
        &mut self,
        index: usize,
        case: &TestCase,
        input: &Captured,
    ) -> Result<ValidatorDecision, SandboxError> {
        if self.timed_out.contains(&index) {
            return Ok(ValidatorDecision::NotRun);
        }
        let (source, artifact) = match &self.validators[index] {
            (source, VerifiedValidator::Program(artifact)) => (source, artifact),
            (_, VerifiedValidator::Grammar(grammar)) => {
                let ruling = check_grammar(grammar, input, self.limits.cpu_time);
                return Ok(self.ruled(index, ruling.map_err(as_sandbox_error)?));
            }
        };
        let args = case.input_validator_args(&file_name(source));
        let launch = Launch::with_args(artifact, &args, case.beside(), &self.limits)?;
        let input = stdin(input).map_err(as_sandbox_error)?;
        let run = &mut |job: &_, input| run_fairly(&mut self.runner, job, input);
        let execution = launch.run(input, run)?;
        let testlib = is_testlib(source);
        Ok(match execution.exit {
            Exit::Code(42) => ValidatorDecision::Valid,
            Exit::Code(0) if testlib => ValidatorDecision::Valid,
            Exit::Code(code) => ValidatorDecision::Rejected(rejection(code, testlib, &execution)),
            // For example a failed assertion.
            Exit::Signal(_) => {
                ValidatorDecision::Rejected(format!(": {}", ending(&execution, &self.limits)))
            }
            exit @ (Exit::Killed(_) | Exit::Stopped) => {
                if matches!(exit, Exit::Killed(LimitKind::Cpu | LimitKind::Wall)) {
                    self.timed_out.insert(index);
                }
                ValidatorDecision::Failed(ending(&execution, &self.limits))
            }
        })
    }

    /// The decision of the grammar at `index`.
    fn ruled(&mut self, index: usize, ruling: Ruling) -> ValidatorDecision {
        match ruling {
            Ruling::Valid => ValidatorDecision::Valid,
            Ruling::Invalid(why) => ValidatorDecision::Rejected(format!(": {why}")),
            Ruling::Failed(why) => ValidatorDecision::Failed(why),
            Ruling::TimedOut => {
                self.timed_out.insert(index);
                let seconds = self.limits.cpu_time.as_secs_f64();
                ValidatorDecision::Failed(format!("it takes longer than {seconds} s"))
            }
        }
    }

    /// Runs the checker on `output`; `None` if it could not be built or exceeded its time limit
    /// before.
    pub(super) fn judge(
        &mut self,
        case: &TestCase,
        output: &Captured,
    ) -> Result<Option<CheckOutcome>, SandboxError> {
        let Some(checker) = &self.checker else {
            return Ok(None);
        };
        let result = checker.check(case, output, &mut self.runner)?;
        if result.timed_out {
            self.checker = None;
        }
        Ok(Some(result.outcome))
    }
}

fn as_sandbox_error(error: MakeError) -> SandboxError {
    match error {
        MakeError::Sandbox(error) => error,
        MakeError::Io(error) => SandboxError::Io {
            action: error.to_string(),
            source: error.source,
        },
        other => SandboxError::Launcher(other.to_string()),
    }
}

/// Describes a rejection: an unusual exit code and the validator's messages.
fn rejection(code: i32, testlib: bool, execution: &Execution) -> String {
    let usual = code == 43 || (testlib && (1..=3).contains(&code));
    let end = if usual {
        String::new()
    } else {
        format!(": it exited with {code}, not with 42 (valid)")
    };
    end + &words(&execution.stderr_tail)
}

/// Describes the end of a validator that neither accepted nor rejected.
fn ending(execution: &Execution, limits: &Limits) -> String {
    let end =
        decide::of_execution(execution, limits).map_or_else(String::new, |(_, evidence)| evidence);
    end + &words(&execution.stderr_tail)
}
