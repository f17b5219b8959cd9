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
    /// What was asserted.
    pub(crate) at_most: Option<Bound>,
}

/// An assertion about the growth of CPU time.
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
        at_most: Option<Family>,
    ) -> Self {
        let cpu: Vec<Sample> = series.iter().filter_map(Measured::cpu_sample).collect();
        let cpu = Growth::of(&cpu);
        let memory: Vec<Sample> = series.iter().filter_map(Measured::memory_sample).collect();
        let memory = Growth::of(&above_floor(memory));
        let at_most = at_most.map(|family| Bound {
            family,
            held: held(cpu.as_ref(), family),
        });
        Self {
            solution,
            series,
            cpu,
            memory,
            limit,
            at_most,
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

/// Time alone does not tell a logarithm, so one more than the bound is let pass if the bound explains the figures too.
fn held(growth: Option<&Growth>, bound: Family) -> Held {
    // Where nothing grows yet, growth is still to come.
    let growth = growth.filter(|growth| !growth.is_flat() || bound == Family::One);
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
            assert_eq!(held(Some(growth), bound), expected, "{growth} {bound}");
        }
        assert_eq!(held(None, Linear), Held::Unknown);
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
