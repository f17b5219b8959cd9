//! What a worker publishes about itself.

use serde::{Deserialize, Serialize};

use super::WorkerFigures;
use crate::machine::Machine;
use crate::notice::visible;

/// A worker, as it publishes itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct WorkerInfo {
    /// Its version of rejudge.
    pub(crate) version: String,
    /// The class of its machine: machines of the same class have the same times.
    pub(crate) class: String,
    /// Number of units that it judges at the same time.
    pub(crate) jobs: usize,
    /// Its processor and its system, for people.
    pub(crate) machine: String,
    pub(crate) figures: WorkerFigures,
    /// Number of units that it judged.
    pub(crate) units: u64,
    /// Units a second, since its last sign of life.
    pub(crate) rate: f64,
    /// The keys that it trusts.
    pub(crate) trusts: Vec<String>,
    /// Why it judges no more.
    pub(crate) out: Option<String>,
}

impl WorkerInfo {
    /// The row of a worker; `None` if it is of another version that writes other rows. Its texts are of one line.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let row: Self = serde_json::from_slice(bytes).ok()?;
        let is_rate = row.rate.is_finite() && row.rate >= 0.0;
        Some(Self {
            class: visible(&row.class),
            machine: visible(&row.machine),
            out: row.out.as_deref().map(visible),
            rate: if is_rate { row.rate } else { 0.0 },
            ..row
        })
    }

    /// As it travels.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a worker's row is always JSON")
    }

    /// Whether it takes units of this version.
    pub(crate) fn takes_work(&self) -> bool {
        self.out.is_none() && self.version == env!("CARGO_PKG_VERSION")
    }

    /// Whether it takes units of this version that are signed with this key.
    pub(crate) fn takes_work_of(&self, key: &str) -> bool {
        self.takes_work() && self.trusts.iter().any(|trusted| trusted == key)
    }
}

/// A machine in a few words.
pub(crate) fn words(machine: &Machine) -> String {
    let cpu = machine.cpu.as_deref().unwrap_or("unknown processor");
    let kernel = machine.kernel.as_deref().unwrap_or("unknown kernel");
    format!("{cpu}, {} cores, {} {kernel}", machine.cores, machine.os)
}
