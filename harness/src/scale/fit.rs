//! Which families of growth explain what was measured.
//!
//! The model is `start + growth · f(n) · (n / top)^drift`, the first two at least zero: the start-up of the program is a
//! part of the fit and not taken for growth. The drift is what an operation costs more as caches overflow and branches
//! are mispredicted: easily twice as much at the largest size as at the smallest. That is just what a logarithm does,
//! so `n` and `n log n` are seldom told apart, and nobody is accused of a logarithm that is the machine's. A drift by a
//! factor of two counts as an error of two standard deviations.
//!
//! Errors are relative, so that small sizes count as much as large ones. Families are ranked by
//! Akaike's criterion with its correction for few points and for a spread larger than assumed (`QAICc`: K. Burnham and
//! D. Anderson, *Model Selection and Multimodel Inference*, 2002, section 2.5).

use super::Family;

/// How far a real program strays from its curve by pages and doubling buffers, as a fraction.
const STRAY: f64 = 0.05;

/// The standard deviation of the drift: the logarithm of what an operation costs at the largest size, of what it costs
/// at the smallest.
const DRIFT: f64 = std::f64::consts::LN_2 / 2.0;

/// How far a drift is looked for, in tenths of its standard deviation.
const FARTHEST: i32 = 30;

/// A family is left out if the best one is this much better by the criterion: some thirty times as likely.
const MUCH_BETTER: f64 = 7.0;

/// Growth below this share of the start-up cannot be told from none.
const LEAST_SHARE: f64 = 0.25;

/// Fewer sizes that take part in a growth are an accident.
const LEAST_REACH: usize = 3;

/// The fewest sizes that say anything.
pub(crate) const FEWEST: usize = 6;

/// What was measured at one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Sample {
    /// The size, at least 1.
    pub(crate) n: f64,
    /// The figure, above zero; in any unit.
    pub(crate) value: f64,
    /// How uncertain it is, as a fraction of it.
    pub(crate) spread: f64,
}

/// A family with the numbers that fit best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    pub(crate) family: Family,
    /// What does not grow, in the unit of the figures.
    start: f64,
    /// What grows, at the largest size.
    growth: f64,
    /// The largest size.
    top: f64,
    /// By which power of the size an operation gets dearer.
    drift: f64,
    /// The sum of squared errors, in units of the expected ones.
    errors: f64,
    /// How much worse it is than the best, by the criterion.
    pub(crate) behind: f64,
}

/// What explains the figures.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Growth {
    /// Those that are not ruled out, from the slowest to the fastest; never empty.
    fits: Vec<Fit>,
    /// Which of them is the best.
    best: usize,
    /// How far the figures are from it, typically, as a fraction.
    pub(crate) stray: f64,
}

impl Fit {
    /// The family's best fit.
    fn of(family: Family, samples: &[Sample]) -> Self {
        let farthest = match family {
            Family::One => 0,
            _ => FARTHEST,
        };
        (-farthest..=farthest)
            .map(|tenths| Self::with_drift(family, samples, f64::from(tenths) / 10.0))
            .min_by(|a, b| a.errors.total_cmp(&b.errors))
            .expect("the range holds zero")
    }

    /// The best fit with a drift of so many standard deviations.
    fn with_drift(family: Family, samples: &[Sample], deviations: f64) -> Self {
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
        let (mut start, mut growth) = (
            (u * vv - v * uv) / determinant,
            (v * uu - u * uv) / determinant,
        );
        // A bound that is passed is met: the sum of squares is convex.
        if start.is_nan() || growth.is_nan() || start < 0.0 || growth < 0.0 {
            (start, growth) = if vv > 0.0 && start < 0.0 {
                (0.0, v / vv)
            } else {
                (u / uu, 0.0)
            };
        }
        let mut fit = Self {
            family,
            start,
            growth,
            top,
            drift,
            errors: 0.0,
            behind: 0.0,
        };
        let errors = samples
            .iter()
            .map(|sample| fit.error(sample).powi(2) / variance(sample));
        fit.errors = errors.sum::<f64>() + deviations.powi(2);
        fit
    }

    /// The value that it foretells.
    pub(crate) fn at(&self, n: f64) -> f64 {
        let share = self.family.share(n, self.top) * drifted(n, self.top, self.drift);
        self.start + self.growth * share
    }

    /// What is there before anything grows, in the unit of the figures.
    pub(crate) fn start(&self) -> f64 {
        self.start
    }

    fn error(&self, sample: &Sample) -> f64 {
        self.at(sample.n) / sample.value - 1.0
    }

    /// Whether what grows is too little to be seen.
    fn is_flat(&self) -> bool {
        self.growth < LEAST_SHARE * self.start
    }

    /// At how many of the sizes it has begun to grow.
    fn reach(&self, samples: &[Sample]) -> usize {
        let grown = |sample: &&Sample| self.family.share(sample.n, self.top) > 0.001;
        samples.iter().filter(grown).count()
    }

    /// Numbers that were chosen to fit: the spread is one.
    fn parameters(&self) -> f64 {
        if self.family == Family::One { 2.0 } else { 3.0 }
    }

    /// The largest size, from 1 to 10^18, whose value is at most `limit`; `None`: it never gets there. 0: at no size.
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

/// What an operation costs at size `n`, of what it costs at the largest; beyond that nobody knows.
fn drifted(n: f64, top: f64, drift: f64) -> f64 {
    (n / top).min(1.0).powf(drift)
}

fn variance(sample: &Sample) -> f64 {
    sample.spread * sample.spread + STRAY * STRAY
}

impl Growth {
    /// Fits every family; `None` if the samples are of fewer than [`FEWEST`] sizes, or no positive figures.
    pub(crate) fn of(samples: &[Sample]) -> Option<Self> {
        let mut sizes: Vec<f64> = samples.iter().map(|sample| sample.n).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let sound = |sample: &Sample| {
            let figures = [sample.n, sample.value, sample.spread];
            figures.iter().all(|x| x.is_finite()) && sample.n >= 1.0 && sample.value > 0.0
        };
        if sizes.len() < FEWEST || !samples.iter().all(sound) {
            return None;
        }
        let count = samples.len() as f64;
        let mut fits: Vec<Fit> = Family::ALL.map(|family| Fit::of(family, samples)).to_vec();
        // A family that grows invisibly is the one that does not grow, and one that grows at an end says nothing.
        let is_seen = |fit: &Fit| !fit.is_flat() && fit.reach(samples) >= LEAST_REACH;
        fits.retain(|fit| fit.family == Family::One || is_seen(fit));
        let least = fits
            .iter()
            .map(|fit| fit.errors)
            .fold(f64::INFINITY, f64::min);
        let inflation = (least / (count - 3.0)).max(1.0);
        for fit in &mut fits {
            let k = fit.parameters();
            fit.behind = fit.errors / inflation + 2.0 * k + 2.0 * k * (k + 1.0) / (count - k - 1.0);
        }
        let lowest = fits
            .iter()
            .map(|fit| fit.behind)
            .fold(f64::INFINITY, f64::min);
        for fit in &mut fits {
            fit.behind -= lowest;
        }
        fits.retain(|fit| fit.behind <= MUCH_BETTER);
        let best = (0..fits.len()).min_by(|a, b| fits[*a].behind.total_cmp(&fits[*b].behind))?;
        let squares: f64 = samples
            .iter()
            .map(|sample| fits[best].error(sample).powi(2))
            .sum();
        Some(Self {
            stray: (squares / count).sqrt(),
            fits,
            best,
        })
    }

    /// The best fit.
    pub(crate) fn best(&self) -> &Fit {
        &self.fits[self.best]
    }

    /// All that are not ruled out, from the slowest growth to the fastest.
    pub(crate) fn fits(&self) -> &[Fit] {
        &self.fits
    }

    /// Whether nothing was seen to grow.
    pub(crate) fn is_flat(&self) -> bool {
        self.range() == (Family::One, Family::One)
    }

    /// The slowest and the fastest family that are not ruled out.
    pub(crate) fn range(&self) -> (Family, Family) {
        (self.fits[0].family, self.fits[self.fits.len() - 1].family)
    }

    /// The largest size within `limit`, by the most and by the least cautious fit; `None`: no limit is in sight.
    pub(crate) fn largest(&self, limit: f64) -> (Option<u64>, Option<u64>) {
        let all = || self.fits.iter().map(|fit| fit.largest(limit));
        let least = all().flatten().min();
        let most = all()
            .collect::<Option<Vec<u64>>>()
            .and_then(|all| all.into_iter().max());
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
