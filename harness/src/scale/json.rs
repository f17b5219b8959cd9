//! The report as one line of JSON. The guide documents its keys.

use serde_json::{Value, json};

use super::{Growth, GrowthBound, Held, ScaleReport, SizeMeasurement};
use crate::report::facts::{MachineFacts, SandboxFacts};
use crate::sandbox::Facts;
use crate::statistics::median;

/// The version of the schema.
const SCHEMA: u32 = 1;

/// The whole report. `sandbox` describes the sandbox that ran the programs.
pub(crate) fn json(report: &ScaleReport, sandbox: &Facts) -> Value {
    let limit = report.limit.as_secs_f64();
    let (least, most) = match &report.cpu {
        Some(growth) => growth.largest(limit),
        None => (None, None),
    };
    json!({
        "type": "scale",
        "schema": SCHEMA,
        "machine": MachineFacts::here(),
        "sandbox": SandboxFacts::from(sandbox),
        "solution": report.solution,
        "sizes": report.series.iter().map(size).collect::<Vec<_>>(),
        "cpu": report.cpu.as_ref().map(|growth| grown(growth, "start_ms", 1e3)),
        "memory": report.memory.as_ref().map(|growth| grown(growth, "start_bytes", 1.0)),
        "limit_ms": limit * 1e3,
        "largest": { "least": least, "most": most },
        "at_most": report.at_most.map(asserted),
        "memory_at_most": report.memory_at_most.map(asserted),
        "problem": report.too_few(),
    })
}

fn asserted(bound: GrowthBound) -> Value {
    let held = match bound.held {
        Held::Yes => Some(true),
        Held::No => Some(false),
        Held::Unknown => None,
    };
    json!({ "family": bound.family.name(), "held": held })
}

fn size(measured: &SizeMeasurement) -> Value {
    let milliseconds: Vec<f64> = measured.cpu.iter().map(|seconds| seconds * 1e3).collect();
    json!({
        "n": measured.n,
        "input_bytes": measured.input,
        "cpu_ms": median(&milliseconds).ok(),
        "memory_bytes": median(&measured.memory).ok(),
        "runs_cpu_ms": milliseconds,
        "over": measured.over,
    })
}

fn grown(growth: &Growth, start: &str, unit: f64) -> Value {
    let families: Vec<Value> = growth
        .fits()
        .iter()
        .map(|fit| json!({ "family": fit.family.name(), "behind": fit.behind }))
        .collect();
    json!({
        "best": growth.best().family.name(),
        "families": families,
        start: growth.best().start() * unit,
        "stray": growth.stray,
    })
}
