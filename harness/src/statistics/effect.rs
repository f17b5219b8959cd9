//! Pairs of runs, and what one set of them shows.

use super::sample::Side;
use super::{GateOptions, Interval, MedianDistribution, Rest, SampleError, median};

/// Runs of two programs on one case, measured in turns: `base[i]` and `new[i]` were neighbours in time, and a coin said
/// which came first. All in one unit, positive.
///
/// Throw the coin anew for every pair: the false alarm rate rests on that.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pairs {
    /// What is compared with.
    pub base: Vec<f64>,
    /// What may have become slower; of a null control, the base again.
    pub new: Vec<f64>,
}

impl Pairs {
    /// How many pairs there are.
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

    /// Whether every run of the base measured the same, and every run of the new too.
    pub fn repeat_themselves(&self) -> bool {
        let same = |side: &[f64]| {
            side.windows(2)
                .all(|two| two[0].to_bits() == two[1].to_bits())
        };
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
        for (side, sample) in [(Side::Base, &self.base), (Side::New, &self.new)] {
            if let Some(index) = sample.iter().position(|x| !(x.is_finite() && *x > 0.0)) {
                let value = sample[index];
                return Err(SampleError::NotPositive { side, index, value });
            }
        }
        let pairs = self.base.iter().zip(&self.new);
        // The difference of logarithms cannot overflow, and is exactly zero for equal figures.
        Ok(pairs.map(|(base, new)| new.ln() - base.ln()).collect())
    }
}

/// How much more the new program took than the base, as one set of pairs shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// How many pairs it rests on.
    pub pairs: usize,
    /// The median of the base's runs, in the unit of the samples.
    pub base: f64,
    /// The median of the new's runs, in the unit of the samples.
    pub new: f64,
    /// The median of the pairs' differences, new less base, in the unit of the samples.
    pub difference: f64,
    /// The median effect, as a fraction: 0.03 for 3 % more than the base.
    pub effect: f64,
    /// Where the effect lies, as fractions, at the level of the options, for this case alone. `None` if there are too
    /// few pairs to say.
    pub interval: Option<Interval>,
    /// The probability of so much in either direction if nothing changed.
    pub p: f64,
    /// [`Effect::p`], corrected for all that was tested in the same pass ([`holm`](super::holm)).
    pub corrected_p: f64,
    /// An increase by this fraction or more would have been seen nine times in ten, in two passes like this one. `None`
    /// if there are too few pairs to see any.
    pub detectable: Option<f64>,
    /// What is left without the null control, which decides instead of the whole; `None` if nothing was subtracted.
    pub rest: Option<Rest>,
    log_ratios: MedianDistribution,
    exact: bool,
}

/// Which way a finding points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    More,
    Less,
    Nothing,
}

impl Effect {
    /// What `pairs` show, where `tests` are made at once; not yet corrected for them.
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
            Some(Interval {
                lower: value,
                upper: value,
                level,
            })
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

    /// Whether both sides are counts that repeat themselves, so that there is no chance in them.
    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether it is surely not nothing, however small it is.
    pub(super) fn is_sure(&self, options: &GateOptions) -> bool {
        self.corrected_p <= options.alpha()
    }

    /// What it comes to, without its null control if that was subtracted: sure enough, and large enough by both
    /// measures.
    pub(super) fn finding(&self, options: &GateOptions) -> Finding {
        match &self.rest {
            Some(rest) => finding(rest.corrected_p, rest.effect, rest.difference, options),
            None => self.whole_finding(options),
        }
    }

    /// What it comes to as it was measured, whatever its null control shows.
    pub(super) fn whole_finding(&self, options: &GateOptions) -> Finding {
        finding(self.corrected_p, self.effect, self.difference, options)
    }
}

fn finding(corrected_p: f64, effect: f64, difference: f64, options: &GateOptions) -> Finding {
    let large =
        |effect: f64, difference: f64| effect > options.threshold && difference > options.floor;
    if corrected_p > options.alpha() {
        Finding::Nothing
    } else if large(effect, difference) {
        Finding::More
    } else if large((-effect) / (1.0 + effect), -difference) {
        // A halving undoes a doubling: by the base's measure of the new.
        Finding::Less
    } else {
        Finding::Nothing
    }
}

/// The increase that would have been found in this pass 95 times in 100, so in both 90 times in 100.
fn detectable(ratios: &MedianDistribution, options: &GateOptions, tests: usize) -> Option<f64> {
    /// How often one pass may miss it.
    const MISSED: f64 = 0.05;
    let middle = ratios.median();
    // How far the median lies from a bound, on the side where that is more: another pass may have its noise there.
    let reach = |tail: f64| {
        let (lower, upper) = (ratios.lower(tail)?, ratios.upper(tail)?);
        Some((middle - lower).max(upper - middle))
    };
    // The median must be so far above zero that the interval leaves zero out, or above the threshold, and it is this
    // much below its true value not more often than `MISSED`.
    let needed = reach(options.tail(tests))?.max(options.threshold.ln_1p());
    Some((needed + reach(MISSED)?).exp_m1())
}

#[cfg(test)]
mod tests {
    use super::super::Quantity;
    use super::*;

    fn pairs(base: &[f64], new: &[f64]) -> Pairs {
        Pairs {
            base: base.to_vec(),
            new: new.to_vec(),
        }
    }

    #[test]
    fn what_has_no_ratio_is_said() {
        let table = [
            (pairs(&[], &[]), "no run was measured"),
            (
                pairs(&[1.0], &[]),
                "1 runs of the base but 0 of the new: pairs need as many of each",
            ),
            (
                pairs(&[1.0, 0.0], &[1.0, 1.0]),
                "run 2 of the base measured 0, which no ratio can be taken of",
            ),
            (
                pairs(&[1.0], &[f64::NAN]),
                "run 1 of the new measured NaN, which no ratio can be taken of",
            ),
            (
                pairs(&[1.0], &[-2.0]),
                "run 1 of the new measured -2, which no ratio can be taken of",
            ),
        ];
        for (pairs, message) in table {
            assert_eq!(pairs.log_ratios().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn an_effect_is_the_median_of_the_ratios_and_not_of_the_sides() {
        // Drift by a factor of a hundred, three per cent more in each pair.
        let base: Vec<f64> = (0..60).map(|i| 1.08_f64.powi(i)).collect();
        let new: Vec<f64> = base.iter().map(|x| x * 1.03).collect();
        let options = GateOptions::of(Quantity::CpuTime);
        let effect = Effect::of(&Pairs { base, new }, &options, 2).unwrap();
        assert!((effect.effect - 0.03).abs() < 1e-9, "{effect:?}");
        assert!(effect.p < 1e-15 && effect.interval.unwrap().lower > 0.029);
        assert_eq!(effect.finding(&options), Finding::More);
        // Nothing but the threshold hides an effect from pairs without noise.
        assert!((effect.detectable.unwrap() - 0.01).abs() < 1e-9);
    }

    #[test]
    fn a_count_that_repeats_itself_is_certain_from_two_pairs_on() {
        let count = GateOptions::of(Quantity::Instructions);
        let of = |new: f64, pairs: usize| {
            let pairs = Pairs {
                base: vec![1e6; pairs],
                new: vec![new; pairs],
            };
            Effect::of(&pairs, &count, 40).unwrap()
        };
        assert_eq!(of(1.0011e6, 2).finding(&count), Finding::More);
        assert_eq!(of(1.0009e6, 2).finding(&count), Finding::Nothing);
        assert_eq!(of(0.9e6, 2).finding(&count), Finding::Less);
        assert_eq!(of(1e6, 2).finding(&count), Finding::Nothing);
        assert_eq!(of(1.0011e6, 1).finding(&count), Finding::Nothing);
    }

    #[test]
    fn a_small_difference_is_none_however_sure() {
        let options = GateOptions::of(Quantity::CpuTime);
        let of = |base: f64, new: f64| {
            let mut pairs = Pairs::default();
            (0..60).for_each(|i| pairs.push(base + 1e-9 * f64::from(i), new));
            Effect::of(&pairs, &options, 1).unwrap().finding(&options)
        };
        assert_eq!(of(0.1, 0.1009), Finding::Nothing, "below the threshold");
        assert_eq!(of(0.001, 0.00109), Finding::Nothing, "below the floor");
        assert_eq!(of(0.1, 0.102), Finding::More);
        assert_eq!(of(0.102, 0.1), Finding::Less);
    }
}
