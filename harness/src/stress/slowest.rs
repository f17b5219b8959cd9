//! `--slowest`: climbs for the inputs on which a solution needs the most CPU time, or the most instructions where they are
//! counted.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use super::arguments::{GeneratorTemplate, GeneratorValues};
use super::fault::InputFault;
use super::finding::{StressPlan, StressStep};
use super::programs::StressPrograms;
use super::trial::{InstructionChoice, Performance, StressTrials};
use super::{StressError, fault};
use crate::bench::{Meter, RandomSource};
use crate::notice::Notice;
use crate::sandbox::{RunnerSource, SandboxError};
use crate::verdict::Verdict;

/// The number of inputs that are printed, and the number that are kept of each generator.
const KEPT: usize = 3;

/// An input is slower by more than accident if it takes this many times as long.
const PROGRESS: f64 = 1.1;

/// The largest number of cases that are run for comparison, the largest ones.
const CASES: usize = 10;

/// A slow input.
#[derive(Debug, Clone)]
pub(crate) struct SlowInput {
    pub(crate) cpu: Duration,
    /// None if they were not counted.
    pub(crate) instructions: Option<u64>,
    pub(crate) verdict: Verdict,
    /// The command that makes it, or the name of the case.
    pub(crate) name: String,
}

impl SlowInput {
    fn of((measured, instructions): &(Performance, Option<u64>), name: String) -> Self {
        Self { cpu: measured.cpu, instructions: *instructions, verdict: measured.verdict, name }
    }

    /// Whether this input is slower than another by more than accident.
    #[expect(clippy::cast_precision_loss, reason = "a ratio needs no precision")]
    fn is_progress_from(&self, other: &Self) -> bool {
        let ratio = match (self.instructions, other.instructions) {
            (Some(ours), Some(theirs)) => ours as f64 / theirs as f64,
            _ => self.cpu.as_secs_f64() / other.cpu.as_secs_f64(),
        };
        ratio >= PROGRESS
    }

    /// The slower an input is, the greater. Callgrind counts no run that is over its limit, so these come first.
    fn slowness(&self) -> (bool, Option<u64>, Duration) {
        let is_over = self.verdict == Verdict::TimeLimit;
        (is_over, self.instructions, self.cpu)
    }
}

/// The slowest inputs of a solution.
#[derive(Debug)]
pub(crate) struct SlowestInputs {
    pub(crate) program: String,
    pub(crate) limit: Duration,
    /// The counter of instructions, if there is one.
    pub(crate) counter: Option<String>,
    /// The slowest generated inputs, the slowest first.
    pub(crate) inputs: Vec<SlowInput>,
    /// The slowest case that there is.
    pub(crate) case: Option<SlowInput>,
    pub(crate) rounds: u64,
    /// The number of rounds whose input was invalid, which nobody is to blame for.
    pub(crate) invalid: u64,
    pub(crate) interrupted: bool,
    /// Why the rounds could not continue.
    pub(crate) fault: Option<StressError>,
}

/// The climb for the slowest inputs of one generator.
#[derive(Default)]
struct GeneratorClimb {
    /// The slowest inputs, the slowest first, with their values.
    kept: Vec<(SlowInput, GeneratorValues)>,
    /// The number of rounds since the last progress.
    fruitless: u64,
}

impl GeneratorClimb {
    /// Ends a round that had this input.
    fn add(&mut self, input: SlowInput, values: GeneratorValues) {
        if self.kept.iter().any(|(other, _)| other.name == input.name) {
            return;
        }
        let slowest = self.kept.first();
        if slowest.is_none_or(|(slowest, _)| input.is_progress_from(slowest)) {
            self.fruitless = 0;
        }
        self.kept.push((input, values));
        self.kept.sort_by_key(|(one, _)| Reverse(one.slowness()));
        self.kept.truncate(KEPT);
    }

    /// New large values, or those of a kept input changed.
    fn next(&self, template: &GeneratorTemplate, random: &mut RandomSource) -> GeneratorValues {
        let index = usize::try_from(random.below(KEPT as u64)).unwrap_or(0);
        match self.kept.get(index % self.kept.len().max(1)) {
            Some((_, values)) if random.below(3) > 0 => template.changed(values, random),
            _ => template.draw_large(random),
        }
    }
}

/// The search, so far.
struct SlowestSearch<'a> {
    programs: &'a StressPrograms,
    trials: StressTrials<'a>,
    /// The index of the solution.
    contestant: usize,
    meter: Meter,
    /// A climb for each generator.
    climbs: Vec<GeneratorClimb>,
    rounds: u64,
    invalid: u64,
    /// Why the first invalid input is invalid.
    first_invalid: Option<Notice>,
}

/// Looks for the slowest inputs of the first solution, one round at a time. The rounds end with the budget, with the last
/// round, or with an interruption. A fault ends them too; it is an error only if nothing was measured before.
pub(crate) fn slowest(
    programs: &StressPrograms,
    plan: &StressPlan,
    choice: InstructionChoice,
    source: &RunnerSource,
    on_step: &(dyn Fn(StressStep<'_>) + Sync),
) -> Result<SlowestInputs, StressError> {
    let mut all = programs.contestants.iter();
    let tested = all.position(|one| !one.source.is_reference);
    let contestant = tested.unwrap_or(0);
    let mut trials = StressTrials::new(programs, source, None)?;
    let meter = trials.meter(contestant, choice)?;
    let counter = (!matches!(meter, Meter::Clocks)).then(|| meter.name());
    let mut search = SlowestSearch {
        programs,
        trials,
        contestant,
        meter,
        climbs: std::iter::repeat_with(GeneratorClimb::default)
            .take(programs.generators.len())
            .collect(),
        rounds: 0,
        invalid: 0,
        first_invalid: None,
    };
    let ended = search.climb(plan, on_step);
    let (interrupted, fault) = match ended {
        Err(error) if error.is_interruption() => (true, None),
        Err(error) if search.climbs.iter().all(|one| one.kept.is_empty()) => return Err(error),
        Err(error) => (false, Some(error)),
        Ok(()) => {
            let is_all = search.invalid == search.rounds;
            if let Some(why) = search.first_invalid.take().filter(|_| is_all) {
                return Err(fault::of_all_inputs(search.rounds, &why).into());
            }
            (false, None)
        }
    };
    let case = search.slowest_case()?;
    Ok(SlowestInputs {
        program: programs.name(contestant).to_owned(),
        limit: programs.contestants[contestant].limits.cpu_time,
        counter,
        inputs: slowest_of(search.climbs),
        case,
        rounds: search.rounds,
        invalid: search.invalid,
        interrupted,
        fault,
    })
}

impl SlowestSearch<'_> {
    fn climb(
        &mut self,
        plan: &StressPlan,
        on_step: &(dyn Fn(StressStep<'_>) + Sync),
    ) -> Result<(), StressError> {
        if self.programs.generators.is_empty() {
            return Ok(());
        }
        let deadline = plan.budget.map(|budget| Instant::now() + budget);
        for round in plan.first_round..=plan.last_round.unwrap_or(u64::MAX) {
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(());
            }
            on_step(StressStep::Round(round));
            let mut random = RandomSource::new(plan.seed ^ RandomSource::new(round).next());
            let generator = next_generator(&self.climbs);
            let climb = &mut self.climbs[generator];
            climb.fruitless += 1;
            let template = &self.programs.generators[generator].template;
            let values = climb.next(template, &mut random);
            if let Some(input) = self.measured(round, generator, &values)? {
                self.climbs[generator].add(input, values);
            }
            self.rounds += 1;
            if self.invalid == self.rounds && self.rounds == fault::MOST_INVALID {
                return Ok(());
            }
        }
        Ok(())
    }

    /// What the solution needs on a generated input; `None`: the input is invalid, and nobody is to blame.
    fn measured(
        &mut self,
        round: u64,
        generator: usize,
        values: &GeneratorValues,
    ) -> Result<Option<SlowInput>, StressError> {
        let template = &self.programs.generators[generator].template;
        let name = template.command(values);
        let (fault, is_of_input) = match self.trials.generate(generator, values)? {
            Err(fault) => (fault::of_generator(round, &fault), true),
            Ok(input) => {
                if let Some(fault) = self.trials.validate(&input)? {
                    let is_invalid = matches!(fault, InputFault::Invalid { .. });
                    (fault::of_input(round, &name, &fault), is_invalid)
                } else {
                    let measured = self.trials.measure(self.contestant, &input, &self.meter)?;
                    if measured.0.verdict != Verdict::JudgeError {
                        return Ok(Some(SlowInput::of(&measured, name)));
                    }
                    let program = self.programs.name(self.contestant);
                    let why = measured.0.reason.unwrap_or_default();
                    (fault::of_checker(round, &name, program, &why), false)
                }
            }
        };
        if !is_of_input || !template.is_varied() {
            return Err(fault.into());
        }
        self.invalid += 1;
        self.first_invalid.get_or_insert(fault);
        Ok(None)
    }

    /// The slowest of the largest cases.
    fn slowest_case(&mut self) -> Result<Option<SlowInput>, SandboxError> {
        let all = &self.programs.problem.cases;
        let cases = all.iter().filter(|case| !case.is_static());
        let mut inputs: Vec<_> = cases.map(|case| (case.input(), case.name())).collect();
        inputs.sort_by_cached_key(|(path, _)| {
            Reverse(std::fs::metadata(path).map_or(0, |file| file.len()))
        });
        let mut slowest: Option<SlowInput> = None;
        for (path, name) in inputs.into_iter().take(CASES) {
            let Ok(input) = crate::plain_file::read(&path) else {
                continue;
            };
            let measured = match self.trials.measure(self.contestant, &input, &self.meter) {
                Err(SandboxError::Interrupted) => break,
                other => SlowInput::of(&other?, name.to_owned()),
            };
            let is_faster = |one: &SlowInput| one.slowness() < measured.slowness();
            if slowest.as_ref().is_none_or(is_faster) {
                slowest = Some(measured);
            }
        }
        Ok(slowest)
    }
}

/// The generator of the next round: one that has made progress, or else each in turn.
fn next_generator(climbs: &[GeneratorClimb]) -> usize {
    let indices = 0..climbs.len();
    indices.min_by_key(|index| climbs[*index].fruitless).unwrap_or(0)
}

/// The slowest inputs, the slowest first: as many of each generator as are needed, because those of one generator are
/// often alike.
fn slowest_of(climbs: Vec<GeneratorClimb>) -> Vec<SlowInput> {
    let of_each = KEPT.div_ceil(climbs.len().max(1));
    let all = climbs.into_iter().flat_map(|one| one.kept.into_iter().take(of_each));
    let mut inputs: Vec<SlowInput> = all.map(|(input, _)| input).collect();
    inputs.sort_by_key(|one| Reverse(one.slowness()));
    inputs.truncate(KEPT);
    inputs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(millis: u64, name: &str) -> SlowInput {
        SlowInput {
            cpu: Duration::from_millis(millis),
            instructions: None,
            verdict: Verdict::Accepted,
            name: name.to_owned(),
        }
    }

    /// Adds an input to the climb of the next generator, as a round does, and gives the generator.
    fn round(climbs: &mut [GeneratorClimb], millis: u64, name: &str) -> usize {
        let template = GeneratorTemplate::parse("g {seed}").unwrap();
        let next = next_generator(climbs);
        climbs[next].fruitless += 1;
        let values = template.draw(1, &mut RandomSource::new(1));
        climbs[next].add(input(millis, name), values);
        next
    }

    fn climbs(count: usize) -> Vec<GeneratorClimb> {
        (0..count).map(|_| GeneratorClimb::default()).collect()
    }

    #[test]
    fn the_slowest_inputs_of_one_generator_are_kept_once_each() {
        let mut climbs = climbs(1);
        for (millis, name) in [(5, "a"), (9, "b"), (8, "c"), (9, "b"), (7, "d"), (6, "e")] {
            assert_eq!(round(&mut climbs, millis, name), 0);
        }
        let slowest = slowest_of(climbs);
        let names: Vec<&str> = slowest.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["b", "c", "d"]);
    }

    #[test]
    fn the_rounds_are_for_generators_that_make_progress() {
        let mut climbs = climbs(3);
        let inputs = [
            (90, "a1"),
            (91, "a2"),
            (1, "b1"),
            (1, "b2"),
            (2, "c1"),
            (4, "c2"),
            (9, "c3"),
            (7, "c4"),
            (92, "a3"),
        ];
        let generators = inputs.map(|(millis, name)| round(&mut climbs, millis, name));
        assert_eq!(generators, [0, 0, 1, 1, 2, 2, 2, 2, 0]);
        let slowest = slowest_of(climbs);
        let names: Vec<&str> = slowest.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["a3", "c3", "b1"]);
    }

    #[test]
    fn an_input_that_is_kept_is_no_progress_however_long_it_takes_again() {
        let mut climbs = climbs(2);
        let generators = [(3, "a"), (9, "a"), (9, "b"), (9, "a")]
            .map(|(millis, name)| round(&mut climbs, millis, name));
        assert_eq!(generators, [0, 0, 1, 1]);
    }
}
