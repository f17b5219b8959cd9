//! The result of a search as JSON lines.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;

use super::again::Again;
use super::text::tokens;
use super::{
    Performance, RunCounts, ShrinkEnd, SlowInput, SlowestInputs, StressFinding, StressPrograms,
    StressReport, bytes_of,
};

/// More bytes of an output are left out.
const BYTES: u64 = 1 << 20;

/// A line of the report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum StressLine<'a> {
    /// A failure that was found.
    Finding(Box<FindingEntry<'a>>),
    /// The search for failures.
    Search {
        seed: u32,
        rounds: u64,
        unanswered: u64,
        invalid: u64,
        unrepeated: u64,
        #[serde(skip_serializing_if = "is_zero")]
        known: u64,
        findings: usize,
        interrupted: bool,
        wall_ms: f64,
        runs: RunTotals,
    },
    /// The search for slow inputs.
    Slowest {
        seed: u32,
        rounds: u64,
        invalid: u64,
        interrupted: bool,
        program: &'a str,
        limit_ms: f64,
        counter: Option<&'a str>,
        inputs: Vec<GeneratedInput<'a>>,
        slowest_case: Option<SlowCase<'a>>,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FindingEntry<'a> {
    round: u64,
    program: &'a str,
    verdict: &'static str,
    reason: Option<&'a str>,
    before: Cow<'a, str>,
    before_tokens: usize,
    after: Cow<'a, str>,
    after_tokens: usize,
    generated_by: Option<&'a str>,
    complete: bool,
    flaky: bool,
    texts: u64,
    undecided: u64,
    runs: RunTotals,
    results: Vec<ProgramResult<'a>>,
    again: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProgramResult<'a> {
    program: &'a str,
    reference: bool,
    verdict: &'static str,
    output: String,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RunTotals {
    generators: u64,
    validators: u64,
    solutions: u64,
    checkers: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct GeneratedInput<'a> {
    generated_by: &'a str,
    #[serde(flatten)]
    time: InputTime,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SlowCase<'a> {
    case: &'a str,
    #[serde(flatten)]
    time: InputTime,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct InputTime {
    cpu_ms: f64,
    instructions: Option<u64>,
    verdict: &'static str,
}

/// A line for each finding, and one for the search.
pub(crate) fn json_of<'a>(
    report: &'a StressReport,
    programs: &'a StressPrograms,
    seed: u32,
    again: &Again,
) -> Vec<StressLine<'a>> {
    let findings = report.findings.iter();
    let mut lines: Vec<StressLine<'_>> = findings
        .map(|finding| StressLine::Finding(Box::new(finding_entry(finding, programs, again))))
        .collect();
    lines.push(StressLine::Search {
        seed,
        rounds: report.rounds,
        unanswered: report.unanswered,
        invalid: report.invalid,
        unrepeated: report.unrepeated,
        known: report.known,
        findings: report.findings.len(),
        interrupted: report.interrupted,
        wall_ms: milliseconds(report.elapsed),
        runs: report.runs.into(),
    });
    lines
}

/// The line of the slowest inputs.
pub(crate) fn json_of_slowest(found: &SlowestInputs, seed: u32) -> StressLine<'_> {
    let inputs =
        found.inputs.iter().map(|one| GeneratedInput { generated_by: &one.name, time: one.into() });
    StressLine::Slowest {
        seed,
        rounds: found.rounds,
        invalid: found.invalid,
        interrupted: found.interrupted,
        program: &found.program,
        limit_ms: milliseconds(found.limit),
        counter: found.counter.as_deref(),
        inputs: inputs.collect(),
        slowest_case: found.case.as_ref().map(|one| SlowCase { case: &one.name, time: one.into() }),
    }
}

fn finding_entry<'a>(
    finding: &'a StressFinding,
    programs: &'a StressPrograms,
    again: &Again,
) -> FindingEntry<'a> {
    let program = finding.kind.contestant;
    let failed = finding.results.get(program).and_then(Option::as_ref);
    let (repeated, repeats) = finding.repeated;
    let results = finding.results.iter().enumerate();
    let results = results.filter_map(|(index, one)| Some(result(programs, index, one.as_ref()?)));
    FindingEntry {
        round: finding.round,
        program: programs.name(program),
        verdict: finding.kind.verdict.code(),
        reason: failed.and_then(|one| one.reason.as_deref()),
        before: String::from_utf8_lossy(&finding.before),
        before_tokens: tokens(&finding.before),
        after: String::from_utf8_lossy(&finding.after),
        after_tokens: tokens(&finding.after),
        generated_by: finding.still_generated.as_deref(),
        complete: finding.end == ShrinkEnd::Complete,
        flaky: repeated < repeats,
        texts: finding.texts,
        undecided: finding.undecided.as_ref().map_or(0, |one| one.count),
        runs: finding.runs.into(),
        results: results.collect(),
        again: again.command(finding.round),
    }
}

fn result<'a>(programs: &'a StressPrograms, index: usize, one: &Performance) -> ProgramResult<'a> {
    let output = bytes_of(&one.output, BYTES).unwrap_or_default();
    ProgramResult {
        program: programs.name(index),
        reference: programs.is_reference(index),
        verdict: one.verdict.code(),
        output: String::from_utf8_lossy(&output).into_owned(),
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "Serde passes a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl From<&SlowInput> for InputTime {
    fn from(input: &SlowInput) -> Self {
        Self {
            cpu_ms: milliseconds(input.cpu),
            instructions: input.instructions,
            verdict: input.verdict.code(),
        }
    }
}

impl From<RunCounts> for RunTotals {
    fn from(runs: RunCounts) -> Self {
        Self {
            generators: runs.generator,
            validators: runs.validator,
            solutions: runs.solution,
            checkers: runs.checker,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_stress_is_up_to_date() {
        schema::is_up_to_date("stress", schema::of_lines::<StressLine<'static>>());
    }
}
