//! Answers, and outputs that the setter declared right or wrong, through the output validator; and
//! the output validator through outputs that are wrong.

use std::path::PathBuf;

use super::inputs::{Seen, read};
use super::mutation::Mutation;
use super::program::Programs;
use super::trial::{self, Said, Words};
use super::{Few, Finding, Subject};
use crate::checker::{CheckOutcome, CheckerSpec};
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, SandboxError};

/// What was looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Looked {
    pub(crate) answers: usize,
    pub(crate) declared: usize,
    pub(crate) mutations: usize,
}

/// Checks the answers and the output validator of `problem`. `step` is called before every file.
pub(crate) fn check(
    problem: &Problem,
    programs: &mut Programs<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<Looked, SandboxError> {
    let mut looked = Looked::default();
    if programs.checker.is_none() {
        return Ok(looked);
    }
    if problem.is_interactive() {
        return Ok(looked);
    }
    // What a pass of several prints is in no file.
    if !problem.kind.multi_pass {
        looked.answers = answers(problem, programs, findings, step)?;
        looked.mutations = trial::hold(
            problem,
            TestCase::answer,
            &WORDS,
            findings,
            |case, output| ask(programs, case, output),
            step,
        )?;
    }
    for (folder, right) in [("valid_output", true), ("invalid_output", false)] {
        looked.declared += declared(problem, folder, right, programs, findings, step)?;
    }
    Ok(looked)
}

/// Every answer must be accepted as an output, or what a sample shows in its place; with the default validator it must
/// be written as strictly as can be, for it is what people compare with.
fn answers(
    problem: &Problem,
    programs: &mut Programs<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let (mut refused, mut untidy) = (Few::default(), Few::default());
    let (mut answers, mut seen) = (0, Seen::default());
    for case in &problem.cases {
        let Some(path) = shown_answer(case) else {
            continue;
        };
        step(case.name());
        answers += 1;
        let Some(answer) = read(&path, Subject::Answer, &mut refused) else {
            continue;
        };
        let Some(input) = read(&case.input(), Subject::Answer, &mut refused) else {
            continue;
        };
        if !seen.is_new(&case.checker(), &[&input, &answer]) {
            continue;
        }
        match programs.judge(case, &answer)? {
            Some(CheckOutcome::Wrong(mismatch)) => {
                let message = format!(
                    "the output validator refuses the answer: {}",
                    mismatch.headline
                );
                let finding = Finding::error(Subject::Answer, message).at(&path);
                refused.push(finding.help("mend the answer, or the validator"));
            }
            Some(CheckOutcome::Fault(how)) => {
                refused.push(Finding::error(Subject::OutputValidator, how).at(&path));
            }
            _ => {}
        }
        let spec = case.checker().unwrap_or(&problem.checker);
        if matches!(spec, CheckerSpec::Tokens(_)) && !is_tidy(&answer) {
            let finding = Finding::warning(
                Subject::Answer,
                "the answer has blanks at the end of a line, or no newline at its end",
            );
            untidy.push(
                finding
                    .at(&path)
                    .help("write it as a solution would print it"),
            );
        }
    }
    refused.move_to(findings, "answers that are not accepted");
    untidy.move_to(findings, "answers with stray blanks");
    Ok(answers)
}

/// The answer, or the output that a sample shows in its place; nothing if what it shows is not to be checked.
fn shown_answer(case: &TestCase) -> Option<PathBuf> {
    let answer = case.answer()?;
    if !case.name().starts_with("sample/") {
        return Some(answer);
    }
    let output = answer.with_extension("out");
    if output.is_file() {
        return Some(output);
    }
    let statement = answer.with_extension("ans.statement");
    (!statement.exists()).then_some(answer)
}

/// Whether an answer ends with one newline and no line ends with a blank. Long ones are not read.
fn is_tidy(answer: &Captured) -> bool {
    let Some(text) = answer.as_slice() else {
        return true;
    };
    let Some(body) = text.strip_suffix(b"\n") else {
        return text.is_empty();
    };
    body.split(|&byte| byte == b'\n')
        .all(|line| !matches!(line.last(), Some(b' ' | b'\t' | b'\r')))
}

/// The outputs in `data/valid_output` must be accepted, those in `data/invalid_output` refused.
fn declared(
    problem: &Problem,
    folder: &str,
    right: bool,
    programs: &mut Programs<'_>,
    findings: &mut Vec<Finding>,
    step: &mut dyn FnMut(&str),
) -> Result<usize, SandboxError> {
    let outputs = super::declared_in(problem, folder, true, findings);
    let mut few = Few::default();
    for case in &outputs {
        step(case.name());
        let path = &case.input().with_extension("out");
        let missing = ["in", "ans"].map(|ending| path.with_extension(ending));
        if let Some(missing) = missing.iter().find(|file| !file.is_file()) {
            let finding = Finding::error(Subject::OutputValidator, "is not there");
            few.push(
                finding
                    .at(missing)
                    .help("an output needs its input and its answer beside it"),
            );
            continue;
        }
        let Some(output) = read(path, Subject::OutputValidator, &mut few) else {
            continue;
        };
        let message = match (programs.judge(case, &output)?, right) {
            (Some(CheckOutcome::Wrong(mismatch)), true) => format!(
                "the output validator refuses it, though it lies in `{folder}`: {}",
                mismatch.headline
            ),
            (Some(CheckOutcome::Accepted), false) => {
                format!("the output validator accepts it, though it lies in `{folder}`")
            }
            (Some(CheckOutcome::Fault(how)), _) => how,
            _ => continue,
        };
        let finding = Finding::error(Subject::OutputValidator, message).at(path);
        few.push(finding.help("mend the validator, or move the file"));
    }
    few.move_to(
        findings,
        format_args!("outputs in `{folder}` that are judged otherwise"),
    );
    Ok(outputs.len())
}

const WORDS: Words = Words {
    subject: Subject::OutputValidator,
    is_wrong: Mutation::output_is_wrong,
    fails: ["given", " as the output"],
    mend_failure: "let it exit with 43 whatever a submission prints",
    accepts: "the output validator accepts",
    made_of: "made of the answer, ",
    mend_acceptance: "read the output to its end, and every token of it",
};

/// The checker on one spoilt answer.
fn ask(
    programs: &mut Programs<'_>,
    case: &TestCase,
    output: &Captured,
) -> Result<Said, SandboxError> {
    Ok(match programs.judge(case, output)? {
        Some(CheckOutcome::Accepted) => Said::Accepted,
        Some(CheckOutcome::Fault(how)) => Said::Failed(how),
        _ => Said::Refused,
    })
}
