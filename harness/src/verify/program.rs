//! The problem's own programs, which are built once and run in the sandbox.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use rejudge_checktestdata::{Grammar, Ruling};

use super::file_name;
use super::{Finding, FindingSubject};
use crate::attempts::run_fairly;
use crate::checker::CheckOutcome;
use crate::compile::{Artifact, Terms};
use crate::decide;
use crate::generate::{
    MakeError, VALIDATORS, VIVA_HELP, ValidatorKind, check_grammar, files_in, grammar, lacks_viva,
    stdin, words,
};
use crate::judge::{Inspector, Launch, Solution, Tools};
use crate::limits::of_validator;
use crate::notice::Code;
use crate::problem::{Problem, TestCase, is_grammar};
use crate::sandbox::{
    Captured, Execution, Exit, Input, Limits, Runner, RunnerSource, SandboxError,
};
use crate::submission::FileNames;

/// The name of the log of a validator written with testlib.
const OVERVIEW: &str = "overview.log";

/// The folders of answer validators: `BAPCtools`, and its earlier versions.
const ANSWER_VALIDATORS: [&str; 2] = ["answer_validators", "answer_format_validators"];

/// The decision of a validator on one input or answer.
pub(super) enum ValidatorDecision {
    /// The text is valid: exit code 42, or 0 from a validator that is written with testlib or of another tool's package.
    Valid,
    /// The text is invalid: any other exit code or a signal. Holds an unusual exit code and the
    /// validator's messages.
    Rejected(String),
    /// The validator exceeded a limit, which is a failure of the validator. Holds the limit and the
    /// validator's messages.
    Failed(String),
    /// The validator was not run, because it exceeded its time limit before.
    NotRun,
}

/// A validator of inputs or answers that can be run.
pub(super) enum VerifiedValidator {
    Program(Box<Artifact>),
    Grammar(Grammar),
}

/// What a validator reads on standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Validated {
    Input,
    Answer,
}

/// The validators and the checker of one problem, and the runner that starts them.
pub(crate) struct VerifiedPrograms<'a> {
    tools: Tools<'a>,
    runner: Runner,
    pub(super) validators: Vec<(PathBuf, VerifiedValidator)>,
    pub(super) answer_validators: Vec<(PathBuf, VerifiedValidator)>,
    pub(super) checker: Option<Inspector>,
    /// The kinds of the input validators, by their indices.
    kinds: Vec<ValidatorKind>,
    /// The limits of the problem's validators.
    limits: Limits,
    /// The indices of validators that exceeded their time limit. They are not run again, because
    /// that would take too long.
    timed_out: BTreeSet<(Validated, usize)>,
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
            answer_validators: Vec::new(),
            checker: None,
            kinds: Vec::new(),
            limits: of_validator(&problem.limits),
            timed_out: BTreeSet::new(),
        };
        let subject = FindingSubject::InputValidator;
        let mut sources = sources_in(problem, VALIDATORS, subject, findings);
        sources.extend(problem.validators.iter().cloned());
        programs.validators = programs.build_validators(problem, sources, subject, findings)?;
        let sources = programs.validators.iter().map(|(source, _)| source);
        programs.kinds = sources.map(|source| ValidatorKind::in_problem(source, problem)).collect();
        let subject = FindingSubject::Answer;
        let sources = sources_in(problem, ANSWER_VALIDATORS, subject, findings);
        programs.answer_validators =
            programs.build_validators(problem, sources, subject, findings)?;
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
        sources: Vec<PathBuf>,
        subject: FindingSubject,
        findings: &mut Vec<Finding>,
    ) -> Result<Vec<(PathBuf, VerifiedValidator)>, SandboxError> {
        let terms = Terms::of_program(problem);
        let mut validators = Vec::new();
        for source in sources {
            if lacks_viva(&source) {
                let message = "is a grammar of Viva, which is not installed, so it checks nothing";
                let finding = Finding::warning(subject, Code::MissingTool, message).at(source);
                findings.push(finding.help(VIVA_HELP));
                continue;
            }
            let built = if is_grammar(&source) {
                grammar(&source, &problem.additions).map(VerifiedValidator::Grammar)
            } else {
                let run = &mut |job: &_, input| run_fairly(&mut self.runner, job, input);
                let Tools { languages, compiler, .. } = self.tools;
                ValidatorKind::of(&source)
                    .build(languages, compiler, &source, terms, run)
                    .map(|artifact| VerifiedValidator::Program(Box::new(artifact)))
            };
            match built {
                Ok(validator) => validators.push((source, validator)),
                Err(MakeError::Sandbox(error)) => return Err(error),
                Err(error) => {
                    let message = format!("{:#}", anyhow::Error::new(error));
                    let code = Code::BrokenProgram;
                    findings.push(Finding::error(subject, code, message).at(source));
                }
            }
        }
        Ok(validators)
    }

    /// Whether the problem has input validators.
    pub(crate) fn has_validators(&self) -> bool {
        !self.validators.is_empty()
    }

    /// The indices of the input validators that are written with testlib.
    pub(crate) fn testlib_validators(&self) -> Vec<usize> {
        let all = self.kinds.iter().enumerate();
        all.filter(|(_, kind)| **kind == ValidatorKind::Testlib).map(|(index, _)| index).collect()
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
            outputs: vec![OVERVIEW.to_owned()],
            are_stated: true,
            ..FileNames::default()
        };
        let program = Solution { artifact, files: &files, limits: &self.limits };
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
        let (source, artifact) = match &self.validators[index] {
            (source, VerifiedValidator::Program(artifact)) => (source, artifact),
            (_, VerifiedValidator::Grammar(grammar)) => {
                let ruling = self.ruling(grammar, (Validated::Input, index), input)?;
                return Ok(self.ruled((Validated::Input, index), ruling));
            }
        };
        let args = case.input_validator_args(&file_name(source));
        let kind = self.kinds[index];
        let (launch, input) = kind.launch(artifact, &args, case.beside(), &self.limits, input)?;
        self.run_validator(&launch, (Validated::Input, index), kind, input)
    }

    /// Runs the answer validator at `index` on `answer`: `validator INPUT args… < answer`.
    pub(super) fn validate_answer(
        &mut self,
        index: usize,
        case: &TestCase,
        answer: &Captured,
    ) -> Result<ValidatorDecision, SandboxError> {
        let (source, artifact) = match &self.answer_validators[index] {
            (source, VerifiedValidator::Program(artifact)) => (source, artifact),
            (_, VerifiedValidator::Grammar(grammar)) => {
                let ruling = self.ruling(grammar, (Validated::Answer, index), answer)?;
                return Ok(self.ruled((Validated::Answer, index), ruling));
            }
        };
        let kind = ValidatorKind::of(source);
        let (mut launch, text) = kind.launch(artifact, &[], case.beside(), &self.limits, answer)?;
        if kind != ValidatorKind::Viva {
            let input = case.input();
            let input = std::path::absolute(&input).unwrap_or(input);
            launch.job.argv.push(input.clone().into());
            launch.job.readable.push(input);
        }
        let args = case.answer_validator_args(&file_name(source));
        launch.job.argv.extend(args.into_iter().map(OsString::from));
        self.run_validator(&launch, (Validated::Answer, index), kind, text)
    }

    fn run_validator(
        &mut self,
        launch: &Launch,
        key: (Validated, usize),
        kind: ValidatorKind,
        text: Input,
    ) -> Result<ValidatorDecision, SandboxError> {
        if self.timed_out.contains(&key) {
            return Ok(ValidatorDecision::NotRun);
        }
        let run = &mut |job: &_, input| run_fairly(&mut self.runner, job, input);
        let execution = launch.run(text, run)?;
        Ok(match execution.exit {
            Exit::Code(code) if kind.accepts(code) => ValidatorDecision::Valid,
            Exit::Code(code) => ValidatorDecision::Rejected(rejection(code, kind, &execution)),
            // For example a failed assertion.
            Exit::Signal(_) => {
                ValidatorDecision::Rejected(format!(": {}", ending(&execution, &self.limits)))
            }
            exit @ (Exit::Killed(_) | Exit::Stopped) => {
                if matches!(exit, Exit::Killed(limit) if limit.is_of_time()) {
                    self.timed_out.insert(key);
                }
                ValidatorDecision::Failed(ending(&execution, &self.limits))
            }
        })
    }

    /// What the grammar decides about a text; `None`: it took too long before.
    fn ruling(
        &self,
        grammar: &Grammar,
        key: (Validated, usize),
        text: &Captured,
    ) -> Result<Option<Ruling>, SandboxError> {
        if self.timed_out.contains(&key) {
            return Ok(None);
        }
        let ruling = check_grammar(grammar, text, self.limits.cpu_time);
        ruling.map(Some).map_err(as_sandbox_error)
    }

    /// The decision of a grammar.
    fn ruled(&mut self, key: (Validated, usize), ruling: Option<Ruling>) -> ValidatorDecision {
        let Some(ruling) = ruling else {
            return ValidatorDecision::NotRun;
        };
        match ruling {
            Ruling::Valid => ValidatorDecision::Valid,
            Ruling::Invalid(why) => ValidatorDecision::Rejected(format!(": {why}")),
            Ruling::Failed(why) => ValidatorDecision::Failed(why),
            Ruling::TimedOut => {
                self.timed_out.insert(key);
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

/// The sources of validators in these folders of the problem; a folder that cannot be read is a finding.
fn sources_in(
    problem: &Problem,
    folders: [&str; 2],
    subject: FindingSubject,
    findings: &mut Vec<Finding>,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in folders.map(|name| problem.dir.join(name)) {
        match files_in(&folder) {
            Ok(sources) => found.extend(sources),
            Err(error) => {
                let message = format!("cannot be read: {error}");
                let code = Code::UnreadableFile;
                findings.push(Finding::error(subject, code, message).at(folder));
            }
        }
    }
    found
}

fn as_sandbox_error(error: MakeError) -> SandboxError {
    match error {
        MakeError::Sandbox(error) => error,
        MakeError::Io(error) => {
            SandboxError::Io { action: error.to_string(), source: error.source }
        }
        other => SandboxError::Launcher(other.to_string()),
    }
}

/// Describes a rejection: an unusual exit code and the validator's messages.
fn rejection(code: i32, kind: ValidatorKind, execution: &Execution) -> String {
    let end = if kind.rejects(code) {
        String::new()
    } else {
        let valid = kind.accepting_code();
        format!(": it exited with {code}, not with {valid} (valid)")
    };
    end + &kind.words(execution)
}

/// Describes the end of a validator that neither accepted nor rejected.
fn ending(execution: &Execution, limits: &Limits) -> String {
    let end =
        decide::of_execution(execution, limits).map_or_else(String::new, |(_, evidence)| evidence);
    end + &words(&execution.stderr_tail)
}
