//! Runs every answer validator on every answer, and on answers that the setter declared wrong. They are a part of
//! packages of `BAPCtools`.

use super::file_name;
use super::inputs::read;
use super::program::{ValidatorDecision, VerifiedPrograms};
use super::{Finding, FindingSubject, FirstFindings};
use crate::checker::CheckOutcome;
use crate::notice::{Code, Notices};
use crate::problem::{INVALID_ANSWER, Problem, TestCase, declared};
use crate::sandbox::{Captured, SandboxError};

/// Checks the answers of `problem`. Calls `step` before each file.
pub(super) fn check(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<(), SandboxError> {
    let mut few = FirstFindings::default();
    if !programs.answer_validators.is_empty() {
        for case in problem.cases.iter().filter(|case| !case.is_static()) {
            step(case.name());
            must_be_valid(case, programs, &mut few)?;
        }
        for folder in ["valid_output", "invalid_output"] {
            for case in declared(problem, folder, true, &mut Notices::default()) {
                step(case.name());
                must_be_valid(&case, programs, &mut few)?;
            }
        }
    }
    few.move_to(findings, "answers that answer validators do not accept");
    let mut few = FirstFindings::default();
    for case in &super::declared_in(problem, INVALID_ANSWER, false, findings) {
        step(case.name());
        must_be_invalid(problem, case, programs, &mut few)?;
    }
    few.move_to(findings, "answers in `invalid_answer` that are accepted");
    Ok(())
}

/// Every validator must accept the answer, if there is one.
fn must_be_valid(
    case: &TestCase,
    programs: &mut VerifiedPrograms<'_>,
    few: &mut FirstFindings,
) -> Result<(), SandboxError> {
    let Some(path) = case.answer().filter(|path| path.is_file()) else {
        return Ok(());
    };
    let Some(answer) = read(&path, FindingSubject::Answer, few) else {
        return Ok(());
    };
    for index in 0..programs.answer_validators.len() {
        let name = file_name(&programs.answer_validators[index].0);
        let (code, message, help) = match programs.validate_answer(index, case, &answer)? {
            ValidatorDecision::Valid | ValidatorDecision::NotRun => continue,
            ValidatorDecision::Rejected(how) => (
                Code::RejectedAnswer,
                format!("the answer validator `{name}` rejects it{how}"),
                "fix the answer or the validator",
            ),
            ValidatorDecision::Failed(how) => (
                Code::FailingProgram,
                format!("the answer validator `{name}` fails: {how}"),
                "make the validator exit with 42 or 43 for every answer",
            ),
        };
        let finding = Finding::error(FindingSubject::Answer, code, message);
        few.push(finding.at(&path).help(help));
    }
    Ok(())
}

/// An answer validator, or the output validator if answers are outputs, must reject the answer of `data/invalid_answer`.
fn must_be_invalid(
    problem: &Problem,
    case: &TestCase,
    programs: &mut VerifiedPrograms<'_>,
    few: &mut FirstFindings,
) -> Result<(), SandboxError> {
    let path = &case.input().with_extension("ans");
    let (code, message, help) = if path.is_file() {
        let Some(answer) = read(path, FindingSubject::Answer, few) else {
            return Ok(());
        };
        if is_rejected(problem, programs, case, &answer)? {
            return Ok(());
        }
        (
            Code::LenientValidator,
            "every validator accepts it, although it lies in `invalid_answer`",
            "fix the answer validator or move the file",
        )
    } else {
        (Code::MissingFile, "is missing", "add the answer next to the input")
    };
    let finding = Finding::error(FindingSubject::Answer, code, message);
    few.push(finding.at(path).help(help));
    Ok(())
}

/// Whether a validator rejects the answer. One that fails does not accept it either, and is reported elsewhere.
fn is_rejected(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
    case: &TestCase,
    answer: &Captured,
) -> Result<bool, SandboxError> {
    for index in 0..programs.answer_validators.len() {
        let decision = programs.validate_answer(index, case, answer)?;
        if !matches!(decision, ValidatorDecision::Valid) {
            return Ok(true);
        }
    }
    if problem.kind.answers_are_outputs == Some(false) {
        return Ok(false);
    }
    let outcome = programs.judge(case, answer)?;
    Ok(!matches!(outcome, Some(CheckOutcome::Accepted)))
}
