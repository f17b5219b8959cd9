//! The report as one line of JSON. The guide documents its keys.

use rejudge_statistics::median;
use serde::Serialize;

use super::{Growth, GrowthBound, Held, ScaleReport, SizeMeasurement};
use crate::sandbox::Facts;
use crate::show::facts::{MachineFacts, SandboxFacts};

/// The whole report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ScaleLine<'a> {
    r#type: &'static str,
    machine: MachineFacts,
    sandbox: SandboxFacts,
    solution: &'a str,
    sizes: Vec<SizeFigures<'a>>,
    cpu: Option<CpuGrowth>,
    memory: Option<MemoryGrowth>,
    limit_ms: f64,
    largest: LargestSize,
    at_most: Option<AssertedGrowth>,
    memory_at_most: Option<AssertedGrowth>,
    problem: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SizeFigures<'a> {
    n: u64,
    input_bytes: u64,
    cpu_ms: Option<f64>,
    memory_bytes: Option<f64>,
    runs_cpu_ms: Vec<f64>,
    over: Option<&'a str>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CpuGrowth {
    #[serde(flatten)]
    fit: GrowthFit,
    start_ms: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MemoryGrowth {
    #[serde(flatten)]
    fit: GrowthFit,
    start_bytes: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GrowthFit {
    best: &'static str,
    families: Vec<PossibleFamily>,
    stray: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PossibleFamily {
    family: &'static str,
    behind: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LargestSize {
    least: Option<u64>,
    most: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AssertedGrowth {
    family: &'static str,
    held: Option<bool>,
}

/// The whole report. `sandbox` describes the sandbox that ran the programs.
pub(crate) fn json<'a>(report: &'a ScaleReport, sandbox: &Facts) -> ScaleLine<'a> {
    let limit = report.limit.as_secs_f64();
    let (least, most) = match &report.cpu {
        Some(growth) => growth.largest(limit),
        None => (None, None),
    };
    ScaleLine {
        r#type: "scale",
        machine: MachineFacts::here(),
        sandbox: SandboxFacts::from(sandbox),
        solution: &report.solution,
        sizes: report.series.iter().map(SizeFigures::of).collect(),
        cpu: report.cpu.as_ref().map(|growth| CpuGrowth {
            fit: GrowthFit::of(growth),
            start_ms: growth.best().start() * 1e3,
        }),
        memory: report.memory.as_ref().map(|growth| MemoryGrowth {
            fit: GrowthFit::of(growth),
            start_bytes: growth.best().start(),
        }),
        limit_ms: limit * 1e3,
        largest: LargestSize { least, most },
        at_most: report.at_most.map(AssertedGrowth::from),
        memory_at_most: report.memory_at_most.map(AssertedGrowth::from),
        problem: report.too_few(),
    }
}

impl From<GrowthBound> for AssertedGrowth {
    fn from(bound: GrowthBound) -> Self {
        Self {
            family: bound.family.name(),
            held: match bound.held {
                Held::Yes => Some(true),
                Held::No => Some(false),
                Held::Unknown => None,
            },
        }
    }
}

impl<'a> SizeFigures<'a> {
    fn of(measured: &'a SizeMeasurement) -> Self {
        let milliseconds: Vec<f64> = measured.cpu.iter().map(|seconds| seconds * 1e3).collect();
        Self {
            n: measured.n,
            input_bytes: measured.input,
            cpu_ms: median(&milliseconds).ok(),
            memory_bytes: median(&measured.memory).ok(),
            runs_cpu_ms: milliseconds,
            over: measured.over.as_deref(),
        }
    }
}

impl GrowthFit {
    fn of(growth: &Growth) -> Self {
        let families = growth
            .fits()
            .iter()
            .map(|fit| PossibleFamily { family: fit.family.name(), behind: fit.behind });
        Self {
            best: growth.best().family.name(),
            families: families.collect(),
            stray: growth.stray,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_scale_is_up_to_date() {
        let line = schema::of_line_called::<ScaleLine<'static>>("scale");
        schema::is_up_to_date("scale", vec![line]);
    }
}
