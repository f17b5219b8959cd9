//! The decision whether a program got slower, from two passes of pairs and their null controls.

use super::effect::Change;
use super::{Effect, GateOptions, OptionsError, Pairs, SampleError, holm};
use super::{Rest, null_control};

/// The measurements of one case.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CaseGate {
    /// The human-readable name.
    pub name: String,
    /// Overrides [`GateOptions::threshold`] for this case.
    pub threshold: Option<f64>,
    /// Overrides [`GateOptions::floor`] for this case.
    pub floor: Option<f64>,
    /// The first pass.
    pub first: Pass,
    /// The second pass, if [`Gate::first_pass`] requires one.
    pub again: Option<Pass>,
}

/// One pass over one case.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pass {
    /// Base against new version.
    pub pairs: Pairs,
    /// The null control: base against base, interleaved with `pairs`. `None` if there is none.
    pub null: Option<Pairs>,
}

/// The decision about one case, or about all cases together.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// No significant change.
    Pass,
    /// The program got slower, or needs more memory or instructions, in both passes.
    Regression,
    /// The program got faster in every pass. One pass is enough, because a false improvement does no harm.
    Improvement,
    /// The measurements permit no decision.
    Inconclusive(Reason),
}

/// Why a decision is inconclusive.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// The base looks different from itself. Once this is subtracted, the rest of the change is not significant.
    #[error(
        "the base differs from itself by {:+.1} %, so only a change well above {:.1} % would count: this machine is \
         too noisy now",
        effect * 100.0, subtracted * 100.0
    )]
    NullControl {
        /// The difference between the base and itself, as a fraction.
        effect: f64,
        /// The part that was subtracted from the change, as a fraction.
        subtracted: f64,
    },
    /// A sample cannot be used.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// This number of pairs is never significant, even if all of them agree.
    #[error("{have} pairs are too few: at least {need} are needed")]
    TooFewPairs {
        /// The number of pairs.
        have: usize,
        /// [`GateOptions::pairs_needed`].
        need: usize,
    },
    /// All runs took exactly the same time, which is a step of the clock, not a property of the program.
    #[error("every run measured {value}: the clock is too coarse for this case")]
    Identical {
        /// The figure of every run.
        value: f64,
    },
    /// The case looks slower in the first pass, but has no second pass.
    #[error("it looks slower, but was not measured again")]
    NotMeasuredAgain,
    /// No case was given.
    #[error("no case was measured")]
    NoCase,
}

/// The decision, with the effects that support it.
#[derive(Debug, Clone, PartialEq)]
pub struct GateReport {
    /// The decision about all cases together.
    pub decision: Decision,
    /// One report for each case, in the order of the arguments.
    pub cases: Vec<CaseReport>,
}

/// The decision about one case.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseReport {
    /// The human-readable name.
    pub name: String,
    /// The decision.
    pub decision: Decision,
    /// The effect in the first pass; `None` if the sample cannot be used.
    pub first: Option<Effect>,
    /// The effect in the null control of the first pass.
    pub null: Option<Effect>,
    /// The effect in the second pass. It is less biased than `first`, because a case has a second pass only if it looks
    /// slow in the first.
    pub again: Option<Effect>,
    /// The effect in the null control of the second pass.
    pub null_again: Option<Effect>,
}

impl CaseReport {
    /// The least biased effect: of the second pass if there is one, otherwise of the first.
    pub fn effect(&self) -> Option<&Effect> {
        self.again.as_ref().or(self.first.as_ref())
    }

    /// The smallest increase, as a fraction, that would have been detected nine times in ten.
    pub fn detectable(&self) -> Option<f64> {
        let alone = self.first.as_ref()?.detectable?;
        let subtracted = self.subtracted().unwrap_or(0.0);
        Some((1.0 + alone) * (1.0 + subtracted) - 1.0)
    }

    /// The part of the change that the null controls account for, as a fraction. `None` if they show no difference.
    pub fn subtracted(&self) -> Option<f64> {
        Some(self.first.as_ref()?.rest.as_ref()?.subtracted)
    }
}

impl GateReport {
    /// The smallest increase that would have been detected in every case: the largest [`CaseReport::detectable`]. `None`
    /// if no increase could have been detected in some case.
    pub fn detectable(&self) -> Option<f64> {
        let cases = self.cases.iter().map(CaseReport::detectable);
        cases.collect::<Option<Vec<f64>>>()?.into_iter().reduce(f64::max)
    }
}

/// The gate, with valid options.
#[derive(Debug, Clone, Copy)]
pub struct Gate {
    options: GateOptions,
}

/// The effects that one pass shows for one case.
#[derive(Debug, Clone, Default)]
struct PassEffects {
    pairs: Option<Effect>,
    null: Option<Effect>,
    problem: Option<Reason>,
}

impl Gate {
    /// Creates a gate. Fails if an option is invalid.
    pub fn new(options: GateOptions) -> Result<Self, OptionsError> {
        options.check()?;
        Ok(Self { options })
    }

    /// The options.
    pub fn options(&self) -> &GateOptions {
        &self.options
    }

    /// The indices of the cases that need a second pass: those that look slower in the first pass, and those whose null
    /// control shows a significant difference of any size.
    pub fn first_pass(&self, cases: &[CaseGate]) -> Vec<usize> {
        let pass_effects = self.effects_of_pass(cases, |case| Some(&case.first));
        let again =
            cases.iter().zip(&pass_effects).enumerate().filter(|(_, (case, pass_effects))| {
                let options = self.options_of(case);
                finding_of(pass_effects.pairs.as_ref(), &options) == Change::More
                    || pass_effects.null.as_ref().is_some_and(|null| null.is_significant(&options))
            });
        again.map(|(index, _)| index).collect()
    }

    /// The decision, once the cases of [`Gate::first_pass`] were measured again.
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
        GateReport { decision: overall(&cases), cases }
    }

    /// The effects of one pass over all cases, corrected for all its tests together.
    fn effects_of_pass(
        &self,
        cases: &[CaseGate],
        pass: fn(&CaseGate) -> Option<&Pass>,
    ) -> Vec<PassEffects> {
        let tests =
            cases.iter().filter_map(pass).map(|pass| 1 + usize::from(pass.null.is_some())).sum();
        let effects_of = |case: &CaseGate| {
            let pass_effects =
                pass(case).map(|pass| effects_of_case(pass, &self.options_of(case), tests));
            pass_effects.unwrap_or_default()
        };
        let mut pass_effects: Vec<PassEffects> = cases.iter().map(effects_of).collect();
        let effects = || {
            pass_effects
                .iter()
                .flat_map(|pass_effects| [&pass_effects.pairs, &pass_effects.null])
                .flatten()
        };
        let corrected = holm(&effects().map(|effect| effect.p).collect::<Vec<_>>());
        let effects = pass_effects
            .iter_mut()
            .flat_map(|pass_effects| [&mut pass_effects.pairs, &mut pass_effects.null])
            .flatten();
        for (effect, corrected) in effects.zip(corrected) {
            effect.corrected_p = corrected;
        }
        pass_effects
    }

    /// The part of each case's change that the null controls of all its passes account for; `None` if they show no
    /// difference.
    fn bounds(&self, cases: &[CaseGate]) -> Vec<Option<f64>> {
        let nulls: Vec<Option<Pairs>> = cases
            .iter()
            .map(|case| {
                let passes = std::iter::once(&case.first).chain(&case.again);
                null_control::of_all_passes(passes.map(|pass| pass.null.as_ref()))
            })
            .collect();
        let tests = nulls.iter().flatten().count();
        let effects: Vec<Option<Effect>> = nulls
            .iter()
            .map(|null| Effect::of(null.as_ref()?, &self.options, tests).ok())
            .collect();
        let ps: Vec<f64> =
            effects.iter().map(|effect| effect.as_ref().map_or(1.0, |it| it.p)).collect();
        let corrected = holm(&ps);
        let bound = |((case, effect), corrected): ((&CaseGate, Option<Effect>), f64)| {
            let passes = 1 + i32::from(case.again.is_some());
            let effect = effect.filter(|_| corrected <= self.options.alpha().powi(passes))?;
            Some(null_control::bound(&effect, &self.options, tests))
        };
        let effects = cases.iter().zip(effects);
        effects.zip(corrected).map(bound).collect()
    }

    /// The options for one case.
    fn options_of(&self, case: &CaseGate) -> GateOptions {
        GateOptions {
            threshold: case.threshold.unwrap_or(self.options.threshold),
            floor: case.floor.unwrap_or(self.options.floor),
            ..self.options
        }
    }
}

/// Subtracts the null controls from the effects of one pass over all cases.
fn subtract(pass: &mut [PassEffects], bounds: &[Option<f64>]) {
    let others: Vec<f64> =
        pass.iter().filter_map(|pass_effects| Some(pass_effects.null.as_ref()?.p)).collect();
    let effects = pass.iter_mut().zip(bounds);
    let mut effects: Vec<_> = effects
        .filter_map(|(pass_effects, bound)| Some((pass_effects.pairs.as_mut()?, *bound)))
        .collect();
    null_control::subtract(&mut effects, &others);
}

fn effects_of_case(pass: &Pass, options: &GateOptions, tests: usize) -> PassEffects {
    let mut pass_effects = PassEffects::default();
    match effect_of(&pass.pairs, options, tests) {
        Ok(effect) => pass_effects.pairs = Some(effect),
        Err(reason) => pass_effects.problem = Some(reason),
    }
    match pass.null.as_ref().map(|null| effect_of(null, options, tests)) {
        Some(Ok(effect)) => pass_effects.null = Some(effect),
        Some(Err(reason)) => pass_effects.problem = Some(reason),
        None => {}
    }
    pass_effects
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

fn finding_of(effect: Option<&Effect>, options: &GateOptions) -> Change {
    effect.map_or(Change::Nothing, |effect| effect.finding(options))
}

fn decide(options: &GateOptions, first: &PassEffects, again: Option<&PassEffects>) -> Decision {
    let passes = || std::iter::once(first).chain(again);
    if let Some(problem) = passes().find_map(|pass_effects| pass_effects.problem.clone()) {
        return Decision::Inconclusive(problem);
    }
    let before_subtraction = |pass_effects: &PassEffects| {
        let pairs = pass_effects.pairs.as_ref();
        pairs.map_or(Change::Nothing, |effect| effect.whole_finding(options))
    };
    let finding = |pass_effects: &PassEffects| finding_of(pass_effects.pairs.as_ref(), options);
    match combined(finding(first), again.map(finding)) {
        Decision::Pass => {}
        decided => return decided,
    }
    // No finding remains. The null control may have removed one, or it may hide a change. It counts as different only
    // if it is so in every pass, just as a regression must be found in every pass.
    let mut nulls = passes().filter_map(|pass_effects| pass_effects.null.as_ref());
    let null_differs = nulls.all(|null| null.finding(options) != Change::Nothing);
    let removed_finding =
        combined(before_subtraction(first), again.map(before_subtraction)) != Decision::Pass;
    match first.pairs.as_ref().and_then(|effect| effect.rest.as_ref()) {
        Some(Rest { subtracted, .. }) if null_differs || removed_finding => {
            Decision::Inconclusive(Reason::NullControl {
                effect: first.null.as_ref().map_or(0.0, |null| null.effect),
                subtracted: *subtracted,
            })
        }
        _ => Decision::Pass,
    }
}

/// The decision that follows from the findings of the passes.
fn combined(first: Change, again: Option<Change>) -> Decision {
    match (first, again) {
        (Change::More, Some(Change::More)) => Decision::Regression,
        (Change::More, None) => Decision::Inconclusive(Reason::NotMeasuredAgain),
        (Change::Less, None | Some(Change::Less)) => Decision::Improvement,
        _ => Decision::Pass,
    }
}

/// The worst decision counts. A null control makes only its own case inconclusive, because each case has its own
/// control, interleaved with its own pairs.
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
