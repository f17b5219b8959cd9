//! The facts about the place of a run that every machine-readable report has: machine, noise, sandbox.

use serde::Serialize;

use crate::machine::{Machine, Noise};
use crate::report::words::clock;
use crate::sandbox::{Facts, ProtectionState};

/// The machine, as part of a report.
#[derive(Debug, Serialize)]
pub(crate) struct MachineFacts {
    os: &'static str,
    arch: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    cores: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<String>,
    noise: Noise,
}

impl MachineFacts {
    /// The facts of a machine.
    pub(crate) fn new(machine: Machine, noise: Noise) -> Self {
        let Machine {
            os,
            arch,
            cpu,
            cores,
            kernel,
        } = machine;
        Self {
            os,
            arch,
            cpu,
            cores,
            kernel,
            noise,
        }
    }

    /// The facts of this machine at this moment.
    pub(crate) fn here() -> Self {
        Self::new(Machine::this(), Noise::here())
    }
}

/// The sandbox, as part of a report.
#[derive(Debug, Serialize)]
pub(crate) struct SandboxFacts<'a> {
    back_end: &'static str,
    cpu_clock: &'static str,
    memory_clock: &'static str,
    sufficient: bool,
    active: Vec<&'static str>,
    missing: Vec<Missing<'a>>,
}

#[derive(Debug, Serialize)]
struct Missing<'a> {
    protection: &'static str,
    why: &'a str,
}

impl<'a> From<&'a Facts> for SandboxFacts<'a> {
    fn from(facts: &'a Facts) -> Self {
        let mut active = Vec::new();
        let mut missing = Vec::new();
        for (protection, state) in &facts.protections {
            match state {
                ProtectionState::Active => active.push(protection.name()),
                ProtectionState::Missing { why } => missing.push(Missing {
                    protection: protection.name(),
                    why,
                }),
            }
        }
        Self {
            back_end: facts.back_end.name(),
            cpu_clock: clock(facts.cpu_clock),
            memory_clock: clock(facts.memory_clock),
            sufficient: facts.missing().next().is_none(),
            active,
            missing,
        }
    }
}
