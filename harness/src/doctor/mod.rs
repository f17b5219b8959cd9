//! What this machine gives a judge, and what it lacks: the findings of `rejudge doctor`, as data and as text.
//!
//! Beside the flow: nothing is judged. It looks at what a runner found by trying and at files of the system, and
//! starts nothing itself.

mod advice;
mod noise;
mod surroundings;
mod text;

use serde::Serialize;

use crate::machine::{Machine, Noise};
use crate::report::facts::{MachineFacts, SandboxFacts};
use crate::report::json_line;
use crate::sandbox::{Clock, Facts, Protection};

pub(crate) use surroundings::Surroundings;
pub(crate) use text::write;

/// Everything that was found.
#[derive(Debug, Clone)]
pub(crate) struct Diagnosis {
    pub(crate) machine: Machine,
    pub(crate) noise: Noise,
    pub(crate) facts: Facts,
    pub(crate) surroundings: Surroundings,
    /// Each language's id, and whether it is installed.
    pub(crate) languages: Vec<(String, bool)>,
}

/// Something that matters and is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Lack {
    /// What, for people.
    what: String,
    /// What was tried, and what the system answered.
    why: String,
    /// What would give it.
    advice: String,
}

impl Diagnosis {
    /// Whether everything that matters is there.
    pub(crate) fn is_sound(&self) -> bool {
        self.facts.lacks().next().is_none() && self.weak_clock().is_none()
    }

    fn lacks(&self) -> impl Iterator<Item = Lack> {
        let lacks = self.facts.lacks().map(|(protection, why)| Lack {
            what: protection.describe().to_owned(),
            why: why.to_owned(),
            advice: advice::of(protection, &self.surroundings),
        });
        lacks.chain(self.weak_clock())
    }

    /// The clock of CPU time, if it may miss something although every protection is there.
    fn weak_clock(&self) -> Option<Lack> {
        let account = Protection::CpuAccount;
        let weak = self.facts.has(account) && self.facts.cpu_clock != Clock::Cgroup;
        weak.then(|| Lack {
            what: account.describe().to_owned(),
            why: "the account is there, and is not read".to_owned(),
            advice: advice::of(account, &self.surroundings),
        })
    }

    /// The findings as one JSON object.
    pub(crate) fn json(&self) -> serde_json::Result<String> {
        let installed = self.languages.iter().filter(|(_, installed)| *installed);
        json_line::line(&Record {
            r#type: "machine",
            schema: 1,
            version: env!("CARGO_PKG_VERSION"),
            sound: self.is_sound(),
            machine: MachineFacts::new(self.machine.clone(), self.noise.clone()),
            sandbox: (&self.facts).into(),
            languages: installed.map(|(id, _)| id.as_str()).collect(),
        })
    }
}

#[derive(Serialize)]
struct Record<'a> {
    r#type: &'static str,
    schema: u32,
    version: &'static str,
    sound: bool,
    machine: MachineFacts,
    sandbox: SandboxFacts<'a>,
    languages: Vec<&'a str>,
}

#[cfg(test)]
mod tests;
