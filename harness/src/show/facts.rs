//! The facts about the place of a run that every machine-readable report has: machine, noise, sandbox.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::machine::{Machine, Noise};
use crate::sandbox::{BackEnd, Facts, Protection, ProtectionState};
use crate::show::words::{clock, clock_named};

/// The machine, as part of a report.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MachineFacts {
    os: String,
    arch: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu: Option<String>,
    cores: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    kernel: Option<String>,
    #[serde(default)]
    noise: Noise,
}

impl MachineFacts {
    /// The facts of a machine.
    pub(crate) fn new(machine: Machine, noise: Noise) -> Self {
        let Machine { os, arch, cpu, cores, kernel } = machine;
        Self { os, arch, cpu, cores, kernel, noise }
    }

    /// The facts of this machine at this moment.
    pub(crate) fn here() -> Self {
        Self::new(Machine::this(), Noise::here())
    }

    /// The machine and its noise.
    pub(crate) fn into_parts(self) -> (Machine, Noise) {
        let machine = Machine {
            os: self.os,
            arch: self.arch,
            cpu: self.cpu,
            cores: self.cores,
            kernel: self.kernel,
        };
        (machine, self.noise)
    }
}

/// The sandbox, as part of a report.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SandboxFacts {
    back_end: Cow<'static, str>,
    cpu_clock: Cow<'static, str>,
    memory_clock: Cow<'static, str>,
    sufficient: bool,
    active: Vec<Cow<'static, str>>,
    missing: Vec<Missing>,
}

#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Missing {
    protection: Cow<'static, str>,
    why: String,
}

impl From<&Facts> for SandboxFacts {
    fn from(facts: &Facts) -> Self {
        let mut active = Vec::new();
        let mut missing = Vec::new();
        for (protection, state) in &facts.protections {
            match state {
                ProtectionState::Active => active.push(protection.name().into()),
                ProtectionState::Missing { why } => {
                    missing
                        .push(Missing { protection: protection.name().into(), why: why.clone() });
                }
            }
        }
        Self {
            back_end: facts.back_end.name().into(),
            cpu_clock: clock(facts.cpu_clock).into(),
            memory_clock: clock(facts.memory_clock).into(),
            sufficient: facts.missing().next().is_none(),
            active,
            missing,
        }
    }
}

impl From<&SandboxFacts> for Facts {
    /// Protections that this version does not know are left out, and the weakest back end stands for one that it does not know.
    fn from(stored: &SandboxFacts) -> Self {
        let state = |protection: Protection| {
            let name = protection.name();
            if stored.active.iter().any(|active| active == name) {
                return Some((protection, ProtectionState::Active));
            }
            let mut missing = stored.missing.iter();
            let found = missing.find(|missing| missing.protection == name)?;
            let why = found.why.clone();
            Some((protection, ProtectionState::Missing { why }))
        };
        let mut back_end = BackEnd::ALL.into_iter().filter(|known| known.name() == stored.back_end);
        Self {
            back_end: back_end.next().unwrap_or(BackEnd::Plain),
            protections: Protection::ALL.into_iter().filter_map(state).collect(),
            cpu_clock: clock_named(&stored.cpu_clock),
            memory_clock: clock_named(&stored.memory_clock),
        }
    }
}
