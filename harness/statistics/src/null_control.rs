//! Subtracts a null control, with its bias and its spread, from a change.
//!
//! # Why the control is a bound and not a veto
//!
//! A coin decides the order within each pair, so the false alarm rate of the sign test holds whatever the noise, and
//! needs no null control (Fisher's randomisation argument, see [`statistics`](super)). The control covers a case that
//! this argument excludes: a machine on which the position in a pair or in a round matters although the coin is fair.
//! Negative controls are used to detect such a bias *and* to calibrate for it (M. Lipsitch, E. Tchetgen Tchetgen and
//! T. Cohen, *Negative Controls*, Epidemiology 21, 2010; M. Schuemie et al., *Interpreting observational studies: why
//! empirical calibration is needed to correct p-values*, Statistics in Medicine 33, 2014). Such a bias is at most the
//! far end of the control's own interval: |bias| plus spread. A change that exceeds the far end by more than the
//! threshold is real, whatever caused the bias. Only a smaller change is inconclusive.
//!
//! The rest is tested against a shifted null hypothesis, |median| ≤ subtracted, as in tests for a minimum effect
//! (J. Hodges and E. Lehmann, *Testing the approximate validity of statistical hypotheses*, JRSS B 16, 1954).
//!
//! # Why only a control that looks different is subtracted
//!
//! If the spread of every control were subtracted, even of those that show no difference, the gate could no longer
//! detect a change of three per cent on a quiet machine. The controls of all passes are tested as one sample, because
//! a bias that is large enough for a false alarm in each of two passes is then seldom missed. The level of this test is
//! the level of one pass to the power of the number of passes. A false alarm must happen by chance in every pass, and a
//! false doubt must not be more likely than that.
//!
//! # Why the control never causes a false alarm
//!
//! The p value of a rest is larger than that of the whole change, and Holm's procedure is monotone in all p values.
//! Every finding with a null control is therefore also a finding without it.

use super::{Effect, GateOptions, MedianDistribution, Pairs, Rest, holm};

/// The null controls of all passes over a case, combined.
pub(super) fn of_all_passes<'a>(
    controls: impl Iterator<Item = Option<&'a Pairs>>,
) -> Option<Pairs> {
    controls.filter_map(Option::<&Pairs>::cloned).reduce(|mut all, more| {
        all.base.extend(more.base);
        all.new.extend(more.new);
        all
    })
}

/// The largest bias that a null control is compatible with, as the logarithm of a ratio, if `tests` tests are made at
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

/// Sets the rest of each effect of one pass that has a bound. The p values are corrected together with `others`, the p
/// values of all other tests in the same pass.
pub(super) fn subtract(effects: &mut [(&mut Effect, Option<f64>)], others: &[f64]) {
    for (effect, bound) in effects.iter_mut() {
        effect.rest = bound.map(|bound| Rest::of(effect, bound));
    }
    let ps = effects
        .iter()
        .map(|(effect, _)| effect.rest.as_ref().map_or(effect.p, |rest| rest.corrected_p))
        .chain(others.iter().copied());
    let corrected = holm(&ps.collect::<Vec<_>>());
    for ((effect, _), corrected) in effects.iter_mut().zip(corrected) {
        if let Some(rest) = &mut effect.rest {
            rest.corrected_p = corrected;
        }
    }
}
