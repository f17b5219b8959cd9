//! Pairs of runs, and the effect that a set of pairs shows.

use super::sample::Version;
use super::{GateOptions, Interval, MedianDistribution, SampleError, median};

/// Runs of two programs on one case, measured alternately: `base[i]` and `new[i]` are consecutive, and a coin decided
/// which of them ran first. All figures are positive and in the same unit.
///
/// Every pair needs a new toss of the coin, because the false alarm rate depends on it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pairs {
    /// The figures of the base.
    pub base: Vec<f64>,
    /// The figures of the new version; in a null control, of the base again.
    pub new: Vec<f64>,
}

impl Pairs {
    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.base.len().min(self.new.len())
    }

    /// Whether nothing was measured.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds one pair.
    pub fn push(&mut self, base: f64, new: f64) {
        self.base.push(base);
        self.new.push(new);
    }

    /// Whether all runs of the base have the same figure, and all runs of the new version too.
    pub fn repeat_themselves(&self) -> bool {
        let same = |side: &[f64]| side.windows(2).all(|two| two[0].to_bits() == two[1].to_bits());
        same(&self.base) && same(&self.new)
    }

    /// ln(new / base) of each pair.
    pub fn log_ratios(&self) -> Result<Vec<f64>, SampleError> {
        let (base, new) = (self.base.len(), self.new.len());
        if base != new {
            return Err(SampleError::Unequal { base, new });
        }
        if base == 0 {
            return Err(SampleError::Empty);
        }
        for (version, sample) in [(Version::Base, &self.base), (Version::New, &self.new)] {
            if let Some(index) = sample.iter().position(|x| !(x.is_finite() && *x > 0.0)) {
                let value = sample[index];
                return Err(SampleError::NotPositive { version, index, value });
            }
        }
        let pairs = self.base.iter().zip(&self.new);
        // Unlike a ratio, the difference of logarithms cannot overflow, and it is exactly zero for equal figures.
        Ok(pairs.map(|(base, new)| new.ln() - base.ln()).collect())
    }
}

/// The change from the base to the new version that a set of pairs shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The number of pairs.
    pub pairs: usize,
    /// The median of the base, in the unit of the samples.
    pub base: f64,
    /// The median of the new version, in the unit of the samples.
    pub new: f64,
    /// The median of the differences (new minus base) of the pairs, in the unit of the samples.
    pub difference: f64,
    /// The median effect, as a fraction: 0.03 for 3 % more than the base.
    pub effect: f64,
    /// The confidence interval of the effect, as fractions, at the level of the options, for this case alone. `None` if
    /// there are too few pairs.
    pub interval: Option<Interval>,
    /// The probability of an effect of this size or larger, in either direction, if nothing changed.
    pub p: f64,
    /// [`Effect::p`], corrected for all tests in the same pass ([`holm`](super::holm)).
    pub corrected_p: f64,
    /// The smallest increase, as a fraction, that would have been detected nine times in ten, in two passes like this
    /// one. `None` if there are too few pairs.
    pub detectable: Option<f64>,
    /// The rest after the null control is subtracted. It decides instead of the whole effect. `None` if nothing was
    /// subtracted.
    pub rest: Option<Rest>,
    log_ratios: MedianDistribution,
    exact: bool,
}

/// The direction of a significant change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    More,
    Less,
    Nothing,
}

impl Effect {
    /// The effect that `pairs` show, if `tests` tests are made at once. `corrected_p` is not corrected yet.
    pub(super) fn of(
        pairs: &Pairs,
        options: &GateOptions,
        tests: usize,
    ) -> Result<Self, SampleError> {
        let ratios = MedianDistribution::new(&pairs.log_ratios()?)?;
        let each = pairs.base.iter().zip(&pairs.new);
        let differences: Vec<f64> = each.map(|(base, new)| new - base).collect();
        let exact =
            options.quantity.repeats_itself() && pairs.repeat_themselves() && pairs.len() > 1;
        let p = if exact {
            f64::from(u8::from(ratios.median() == 0.0))
        } else {
            (2.0 * ratios.at_most(0.0).min(ratios.at_least(0.0))).min(1.0)
        };
        let level = options.level;
        let interval = if exact {
            let value = ratios.median();
            Some(Interval { lower: value, upper: value, level })
        } else {
            ratios.interval(level)
        };
        Ok(Self {
            pairs: pairs.len(),
            base: median(&pairs.base)?,
            new: median(&pairs.new)?,
            difference: median(&differences)?,
            effect: ratios.median().exp_m1(),
            interval: interval.map(|it| Interval {
                lower: it.lower.exp_m1(),
                upper: it.upper.exp_m1(),
                level,
            }),
            p,
            corrected_p: p,
            detectable: if exact {
                Some(options.threshold)
            } else {
                detectable(&ratios, options, tests)
            },
            rest: None,
            log_ratios: ratios,
            exact,
        })
    }

    /// The distribution of the median of ln(new / base).
    pub(super) fn log_ratios(&self) -> &MedianDistribution {
        &self.log_ratios
    }

    /// Whether the figures of both sides repeat exactly, so the effect is not random.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether the effect is statistically significant, whatever its size.
    pub(super) fn is_significant(&self, options: &GateOptions) -> bool {
        self.corrected_p <= options.alpha()
    }

    /// The finding, after the null control is subtracted: a change that is significant and exceeds both the threshold and
    /// the floor.
    pub(super) fn finding(&self, options: &GateOptions) -> Change {
        match &self.rest {
            Some(rest) => finding(rest.corrected_p, rest.effect, rest.difference, options),
            None => self.whole_finding(options),
        }
    }

    /// The finding before the null control is subtracted.
    pub(super) fn whole_finding(&self, options: &GateOptions) -> Change {
        finding(self.corrected_p, self.effect, self.difference, options)
    }
}

fn finding(corrected_p: f64, effect: f64, difference: f64, options: &GateOptions) -> Change {
    let large =
        |effect: f64, difference: f64| effect > options.threshold && difference > options.floor;
    if corrected_p > options.alpha() {
        Change::Nothing
    } else if large(effect, difference) {
        Change::More
    } else if large((-effect) / (1.0 + effect), -difference) {
        // A decrease is expressed relative to the new figure, so that halving is the exact reverse of doubling.
        Change::Less
    } else {
        Change::Nothing
    }
}

/// The increase that would have been detected in this pass 95 times in 100, and therefore in both passes 90 times in
/// 100.
fn detectable(ratios: &MedianDistribution, options: &GateOptions, tests: usize) -> Option<f64> {
    /// The probability that one pass misses it.
    const MISSED: f64 = 0.05;
    let middle = ratios.median();
    // The larger distance between the median and its bounds. Both sides count, because another pass may have its noise
    // on the other side.
    let reach = |tail: f64| {
        let (lower, upper) = (ratios.lower(tail)?, ratios.upper(tail)?);
        Some((middle - lower).max(upper - middle))
    };
    // To be found, the median must be so far above zero that the interval excludes zero, and must exceed the threshold.
    // The second term covers a measured median below the true one: it is further below with probability `MISSED`.
    let needed = reach(options.tail(tests))?.max(options.threshold.ln_1p());
    Some((needed + reach(MISSED)?).exp_m1())
}

/// The rest of a change after its null control is subtracted.
#[derive(Debug, Clone, PartialEq)]
pub struct Rest {
    /// The subtracted part, as a fraction of the base: the far end of the null control's interval.
    pub subtracted: f64,
    /// The rest of [`Effect::effect`], as a fraction; 0 if nothing remains.
    pub effect: f64,
    /// The rest of [`Effect::difference`], in the unit of the samples; 0 if nothing remains.
    pub difference: f64,
    /// The probability of a change of this size or larger, in either direction, if the true change were at most
    /// `subtracted`; corrected for all tests in the same pass.
    pub corrected_p: f64,
}

impl Rest {
    /// Subtracts `bound` from `effect`. `bound` is the logarithm of a ratio and not negative. `corrected_p` is not
    /// corrected yet.
    pub(super) fn of(effect: &Effect, bound: f64) -> Self {
        let ratios = effect.log_ratios();
        let p = if effect.is_exact() {
            f64::from(u8::from(ratios.median().abs() <= bound))
        } else {
            let [above, below] = [ratios.at_most(bound), ratios.at_least(-bound)];
            (2.0 * above.min(below)).min(1.0)
        };
        let subtracted = bound.exp_m1();
        Self {
            subtracted,
            effect: towards_zero(ratios.median(), bound).exp_m1(),
            difference: towards_zero(effect.difference, effect.base * subtracted),
            corrected_p: p,
        }
    }
}

/// `value` moved towards zero by `step`, but not beyond zero.
fn towards_zero(value: f64, step: f64) -> f64 {
    (value.abs() - step).max(0.0).copysign(value)
}

#[cfg(test)]
mod tests {
    use super::super::Quantity;
    use super::*;

    fn pairs(base: &[f64], new: &[f64]) -> Pairs {
        Pairs { base: base.to_vec(), new: new.to_vec() }
    }

    #[test]
    fn pairs_without_a_ratio_are_an_error() {
        let table = [
            (pairs(&[], &[]), "no run was measured"),
            (
                pairs(&[1.0], &[]),
                "1 runs of the base, but 0 runs of the new version: a pair needs one of each",
            ),
            (
                pairs(&[1.0, 0.0], &[1.0, 1.0]),
                "run 2 of the base measured 0, so no ratio can be computed",
            ),
            (
                pairs(&[1.0], &[f64::NAN]),
                "run 1 of the new version measured NaN, so no ratio can be computed",
            ),
            (
                pairs(&[1.0], &[-2.0]),
                "run 1 of the new version measured -2, so no ratio can be computed",
            ),
        ];
        for (pairs, message) in table {
            assert_eq!(pairs.log_ratios().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn an_effect_is_the_median_of_the_ratios_not_the_ratio_of_the_medians() {
        // The machine drifts by a factor of a hundred; in each pair, the new version takes three per cent more.
        let base: Vec<f64> = (0..60).map(|i| 1.08_f64.powi(i)).collect();
        let new: Vec<f64> = base.iter().map(|x| x * 1.03).collect();
        let options = GateOptions::of(Quantity::CpuTime);
        let effect = Effect::of(&Pairs { base, new }, &options, 2).unwrap();
        assert!((effect.effect - 0.03).abs() < 1e-9, "{effect:?}");
        assert!(effect.p < 1e-15 && effect.interval.unwrap().lower > 0.029);
        assert_eq!(effect.finding(&options), Change::More);
        // Without noise, only the threshold limits the detectable effect.
        assert!((effect.detectable.unwrap() - 0.01).abs() < 1e-9);
    }

    #[test]
    fn two_pairs_of_an_exactly_repeating_count_are_significant() {
        let count = GateOptions::of(Quantity::Instructions);
        let of = |new: f64, pairs: usize| {
            let pairs = Pairs { base: vec![1e6; pairs], new: vec![new; pairs] };
            Effect::of(&pairs, &count, 40).unwrap()
        };
        assert_eq!(of(1.0011e6, 2).finding(&count), Change::More);
        assert_eq!(of(1.0009e6, 2).finding(&count), Change::Nothing);
        assert_eq!(of(0.9e6, 2).finding(&count), Change::Less);
        assert_eq!(of(1e6, 2).finding(&count), Change::Nothing);
        assert_eq!(of(1.0011e6, 1).finding(&count), Change::Nothing);
    }

    #[test]
    fn a_significant_but_small_difference_is_not_a_finding() {
        let options = GateOptions::of(Quantity::CpuTime);
        let of = |base: f64, new: f64| {
            let mut pairs = Pairs::default();
            (0..60).for_each(|i| pairs.push(base + 1e-9 * f64::from(i), new));
            Effect::of(&pairs, &options, 1).unwrap().finding(&options)
        };
        assert_eq!(of(0.1, 0.1009), Change::Nothing, "below the threshold");
        assert_eq!(of(0.001, 0.00109), Change::Nothing, "below the floor");
        assert_eq!(of(0.1, 0.102), Change::More);
        assert_eq!(of(0.102, 0.1), Change::Less);
    }
}
