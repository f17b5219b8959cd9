//! The plan of shards: which shard judges which unit. A pure function of the units and the number of shards.
//!
//! A unit is a submission with all of its cases, so everything that depends on each other stays together: groups, scores,
//! graders, and the promise of a verdict. With earlier times, the unit that takes longest goes to the shard with the least
//! work (Graham, "Bounds on multiprocessing timing anomalies", 1969: at most 4/3 of the optimum). Without, the units go
//! round. Units are ordered by name, so their order in the selection does not matter.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::time::Duration;

/// A submission with cases that one shard judges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShardUnit<'a> {
    /// The problem's id.
    pub(crate) problem: &'a str,
    /// The submission's name.
    pub(crate) submission: &'a str,
    /// The CPU time of its cases in an earlier run, if it was in that run.
    pub(crate) cpu: Option<Duration>,
    /// The time of the compiler in an earlier run. A shard compiles a submission once, even if it has several units of it.
    pub(crate) compile: Option<Duration>,
}

impl<'a> ShardUnit<'a> {
    fn name(&self) -> (&'a str, &'a str) {
        (self.problem, self.submission)
    }
}

/// The shard of each unit, counted from 0. `shards` is at least 1.
pub(crate) fn assign(units: &[ShardUnit<'_>], shards: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|&unit| units[unit].name());
    let Some(unknown) = median(units.iter().filter_map(|unit| unit.cpu).collect()) else {
        return round_robin(&order, shards);
    };
    let compile = median(units.iter().filter_map(|unit| unit.compile).collect());
    let cpu = |unit: usize| units[unit].cpu.unwrap_or(unknown);
    // Not in the earlier run: its compilation takes as long as others do.
    let compile = |unit: usize| {
        let known = units[unit].cpu.is_some();
        let guess = compile.filter(|_| !known).unwrap_or_default();
        units[unit].compile.unwrap_or(guess)
    };
    // Stable: units that take equally long stay ordered by name.
    order.sort_by_key(|&unit| Reverse(cpu(unit) + compile(unit)));
    // With equal loads, the shard with the fewest units is next: units may take no time.
    let mut loads: BinaryHeap<Reverse<(Duration, usize, usize)>> =
        (0..shards).map(|shard| Reverse((Duration::ZERO, 0, shard))).collect();
    let mut compiled = BTreeSet::new();
    let mut assigned = vec![0; units.len()];
    for unit in order {
        let Reverse((load, count, shard)) = loads.pop().expect("there is a shard");
        assigned[unit] = shard;
        let first = compiled.insert((shard, units[unit].name()));
        let compile = if first { compile(unit) } else { Duration::ZERO };
        loads.push(Reverse((load + cpu(unit) + compile, count + 1, shard)));
    }
    assigned
}

fn round_robin(order: &[usize], shards: usize) -> Vec<usize> {
    let mut assigned = vec![0; order.len()];
    for (turn, &unit) in order.iter().enumerate() {
        assigned[unit] = turn % shards;
    }
    assigned
}

/// The lower median; `None` if there are no times.
fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort();
    let middle = times.len().checked_sub(1)? / 2;
    times.get(middle).copied()
}

#[cfg(test)]
mod tests;
