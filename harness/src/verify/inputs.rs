//! Runs every input validator on every input, and on inputs that are wrong.

use std::collections::HashSet;
use std::path::Path;

use super::file_name;
use super::mutation::Mutation;
use super::program::{ValidatorDecision, VerifiedPrograms};
use super::trial::{self, FileDecision, Wording};
use super::{Finding, FindingSubject, FirstFindings};
use crate::generate::captured;
use crate::notice::{Code, Notices};
use crate::problem::{INVALID_ANSWER, Problem, TestCase, declared};
use crate::sandbox::{Captured, SandboxError};

/// The number of files checked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InputCounts {
    pub(crate) inputs: usize,
    pub(crate) invalid: usize,
    pub(crate) mutations: usize,
}

/// Checks the inputs and the validators of `problem`. Calls `step` before each file.
pub(crate) fn check(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<InputCounts, SandboxError> {
    let mut looked = InputCounts::default();
    if programs.validators.is_empty() {
        if problem.is_package
            && !findings.iter().any(|f| f.subject == FindingSubject::InputValidator)
        {
            let finding = Finding::warning(
                FindingSubject::InputValidator,
                Code::MissingValidator,
                "there is no input validator: the inputs are not checked against the statement",
            );
            findings.push(if Problem::is_package_in(&problem.dir) {
                finding
                    .at(problem.dir.join("input_validators"))
                    .help("add a program that reads an input from standard input and exits with 42 if it is valid, otherwise with 43")
            } else {
                finding.at(&problem.dir)
            });
        }
        return Ok(looked);
    }
    looked.inputs = valid(problem, programs, findings, step)?;
    looked.invalid = invalid(problem, programs, findings, step)?;
    looked.mutations = trial::run(
        problem,
        |case| Some(case.input()),
        &WORDING,
        findings,
        |case, input| check_mutated(programs, case, input),
        step,
    )?;
    Ok(looked)
}

/// The folders of outputs and answers that test validators. Their inputs are valid.
const WITH_VALID_INPUTS: [(&str, bool); 3] =
    [("valid_output", true), ("invalid_output", true), (INVALID_ANSWER, false)];

/// Every case's input must be accepted by every validator, and so must the inputs of outputs and answers that test
/// validators.
fn valid(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let (mut few, mut seen) = (FirstFindings::default(), SeenInputs::default());
    // Where the outputs and answers are checked, the faults of their settings are reported.
    let others = WITH_VALID_INPUTS.map(|(folder, outputs)| {
        let found = declared(problem, folder, outputs, &mut Notices::default());
        found.into_iter().filter(|case| case.input().is_file())
    });
    let others: Vec<TestCase> = others.into_iter().flatten().collect();
    let judged = problem.cases.iter().filter(|case| !case.is_static());
    for case in judged.clone().chain(&others) {
        step(case.name());
        let path = case.input();
        let Some(input) = read(&path, FindingSubject::Input, &mut few) else {
            continue;
        };
        for index in 0..programs.validators.len() {
            let name = file_name(&programs.validators[index].0);
            let args = case.input_validator_args(&name);
            let asked = case.beside().is_none().then_some(&input);
            if asked.is_some_and(|input| !seen.is_new(&(index, args), &[input])) {
                continue;
            }
            let finding = match programs.validate(index, case, &input)? {
                ValidatorDecision::Valid | ValidatorDecision::NotRun => continue,
                ValidatorDecision::Rejected(how) => Finding::error(
                    FindingSubject::Input,
                    Code::RejectedInput,
                    format!("the input validator `{name}` rejects it{how}"),
                )
                .help("fix the input or the validator"),
                ValidatorDecision::Failed(how) => Finding::error(
                    FindingSubject::InputValidator,
                    Code::FailingProgram,
                    format!("the input validator `{name}` fails: {how}"),
                )
                .help("make the validator exit with 42 or 43 for every input"),
            };
            few.push(finding.at(&path));
        }
    }
    few.move_to(findings, "inputs that are not accepted");
    Ok(judged.count())
}

/// Every input in `data/invalid_input` must be rejected by at least one validator.
fn invalid(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let cases = super::declared_in(problem, "invalid_input", false, findings);
    let mut few = FirstFindings::default();
    for case in &cases {
        step(case.name());
        let path = &case.input();
        let Some(input) = read(path, FindingSubject::InputValidator, &mut few) else {
            continue;
        };
        let (mut rejected, mut failed) = (false, None);
        for index in 0..programs.validators.len() {
            match programs.validate(index, case, &input)? {
                ValidatorDecision::Valid => {}
                ValidatorDecision::Rejected(_) | ValidatorDecision::NotRun => rejected = true,
                ValidatorDecision::Failed(how) => {
                    failed.get_or_insert((file_name(&programs.validators[index].0), how));
                }
            }
        }
        if let Some((name, how)) = failed {
            let message = format!("the input validator `{name}` fails: {how}");
            let code = Code::FailingProgram;
            let finding = Finding::error(FindingSubject::InputValidator, code, message).at(path);
            few.push(finding.help("make the validator exit with 43 for every invalid input"));
        } else if !rejected {
            let message = "every input validator accepts it, although it lies in `invalid_input`";
            let code = Code::LenientValidator;
            let finding = Finding::error(FindingSubject::InputValidator, code, message).at(path);
            few.push(finding.help("make the validator stricter or remove the file"));
        }
    }
    few.move_to(findings, "invalid inputs that are not rejected");
    Ok(cases.len())
}

/// The files that were validated before. They are not validated again, because a validator decides
/// the same for the same bytes.
#[derive(Default)]
pub(super) struct SeenInputs(HashSet<blake3::Hash>);

impl SeenInputs {
    /// Whether the files are new; a file that cannot be read back counts as new.
    pub(super) fn is_new(&mut self, about: &impl std::fmt::Debug, files: &[&Captured]) -> bool {
        let mut hasher = blake3::Hasher::new();
        hasher.update(format!("{about:?}").as_bytes());
        for file in files {
            hasher.update(&file.len().to_le_bytes());
            let Ok(reader) = file.reader() else {
                return true;
            };
            if hasher.update_reader(reader).is_err() {
                return true;
            }
        }
        self.0.insert(hasher.finalize())
    }
}

const WORDING: Wording = Wording {
    subject: FindingSubject::InputValidator,
    is_wrong: Mutation::input_is_wrong,
    fails: ["with", ""],
    failure_help: "make the validator exit with 43 for every invalid input",
    accepts: "the input validators accept",
    made_of: "",
    acceptance_help: "make the validator check every byte up to the end of the input",
};

/// Runs all validators on one mutated input.
fn check_mutated(
    programs: &mut VerifiedPrograms<'_>,
    case: &TestCase,
    input: &Captured,
) -> Result<FileDecision, SandboxError> {
    let mut decision = FileDecision::Accepted;
    for index in 0..programs.validators.len() {
        let name = file_name(&programs.validators[index].0);
        match programs.validate(index, case, input)? {
            ValidatorDecision::Valid => {}
            ValidatorDecision::Rejected(_) | ValidatorDecision::NotRun
                if matches!(decision, FileDecision::Failed(_)) => {}
            ValidatorDecision::Rejected(_) | ValidatorDecision::NotRun => {
                decision = FileDecision::Rejected;
            }
            ValidatorDecision::Failed(how) => {
                decision =
                    FileDecision::Failed(format!("the input validator `{name}` fails: {how}"));
            }
        }
    }
    Ok(decision)
}

/// A file's bytes; an unreadable file is a finding.
pub(super) fn read(
    path: &Path,
    subject: FindingSubject,
    few: &mut FirstFindings,
) -> Option<Captured> {
    match captured(path) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            let message = format!("{:#}", anyhow::Error::new(error));
            few.push(Finding::error(subject, Code::UnreadableFile, message).at(path));
            None
        }
    }
}
