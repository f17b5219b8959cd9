//! The summary of one sample.

use super::sample::quantile_of_sorted;
use super::{Interval, MedianDistribution, SampleError, mad};

/// The summary of a sample, in the unit of the sample.
#[derive(Debug, Clone, PartialEq)]
pub struct SampleSummary {
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

impl SampleSummary {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_infinite_sample_is_an_error() {
        assert!(SampleSummary::of(&[1.0, f64::INFINITY], 0.95).is_err());
    }

    #[test]
    fn a_summary_has_the_quantiles_and_the_interval() {
        let sample: Vec<f64> = (1..=101).map(f64::from).collect();
        let summary = SampleSummary::of(&sample, 0.95).unwrap();
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
        assert_eq!(SampleSummary::of(&[1.0, 2.0, 3.0], 0.95).unwrap().interval, None);
    }
}
