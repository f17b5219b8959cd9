//! One sample: its median, its spread, and its errors.

use super::{Interval, MedianDistribution};

/// Why a sample cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The sample is empty.
    #[error("no run was measured")]
    Empty,
    /// The sides of [`Pairs`](super::Pairs) differ in length.
    #[error("{base} runs of the base, but {new} runs of the new version: a pair needs one of each")]
    Unequal {
        /// The number of runs of the base.
        base: usize,
        /// The number of runs of the new version.
        new: usize,
    },
    /// A figure is zero, negative, infinite or not a number, so it has no finite logarithm.
    #[error("run {} of the {side} measured {value}, so no ratio can be computed", index + 1)]
    NotPositive {
        /// The program.
        side: Side,
        /// The index of the run, from 0.
        index: usize,
        /// The figure.
        value: f64,
    },
    /// A figure is infinite or not a number.
    #[error("run {} measured {value}", index + 1)]
    NotFinite {
        /// The index of the run, from 0.
        index: usize,
        /// The figure.
        value: f64,
    },
}

/// One of the two programs of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The base.
    Base,
    /// The new version, which may have become slower.
    New,
}

impl std::fmt::Display for Side {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Base => "base",
            Self::New => "new version",
        })
    }
}

/// The summary of a sample, in the unit of the sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The number of runs.
    pub count: usize,
    /// The smallest figure.
    pub min: f64,
    /// A quarter of the figures is below this one.
    pub lower_quartile: f64,
    /// Half of the figures is below this one.
    pub median: f64,
    /// A quarter of the figures is above this one.
    pub upper_quartile: f64,
    /// The largest figure.
    pub max: f64,
    /// The spread: see [`mad`].
    pub mad: f64,
    /// The confidence interval of the median; `None` if there are too few runs for the level.
    pub interval: Option<Interval>,
}

impl Summary {
    /// Summarises `sample`, with a confidence interval of the median at `level` (0.95 for 95 %).
    pub fn of(sample: &[f64], level: f64) -> Result<Self, SampleError> {
        let distribution = MedianDistribution::new(sample)?;
        let sorted = distribution.sorted();
        let at = |fraction| quantile_of_sorted(sorted, fraction);
        Ok(Self {
            count: sorted.len(),
            min: at(0.0),
            lower_quartile: at(0.25),
            median: at(0.5),
            upper_quartile: at(0.75),
            max: at(1.0),
            mad: mad(sample)?,
            interval: distribution.interval(level),
        })
    }
}

/// The middle figure of `sample`, or the mean of the middle two.
pub fn median(sample: &[f64]) -> Result<f64, SampleError> {
    quantile(sample, 0.5)
}

/// The median distance from the median, times 1.4826: an estimate of the standard deviation that outliers do not affect.
pub fn mad(sample: &[f64]) -> Result<f64, SampleError> {
    /// The reciprocal of the 0.75 quantile of the normal distribution.
    const NORMAL: f64 = 1.482_602_218_505_602;
    let middle = median(sample)?;
    let distances: Vec<f64> = sample.iter().map(|x| (x - middle).abs()).collect();
    Ok(median(&distances)? * NORMAL)
}

/// The value below which `fraction` (0 to 1, clamped) of `sample` lies, interpolated linearly between neighbours
/// (type 7 of R. Hyndman and Y. Fan, *Sample Quantiles in Statistical Packages*, 1996).
pub fn quantile(sample: &[f64], fraction: f64) -> Result<f64, SampleError> {
    Ok(quantile_of_sorted(&sorted(sample)?, fraction))
}

/// A sorted copy of `sample`. All figures must be finite.
pub(super) fn sorted(sample: &[f64]) -> Result<Vec<f64>, SampleError> {
    if sample.is_empty() {
        return Err(SampleError::Empty);
    }
    if let Some(index) = sample.iter().position(|x| !x.is_finite()) {
        let value = sample[index];
        return Err(SampleError::NotFinite { index, value });
    }
    let mut sorted = sample.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(sorted)
}

pub(super) fn quantile_of_sorted(sorted: &[f64], fraction: f64) -> f64 {
    let last = sorted.len() - 1;
    let position = fraction.clamp(0.0, 1.0) * last as f64;
    let below = (position as usize).min(last);
    let (low, high) = (sorted[below], sorted[(below + 1).min(last)]);
    low + (high - low) * (position - below as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate_between_neighbours() {
        let sample = [4.0, 1.0, 3.0, 2.0];
        for (fraction, expected) in [(0.0, 1.0), (0.25, 1.75), (0.5, 2.5), (1.0, 4.0), (7.0, 4.0)] {
            assert_eq!(quantile(&sample, fraction), Ok(expected), "{fraction}");
        }
        assert_eq!(median(&[5.0]), Ok(5.0));
    }

    #[test]
    fn an_outlier_changes_neither_median_nor_mad() {
        let calm = [1.0, 2.0, 3.0, 4.0, 5.0];
        let wild = [1.0, 2.0, 3.0, 4.0, 5e9];
        assert_eq!(median(&calm), median(&wild));
        assert_eq!(mad(&calm), mad(&wild));
    }

    #[test]
    fn an_empty_or_infinite_sample_is_an_error() {
        assert_eq!(median(&[]), Err(SampleError::Empty));
        let nan = mad(&[1.0, f64::NAN]).unwrap_err();
        assert_eq!(nan.to_string(), "run 2 measured NaN");
        assert!(Summary::of(&[1.0, f64::INFINITY], 0.95).is_err());
    }

    #[test]
    fn a_summary_has_the_quantiles_and_the_interval() {
        let sample: Vec<f64> = (1..=101).map(f64::from).collect();
        let summary = Summary::of(&sample, 0.95).unwrap();
        assert_eq!(
            (
                summary.min,
                summary.lower_quartile,
                summary.median,
                summary.upper_quartile,
                summary.max
            ),
            (1.0, 26.0, 51.0, 76.0, 101.0)
        );
        let interval = summary.interval.unwrap();
        // The order statistics 41 and 61 of 101 cover the median with 95 %.
        assert_eq!((interval.lower, interval.upper), (41.0, 61.0));
        assert_eq!(Summary::of(&[1.0, 2.0, 3.0], 0.95).unwrap().interval, None);
    }
}
