//! The machine-readable report: one JSON object per line. The guide documents the schema.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::{BenchReport, Compared, Comparison, LeftOut, MeasuredCase};
use crate::bench::run_measurement::quantity_key;
use crate::report::facts::{MachineFacts, SandboxFacts};
use crate::report::json_line;
use crate::statistics::{Decision, Effect, Interval, Pairs, Quantity, SampleSummary};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// Writes the whole report.
pub(crate) fn write(report: &BenchReport, out: &mut dyn Write) -> io::Result<()> {
    let mut line = |value: Value| json_line::write(&mut *out, &value);
    line(start(report))?;
    for one in &report.measured {
        line(measured(one))?;
    }
    if let Some(comparison) = &report.comparison {
        for one in &comparison.cases {
            line(compared(one))?;
        }
    }
    for one in &report.left_out {
        line(left_out(one))?;
    }
    line(summary(report))
}

fn start(report: &BenchReport) -> Value {
    json!({
        "type": "start",
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "machine": MachineFacts::here(),
        "sandbox": report.sandbox.as_ref().map(SandboxFacts::from),
        "meter": report.meter,
        "quantity": quantity_key(report.quantity),
        "unit": unit(report.quantity),
        "against": report.comparison.as_ref().map(|comparison| &comparison.base),
        "gate": report.comparison.as_ref().map(gate),
    })
}

fn gate(comparison: &Comparison) -> Value {
    let options = &comparison.options;
    json!({
        "pairs": options.pairs,
        "level": options.level,
        "threshold": options.threshold,
        "floor": options.floor,
    })
}

fn measured(one: &MeasuredCase) -> Value {
    let mut value = json!({
        "type": "measured",
        "schema": SCHEMA,
        "submission": one.case_id.submission,
        "problem": one.case_id.problem,
        "case": one.case_id.case,
    });
    for (quantity, sample, summary) in &one.figures {
        let name = match *quantity {
            Quantity::Instructions => quantity_key(*quantity).to_owned(),
            quantity => format!("{}_{}", quantity_key(quantity), unit(quantity)),
        };
        value[name] = figures(sample, summary);
    }
    value
}

fn unit(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::CpuTime | Quantity::WallTime => "s",
        Quantity::Memory => "bytes",
        Quantity::Instructions => "instructions",
    }
}

fn figures(sample: &[f64], summary: &SampleSummary) -> Value {
    json!({
        "median": summary.median,
        "interval": summary.interval.as_ref().map(interval),
        "min": summary.min,
        "max": summary.max,
        "mad": summary.mad,
        "samples": sample,
    })
}

fn interval(interval: &Interval) -> Value {
    json!([interval.lower, interval.upper])
}

fn compared(one: &Compared) -> Value {
    let report = &one.report;
    let (decision, reason) = decision(&report.decision);
    json!({
        "type": "compared",
        "schema": SCHEMA,
        "submission": one.case_id.submission,
        "problem": one.case_id.problem,
        "case": one.case_id.case,
        "decision": decision,
        "reason": reason,
        "detectable": report.detectable(),
        "first": report.first.as_ref().map(|found| effect(found, Some(&one.pairs))),
        "again": report.again.as_ref().map(|found| effect(found, one.again.as_ref())),
        "null": report.null.as_ref().map(|found| effect(found, None)),
        "null_again": report.null_again.as_ref().map(|found| effect(found, None)),
        "subtracted": report.subtracted(),
    })
}

fn effect(effect: &Effect, pairs: Option<&Pairs>) -> Value {
    let mut value = json!({
        "pairs": effect.pairs,
        "base": effect.base,
        "new": effect.new,
        "change": effect.effect,
        "interval": effect.interval.as_ref().map(interval),
        "p": effect.corrected_p,
    });
    if let Some(pairs) = pairs {
        value["rest_change"] = json!(effect.rest.as_ref().map(|rest| rest.effect));
        value["rest_p"] = json!(effect.rest.as_ref().map(|rest| rest.corrected_p));
        value["base_samples"] = json!(pairs.base);
        value["new_samples"] = json!(pairs.new);
    }
    value
}

fn decision(decision: &Decision) -> (&'static str, Option<String>) {
    match decision {
        Decision::Pass => ("pass", None),
        Decision::Regression => ("regression", None),
        Decision::Improvement => ("improvement", None),
        Decision::Inconclusive(reason) => ("inconclusive", Some(reason.to_string())),
    }
}

fn left_out(one: &LeftOut) -> Value {
    json!({
        "type": "left_out",
        "schema": SCHEMA,
        "submission": one.submission,
        "case": one.case,
        "kind": one.kind.key(),
        "why": one.why,
    })
}

fn summary(report: &BenchReport) -> Value {
    let comparison = report.comparison.as_ref();
    json!({
        "type": "summary",
        "schema": SCHEMA,
        "answer": report.answer().key(),
        "reason": comparison.and_then(|comparison| decision(&comparison.decision).1),
        "measured": report.measured.len(),
        "compared": comparison.map_or(0, |comparison| comparison.cases.len()),
        "left_out": report.left_out.len(),
        "detectable": comparison.and_then(|comparison| comparison.detectable),
    })
}
