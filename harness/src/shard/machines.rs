//! Compares the machines of shards, and finds the runs whose verdicts may depend on them.

use crate::event::{CaseResult, Outline};
use crate::machine::Machine;
use crate::sandbox::{Facts, Limits};
use crate::verdict::Verdict;

/// The shards on each machine, or in each sandbox: `shards 1, 3: X; shard 2: Y`. `None`: all are equal.
fn groups(shards: &[(usize, String)]) -> Option<String> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (number, facts) in shards {
        match groups.iter_mut().find(|(known, _)| known == facts) {
            Some((_, numbers)) => numbers.push(number.to_string()),
            None => groups.push((facts, vec![number.to_string()])),
        }
    }
    let groups: Vec<String> = groups
        .into_iter()
        .map(|(facts, numbers)| {
            let word = if numbers.len() == 1 { "shard" } else { "shards" };
            format!("{word} {}: {facts}", numbers.join(", "))
        })
        .collect();
    (groups.len() > 1).then(|| groups.join("; "))
}

/// What may differ between the shards of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShardSurroundings {
    Machine,
    Sandbox,
}

impl ShardSurroundings {
    /// A sentence about those of the shards, each with its number, if they are not equal.
    pub(super) fn unlike(self, shards: &[(usize, &Outline)]) -> Option<String> {
        let facts = shards.iter().map(|(number, outline)| {
            let facts = match self {
                Self::Machine => machine(&outline.origin.machine),
                Self::Sandbox => sandbox(&outline.sandbox),
            };
            (*number, facts)
        });
        let place = match self {
            Self::Machine => "on unlike machines",
            Self::Sandbox => "in unlike sandboxes",
        };
        let groups = groups(&facts.collect::<Vec<_>>())?;
        Some(format!("the shards ran {place}: {groups}"))
    }
}

fn machine(machine: &Machine) -> String {
    let cpu = machine.cpu.as_deref().unwrap_or("unknown processor");
    let kernel = machine.kernel.as_deref().unwrap_or("unknown kernel");
    let Machine { os, arch, cores, .. } = machine;
    format!("{cpu}, {cores} cores, {os} {kernel}, {arch}")
}

fn sandbox(facts: &Facts) -> String {
    let missing: Vec<&str> = facts.missing().map(|(missing, _)| missing.name()).collect();
    let missing = if missing.is_empty() { "nothing".to_owned() } else { missing.join(", ") };
    format!("{}, missing {missing}", facts.back_end.name())
}

/// Whether the CPU time or the wall time of the run is within 20 % of its limit.
pub(super) fn is_near_limit(result: &CaseResult, limits: &Limits) -> bool {
    let near = |time: std::time::Duration, limit: std::time::Duration| {
        (limit.mul_f64(0.8)..=limit.mul_f64(1.2)).contains(&time)
    };
    let usage = &result.usage;
    result.verdict != Verdict::Skipped
        && (near(usage.cpu(), limits.cpu_time) || near(usage.wall, limits.wall_time))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::specimen;

    #[test]
    fn equal_machines_are_not_told_and_unlike_ones_are_grouped() {
        let outline = specimen::outline(1);
        let machines = ShardSurroundings::Machine;
        assert_eq!(machines.unlike(&[(1, &outline), (2, &outline)]), None);
        let mut other = specimen::outline(1);
        other.origin.machine.cpu = Some("Fast 9000".to_owned());
        let shards = [(1, &outline), (2, &other), (3, &outline)];
        let told = machines.unlike(&shards).unwrap();
        assert_eq!(ShardSurroundings::Sandbox.unlike(&shards), None);
        assert!(told.contains("unlike machines: shards 1, 3: "), "{told}");
        assert!(told.contains("; shard 2: Fast 9000, "), "{told}");
    }

    #[test]
    fn a_run_is_near_its_limit_from_four_fifths_to_six_fifths_of_it() {
        let limits = specimen::limits();
        for (part, near) in [(0.79, false), (0.81, true), (1.0, true), (1.19, true), (1.3, false)] {
            let mut result = specimen::result("1", Verdict::Accepted);
            result.usage.cpu_user = limits.cpu_time.mul_f64(part);
            assert_eq!(is_near_limit(&result, &limits), near, "{part}");
            result.usage.cpu_user = Duration::ZERO;
            result.usage.wall = limits.wall_time.mul_f64(part);
            assert_eq!(is_near_limit(&result, &limits), near, "{part}");
        }
    }
}
