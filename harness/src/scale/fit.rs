//! Finds the families of growth that explain the measurements.
//!
//! The model is `start + growth · f(n) · (n / top)^drift` with `start` and `growth` at least zero. `start` is the
//! start-up cost of the program; as a part of the fit, it is not mistaken for growth. The drift describes how the cost
//! of an operation rises as caches overflow and branches are mispredicted: it is often twice as high at the largest size
//! as at the smallest. A logarithm has the same effect. Therefore `n` and `n log n` can seldom be distinguished, and a
//! logarithm that the machine causes is not attributed to the program. A drift by a factor of two counts as an error of
//! two standard deviations.
//!
//! Errors are relative, so that small sizes count as much as large ones. Families are ranked by
//! Akaike's criterion with its correction for few points and for a spread larger than assumed (`QAICc`: K. Burnham and
//! D. Anderson, *Model Selection and Multimodel Inference*, 2002, section 2.5).

use super::Family;

/// The typical deviation of a real program from its curve, as a fraction. Pages and buffers that double cause it.
const STRAY: f64 = 0.05;

/// The standard deviation of the drift: the logarithm of the ratio between the cost of an operation at the largest and at
/// the smallest size.
const DRIFT: f64 = std::f64::consts::LN_2 / 2.0;

/// The largest drift that is tried, in tenths of its standard deviation.
const FARTHEST: i32 = 30;

/// A family is ruled out if the best one is better by this value of the criterion, which means about thirty times as
/// likely.
const MUCH_BETTER: f64 = 7.0;

/// Growth below this fraction of the start-up cost cannot be distinguished from no growth.
const LEAST_SHARE: f64 = 0.25;

/// The fewest sizes at which growth must be visible. With fewer sizes it may be an accident.
const LEAST_REACH: usize = 3;

/// The fewest sizes for a fit.
pub(crate) const FEWEST: usize = 6;

/// The measured figure at one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SizeSample {
    /// The size, at least 1.
    pub(crate) n: f64,
    /// The figure, above zero, in any unit.
    pub(crate) value: f64,
    /// The standard error of the figure, as a fraction of it.
    pub(crate) spread: f64,
}

/// A family with the parameters that fit best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    pub(crate) family: Family,
    /// The constant part, in the unit of the figures.
    start: f64,
    /// The growing part at the largest size, in the unit of the figures.
    growth: f64,
    /// The largest size.
    top: f64,
    /// The cost of an operation grows with the size to this power.
    drift: f64,
    /// The sum of squared errors, in units of the expected errors.
    errors: f64,
    /// The difference of the criterion from the best family.
    pub(crate) behind: f64,
}

/// The families that explain the figures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Growth {
    /// The fits that are not ruled out, from the slowest growth to the fastest; never empty.
    fits: Vec<Fit>,
    /// The index of the best fit.
    best: usize,
    /// The typical distance of the figures from the best fit, as a fraction.
    pub(crate) stray: f64,
}

impl Fit {
    /// The best fit of a family.
    fn of(family: Family, samples: &[SizeSample]) -> Self {
        let farthest = match family {
            Family::One => 0,
            _ => FARTHEST,
        };
        (-farthest..=farthest)
            .map(|tenths| Self::with_drift(family, samples, f64::from(tenths) / 10.0))
            .min_by(|a, b| a.errors.total_cmp(&b.errors))
            .expect("the range holds zero")
    }

    /// The best fit with a drift of `deviations` standard deviations.
    fn with_drift(family: Family, samples: &[SizeSample], deviations: f64) -> Self {
        let top = samples.iter().map(|sample| sample.n).fold(1.0, f64::max);
        let low = samples.iter().map(|sample| sample.n).fold(top, f64::min);
        let drift = deviations * DRIFT / (top / low).ln();
        let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            let terms = samples.iter().map(|sample| {
                let share = match family {
                    Family::One => 0.0,
                    _ => family.share(sample.n, top) * drifted(sample.n, top, drift),
                };
                term(1.0 / sample.value, share / sample.value) / variance(sample)
            });
            terms.sum()
        };
        let (uu, uv, vv) = (sum(&|u, _| u * u), sum(&|u, v| u * v), sum(&|_, v| v * v));
        let (u, v) = (sum(&|u, _| u), sum(&|_, v| v));
        let determinant = uu * vv - uv * uv;
        let (mut start, mut growth) =
            ((u * vv - v * uv) / determinant, (v * uu - u * uv) / determinant);
        // The sum of squares is convex, so if a parameter is negative, the best valid one is zero.
        if start.is_nan() || growth.is_nan() || start < 0.0 || growth < 0.0 {
            (start, growth) = if vv > 0.0 && start < 0.0 { (0.0, v / vv) } else { (u / uu, 0.0) };
        }
        let mut fit = Self { family, start, growth, top, drift, errors: 0.0, behind: 0.0 };
        let errors = samples.iter().map(|sample| fit.error(sample).powi(2) / variance(sample));
        fit.errors = errors.sum::<f64>() + deviations.powi(2);
        fit
    }

    /// The predicted value at size `n`.
    pub(crate) fn at(&self, n: f64) -> f64 {
        let share = self.family.share(n, self.top) * drifted(n, self.top, self.drift);
        self.start + self.growth * share
    }

    /// The constant part, in the unit of the figures.
    pub(crate) fn start(&self) -> f64 {
        self.start
    }

    fn error(&self, sample: &SizeSample) -> f64 {
        self.at(sample.n) / sample.value - 1.0
    }

    /// Whether the growth is too small to be visible.
    fn is_flat(&self) -> bool {
        self.growth < LEAST_SHARE * self.start
    }

    /// The number of sizes at which growth has started.
    fn reach(&self, samples: &[SizeSample]) -> usize {
        let grown = |sample: &&SizeSample| self.family.share(sample.n, self.top) > 0.001;
        samples.iter().filter(grown).count()
    }

    /// The number of fitted parameters, including the spread.
    fn parameters(&self) -> f64 {
        if self.family == Family::One { 2.0 } else { 3.0 }
    }

    /// The largest size, from 1 to 10^18, whose value is at most `limit`. `None` if every size is within the limit, 0 if
    /// no size is.
    pub(crate) fn largest(&self, limit: f64) -> Option<u64> {
        const END: u64 = 1_000_000_000_000_000_000;
        if self.at(END as f64) <= limit {
            return None;
        }
        let (mut fits, mut does_not) = (0, END);
        while does_not - fits > 1 {
            let middle = u64::midpoint(fits, does_not);
            if self.at(middle as f64) <= limit {
                fits = middle;
            } else {
                does_not = middle;
            }
        }
        Some(fits)
    }
}

/// The cost of an operation at size `n` relative to its cost at the largest measured size. Beyond that size, the cost is
/// unknown and assumed to be constant.
fn drifted(n: f64, top: f64, drift: f64) -> f64 {
    (n / top).min(1.0).powf(drift)
}

fn variance(sample: &SizeSample) -> f64 {
    sample.spread * sample.spread + STRAY * STRAY
}

impl Growth {
    /// Fits every family. `None` if the samples have fewer than [`FEWEST`] different sizes, or if a figure is not
    /// positive and finite.
    pub(crate) fn of(samples: &[SizeSample]) -> Option<Self> {
        let mut sizes: Vec<f64> = samples.iter().map(|sample| sample.n).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let sound = |sample: &SizeSample| {
            let figures = [sample.n, sample.value, sample.spread];
            figures.iter().all(|x| x.is_finite()) && sample.n >= 1.0 && sample.value > 0.0
        };
        if sizes.len() < FEWEST || !samples.iter().all(sound) {
            return None;
        }
        let count = samples.len() as f64;
        let mut fits: Vec<Fit> = Family::ALL.map(|family| Fit::of(family, samples)).to_vec();
        // A family whose growth is invisible is equivalent to `One`. A family that grows at too few sizes is an accident.
        let is_seen = |fit: &Fit| !fit.is_flat() && fit.reach(samples) >= LEAST_REACH;
        fits.retain(|fit| fit.family == Family::One || is_seen(fit));
        let least = fits.iter().map(|fit| fit.errors).fold(f64::INFINITY, f64::min);
        let inflation = (least / (count - 3.0)).max(1.0);
        for fit in &mut fits {
            let k = fit.parameters();
            fit.behind = fit.errors / inflation + 2.0 * k + 2.0 * k * (k + 1.0) / (count - k - 1.0);
        }
        let lowest = fits.iter().map(|fit| fit.behind).fold(f64::INFINITY, f64::min);
        for fit in &mut fits {
            fit.behind -= lowest;
        }
        fits.retain(|fit| fit.behind <= MUCH_BETTER);
        let best = (0..fits.len()).min_by(|a, b| fits[*a].behind.total_cmp(&fits[*b].behind))?;
        let squares: f64 = samples.iter().map(|sample| fits[best].error(sample).powi(2)).sum();
        Some(Self { stray: (squares / count).sqrt(), fits, best })
    }

    /// The best fit.
    pub(crate) fn best(&self) -> &Fit {
        &self.fits[self.best]
    }

    /// All fits that are not ruled out, from the slowest growth to the fastest.
    pub(crate) fn fits(&self) -> &[Fit] {
        &self.fits
    }

    /// Whether no growth is visible.
    pub(crate) fn is_flat(&self) -> bool {
        self.range() == (Family::One, Family::One)
    }

    /// The slowest and the fastest family that are not ruled out.
    pub(crate) fn range(&self) -> (Family, Family) {
        (self.fits[0].family, self.fits[self.fits.len() - 1].family)
    }

    /// The largest size within `limit`, according to the most and the least cautious fit. `None` if the fit never reaches
    /// the limit.
    pub(crate) fn largest(&self, limit: f64) -> (Option<u64>, Option<u64>) {
        let all = || self.fits.iter().map(|fit| fit.largest(limit));
        let least = all().flatten().min();
        let most = all().collect::<Option<Vec<u64>>>().and_then(|all| all.into_iter().max());
        (least, most)
    }
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.range() {
            (slowest, fastest) if slowest == fastest => write!(f, "{slowest}"),
            (slowest, fastest) => {
                let best = self.best().family;
                write!(f, "between {slowest} and {fastest}, likely {best}")
            }
        }
    }
}

#[cfg(test)]
mod tests;
