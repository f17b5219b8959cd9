//! The result of a search as JSON lines.

use std::time::Duration;

use serde_json::{Value, json};

use super::again::Again;
use super::report::tokens;
use crate::stress::{
    Performance, RunCounts, ShrinkEnd, SlowInput, SlowestInputs, StressFinding, StressPrograms,
    StressReport, bytes_of,
};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// More bytes of an output are left out.
const BYTES: u64 = 1 << 20;

/// A line for each finding, and one for the search.
pub(super) fn json_of(
    report: &StressReport,
    programs: &StressPrograms,
    seed: u32,
    again: &Again,
) -> Vec<Value> {
    let findings = report.findings.iter();
    let mut lines: Vec<Value> = findings
        .map(|finding| finding_line(finding, programs, again))
        .collect();
    lines.push(json!({
        "type": "search",
        "schema": SCHEMA,
        "seed": seed,
        "rounds": report.rounds,
        "unanswered": report.unanswered,
        "invalid": report.invalid,
        "unrepeated": report.unrepeated,
        "findings": report.findings.len(),
        "interrupted": report.interrupted,
        "wall_ms": report.elapsed.as_secs_f64() * 1e3,
        "runs": runs(report.runs),
    }));
    lines
}

/// The line of the slowest inputs.
pub(super) fn json_of_slowest(found: &SlowestInputs, seed: u32) -> Value {
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let input = |one: &SlowInput, what: &str| {
        json!({
            what: one.name,
            "cpu_ms": ms(one.cpu),
            "verdict": one.verdict.code(),
        })
    };
    let inputs = found.inputs.iter().map(|one| input(one, "generated_by"));
    json!({
        "type": "slowest",
        "schema": SCHEMA,
        "seed": seed,
        "rounds": found.rounds,
        "invalid": found.invalid,
        "interrupted": found.interrupted,
        "program": found.program,
        "limit_ms": ms(found.limit),
        "inputs": inputs.collect::<Vec<_>>(),
        "slowest_case": found.case.as_ref().map(|one| input(one, "case")),
    })
}

fn finding_line(finding: &StressFinding, programs: &StressPrograms, again: &Again) -> Value {
    let program = finding.kind.contestant;
    let failed = finding.results.get(program).and_then(Option::as_ref);
    let (repeated, repeats) = finding.repeated;
    let results: Vec<Value> = finding
        .results
        .iter()
        .enumerate()
        .filter_map(|(index, one)| Some(result(programs, index, one.as_ref()?)))
        .collect();
    json!({
        "type": "finding",
        "schema": SCHEMA,
        "round": finding.round,
        "program": programs.name(program),
        "verdict": finding.kind.verdict.code(),
        "reason": failed.and_then(|one| one.reason.as_ref()),
        "before": String::from_utf8_lossy(&finding.before),
        "before_tokens": tokens(&finding.before),
        "after": String::from_utf8_lossy(&finding.after),
        "after_tokens": tokens(&finding.after),
        "generated_by": finding.still_generated,
        "complete": finding.end == ShrinkEnd::Complete,
        "flaky": repeated < repeats,
        "texts": finding.texts,
        "runs": runs(finding.runs),
        "results": results,
        "again": again.command(finding.round),
    })
}

fn result(programs: &StressPrograms, index: usize, one: &Performance) -> Value {
    let output = bytes_of(&one.output, BYTES).unwrap_or_default();
    json!({
        "program": programs.name(index),
        "reference": programs.is_reference(index),
        "verdict": one.verdict.code(),
        "output": String::from_utf8_lossy(&output),
    })
}

fn runs(runs: RunCounts) -> Value {
    json!({
        "generators": runs.generator,
        "validators": runs.validator,
        "solutions": runs.solution,
        "checkers": runs.checker,
    })
}
