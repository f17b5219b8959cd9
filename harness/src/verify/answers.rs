//! Runs the output validator on answers, on outputs that the setter declared right or wrong, and on
//! mutated outputs.

use std::path::PathBuf;

use super::answer_validators;
use super::inputs::{SeenInputs, read};
use super::mutation::Mutation;
use super::program::VerifiedPrograms;
use super::trial::{self, FileDecision, Wording};
use super::{Finding, FindingSubject, FirstFindings};
use crate::checker::CheckOutcome;
use crate::checker_spec::CheckerSpec;
use crate::notice::Code;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, SandboxError};

/// The number of files checked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct AnswerCounts {
    pub(crate) answers: usize,
    pub(crate) declared: usize,
    pub(crate) mutations: usize,
}

/// Checks the answers and the output validator of `problem`. Calls `step` before each file.
pub(crate) fn check(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<AnswerCounts, SandboxError> {
    let mut looked = AnswerCounts::default();
    answer_validators::check(problem, programs, findings, step)?;
    if programs.checker.is_none() {
        return Ok(looked);
    }
    if problem.is_interactive() {
        return Ok(looked);
    }
    // The outputs of single passes are in no file.
    if !problem.kind.multi_pass {
        looked.answers = answers(problem, programs, findings, step)?;
    }
    if !problem.kind.multi_pass && problem.kind.answers_are_outputs != Some(false) {
        looked.mutations = trial::run(
            problem,
            TestCase::answer,
            &WORDING,
            findings,
            |case, output| check_mutated(programs, case, output),
            step,
        )?;
    }
    for (folder, right) in [("valid_output", true), ("invalid_output", false)] {
        looked.declared += declared(problem, folder, right, programs, findings, step)?;
    }
    Ok(looked)
}

/// Every answer should be accepted as an output; for a sample, the output that the statement shows
/// takes its place. The answers of other cases may be anything that the package's own validator
/// reads; that is a warning unless the package states it. With the default validator, the answer must also be tidy, because users compare
/// their output with it.
fn answers(
    problem: &Problem,
    programs: &mut VerifiedPrograms<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let (mut rejected, mut untidy) = (FirstFindings::default(), FirstFindings::default());
    let mut no_outputs = FirstFindings::default();
    let (mut answers, mut seen) = (0, SeenInputs::default());
    for case in &problem.cases {
        let Some(path) = shown_answer(case) else {
            continue;
        };
        let spec = case.checker().unwrap_or(&problem.checker);
        let is_free = matches!(spec, CheckerSpec::Validator { .. }) && !is_sample(case);
        if is_free && problem.kind.answers_are_outputs == Some(false) {
            continue;
        }
        step(case.name());
        answers += 1;
        let Some(answer) = read(&path, FindingSubject::Answer, &mut rejected) else {
            continue;
        };
        let Some(input) = read(&case.input(), FindingSubject::Answer, &mut rejected) else {
            continue;
        };
        if !seen.is_new(&case.checker(), &[&input, &answer]) {
            continue;
        }
        match programs.judge(case, &answer)? {
            Some(CheckOutcome::Wrong(mismatch)) => {
                let message =
                    format!("the output validator rejects the answer: {}", mismatch.headline);
                let (subject, code) = (FindingSubject::Answer, Code::RejectedAnswer);
                if is_free && problem.kind.answers_are_outputs.is_none() {
                    let help = "fix the answer or the validator; if answers are not outputs, write `ans_is_output: false` \
                                in `problem.yaml`";
                    let finding = Finding::warning(subject, code, message).at(&path);
                    no_outputs.push(finding.help(help));
                } else {
                    let finding = Finding::error(subject, code, message).at(&path);
                    rejected.push(finding.help("fix the answer or the validator"));
                }
            }
            Some(CheckOutcome::Fault(how)) => {
                let code = Code::FailingProgram;
                rejected.push(Finding::error(FindingSubject::OutputValidator, code, how).at(&path));
            }
            _ => {}
        }
        if matches!(spec, CheckerSpec::Tokens(_)) && !is_tidy(&answer) {
            let finding = Finding::warning(
                FindingSubject::Answer,
                Code::UntidyAnswer,
                "the answer has trailing blanks or no newline at its end",
            );
            untidy.push(finding.at(&path).help("write the answer as a solution prints it"));
        }
    }
    rejected.move_to(findings, "answers that are not accepted");
    no_outputs.move_to(findings, "answers that are not accepted as outputs");
    untidy.move_to(findings, "answers with stray blanks");
    Ok(answers)
}

fn is_sample(case: &TestCase) -> bool {
    case.name().starts_with("sample/")
}

/// The answer, or the output that a sample shows instead; `None` if the shown output is not to be
/// checked.
fn shown_answer(case: &TestCase) -> Option<PathBuf> {
    let answer = case.answer()?;
    if !is_sample(case) {
        return Some(answer);
    }
    let output = answer.with_extension("out");
    if output.is_file() {
        return Some(output);
    }
    let statement = answer.with_extension("ans.statement");
    (!statement.exists()).then_some(answer)
}

/// Whether the answer ends with exactly one newline and no line ends with a blank. Long answers are
/// not read and count as tidy.
fn is_tidy(answer: &Captured) -> bool {
    let Some(text) = answer.as_slice() else {
        return true;
    };
    let Some(body) = text.strip_suffix(b"\n") else {
        return text.is_empty();
    };
    body.split(|&byte| byte == b'\n').all(|line| !matches!(line.last(), Some(b' ' | b'\t' | b'\r')))
}

/// The outputs in `data/valid_output` must be accepted, those in `data/invalid_output` rejected.
fn declared(
    problem: &Problem,
    folder: &str,
    right: bool,
    programs: &mut VerifiedPrograms<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let outputs = super::declared_in(problem, folder, true, findings);
    let mut few = FirstFindings::default();
    for case in &outputs {
        step(case.name());
        let path = &case.input().with_extension("out");
        let missing = ["in", "ans"].map(|ending| path.with_extension(ending));
        if let Some(missing) = missing.iter().find(|file| !file.is_file()) {
            let finding =
                Finding::error(FindingSubject::OutputValidator, Code::MissingFile, "is missing");
            few.push(finding.at(missing).help("add the input and the answer next to the output"));
            continue;
        }
        let Some(output) = read(path, FindingSubject::OutputValidator, &mut few) else {
            continue;
        };
        let (code, message) = match (programs.judge(case, &output)?, right) {
            (Some(CheckOutcome::Wrong(mismatch)), true) => (
                Code::RejectedOutput,
                format!(
                    "the output validator rejects it, although it lies in `{folder}`: {}",
                    mismatch.headline
                ),
            ),
            (Some(CheckOutcome::Accepted), false) => (
                Code::LenientValidator,
                format!("the output validator accepts it, although it lies in `{folder}`"),
            ),
            (Some(CheckOutcome::Fault(how)), _) => (Code::FailingProgram, how),
            _ => continue,
        };
        let finding = Finding::error(FindingSubject::OutputValidator, code, message).at(path);
        few.push(finding.help("fix the validator or move the file"));
    }
    few.move_to(findings, format_args!("outputs in `{folder}` with the wrong verdict"));
    Ok(outputs.len())
}

const WORDING: Wording = Wording {
    subject: FindingSubject::OutputValidator,
    is_wrong: Mutation::output_is_wrong,
    fails: ["given", " as the output"],
    failure_help: "make the validator exit with 42 or 43 for every output",
    accepts: "the output validator accepts",
    made_of: "created from the answer, ",
    acceptance_help: "make the validator check every token up to the end of the output",
};

/// Runs the checker on one mutated answer.
fn check_mutated(
    programs: &mut VerifiedPrograms<'_>,
    case: &TestCase,
    output: &Captured,
) -> Result<FileDecision, SandboxError> {
    Ok(match programs.judge(case, output)? {
        Some(CheckOutcome::Accepted) => FileDecision::Accepted,
        Some(CheckOutcome::Fault(how)) => FileDecision::Failed(how),
        _ => FileDecision::Rejected,
    })
}
