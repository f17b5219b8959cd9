//! The decision: whether a program got slower, from two passes of pairs and their null controls.

use super::effect::Finding;
use super::null_control::{self, Rest};
use super::{Effect, GateOptions, OptionsError, Pairs, SampleError, holm};

/// What was measured of one case.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CaseGate {
    /// What people call it.
    pub name: String,
    /// [`GateOptions::threshold`] of this case, if it has its own.
    pub threshold: Option<f64>,
    /// [`GateOptions::floor`] of this case, if it has its own.
    pub floor: Option<f64>,
    /// The first pass.
    pub first: Pass,
    /// Measured afresh, if [`Gate::first_pass`] asks for it.
    pub again: Option<Pass>,
}

/// One pass over one case.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pass {
    /// Base against new.
    pub pairs: Pairs,
    /// Base against base, measured between those: the null control. `None` where there is none.
    pub null: Option<Pairs>,
}

/// The answer for a case, or for all of them.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// Nothing was found.
    Pass,
    /// It got slower (or takes more memory, or more instructions), in both passes.
    Regression,
    /// It got faster, in each pass that there is. Nothing hangs on it, so one pass is enough to say so.
    Improvement,
    /// The measurements do not allow an answer.
    Inconclusive(Reason),
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The base measured against itself looks different, and what is left of the change without that does not count.
    #[error(
        "the base measured against itself seems {:+.1} %, and only a change that exceeds {:.1} % by enough would \
         count: this machine is too noisy now",
        effect * 100.0, subtracted * 100.0
    )]
    NullControl {
        /// By how much it looks different, as a fraction.
        effect: f64,
        /// What was subtracted from the change, as a fraction.
        subtracted: f64,
    },
    /// A sample cannot be used.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// So few pairs show nothing, even if all agree.
    #[error("{have} pairs are too few: it takes {need} to show anything")]
    TooFewPairs {
        /// How many there are.
        have: usize,
        /// [`GateOptions::pairs_needed`].
        need: usize,
    },
    /// All runs took exactly as long: that is the clock's step, not the program.
    #[error("every run measured {value}: the clock is too coarse for this case")]
    Identical {
        /// What they measured.
        value: f64,
    },
    /// A candidate of the first pass has no second one.
    #[error("it looks slower, but was not measured again")]
    NotMeasuredAgain,
    /// No case was given.
    #[error("no case was measured")]
    NoCase,
}

/// The answer, with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct GateReport {
    /// Of all cases together.
    pub decision: Decision,
    /// In the order of the cases given.
    pub cases: Vec<CaseReport>,
}

/// One case of the answer.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport {
    /// What people call it.
    pub name: String,
    /// Of this case.
    pub decision: Decision,
    /// What the first pass showed; `None` if its sample cannot be used.
    pub first: Option<Effect>,
    /// What the null control of the first pass showed.
    pub null: Option<Effect>,
    /// What the second pass showed. As the first one chose it for looking slow, this is the fairer figure.
    pub again: Option<Effect>,
    /// What the null control of the second pass showed.
    pub null_again: Option<Effect>,
}

impl CaseReport {
    /// The fairest figure that there is: of the second pass, or else of the first.
    pub fn effect(&self) -> Option<&Effect> {
        self.again.as_ref().or(self.first.as_ref())
    }

    /// An increase by this fraction or more would have been seen (nine times in ten).
    pub fn detectable(&self) -> Option<f64> {
        let alone = self.first.as_ref()?.detectable?;
        let subtracted = self.subtracted().unwrap_or(0.0);
        Some((1.0 + alone) * (1.0 + subtracted) - 1.0)
    }

    /// What the null controls take away from the change, as a fraction. `None` if they look like nothing.
    pub fn subtracted(&self) -> Option<f64> {
        Some(self.first.as_ref()?.rest.as_ref()?.subtracted)
    }
}

impl GateReport {
    /// The largest [`CaseReport::detectable`]: what would have been seen whichever case it befell. `None` if some case
    /// could not have shown anything.
    pub fn detectable(&self) -> Option<f64> {
        let cases = self.cases.iter().map(CaseReport::detectable);
        cases
            .collect::<Option<Vec<f64>>>()?
            .into_iter()
            .reduce(f64::max)
    }
}

/// The gate: settings that make sense.
#[derive(Debug, Clone, Copy)]
pub struct Gate {
    options: GateOptions,
}

/// What one pass over one case shows.
#[derive(Debug, Clone, Default)]
struct PassEffects {
    pairs: Option<Effect>,
    null: Option<Effect>,
    problem: Option<Reason>,
}

impl Gate {
    /// Takes settings, if they make sense.
    pub fn new(options: GateOptions) -> Result<Self, OptionsError> {
        options.check()?;
        Ok(Self { options })
    }

    /// The settings.
    pub fn options(&self) -> &GateOptions {
        &self.options
    }

    /// The cases, by index, to measure again after the first pass over all of them: those that look slower, and those
    /// whose null control looks different, however little.
    pub fn first_pass(&self, cases: &[CaseGate]) -> Vec<usize> {
        let shown = self.effects_of_pass(cases, |case| Some(&case.first));
        let again = cases
            .iter()
            .zip(&shown)
            .enumerate()
            .filter(|(_, (case, shown))| {
                let options = self.options_of(case);
                finding_of(shown.pairs.as_ref(), &options) == Finding::More
                    || shown
                        .null
                        .as_ref()
                        .is_some_and(|null| null.is_sure(&options))
            });
        again.map(|(index, _)| index).collect()
    }

    /// The answer, once the candidates were measured again.
    pub fn judge(&self, cases: &[CaseGate]) -> GateReport {
        let mut first = self.effects_of_pass(cases, |case| Some(&case.first));
        let mut again = self.effects_of_pass(cases, |case| case.again.as_ref());
        let bounds = self.bounds(cases);
        subtract(&mut first, &bounds);
        subtract(&mut again, &bounds);
        let cases: Vec<CaseReport> = cases
            .iter()
            .zip(first.into_iter().zip(again))
            .map(|(case, (first, again))| CaseReport {
                name: case.name.clone(),
                decision: decide(
                    &self.options_of(case),
                    &first,
                    case.again.is_some().then_some(&again),
                ),
                first: first.pairs,
                null: first.null,
                again: again.pairs,
                null_again: again.null,
            })
            .collect();
        GateReport {
            decision: overall(&cases),
            cases,
        }
    }

    /// One pass over all cases, corrected for all its tests together.
    fn effects_of_pass(
        &self,
        cases: &[CaseGate],
        pass: fn(&CaseGate) -> Option<&Pass>,
    ) -> Vec<PassEffects> {
        let tests = cases
            .iter()
            .filter_map(pass)
            .map(|pass| 1 + usize::from(pass.null.is_some()))
            .sum();
        let effects_of = |case: &CaseGate| {
            let shown = pass(case).map(|pass| effects_of_case(pass, &self.options_of(case), tests));
            shown.unwrap_or_default()
        };
        let mut shown: Vec<PassEffects> = cases.iter().map(effects_of).collect();
        let effects = || {
            shown
                .iter()
                .flat_map(|shown| [&shown.pairs, &shown.null])
                .flatten()
        };
        let corrected = holm(&effects().map(|effect| effect.p).collect::<Vec<_>>());
        let effects = shown
            .iter_mut()
            .flat_map(|shown| [&mut shown.pairs, &mut shown.null])
            .flatten();
        for (effect, corrected) in effects.zip(corrected) {
            effect.corrected_p = corrected;
        }
        shown
    }

    /// What the null controls take away from the change of each case: those that look different, all passes together.
    fn bounds(&self, cases: &[CaseGate]) -> Vec<Option<f64>> {
        let nulls: Vec<Option<Pairs>> = cases.iter().map(null_control::of_all_passes).collect();
        let tests = nulls.iter().flatten().count();
        let effects: Vec<Option<Effect>> = nulls
            .iter()
            .map(|null| Effect::of(null.as_ref()?, &self.options, tests).ok())
            .collect();
        let ps: Vec<f64> = effects
            .iter()
            .map(|effect| effect.as_ref().map_or(1.0, |it| it.p))
            .collect();
        let corrected = holm(&ps);
        let bound = |((case, effect), corrected): ((&CaseGate, Option<Effect>), f64)| {
            let passes = 1 + i32::from(case.again.is_some());
            let effect = effect.filter(|_| corrected <= self.options.alpha().powi(passes))?;
            Some(null_control::bound(&effect, &self.options, tests))
        };
        let effects = cases.iter().zip(effects);
        effects.zip(corrected).map(bound).collect()
    }

    /// The settings of one case.
    fn options_of(&self, case: &CaseGate) -> GateOptions {
        GateOptions {
            threshold: case.threshold.unwrap_or(self.options.threshold),
            floor: case.floor.unwrap_or(self.options.floor),
            ..self.options
        }
    }
}

/// Subtracts the null controls in one pass over all cases.
fn subtract(pass: &mut [PassEffects], bounds: &[Option<f64>]) {
    let others: Vec<f64> = pass
        .iter()
        .filter_map(|shown| Some(shown.null.as_ref()?.p))
        .collect();
    let effects = pass.iter_mut().zip(bounds);
    let mut effects: Vec<_> = effects
        .filter_map(|(shown, bound)| Some((shown.pairs.as_mut()?, *bound)))
        .collect();
    null_control::subtract(&mut effects, &others);
}

fn effects_of_case(pass: &Pass, options: &GateOptions, tests: usize) -> PassEffects {
    let mut shown = PassEffects::default();
    match effect_of(&pass.pairs, options, tests) {
        Ok(effect) => shown.pairs = Some(effect),
        Err(reason) => shown.problem = Some(reason),
    }
    match pass
        .null
        .as_ref()
        .map(|null| effect_of(null, options, tests))
    {
        Some(Ok(effect)) => shown.null = Some(effect),
        Some(Err(reason)) => shown.problem = Some(reason),
        None => {}
    }
    shown
}

fn effect_of(pairs: &Pairs, options: &GateOptions, tests: usize) -> Result<Effect, Reason> {
    let effect = Effect::of(pairs, options, tests)?;
    let exact = pairs.repeat_themselves() && pairs.len() > 1;
    if exact && options.quantity.repeats_itself() {
        return Ok(effect);
    }
    let (have, need) = (pairs.len(), options.pairs_needed(tests));
    if have < need {
        Err(Reason::TooFewPairs { have, need })
    } else if exact {
        Err(Reason::Identical { value: effect.new })
    } else {
        Ok(effect)
    }
}

fn finding_of(effect: Option<&Effect>, options: &GateOptions) -> Finding {
    effect.map_or(Finding::Nothing, |effect| effect.finding(options))
}

fn decide(options: &GateOptions, first: &PassEffects, again: Option<&PassEffects>) -> Decision {
    let passes = || std::iter::once(first).chain(again);
    if let Some(problem) = passes().find_map(|shown| shown.problem.clone()) {
        return Decision::Inconclusive(problem);
    }
    let whole = |shown: &PassEffects| {
        let pairs = shown.pairs.as_ref();
        pairs.map_or(Finding::Nothing, |effect| effect.whole_finding(options))
    };
    let rest = |shown: &PassEffects| finding_of(shown.pairs.as_ref(), options);
    match outcome(rest(first), again.map(rest)) {
        Decision::Pass => {}
        decided => return decided,
    }
    // Nothing is left: the null control took it, or it may hide a change. It fires as a case fails: in every pass.
    let mut nulls = passes().filter_map(|shown| shown.null.as_ref());
    let hides = nulls.all(|null| null.finding(options) != Finding::Nothing);
    let takes = outcome(whole(first), again.map(whole)) != Decision::Pass;
    match first.pairs.as_ref().and_then(|effect| effect.rest.as_ref()) {
        Some(Rest { subtracted, .. }) if hides || takes => {
            Decision::Inconclusive(Reason::NullControl {
                effect: first.null.as_ref().map_or(0.0, |null| null.effect),
                subtracted: *subtracted,
            })
        }
        _ => Decision::Pass,
    }
}

/// What the findings of the passes come to.
fn outcome(first: Finding, again: Option<Finding>) -> Decision {
    match (first, again) {
        (Finding::More, Some(Finding::More)) => Decision::Regression,
        (Finding::More, None) => Decision::Inconclusive(Reason::NotMeasuredAgain),
        (Finding::Less, None | Some(Finding::Less)) => Decision::Improvement,
        _ => Decision::Pass,
    }
}

/// The worst news counts. A null control that fired speaks against its own case alone: each case has one, measured
/// between its own pairs.
fn overall(cases: &[CaseReport]) -> Decision {
    let find = |yes: &dyn Fn(&Decision) -> bool| {
        cases.iter().map(|case| &case.decision).find(|it| yes(it))
    };
    find(&|it| *it == Decision::Regression)
        .or_else(|| find(&|it| matches!(it, Decision::Inconclusive(_))))
        .or_else(|| find(&|it| *it == Decision::Improvement))
        .or(cases.first().map(|case| &case.decision))
        .cloned()
        .unwrap_or(Decision::Inconclusive(Reason::NoCase))
}

#[cfg(test)]
mod tests;
