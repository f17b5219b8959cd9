//! One sample: its median, its spread, and its errors.

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
    #[error("run {} of the {version} measured {value}, so no ratio can be computed", index + 1)]
    NotPositive {
        /// The program.
        version: Version,
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
pub enum Version {
    /// The base.
    Base,
    /// The new version, which may have become slower.
    New,
}

impl std::fmt::Display for Version {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Base => "base",
            Self::New => "new version",
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
    }
}
