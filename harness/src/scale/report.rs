//! The result for one solution, and whether the asserted bounds hold.

use std::time::Duration;

use super::fit::FEWEST;
use super::{Family, Growth, SizeMeasurement, SizeSample};

/// The growth of one solution.
#[derive(Debug)]
pub(crate) struct ScaleReport {
    /// The path of the source, as typed.
    pub(crate) solution: String,
    /// The measurements, from the smallest size to the largest. The last one may exceed the time limit.
    pub(crate) series: Vec<SizeMeasurement>,
    /// The growth of CPU time, in seconds; `None` if too few sizes were measured.
    pub(crate) cpu: Option<Growth>,
    /// The growth of peak memory, in bytes; `None` if too few sizes use more memory than the smallest.
    pub(crate) memory: Option<Growth>,
    /// The CPU time limit.
    pub(crate) limit: Duration,
    /// The assertion about CPU time.
    pub(crate) at_most: Option<GrowthBound>,
    /// The assertion about peak memory.
    pub(crate) memory_at_most: Option<GrowthBound>,
}

/// The asserted bounds: the fastest growth that is allowed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asserted {
    /// The bound for CPU time.
    pub(crate) cpu: Option<Family>,
    /// The bound for peak memory.
    pub(crate) memory: Option<Family>,
}

/// An assertion about a growth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GrowthBound {
    /// The fastest growth that is allowed.
    pub(crate) family: Family,
    /// Whether it holds.
    pub(crate) held: Held,
}

/// Whether an assertion holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// Every family that explains the figures is within the bound.
    Yes,
    /// No family that explains the figures is within the bound.
    No,
    /// Some families are within the bound, or there is no fit.
    Unknown,
}

impl ScaleReport {
    /// Fits the measurements and checks the assertions.
    pub(crate) fn new(
        solution: String,
        series: Vec<SizeMeasurement>,
        limit: Duration,
        asserted: Asserted,
    ) -> Self {
        let cpu: Vec<SizeSample> = series.iter().filter_map(SizeMeasurement::cpu_sample).collect();
        let cpu = Growth::of(&cpu);
        let memory: Vec<SizeSample> =
            series.iter().filter_map(SizeMeasurement::memory_sample).collect();
        let memory = Growth::of(&above_minimum(memory));
        let bound = |family, held| GrowthBound { family, held };
        let at_most = asserted.cpu.map(|family| bound(family, cpu_held(cpu.as_ref(), family)));
        let memory_at_most =
            asserted.memory.map(|family| bound(family, held(memory.as_ref(), family)));
        Self { solution, series, cpu, memory, limit, at_most, memory_at_most }
    }

    /// Whether all assertions hold. A broken assertion takes precedence over an unknown one.
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

    /// The sizes within the time limit.
    pub(crate) fn measured(&self) -> impl Iterator<Item = &SizeMeasurement> {
        self.series.iter().filter(|measured| measured.over.is_none())
    }

    /// Why the growth cannot be determined; `None` if it can.
    pub(crate) fn too_few(&self) -> Option<String> {
        if self.cpu.is_some() {
            return None;
        }
        let count = self.measured().count();
        let sizes = if count == 1 { "size was" } else { "sizes were" };
        Some(format!(
            "only {count} {sizes} measured within the limits; at least {FEWEST} different sizes are needed"
        ))
    }
}

/// The samples that are clearly above the smallest one, or all samples if none is. The peak memory of a program includes
/// the memory of the process that started it, so the smallest sizes often have the same figure. No family of growth has
/// such a bend.
fn above_minimum(samples: Vec<SizeSample>) -> Vec<SizeSample> {
    let minimum = samples.iter().map(|sample| sample.value).fold(f64::INFINITY, f64::min);
    let above: Vec<SizeSample> =
        samples.iter().filter(|sample| sample.value > 1.1 * minimum).copied().collect();
    if above.is_empty() { samples } else { above }
}

/// Whether CPU time is within its bound. CPU time that may not grow yet is unknown, because it can grow at larger sizes.
/// Memory that does not grow, in contrast, is assumed to stay constant.
fn cpu_held(growth: Option<&Growth>, bound: Family) -> Held {
    let grows = |growth: &&Growth| growth.range().0 > Family::One || bound == Family::One;
    held(growth.filter(grows), bound)
}

/// Whether a growth is within its bound. Figures alone cannot reveal a logarithm, so the bound times a logarithm is also
/// accepted, if the bound explains the figures too.
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

    /// The growth fitted to twelve sizes; `value` is the time in seconds.
    fn growth(value: impl Fn(f64) -> f64) -> Growth {
        let sizes = (0..12).map(|i| 1000.0 * 2_f64.powi(i));
        let samples: Vec<SizeSample> =
            sizes.map(|n| SizeSample { n, value: 0.001 + value(n), spread: 0.01 }).collect();
        Growth::of(&samples).unwrap()
    }

    #[test]
    fn a_bound_holds_is_broken_or_is_unknown() {
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
    fn the_worst_of_several_assertions_counts() {
        use Family::{Linear, One, Square};
        let measured = |n: u64| SizeMeasurement {
            n,
            input: 1,
            cpu: vec![n as f64 * 1e-6; 3],
            memory: vec![n as f64 * 64.0; 3],
            over: None,
        };
        let held = |sizes: u32, cpu, memory| {
            let series = (0..sizes).map(|size| measured(1000 << size)).collect();
            let limit = Duration::from_secs(1);
            ScaleReport::new(String::new(), series, limit, Asserted { cpu, memory }).held()
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
    fn only_memory_above_the_minimum_is_fitted() {
        let sample = |n: i32, value: f64| SizeSample { n: f64::from(n), value, spread: 0.0 };
        let flat: Vec<SizeSample> = (1..9).map(|n| sample(n, 100.0)).collect();
        assert_eq!(above_minimum(flat.clone()), flat);
        let bent: Vec<SizeSample> =
            (1..9).map(|n| sample(n, f64::from(n * 30).max(100.0))).collect();
        assert_eq!(above_minimum(bent.clone()), bent[3..]);
    }
}
