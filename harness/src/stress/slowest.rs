//! `--slowest`: climbs for the inputs on which a solution needs the most CPU time.

use std::time::{Duration, Instant};

use super::StressError;
use super::arguments::GeneratorValues;
use super::finding::{StressPlan, StressStep};
use super::programs::StressPrograms;
use super::trial::StressTrials;
use crate::bench::RandomSource;
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
    pub(crate) verdict: Verdict,
    /// The command that makes it, or the name of the case.
    pub(crate) name: String,
}

/// The slowest inputs of a solution.
#[derive(Debug)]
pub(crate) struct SlowestInputs {
    pub(crate) program: String,
    pub(crate) limit: Duration,
    /// The slowest generated inputs, the slowest first.
    pub(crate) inputs: Vec<SlowInput>,
    /// The slowest case that there is.
    pub(crate) case: Option<SlowInput>,
    pub(crate) rounds: u64,
}

/// A kept input, with what made it.
struct KeptInput {
    input: SlowInput,
    generator: usize,
    values: GeneratorValues,
}

/// Looks for the slowest inputs of the first solution, one round at a time. The rounds end with the budget, with the last
/// round, or with an interruption.
pub(crate) fn slowest(
    programs: &StressPrograms,
    plan: &StressPlan,
    source: &RunnerSource,
    on_step: &(dyn Fn(StressStep<'_>) + Sync),
) -> Result<SlowestInputs, StressError> {
    let tested = programs
        .contestants
        .iter()
        .position(|one| !one.source.is_reference);
    let contestant = tested.unwrap_or(0);
    let mut trials = StressTrials::new(programs, source, None)?;
    let mut kept: Vec<KeptInput> = Vec::new();
    let deadline = plan.budget.map(|budget| Instant::now() + budget);
    let mut random = RandomSource::new(plan.seed);
    let mut round = 0;
    while !programs.generators.is_empty()
        && plan.last_round.is_none_or(|last| round < last)
        && deadline.is_none_or(|deadline| Instant::now() < deadline)
    {
        round += 1;
        on_step(StressStep::Round(round));
        let (generator, values) = next(programs, &kept, round, &mut random);
        match measured(&mut trials, contestant, generator, &values) {
            Ok(Some((cpu, verdict))) => {
                let name = programs.generators[generator].template.command(&values);
                let input = SlowInput { cpu, verdict, name };
                kept.push(KeptInput {
                    input,
                    generator,
                    values,
                });
                kept.sort_by_key(|one| std::cmp::Reverse(one.input.cpu));
                kept.dedup_by(|one, two| one.input.name == two.input.name);
                kept.truncate(KEPT);
            }
            Ok(None) => {}
            Err(SandboxError::Interrupted) => break,
            Err(error) => return Err(error.into()),
        }
    }
    Ok(SlowestInputs {
        program: programs.name(contestant).to_owned(),
        limit: programs.contestants[contestant].limits.cpu_time,
        inputs: kept.into_iter().map(|one| one.input).collect(),
        case: slowest_case(programs, &mut trials, contestant)?,
        rounds: round,
    })
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

/// The CPU time of the solution on a generated input. `None`: the input is invalid.
fn measured(
    trials: &mut StressTrials<'_>,
    contestant: usize,
    generator: usize,
    values: &GeneratorValues,
) -> Result<Option<(Duration, Verdict)>, SandboxError> {
    match trials.generate(generator, values)? {
        Ok(input) => trials.measure(contestant, &input),
        Err(_) => Ok(None),
    }
}

/// The slowest of the largest cases.
fn slowest_case(
    programs: &StressPrograms,
    trials: &mut StressTrials<'_>,
    contestant: usize,
) -> Result<Option<SlowInput>, SandboxError> {
    let cases = programs
        .problem
        .cases
        .iter()
        .filter(|case| !case.is_static());
    let mut inputs: Vec<_> = cases.map(|case| (case.input(), case.name())).collect();
    inputs.sort_by_cached_key(|(path, _)| {
        std::cmp::Reverse(std::fs::metadata(path).map_or(0, |file| file.len()))
    });
    let mut slowest: Option<SlowInput> = None;
    for (path, name) in inputs.into_iter().take(CASES) {
        let Ok(input) = crate::plain_file::read(&path) else {
            continue;
        };
        let measured = match trials.measure(contestant, &input) {
            Err(SandboxError::Interrupted) => break,
            other => other?,
        };
        let is_slower = |cpu: Duration| slowest.as_ref().is_none_or(|one| one.cpu < cpu);
        if let Some((cpu, verdict)) = measured.filter(|(cpu, _)| is_slower(*cpu)) {
            let name = name.to_owned();
            slowest = Some(SlowInput { cpu, verdict, name });
        }
    }
    Ok(slowest)
}
