//! The machine-readable report: one JSON object per line. The guide documents the schema.

use std::io::{self, Write};

use rejudge_statistics::{Decision, Effect, Interval, Pairs, Quantity, SampleSummary};
use serde::Serialize;

use super::{BenchReport, CaseId, Compared, Comparison, LeftOut, MeasuredCase};
use crate::bench::run_measurement::quantity_key;
use crate::show::facts::{MachineFacts, SandboxFacts};
use crate::show::json_line;

/// A line of the report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
enum BenchLine<'a> {
    Start(Box<BenchStart<'a>>),
    Measured(Box<MeasuredEntry<'a>>),
    Compared(Box<ComparedEntry<'a>>),
    LeftOut {
        submission: &'a str,
        case: Option<&'a str>,
        kind: &'static str,
        why: &'a str,
    },
    Summary {
        answer: &'static str,
        reason: Option<String>,
        measured: usize,
        compared: usize,
        left_out: usize,
        detectable: Option<f64>,
    },
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BenchStart<'a> {
    version: &'static str,
    machine: MachineFacts,
    sandbox: Option<SandboxFacts>,
    meter: &'a str,
    quantity: &'static str,
    unit: &'static str,
    against: Option<&'a str>,
    gate: Option<GateConditions>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GateConditions {
    pairs: usize,
    level: f64,
    threshold: f64,
    floor: f64,
}

/// The names of a solution, its problem and one case.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct NamedCase<'a> {
    submission: &'a str,
    problem: &'a str,
    case: &'a str,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MeasuredEntry<'a> {
    #[serde(flatten)]
    names: NamedCase<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_s: Option<MeasuredFigures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_s: Option<MeasuredFigures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<MeasuredFigures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<MeasuredFigures<'a>>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MeasuredFigures<'a> {
    median: f64,
    interval: Option<[f64; 2]>,
    min: f64,
    max: f64,
    mad: f64,
    samples: &'a [f64],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ComparedEntry<'a> {
    #[serde(flatten)]
    names: NamedCase<'a>,
    decision: &'static str,
    reason: Option<String>,
    detectable: Option<f64>,
    first: Option<ComparedPass<'a>>,
    again: Option<ComparedPass<'a>>,
    null: Option<EffectFigures>,
    null_again: Option<EffectFigures>,
    subtracted: Option<f64>,
}

/// A pass of a comparison, with its samples.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ComparedPass<'a> {
    #[serde(flatten)]
    effect: EffectFigures,
    rest_change: Option<f64>,
    rest_p: Option<f64>,
    base_samples: &'a [f64],
    new_samples: &'a [f64],
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EffectFigures {
    pairs: usize,
    base: f64,
    new: f64,
    change: f64,
    interval: Option<[f64; 2]>,
    p: f64,
}

/// Writes the whole report.
pub(crate) fn write(report: &BenchReport, out: &mut dyn Write) -> io::Result<()> {
    let mut line = |line: BenchLine<'_>| json_line::write(&mut *out, &line);
    line(BenchLine::Start(Box::new(start(report))))?;
    for one in &report.measured {
        line(BenchLine::Measured(Box::new(measured(one))))?;
    }
    if let Some(comparison) = &report.comparison {
        for one in &comparison.cases {
            line(BenchLine::Compared(Box::new(compared(one))))?;
        }
    }
    for one in &report.left_out {
        line(left_out(one))?;
    }
    line(summary(report))
}

fn start(report: &BenchReport) -> BenchStart<'_> {
    let comparison = report.comparison.as_ref();
    BenchStart {
        version: env!("CARGO_PKG_VERSION"),
        machine: MachineFacts::here(),
        sandbox: report.sandbox.as_ref().map(SandboxFacts::from),
        meter: &report.meter,
        quantity: quantity_key(report.quantity),
        unit: unit(report.quantity),
        against: comparison.map(|comparison| comparison.base.as_str()),
        gate: comparison.map(gate),
    }
}

fn gate(comparison: &Comparison) -> GateConditions {
    let options = &comparison.options;
    GateConditions {
        pairs: options.pairs,
        level: options.level,
        threshold: options.threshold,
        floor: options.floor,
    }
}

impl<'a> From<&'a CaseId> for NamedCase<'a> {
    fn from(id: &'a CaseId) -> Self {
        Self { submission: &id.submission, problem: &id.problem, case: &id.case }
    }
}

fn measured(one: &MeasuredCase) -> MeasuredEntry<'_> {
    let of = |wanted: Quantity| {
        let mut figures = one.figures.iter();
        let found = figures.find(|(quantity, ..)| *quantity == wanted);
        found.map(|(_, sample, summary)| figures_of(sample, summary))
    };
    MeasuredEntry {
        names: (&one.case_id).into(),
        cpu_s: of(Quantity::CpuTime),
        wall_s: of(Quantity::WallTime),
        memory_bytes: of(Quantity::Memory),
        instructions: of(Quantity::Instructions),
    }
}

fn unit(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::CpuTime | Quantity::WallTime => "s",
        Quantity::Memory => "bytes",
        Quantity::Instructions => "instructions",
    }
}

fn figures_of<'a>(sample: &'a [f64], summary: &SampleSummary) -> MeasuredFigures<'a> {
    MeasuredFigures {
        median: summary.median,
        interval: summary.interval.as_ref().map(ends),
        min: summary.min,
        max: summary.max,
        mad: summary.mad,
        samples: sample,
    }
}

fn ends(interval: &Interval) -> [f64; 2] {
    [interval.lower, interval.upper]
}

fn compared(one: &Compared) -> ComparedEntry<'_> {
    let report = &one.report;
    let (decision, reason) = decision(&report.decision);
    ComparedEntry {
        names: (&one.case_id).into(),
        decision,
        reason,
        detectable: report.detectable(),
        first: pass(report.first.as_ref(), Some(&one.pairs)),
        again: pass(report.again.as_ref(), one.again.as_ref()),
        null: report.null.as_ref().map(effect),
        null_again: report.null_again.as_ref().map(effect),
        subtracted: report.subtracted(),
    }
}

/// The figures of a pass; `None` if it did not take place.
fn pass<'a>(found: Option<&Effect>, pairs: Option<&'a Pairs>) -> Option<ComparedPass<'a>> {
    let (found, pairs) = (found?, pairs?);
    let rest = found.rest.as_ref();
    Some(ComparedPass {
        effect: effect(found),
        rest_change: rest.map(|rest| rest.effect),
        rest_p: rest.map(|rest| rest.corrected_p),
        base_samples: &pairs.base,
        new_samples: &pairs.new,
    })
}

fn effect(effect: &Effect) -> EffectFigures {
    EffectFigures {
        pairs: effect.pairs,
        base: effect.base,
        new: effect.new,
        change: effect.effect,
        interval: effect.interval.as_ref().map(ends),
        p: effect.corrected_p,
    }
}

fn decision(decision: &Decision) -> (&'static str, Option<String>) {
    match decision {
        Decision::Pass => ("pass", None),
        Decision::Regression => ("regression", None),
        Decision::Improvement => ("improvement", None),
        Decision::Inconclusive(reason) => ("inconclusive", Some(reason.to_string())),
    }
}

fn left_out(one: &LeftOut) -> BenchLine<'_> {
    BenchLine::LeftOut {
        submission: &one.submission,
        case: one.case.as_deref(),
        kind: one.kind.key(),
        why: &one.why,
    }
}

fn summary(report: &BenchReport) -> BenchLine<'_> {
    let comparison = report.comparison.as_ref();
    BenchLine::Summary {
        answer: report.answer().key(),
        reason: comparison.and_then(|comparison| decision(&comparison.decision).1),
        measured: report.measured.len(),
        compared: comparison.map_or(0, |comparison| comparison.cases.len()),
        left_out: report.left_out.len(),
        detectable: comparison.and_then(|comparison| comparison.detectable),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_bench_is_up_to_date() {
        schema::is_up_to_date("bench", schema::of_lines::<BenchLine<'static>>());
    }
}
