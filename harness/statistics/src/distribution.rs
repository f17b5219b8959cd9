//! Bounds and probabilities of a median, estimated from a sample by bootstrap and by signs.

use super::SampleError;
use super::binomial::{at_least, coins_at_most};
use super::sample::{quantile_of_sorted, sorted};

/// A confidence interval of a median.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound.
    pub lower: f64,
    /// The upper bound.
    pub upper: f64,
    /// The confidence level: 0.95 for 95 %.
    pub level: f64,
}

/// The distribution of the median of a sample.
///
/// Every bound and probability is the more conservative of two. *Bootstrap*: the median of a resample is at most the
/// `k`-th smallest figure of the sample if and only if at least half of the draws are among the `k` smallest, so its
/// distribution is binomial. *Signs*: the number of figures below the true median is also binomial, with probability one
/// half. If the number of figures is even, the lower of the middle two is used for lower bounds and the upper one for
/// upper bounds.
#[derive(Debug, Clone, PartialEq)]
pub struct MedianDistribution {
    sorted: Vec<f64>,
}

impl MedianDistribution {
    /// The distribution for a sample of finite figures, in any order.
    pub fn new(sample: &[f64]) -> Result<Self, SampleError> {
        Ok(Self { sorted: sorted(sample)? })
    }

    /// The sample in ascending order.
    pub(super) fn sorted(&self) -> &[f64] {
        &self.sorted
    }

    /// The median of the sample.
    pub fn median(&self) -> f64 {
        quantile_of_sorted(&self.sorted, 0.5)
    }

    /// The lower bound: the median is below it with a probability of at most `tail`. `None` if the sample is too small
    /// for this tail.
    pub fn lower(&self, tail: f64) -> Option<f64> {
        self.rank(tail).map(|rank| self.sorted[rank])
    }

    /// The upper bound: the median is above it with a probability of at most `tail`. `None` if the sample is too small
    /// for this tail.
    pub fn upper(&self, tail: f64) -> Option<f64> {
        self.rank(tail).map(|rank| self.sorted[self.sorted.len() - 1 - rank])
    }

    /// The two-sided interval at `level`, with the same probability outside of each end.
    pub fn interval(&self, level: f64) -> Option<Interval> {
        let tail = (1.0 - level) / 2.0;
        Some(Interval { lower: self.lower(tail)?, upper: self.upper(tail)?, level })
    }

    /// The probability that the median is at most `value` (the one-sided p value of "the median is above").
    pub fn at_most(&self, value: f64) -> f64 {
        self.tail(self.sorted.partition_point(|x| *x <= value))
    }

    /// The probability that the median is at least `value` (the one-sided p value of "the median is below").
    pub fn at_least(&self, value: f64) -> f64 {
        self.tail(self.sorted.len() - self.sorted.partition_point(|x| *x < value))
    }

    /// The probability that the median is among the `count` outermost figures of one side.
    fn tail(&self, count: usize) -> f64 {
        let draws = self.sorted.len();
        let bootstrap = at_least(draws.div_ceil(2), draws, count as f64 / draws as f64);
        bootstrap.max(coins_at_most(count, draws))
    }

    /// The number of figures that can be cut off at one end so that the cut has a probability of at most `tail`.
    fn rank(&self, tail: f64) -> Option<usize> {
        // `tail(count)` grows with `count`, so a binary search finds the largest count that is still allowed.
        let counts: Vec<usize> = (0..self.sorted.len()).collect();
        counts.partition_point(|count| self.tail(*count) <= tail).checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sample: &[f64]) -> MedianDistribution {
        MedianDistribution::new(sample).unwrap()
    }

    /// The percentile bootstrap in its simplest form, with resampling.
    fn resampled(sample: &[f64], value: f64) -> f64 {
        let mut rng = fastrand::Rng::with_seed(7);
        let rounds = 20_000;
        let mut below = 0;
        for _ in 0..rounds {
            let drawn: Vec<f64> =
                sample.iter().map(|_| sample[rng.usize(..sample.len())]).collect();
            below += u32::from(super::super::median(&drawn).unwrap() <= value);
        }
        f64::from(below) / f64::from(rounds)
    }

    #[test]
    fn the_exact_bootstrap_agrees_with_a_resampled_one() {
        let sample: Vec<f64> = (0..31).map(|i: i32| f64::from((i * 17) % 31).powi(2)).collect();
        for value in [50.0, 100.0, 150.0, 200.0] {
            let count = sample.iter().filter(|x| **x <= value).count();
            let exact = at_least(16, 31, count as f64 / 31.0);
            let drawn = resampled(&sample, value);
            assert!((exact - drawn).abs() < 0.015, "{value}: {exact} {drawn}");
        }
    }

    #[test]
    fn bounds_and_probabilities_agree() {
        let sample: Vec<f64> = (0..60).map(f64::from).collect();
        let all = of(&sample);
        for tail in [0.025, 0.0125, 1e-3, 1e-6] {
            let lower = all.lower(tail).unwrap();
            assert!(all.at_most(lower - 0.5) <= tail && all.at_most(lower) > tail);
            let upper = all.upper(tail).unwrap();
            assert!(all.at_least(upper + 0.5) <= tail && all.at_least(upper) > tail);
            assert!(lower < all.median() && all.median() < upper);
        }
    }

    #[test]
    fn a_small_sample_has_no_bounds_for_a_deep_tail() {
        let five = of(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(five.interval(0.95), None);
        assert_eq!(of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).lower(0.025), Some(1.0));
        assert!((five.at_most(0.0) - 1.0 / 32.0).abs() < 1e-12);
        assert_eq!(of(&[3.0]).interval(0.95), None);
    }

    #[test]
    fn equal_figures_give_an_interval_of_zero_length() {
        let same = of(&[0.0; 60]);
        let interval = same.interval(0.95).unwrap();
        assert_eq!((interval.lower, interval.upper), (0.0, 0.0));
        assert!((same.at_most(0.0) - 1.0).abs() < 1e-12);
        assert!((same.at_least(0.0) - 1.0).abs() < 1e-12);
    }
}
