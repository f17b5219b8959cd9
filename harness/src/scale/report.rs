//! What came out, and whether it is within the bound that was asserted.

use std::time::Duration;

use super::fit::FEWEST;
use super::{Family, Growth, Measured, Sample};

/// How one solution grows.
#[derive(Debug)]
pub(crate) struct Report {
    /// Its source, as it was named.
    pub(crate) solution: String,
    /// From the smallest size to the largest; the last may be over the limit.
    pub(crate) series: Vec<Measured>,
    /// Of CPU time, in seconds; `None` if too few sizes were measured.
    pub(crate) cpu: Option<Growth>,
    /// Of peak memory, in bytes; `None` if too few sizes need more than any program does.
    pub(crate) memory: Option<Growth>,
    /// The limit of CPU time.
    pub(crate) limit: Duration,
    /// What was asserted of CPU time.
    pub(crate) at_most: Option<Bound>,
    /// What was asserted of peak memory.
    pub(crate) memory_at_most: Option<Bound>,
}

/// The fastest growth that is allowed, where something is asserted.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asserted {
    /// Of CPU time.
    pub(crate) cpu: Option<Family>,
    /// Of peak memory.
    pub(crate) memory: Option<Family>,
}

/// An assertion about a growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The fastest growth that is allowed.
    pub(crate) family: Family,
    /// Whether it holds.
    pub(crate) held: Held,
}

/// Whether an assertion holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// Every family that explains the figures is within it.
    Yes,
    /// None is.
    No,
    /// Some are.
    Unknown,
}

impl Report {
    /// Fits what was measured.
    pub(crate) fn new(
        solution: String,
        series: Vec<Measured>,
        limit: Duration,
        asserted: Asserted,
    ) -> Self {
        let cpu: Vec<Sample> = series.iter().filter_map(Measured::cpu_sample).collect();
        let cpu = Growth::of(&cpu);
        let memory: Vec<Sample> = series.iter().filter_map(Measured::memory_sample).collect();
        let memory = Growth::of(&above_floor(memory));
        let bound = |family, held| Bound { family, held };
        let at_most = asserted
            .cpu
            .map(|family| bound(family, cpu_held(cpu.as_ref(), family)));
        let memory_at_most = asserted
            .memory
            .map(|family| bound(family, held(memory.as_ref(), family)));
        Self {
            solution,
            series,
            cpu,
            memory,
            limit,
            at_most,
            memory_at_most,
        }
    }

    /// What all that was asserted comes to: one that is broken counts for more than one that stays open.
    pub(crate) fn held(&self) -> Held {
        let asserted = [self.at_most, self.memory_at_most];
        let held = |wanted: Held| asserted.iter().flatten().any(|bound| bound.held == wanted);
        if held(Held::No) {
            Held::No
        } else if self.cpu.is_none() || held(Held::Unknown) {
            Held::Unknown
        } else {
            Held::Yes
        }
    }

    /// The sizes that were measured.
    pub(crate) fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.series
            .iter()
            .filter(|measured| measured.over.is_none())
    }

    /// Why there is no growth to tell.
    pub(crate) fn too_few(&self) -> Option<String> {
        if self.cpu.is_some() {
            return None;
        }
        let count = self.measured().count();
        Some(format!(
            "{count} sizes were measured within the limits, and it takes {FEWEST} different ones to tell a growth"
        ))
    }
}

/// A program's peak is at least that of what started it, so the first sizes often show the same figure; no family has
/// such a bend. Either nothing grows, or only what is above counts.
fn above_floor(samples: Vec<Sample>) -> Vec<Sample> {
    let floor = samples
        .iter()
        .map(|sample| sample.value)
        .fold(f64::INFINITY, f64::min);
    let above: Vec<Sample> = samples
        .iter()
        .filter(|sample| sample.value > 1.1 * floor)
        .copied()
        .collect();
    if above.is_empty() { samples } else { above }
}

/// Whether CPU time is within its bound. Where it may be that nothing grows yet, growth is still to come; memory that
/// does not grow is all that it will ever need.
fn cpu_held(growth: Option<&Growth>, bound: Family) -> Held {
    let grows = |growth: &&Growth| growth.range().0 > Family::One || bound == Family::One;
    held(growth.filter(grows), bound)
}

/// Figures alone do not tell a logarithm, so one more than the bound is let pass if the bound explains them too.
fn held(growth: Option<&Growth>, bound: Family) -> Held {
    match growth.map(Growth::range) {
        Some((_, fastest)) if fastest <= bound => Held::Yes,
        Some((slowest, fastest)) if slowest <= bound && Some(fastest) == bound.times_log() => {
            Held::Yes
        }
        Some((slowest, _)) if slowest > bound => Held::No,
        _ => Held::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve sizes and what they took, in seconds.
    fn growth(value: impl Fn(f64) -> f64) -> Growth {
        let sizes = (0..12).map(|i| 1000.0 * 2_f64.powi(i));
        let samples: Vec<Sample> = sizes
            .map(|n| Sample {
                n,
                value: 0.001 + value(n),
                spread: 0.01,
            })
            .collect();
        Growth::of(&samples).unwrap()
    }

    #[test]
    fn a_bound_holds_is_broken_or_stays_open() {
        use Family::{Cube, Linear, Linearithmic, One, RootTimes, Square};
        let linear = growth(|n| n * 1e-6);
        let square = growth(|n| n * n * 1e-9);
        let flat = growth(|_| 0.0);
        let table = [
            (&linear, Linear, Held::Yes),
            (&linear, Linearithmic, Held::Yes),
            (&linear, Square, Held::Yes),
            (&linear, One, Held::No),
            (&square, Linearithmic, Held::No),
            (&square, RootTimes, Held::No),
            (&square, Square, Held::Yes),
            (&square, Cube, Held::Yes),
            (&flat, One, Held::Yes),
            (&flat, Linear, Held::Unknown),
        ];
        for (growth, bound, expected) in table {
            assert_eq!(cpu_held(Some(growth), bound), expected, "{growth} {bound}");
        }
        assert_eq!(cpu_held(None, Linear), Held::Unknown);
    }

    #[test]
    fn memory_that_does_not_grow_is_within_every_bound() {
        let flat = growth(|_| 0.0);
        assert_eq!(held(Some(&flat), Family::Linear), Held::Yes);
        assert_eq!(held(Some(&flat), Family::One), Held::Yes);
        assert_eq!(held(None, Family::Linear), Held::Unknown);
    }

    #[test]
    fn of_several_assertions_the_worst_counts() {
        use Family::{Linear, One, Square};
        let measured = |n: u64| Measured {
            n,
            input: 1,
            cpu: vec![n as f64 * 1e-6; 3],
            memory: vec![n as f64 * 64.0; 3],
            over: None,
        };
        let held = |sizes: u32, cpu, memory| {
            let series = (0..sizes).map(|size| measured(1000 << size)).collect();
            let limit = Duration::from_secs(1);
            Report::new(String::new(), series, limit, Asserted { cpu, memory }).held()
        };
        let table = [
            (8, None, None, Held::Yes),
            (8, Some(Linear), Some(Square), Held::Yes),
            (8, Some(Linear), Some(One), Held::No),
            (8, Some(One), Some(Linear), Held::No),
            (4, Some(One), Some(One), Held::Unknown),
            (4, None, None, Held::Unknown),
        ];
        for (sizes, cpu, memory, expected) in table {
            assert_eq!(held(sizes, cpu, memory), expected, "{cpu:?} {memory:?}");
        }
    }

    #[test]
    fn memory_counts_from_where_it_is_more_than_anything_needs() {
        let sample = |n: i32, value: f64| Sample {
            n: f64::from(n),
            value,
            spread: 0.0,
        };
        let flat: Vec<Sample> = (1..9).map(|n| sample(n, 100.0)).collect();
        assert_eq!(above_floor(flat.clone()), flat);
        let bent: Vec<Sample> = (1..9)
            .map(|n| sample(n, f64::from(n * 30).max(100.0)))
            .collect();
        assert_eq!(above_floor(bent.clone()), bent[3..]);
    }
}
