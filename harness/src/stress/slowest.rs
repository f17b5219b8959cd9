//! `--slowest`: climbs for the inputs on which a solution needs the most CPU time, or the most instructions where they are
//! counted.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use super::arguments::GeneratorValues;
use super::fault::InputFault;
use super::finding::{StressPlan, StressStep};
use super::programs::StressPrograms;
use super::trial::{InstructionChoice, Performance, StressTrials};
use super::{StressError, fault};
use crate::bench::{Meter, RandomSource};
use crate::notice::Notice;
use crate::sandbox::{RunnerSource, SandboxError};
use crate::verdict::Verdict;

/// The number of inputs that are kept.
const KEPT: usize = 3;

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
        Self {
            cpu: measured.cpu,
            instructions: *instructions,
            verdict: measured.verdict,
            name,
        }
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

/// A kept input, with what made it.
struct KeptInput {
    input: SlowInput,
    generator: usize,
    values: GeneratorValues,
}

/// The climb, so far.
struct SlowestSearch<'a> {
    programs: &'a StressPrograms,
    trials: StressTrials<'a>,
    /// The index of the solution.
    contestant: usize,
    meter: Meter,
    kept: Vec<KeptInput>,
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
        kept: Vec::new(),
        rounds: 0,
        invalid: 0,
        first_invalid: None,
    };
    let ended = search.climb(plan, on_step);
    let (interrupted, fault) = match ended {
        Err(error) if error.is_interruption() => (true, None),
        Err(error) if search.kept.is_empty() => return Err(error),
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
        inputs: search.kept.into_iter().map(|one| one.input).collect(),
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
            let (generator, values) = next(self.programs, &self.kept, round, &mut random);
            if let Some(input) = self.measured(round, generator, &values)? {
                self.kept.push(KeptInput {
                    input,
                    generator,
                    values,
                });
                self.kept.sort_by_key(|one| Reverse(one.input.slowness()));
                self.kept
                    .dedup_by(|one, two| one.input.name == two.input.name);
                self.kept.truncate(KEPT);
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

/// The generator and the values of a round: new ones of any size, the largest ones, or those of a kept input changed.
fn next(
    programs: &StressPrograms,
    kept: &[KeptInput],
    round: u64,
    random: &mut RandomSource,
) -> (usize, GeneratorValues) {
    let count = programs.generators.len() as u64;
    if !kept.is_empty() && random.below(3) > 0 {
        let index = usize::try_from(random.below(kept.len() as u64)).unwrap_or(0);
        let one = &kept[index];
        let template = &programs.generators[one.generator].template;
        return (one.generator, template.changed(&one.values, random));
    }
    let generator = usize::try_from(round % count).unwrap_or(0);
    let template = &programs.generators[generator].template;
    (generator, template.draw_large(random))
}
