//! Every input through every input validator, and the validators through inputs that are wrong.

use std::collections::HashSet;
use std::path::Path;

use super::mutation::Mutation;
use super::program::{Programs, Says};
use super::trial::{self, Said, Words};
use super::{Few, Finding, Subject};
use crate::generate::captured;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, SandboxError};

/// What was looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looked {
    pub(crate) inputs: usize,
    pub(crate) invalid: usize,
    pub(crate) mutations: usize,
}

/// Checks the inputs and the validators of `problem`. `step` is called before every file.
pub(crate) fn check(
    problem: &Problem,
    programs: &mut Programs<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<Looked, SandboxError> {
    let mut looked = Looked::default();
    if programs.validators.is_empty() {
        if problem.is_package
            && !findings
                .iter()
                .any(|f| f.subject == Subject::InputValidator)
        {
            let finding = Finding::warning(
                Subject::InputValidator,
                "there is no input validator, so nobody checks that the inputs keep the statement's promises",
            );
            findings.push(
                finding
                    .at(problem.dir.join("input_validators"))
                    .help("add a program that exits with 42 for a valid input on standard input, else with 43"),
            );
        }
        return Ok(looked);
    }
    looked.inputs = valid(problem, programs, findings, step)?;
    looked.invalid = invalid(problem, programs, findings, step)?;
    looked.mutations = trial::hold(
        problem,
        |case| Some(case.input()),
        &WORDS,
        findings,
        |case, input| ask(programs, case, input),
        step,
    )?;
    Ok(looked)
}

/// Every case's input must be accepted by every validator.
fn valid(
    problem: &Problem,
    programs: &mut Programs<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let (mut few, mut seen) = (Few::default(), Seen::default());
    let cases = || problem.cases.iter().filter(|case| !case.is_static());
    for case in cases() {
        step(case.name());
        let path = case.input();
        let Some(input) = read(&path, Subject::Input, &mut few) else {
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
                Says::Valid | Says::NotAsked => continue,
                Says::Refused(how) => Finding::error(
                    Subject::Input,
                    format!("the input validator `{name}` refuses it{how}"),
                )
                .help("mend the input, or the validator"),
                Says::Failed(how) => Finding::error(
                    Subject::InputValidator,
                    format!("the input validator `{name}` fails: {how}"),
                )
                .help("let it exit with 42 or 43 whatever it reads"),
            };
            few.push(finding.at(&path));
        }
    }
    few.move_to(findings, "inputs that are not accepted");
    Ok(cases().count())
}

/// Every input in `data/invalid_input` must be refused by at least one validator.
fn invalid(
    problem: &Problem,
    programs: &mut Programs<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let cases = super::declared_in(problem, "invalid_input", false, findings);
    let mut few = Few::default();
    for case in &cases {
        step(case.name());
        let path = &case.input();
        let Some(input) = read(path, Subject::InputValidator, &mut few) else {
            continue;
        };
        let (mut refused, mut failed) = (false, None);
        for index in 0..programs.validators.len() {
            match programs.validate(index, case, &input)? {
                Says::Valid => {}
                Says::Refused(_) | Says::NotAsked => refused = true,
                Says::Failed(how) => {
                    failed.get_or_insert((file_name(&programs.validators[index].0), how));
                }
            }
        }
        if let Some((name, how)) = failed {
            let message = format!("the input validator `{name}` fails: {how}");
            let finding = Finding::error(Subject::InputValidator, message).at(path);
            few.push(finding.help("let it exit with 43 for what is not valid"));
        } else if !refused {
            let message = "every input validator accepts it, though it lies in `invalid_input`";
            let finding = Finding::error(Subject::InputValidator, message).at(path);
            few.push(finding.help("make the validator stricter, or remove the file"));
        }
    }
    few.move_to(findings, "invalid inputs that are not refused");
    Ok(cases.len())
}

/// What was asked before, which need not be asked again: a validator says the same of the same.
#[derive(Default)]
pub(super) struct Seen(HashSet<blake3::Hash>);

impl Seen {
    /// Whether it is new; what cannot be read back counts as new.
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

const WORDS: Words = Words {
    subject: Subject::InputValidator,
    is_wrong: Mutation::input_is_wrong,
    fails: ["spoilt to", ""],
    mend_failure: "let it exit with 43 for what is not valid",
    accepts: "the input validators accept",
    made_of: "",
    mend_acceptance: "compare every byte up to the end of the file with what the statement allows",
};

/// All validators on one spoilt input.
fn ask(
    programs: &mut Programs<'_>,
    case: &TestCase,
    input: &Captured,
) -> Result<Said, SandboxError> {
    let mut said = Said::Accepted;
    for index in 0..programs.validators.len() {
        let name = file_name(&programs.validators[index].0);
        match programs.validate(index, case, input)? {
            Says::Valid => {}
            Says::Refused(_) | Says::NotAsked if matches!(said, Said::Failed(_)) => {}
            Says::Refused(_) | Says::NotAsked => said = Said::Refused,
            Says::Failed(how) => {
                said = Said::Failed(format!("the input validator `{name}` fails: {how}"));
            }
        }
    }
    Ok(said)
}

/// A file's bytes; what cannot be read is a finding.
pub(super) fn read(path: &Path, subject: Subject, few: &mut Few) -> Option<Captured> {
    match captured(path) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            let message = format!("{:#}", anyhow::Error::new(error));
            few.push(Finding::error(subject, message).at(path));
            None
        }
    }
}

pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
