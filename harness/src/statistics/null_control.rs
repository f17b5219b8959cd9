//! What a null control takes away from a change: its bias and its spread.
//!
//! # Why a bound and not a veto
//!
//! The order within each pair is a coin's, so the false alarm rate of the sign test holds whatever the noise, and
//! needs no null control (the module's head: Fisher's randomisation argument). The control guards against what that
//! argument does not cover: a machine on which the position in a pair or in a round matters although the coin is fair.
//! Negative controls are used to detect such a bias *and* to calibrate for it (M. Lipsitch, E. Tchetgen Tchetgen and
//! T. Cohen, *Negative Controls*, Epidemiology 21, 2010; M. Schuemie et al., *Interpreting observational studies: why
//! empirical calibration is needed to correct p-values*, Statistics in Medicine 33, 2014). Such a bias is at most the
//! far end of the control's own interval: |bias| plus spread. A change that exceeds the far end by more than the
//! threshold is a change whatever caused the bias, so only what does not exceed it is without an answer.
//!
//! The test of the rest is that of a shifted null hypothesis, |median| ≤ subtracted, as in tests for a minimum effect
//! (J. Hodges and E. Lehmann, *Testing the approximate validity of statistical hypotheses*, JRSS B 16, 1954).
//!
//! # Why only if the control looks different
//!
//! To subtract the spread of each control, of those too that look like nothing, would pay for a bias that nothing shows
//! with the power to see three per cent on a quiet machine. The controls of all passes are judged as one, since a bias
//! that raises an alarm in each of two passes is then seldom missed, and at the level of one pass to the power of their
//! number: a false alarm must be a chance of that in each pass, so a false doubt may not be more likely.
//!
//! # What it cannot do
//!
//! A rest has a larger p than the change it is a rest of, and Holm's procedure is monotone in all p values. So what is
//! found with a null control is always found without it: the control never raises a false alarm.

use super::{CaseGate, Effect, GateOptions, MedianDistribution, Pairs, Pass, holm};

/// What is left of a change once its null control is subtracted.
#[derive(Debug, Clone, PartialEq)]
pub struct Rest {
    /// What was subtracted, as a fraction of the base: the far end of the null control's interval.
    pub subtracted: f64,
    /// What is left of [`Effect::effect`], as a fraction; 0 if nothing is.
    pub effect: f64,
    /// What is left of [`Effect::difference`], in the unit of the samples; 0 if nothing is.
    pub difference: f64,
    /// The probability of so much in either direction if the change were at most what was subtracted, corrected for
    /// all that was tested in the same pass.
    pub corrected_p: f64,
}

impl Rest {
    /// Of `effect`, without `bound`, which is the logarithm of a ratio and not negative; not yet corrected.
    fn of(effect: &Effect, bound: f64) -> Self {
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

/// `value` moved by `step` towards zero, and no further.
fn towards_zero(value: f64, step: f64) -> f64 {
    (value.abs() - step).max(0.0).copysign(value)
}

/// The null controls of all passes over a case, as one.
pub(super) fn of_all_passes(case: &CaseGate) -> Option<Pairs> {
    let passes = std::iter::once(&case.first).chain(&case.again);
    passes
        .filter_map(|pass: &Pass| pass.null.clone())
        .reduce(|mut all, more| {
            all.base.extend(more.base);
            all.new.extend(more.new);
            all
        })
}

/// The most that the bias which a null control shows may be, as the logarithm of a ratio, where `tests` are made at
/// once: the far end of its interval.
pub(super) fn bound(null: &Effect, options: &GateOptions, tests: usize) -> f64 {
    let ratios: &MedianDistribution = null.log_ratios();
    let tail = options.tail(tests);
    let ends = [ratios.lower(tail), ratios.upper(tail)];
    let middle = ratios.median().abs();
    if null.is_exact() {
        return middle;
    }
    let far = ends.into_iter().flatten().map(f64::abs);
    far.fold(middle, f64::max)
}

/// Gives the effects of one pass their rests, each without its bound, if it has one. They are corrected together with
/// `others`: the p of all else that was tested in the same pass.
pub(super) fn subtract(effects: &mut [(&mut Effect, Option<f64>)], others: &[f64]) {
    for (effect, bound) in effects.iter_mut() {
        effect.rest = bound.map(|bound| Rest::of(effect, bound));
    }
    let ps = effects
        .iter()
        .map(|(effect, _)| {
            effect
                .rest
                .as_ref()
                .map_or(effect.p, |rest| rest.corrected_p)
        })
        .chain(others.iter().copied());
    let corrected = holm(&ps.collect::<Vec<_>>());
    for ((effect, _), corrected) in effects.iter_mut().zip(corrected) {
        if let Some(rest) = &mut effect.rest {
            rest.corrected_p = corrected;
        }
    }
}
