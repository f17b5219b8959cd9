//! The result of a check: what was looked at in words, and the lines in JSON.

use serde::Serialize;

use super::catch_counts::{CatchCounts, caught_words};
use super::{AnswerCounts, Finding, InputCounts, SubmissionCounts};
use crate::problem::Problem;
use crate::sandbox::Facts;
use crate::show::facts::{MachineFacts, SandboxFacts};
use crate::show::words::Count;

/// The number of checks of a problem.
#[derive(Debug, Default)]
pub(crate) struct CheckCounts {
    pub(crate) inputs: InputCounts,
    pub(crate) answers: AnswerCounts,
    pub(crate) submissions: SubmissionCounts,
    /// How many wrong submissions the cases catch; `None` without submissions.
    pub(crate) strength: Option<CatchCounts>,
}

/// The first line in JSON: the machine and the sandbox.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct VerifyStartLine {
    #[serde(rename = "type")]
    kind: &'static str,
    version: &'static str,
    machine: MachineFacts,
    sandbox: SandboxFacts,
}

impl VerifyStartLine {
    /// Of this machine. `sandbox` describes the sandbox that runs the programs.
    pub(crate) fn new(sandbox: &Facts) -> Self {
        Self {
            kind: "start",
            version: env!("CARGO_PKG_VERSION"),
            machine: MachineFacts::here(),
            sandbox: sandbox.into(),
        }
    }
}

/// A finding in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FindingLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    problem: &'a str,
    severity: &'static str,
    subject: &'static str,
    code: &'static str,
    path: Option<String>,
    message: &'a str,
    help: Option<&'a str>,
}

impl<'a> FindingLine<'a> {
    /// Of a problem. `path` is the path of the finding as it is shown.
    pub(crate) fn new(problem: &'a str, finding: &'a Finding, path: Option<String>) -> Self {
        Self {
            kind: "finding",
            problem,
            severity: finding.severity.word(),
            subject: finding.subject.word(),
            code: finding.code.name(),
            path,
            message: &finding.message,
            help: finding.help.as_deref(),
        }
    }
}

impl CheckCounts {
    /// The non-zero counts, human-readable.
    pub(crate) fn words(&self) -> impl Iterator<Item = String> {
        let Self { inputs, answers, submissions, strength } = self;
        let counts = [
            (inputs.inputs, "input"),
            (inputs.invalid, "invalid input"),
            (answers.answers, "answer"),
            (answers.declared, "declared output"),
            (inputs.mutations + answers.mutations, "mutation"),
            (submissions.submissions, "submission"),
        ];
        let some = counts.into_iter().filter(|(count, _)| *count > 0);
        let strength = strength.as_ref().filter(|counts| counts.wrong > 0);
        some.map(|(count, noun)| Count(count, noun).to_string()).chain(strength.map(caught_words))
    }
}

/// The summary line of a problem in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ProblemLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    problem: &'a str,
    errors: usize,
    warnings: usize,
    inputs: usize,
    invalid_inputs: usize,
    answers: usize,
    declared_outputs: usize,
    mutations: usize,
    submissions: usize,
    submissions_met: usize,
    wrong_submissions: usize,
    wrong_caught: usize,
    minimal_cases: usize,
}

impl<'a> ProblemLine<'a> {
    /// Of a problem with so many findings.
    pub(crate) fn new(
        problem: &'a Problem,
        looked: &CheckCounts,
        errors: usize,
        warnings: usize,
    ) -> Self {
        Self {
            kind: "problem",
            problem: &problem.id,
            errors,
            warnings,
            inputs: looked.inputs.inputs,
            invalid_inputs: looked.inputs.invalid,
            answers: looked.answers.answers,
            declared_outputs: looked.answers.declared,
            mutations: looked.inputs.mutations + looked.answers.mutations,
            submissions: looked.submissions.submissions,
            submissions_met: looked.submissions.met,
            wrong_submissions: looked.strength.map_or(0, |counts| counts.wrong),
            wrong_caught: looked.strength.map_or(0, |counts| counts.caught),
            minimal_cases: looked.strength.map_or(0, |counts| counts.minimal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_verify_is_up_to_date() {
        let lines = vec![
            schema::of_line_called::<VerifyStartLine>("start"),
            schema::of_line_called::<FindingLine<'static>>("finding"),
            schema::of_line_called::<ProblemLine<'static>>("problem"),
        ];
        let counts = ["wrong_submissions", "wrong_caught", "minimal_cases"];
        let lines = schema::later_than_0_1_0(lines, &counts);
        let lines = schema::later_than_0_1_0(lines, &["schema", "code"]);
        schema::is_up_to_date("verify", lines);
    }
}
