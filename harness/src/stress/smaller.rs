//! Makes the input of a finding smaller: first by the arguments of the generator, and then as a text.

use std::time::Instant;

use super::arguments::{GROWTH, GeneratorValues};
use super::fault::InputFault;
use super::finding::{ShrinkEnd, StressFinding, StressStep, UndecidedTexts};
use super::origin::InputOrigin;
use super::performance::is_answered;
use super::programs::StressPrograms;
use super::shape::InputShape;
use super::shrink::{ShrinkStopped, shrink};
use super::trial::{Cast, StressTrials, TrialResult};
use crate::bench::RandomSource;
use crate::sandbox::SandboxError;

/// The number of runs that show whether a failure repeats.
const REPEATS: u32 = 2;
/// The largest number of smaller arguments, and of texts, to try.
const MOST_ARGUMENTS: u64 = 400;
const MOST_TEXTS: u64 = 30_000;

/// The number of outputs of a generator from which their shape is learned, and the largest one in bytes.
const SAMPLES: u64 = 24;
const LARGEST_SAMPLE: usize = 8 << 10;

/// The shrinking of a finding.
pub(super) struct Shrinking<'a> {
    pub(super) programs: &'a StressPrograms,
    pub(super) on_step: &'a (dyn Fn(StressStep<'_>) + Sync),
    pub(super) trials: StressTrials<'a>,
    pub(super) finding: StressFinding,
    pub(super) deadline: Option<Instant>,
    /// Whether the texts are outputs of the generator, which are valid.
    pub(super) is_generated: bool,
    /// What the outputs of the generator have in common, if nothing else says which texts are valid.
    pub(super) shape: Option<InputShape>,
    /// The seed of the search.
    pub(super) seed: u64,
    /// Why a trial could not be made.
    pub(super) fault: Option<SandboxError>,
}

impl Shrinking<'_> {
    /// Makes the input of the finding as small as possible.
    pub(super) fn run(&mut self, origin: &InputOrigin) -> Result<(), SandboxError> {
        let input = self.finding.after.clone();
        for _ in 0..REPEATS {
            let fails = self.fails(&input)?;
            self.finding.repeated.0 += u32::from(fails);
            self.finding.repeated.1 += 1;
        }
        if self.finding.repeated.0 == 0 {
            self.finding.end = ShrinkEnd::Flaky;
            return Ok(());
        }
        if let InputOrigin::Generated { generator, values } = origin {
            self.shrink_values(*generator, values.clone())?;
        }
        let programs = self.programs;
        if !programs.has_validator() && !is_answered(programs, &self.finding.results) {
            self.finding.end = ShrinkEnd::OnlyArguments;
            return Ok(());
        }
        self.is_generated = false;
        if let InputOrigin::Generated { generator, .. } = origin
            && !programs.has_validator()
        {
            self.learn(*generator)?;
        }
        let from = self.finding.after.clone();
        let ended = shrink(&from, &mut |text| {
            if self.is_over() || self.finding.texts >= MOST_TEXTS {
                return Err(ShrinkStopped);
            }
            let fails = self.fails(text).map_err(|fault| {
                self.fault = Some(fault);
                ShrinkStopped
            })?;
            if fails {
                self.finding.still_generated = None;
            }
            Ok(fails)
        });
        if ended.is_ok() {
            self.finding.end = ShrinkEnd::Complete;
        }
        Ok(())
    }

    /// Learns what the outputs of this generator have in common, from small ones to large ones.
    fn learn(&mut self, generator: usize) -> Result<(), SandboxError> {
        let template = &self.programs.generators[generator].template;
        let mut random = RandomSource::new(self.seed);
        let mut texts = vec![self.finding.before.clone(), self.finding.after.clone()];
        for sample in 1..=SAMPLES {
            if self.is_over() {
                break;
            }
            let values = template.draw(sample * GROWTH / SAMPLES, &mut random);
            texts.extend(self.trials.generate(generator, &values)?);
        }
        texts.retain(|text| text.len() <= LARGEST_SAMPLE);
        self.shape = InputShape::learn(&texts).filter(|shape| shape.fits(&self.finding.after));
        self.finding.learned_from = self.shape.as_ref().map(|_| texts.len());
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether the text fails in the same way. If so, it is the smallest so far.
    fn fails(&mut self, text: &[u8]) -> Result<bool, SandboxError> {
        let kind = self.finding.kind;
        if self.shape.as_ref().is_some_and(|shape| !shape.fits(text)) {
            return Ok(false);
        }
        self.finding.texts += 1;
        let result = self.trials.judge(text, Cast::Only(kind.contestant))?;
        let (results, failures) = match result {
            TrialResult::Judged(results, failures) => (results, failures),
            TrialResult::Unusable(fault) => {
                self.note(fault);
                return Ok(false);
            }
            TrialResult::BrokenChecker { .. } | TrialResult::NoAnswer => return Ok(false),
        };
        // Without a validator, a text counts as valid only if a reference answers it, as one answers the input.
        let is_valid = self.is_generated
            || self.programs.has_validator()
            || is_answered(self.programs, &results);
        if !failures.contains(&kind) || !is_valid {
            return Ok(false);
        }
        self.finding.after = text.to_vec();
        self.finding.results = results;
        (self.on_step)(StressStep::Shrinking {
            round: self.finding.round,
            program: self.programs.name(kind.contestant),
            bytes: text.len(),
        });
        Ok(true)
    }

    /// Counts a text if a validator failed on it.
    fn note(&mut self, fault: InputFault) {
        if let InputFault::BrokenValidator { validator, why } = fault {
            let undecided =
                self.finding.undecided.get_or_insert(UndecidedTexts { count: 0, validator, why });
            undecided.count += 1;
        }
    }

    /// Looks for smaller arguments of the generator.
    fn shrink_values(
        &mut self,
        generator: usize,
        mut values: GeneratorValues,
    ) -> Result<(), SandboxError> {
        let template = &self.programs.generators[generator].template;
        let mut tried = 0;
        loop {
            let mut better = None;
            for smaller in template.smaller(&values) {
                if tried >= MOST_ARGUMENTS || self.is_over() {
                    return Ok(());
                }
                tried += 1;
                if let Ok(input) = self.trials.generate(generator, &smaller)?
                    && self.fails(&input)?
                {
                    better = Some(smaller);
                    break;
                }
            }
            let Some(smaller) = better else {
                return Ok(());
            };
            self.finding.still_generated = Some(template.command(&smaller));
            values = smaller;
        }
    }
}
