//! The limits in the `config.yml` of a sinol package: of all tests, of some of them, and of languages.

use std::collections::BTreeMap;
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::fields::Fields;
use crate::notice::Notices;
use crate::problem::ProblemLimits;

/// `time_limit` in milliseconds and `memory_limit` in kibibytes.
pub(super) fn limits(table: &Fields<'_>, notices: &mut Notices) -> ProblemLimits {
    let mut positive = |key| table.number(key, notices).filter(|limit| *limit > 0.0);
    limits_of(positive("time_limit"), positive("memory_limit"))
}

/// The limits from a number of milliseconds and a number of kibibytes.
fn limits_of(time: Option<f64>, memory: Option<f64>) -> ProblemLimits {
    let millis = |number: f64| Duration::from_secs_f64(number.min(1e8) / 1e3);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "too large is the largest"
    )]
    let kibibytes = |number: f64| Bytes((number * 1024.0) as u64);
    ProblemLimits {
        cpu_time: time.map(millis),
        memory: memory.map(kibibytes),
        ..ProblemLimits::default()
    }
}

/// `time_limits` and `memory_limits`: the limits of tests and groups, by their names.
pub(super) struct OwnLimits {
    time: BTreeMap<String, f64>,
    memory: BTreeMap<String, f64>,
}

impl OwnLimits {
    /// Reads them.
    pub(super) fn read(table: &Fields<'_>, notices: &mut Notices) -> Self {
        let mut read = |key| {
            let inner = table.table(key, notices);
            let entries = inner.iter().flat_map(Fields::entries);
            let limits = entries.filter_map(|(key, _)| {
                let limit = inner.as_ref()?.number(&key.name, notices)?;
                (limit > 0.0).then(|| (key.name.clone(), limit))
            });
            limits.collect()
        };
        Self { time: read("time_limits"), memory: read("memory_limits") }
    }

    /// The limits of a test. Those with its own name come before those of its group; the name `0` is always the group.
    pub(super) fn of(&self, test: &str, group: u32) -> Option<ProblemLimits> {
        let find = |limits: &BTreeMap<String, f64>| {
            let own = limits.get(test).filter(|_| test != "0");
            own.or_else(|| limits.get(&group.to_string())).copied()
        };
        let (time, memory) = (find(&self.time), find(&self.memory));
        (time.is_some() || memory.is_some()).then(|| limits_of(time, memory))
    }
}

/// `override_limits`: the limits of languages, by the extensions of their sources.
pub(super) fn overridden(
    table: &Fields<'_>,
    notices: &mut Notices,
) -> Vec<(String, ProblemLimits)> {
    let Some(all) = table.table("override_limits", notices) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (key, _) in all.entries() {
        let Some(own) = all.table(&key.name, notices) else {
            continue;
        };
        for plural in ["time_limits", "memory_limits"] {
            if own.has(plural) {
                own.ignored(&format!("override_limits.{}.{plural}", key.name), notices);
            }
        }
        found.push((key.name.clone(), limits(&own, notices)));
    }
    found
}
