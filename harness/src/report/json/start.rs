//! The first line.

use std::borrow::Cow;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::event::{Origin, Outline, Shard};
use crate::show::facts::{MachineFacts, SandboxFacts};

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::report) struct StartLine<'a> {
    version: Cow<'a, str>,
    /// RFC 3339, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    machine: MachineFacts,
    sandbox: SandboxFacts,
    jobs: usize,
    submissions: usize,
    cases: usize,
    #[serde(default)]
    arguments: Cow<'a, [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<ShardFigures<'a>>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ShardFigures<'a> {
    number: usize,
    of: usize,
    plan: Cow<'a, str>,
    started_ms: u64,
    units: Cow<'a, [usize]>,
    of_units: usize,
    faulty: bool,
}

impl<'a> From<&'a Shard> for ShardFigures<'a> {
    fn from(shard: &'a Shard) -> Self {
        Self {
            number: shard.number,
            of: shard.of,
            plan: shard.plan.as_str().into(),
            started_ms: shard.started_ms,
            units: shard.units.as_slice().into(),
            of_units: shard.of_units,
            faulty: shard.faulty,
        }
    }
}

impl From<ShardFigures<'_>> for Shard {
    fn from(shard: ShardFigures<'_>) -> Self {
        Self {
            number: shard.number,
            of: shard.of,
            plan: shard.plan.into_owned(),
            started_ms: shard.started_ms,
            units: shard.units.into_owned(),
            of_units: shard.of_units,
            faulty: shard.faulty,
        }
    }
}

impl<'a> From<&'a Outline> for StartLine<'a> {
    fn from(outline: &'a Outline) -> Self {
        let origin = &outline.origin;
        Self {
            version: origin.version.as_str().into(),
            time: origin.time.map(shown_time),
            machine: MachineFacts::new(origin.machine.clone(), origin.noise().clone()),
            sandbox: (&outline.sandbox).into(),
            jobs: outline.jobs,
            submissions: outline.submissions,
            cases: outline.cases,
            arguments: origin.arguments.as_slice().into(),
            shard: outline.shard.as_ref().map(ShardFigures::from),
        }
    }
}

impl From<StartLine<'_>> for Outline {
    fn from(start: StartLine<'_>) -> Self {
        let (machine, noise) = start.machine.into_parts();
        Self {
            submissions: start.submissions,
            cases: start.cases,
            jobs: start.jobs,
            sandbox: (&start.sandbox).into(),
            origin: Origin {
                version: start.version.into_owned(),
                time: start.time.and_then(|time| humantime::parse_rfc3339(&time).ok()),
                machine,
                noise: noise.into(),
                arguments: start.arguments.into_owned(),
            },
            shard: start.shard.map(Shard::from),
        }
    }
}

/// The time of day, in UTC, to the second.
pub(in crate::report) fn shown_time(time: SystemTime) -> String {
    humantime::format_rfc3339_seconds(time).to_string()
}
