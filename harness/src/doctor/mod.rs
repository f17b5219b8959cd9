//! The findings of `rejudge doctor` about this machine: protections, clocks, noise, languages; as data and as text.
//!
//! This module is not part of the flow from sources to verdicts. It uses the facts that a runner has probed and files
//! of the system, and starts no programs.

mod advice;
mod noise;
mod surroundings;
mod text;

use serde::Serialize;

use crate::machine::{Machine, Noise};
use crate::sandbox::{Clock, Facts, Protection};
use crate::show::facts::{MachineFacts, SandboxFacts};
use crate::show::json_line;

pub(crate) use surroundings::Surroundings;
pub(crate) use text::write;

/// All findings.
#[derive(Debug, Clone)]
pub(crate) struct Diagnosis {
    pub(crate) machine: Machine,
    pub(crate) noise: Noise,
    pub(crate) facts: Facts,
    pub(crate) surroundings: Surroundings,
    /// Each language's id, and whether it is installed.
    pub(crate) languages: Vec<(String, bool)>,
}

/// An important protection that is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
struct MissingProtection {
    /// Its human-readable description.
    what: String,
    /// The operation that failed, and the error of the system.
    why: String,
    /// How to enable it.
    advice: String,
}

impl Diagnosis {
    /// Whether no important protection is missing.
    pub(crate) fn is_sound(&self) -> bool {
        self.facts.missing().next().is_none() && self.weak_clock().is_none()
    }

    fn missing(&self) -> impl Iterator<Item = MissingProtection> {
        let missing = self.facts.missing().map(|(protection, why)| MissingProtection {
            what: protection.describe().to_owned(),
            why: why.to_owned(),
            advice: advice::of(protection, &self.surroundings),
        });
        missing.chain(self.weak_clock())
    }

    /// The CPU clock, if it may miss CPU time although every protection is active.
    fn weak_clock(&self) -> Option<MissingProtection> {
        let account = Protection::CpuAccount;
        let weak = self.facts.has(account) && self.facts.cpu_clock != Clock::Cgroup;
        weak.then(|| MissingProtection {
            what: account.describe().to_owned(),
            why: "the account exists but is not read".to_owned(),
            advice: advice::of(account, &self.surroundings),
        })
    }

    /// The findings as one JSON object.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        let installed = self.languages.iter().filter(|(_, installed)| *installed);
        json_line::line(&DoctorRecord {
            r#type: "machine",
            version: env!("CARGO_PKG_VERSION"),
            sound: self.is_sound(),
            machine: MachineFacts::new(self.machine.clone(), self.noise.clone()),
            sandbox: (&self.facts).into(),
            languages: installed.map(|(id, _)| id.as_str()).collect(),
        })
    }
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DoctorRecord<'a> {
    r#type: &'static str,
    version: &'static str,
    sound: bool,
    machine: MachineFacts,
    sandbox: SandboxFacts,
    languages: Vec<&'a str>,
}

#[cfg(test)]
mod tests;
