//! The search: rounds until something fails, and then the smallest input that fails in the same way.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::arguments::GeneratorValues;
use super::fault::{InputFault, MOST_INVALID};
use super::finding::{ShrinkEnd, StressFinding, StressPlan, StressReport, StressStep};
use super::mutate::mutated;
use super::origin::InputOrigin;
use super::passed::PassedInputs;
use super::programs::StressPrograms;
use super::rounds::{RoundPlan, lowest};
use super::smaller::Shrinking;
use super::trial::{
    Cast, FailureKind, GeneratorFault, Performance, RunCounts, StressTrials, TrialResult,
};
use super::{StressError, fault};
use crate::bench::RandomSource;
use crate::notice::Notice;
use crate::sandbox::{RunnerSource, SandboxError};
use crate::verdict::Verdict;

/// The largest number of changed cases of a round: it runs the first valid one.
const MOST_MUTATIONS: usize = 16;

/// What a round found.
enum RoundFinding {
    Failure {
        kind: FailureKind,
        origin: InputOrigin,
        input: Vec<u8>,
        results: Vec<Option<Performance>>,
    },
    Fault(StressError),
}

/// The totals of all workers.
#[derive(Debug, Default)]
struct SearchTotals {
    /// The rounds that have ended.
    rounds: u64,
    runs: RunCounts,
    unanswered: u64,
    invalid: u64,
    unrepeated: u64,
    known: u64,
    /// The lowest round with an invalid input that nobody is to blame for, and why it is invalid.
    first_invalid: Option<(u64, Notice)>,
}

/// A search, with what all of its parts need.
struct StressSearch<'a> {
    programs: &'a StressPrograms,
    plan: StressPlan,
    source: &'a RunnerSource,
    on_step: &'a (dyn Fn(StressStep<'_>) + Sync),
    totals: Mutex<SearchTotals>,
    passed: PassedInputs,
}

/// Searches. A fault ends the search only if nothing was found before.
pub(crate) fn search(
    programs: &StressPrograms,
    plan: StressPlan,
    source: &RunnerSource,
    on_step: &(dyn Fn(StressStep<'_>) + Sync),
) -> Result<StressReport, StressError> {
    let search = StressSearch {
        programs,
        plan,
        source,
        on_step,
        totals: Mutex::default(),
        passed: PassedInputs::default(),
    };
    let started = Instant::now();
    let mut report = StressReport {
        findings: Vec::new(),
        rounds: 0,
        unanswered: 0,
        invalid: 0,
        unrepeated: 0,
        known: 0,
        runs: RunCounts::default(),
        interrupted: false,
        fault: None,
        elapsed: Duration::ZERO,
    };
    let ended = search.run(&mut report, started);
    let totals = search.totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.runs = totals.runs;
    report.unanswered = totals.unanswered;
    if report.rounds == 0 {
        // An interruption ends the rounds without their number.
        report.rounds = totals.rounds;
    }
    report.invalid = totals.invalid;
    report.unrepeated = totals.unrepeated;
    report.known = totals.known;
    report.elapsed = started.elapsed();
    match ended {
        Err(error) if error.is_interruption() => report.interrupted = true,
        Err(error) if report.findings.is_empty() => return Err(error),
        Err(error) => report.fault = Some(error),
        Ok(()) => {
            let is_all = totals.invalid == totals.rounds;
            if let Some((_, why)) = totals.first_invalid.filter(|_| is_all) {
                return Err(fault::of_all_inputs(totals.rounds, &why).into());
            }
        }
    }
    Ok(report)
}

impl StressSearch<'_> {
    fn run(&self, report: &mut StressReport, started: Instant) -> Result<(), StressError> {
        let mut first = self.plan.first_round;
        let mut shrinking = Duration::ZERO;
        while report.findings.len() < self.plan.findings {
            let known: Vec<FailureKind> = report.findings.iter().map(|one| one.kind).collect();
            let rounds = RoundPlan {
                first,
                last: self.plan.last_round,
                deadline: self.plan.budget.map(|budget| started + budget + shrinking),
                jobs: self.plan.jobs,
            };
            let worker = || Ok(StressTrials::new(self.programs, self.source, None)?);
            let end = lowest(rounds, &worker, &|trials, round, next| {
                self.round(trials, (round, next), &known)
            })?;
            report.rounds = (end.last + 1).saturating_sub(self.plan.first_round);
            let Some((round, found)) = end.found else {
                return Ok(());
            };
            first = round + 1;
            let at = Instant::now();
            match found {
                RoundFinding::Fault(fault) => return Err(fault),
                failure @ RoundFinding::Failure { .. } => {
                    let (finding, fault) = self.shrink(round, failure)?;
                    report.findings.extend(finding);
                    if let Some(fault) = end.fault.or(fault.map(StressError::from)) {
                        return Err(fault);
                    }
                }
            }
            shrinking += at.elapsed();
            if self.source.options().interrupt.is_set() {
                return Err(SandboxError::Interrupted.into());
            }
        }
        Ok(())
    }

    /// One round: an input, and the first failure on it that is not known. The generator of the next round starts too.
    fn round(
        &self,
        trials: &mut StressTrials<'_>,
        (round, next): (u64, Option<u64>),
        known: &[FailureKind],
    ) -> Result<Option<RoundFinding>, StressError> {
        (self.on_step)(StressStep::Round(round));
        let found = self.try_input(trials, (round, next), known);
        self.add(trials);
        if found.is_ok() {
            self.totals().rounds += 1;
        }
        found
    }

    fn try_input(
        &self,
        trials: &mut StressTrials<'_>,
        (round, next): (u64, Option<u64>),
        known: &[FailureKind],
    ) -> Result<Option<RoundFinding>, StressError> {
        let (origin, input) = self.input(trials, round)?;
        if let Some((generator, values)) = next.and_then(|next| self.draw(next).0) {
            trials.start_generator(generator, values)?;
        }
        let command = || origin.command(self.programs);
        let (fault, is_of_input) = match input {
            Err(fault) => (fault::of_generator(round, &fault), true),
            Ok(input) if self.passed.is_enough(&input) => {
                self.totals().known += 1;
                return Ok(None);
            }
            Ok(input) => match trials.judge(&input, Cast::All)? {
                TrialResult::Judged(results, failures) => {
                    if failures.is_empty() {
                        self.passed.add(&input);
                    }
                    let mut new = failures.into_iter().filter(|kind| !known.contains(kind));
                    return Ok(new.next().map(|kind| RoundFinding::Failure {
                        kind,
                        origin,
                        input,
                        results,
                    }));
                }
                TrialResult::NoAnswer => {
                    self.totals().unanswered += 1;
                    return Ok(None);
                }
                TrialResult::BrokenChecker { contestant, why } => {
                    let program = self.programs.name(contestant);
                    let fault = fault::of_checker(round, &command(), program, &why);
                    (fault, false)
                }
                TrialResult::Unusable(fault) => (
                    fault::of_input(round, &command(), &fault),
                    matches!(fault, InputFault::Invalid { .. }),
                ),
            },
        };
        if is_of_input && origin.may_be_invalid(self.programs) {
            let mut totals = self.totals();
            totals.invalid += 1;
            let first = totals.first_invalid.get_or_insert((round, fault.clone()));
            if round < first.0 {
                *first = (round, fault);
            }
            let why = first.1.clone();
            // This round has not ended, so it does not count yet.
            let is_hopeless = matches!(origin, InputOrigin::Generated { .. })
                && totals.invalid > totals.rounds
                && totals.rounds >= MOST_INVALID;
            return Ok(is_hopeless.then(|| {
                let fault = fault::of_all_inputs(MOST_INVALID, &why);
                RoundFinding::Fault(fault.into())
            }));
        }
        Ok(Some(RoundFinding::Fault(fault.into())))
    }

    /// The generator of a round with its values, which depend on the number of the round only; and the random numbers that
    /// are left.
    fn draw(&self, round: u64) -> (Option<(usize, GeneratorValues)>, RandomSource) {
        let mut random = RandomSource::new(self.plan.seed ^ RandomSource::new(round).next());
        let programs = self.programs;
        let drawn = programs.turns.of_round(round).map(|(generator, turn)| {
            let template = &programs.generators[generator].template;
            (generator, template.draw(turn, &mut random))
        });
        (drawn, random)
    }

    /// The input of a round.
    fn input(
        &self,
        trials: &mut StressTrials<'_>,
        round: u64,
    ) -> Result<(InputOrigin, Result<Vec<u8>, GeneratorFault>), SandboxError> {
        let cases = &self.programs.cases;
        match self.draw(round) {
            (Some((generator, values)), _) => {
                let input = trials.generate(generator, &values)?;
                Ok((InputOrigin::Generated { generator, values }, input))
            }
            (None, mut random) => {
                let case = usize::try_from(random.below(cases.len() as u64)).unwrap_or(0);
                let mut input = mutated(&cases[case], &mut random);
                for _ in 1..MOST_MUTATIONS {
                    let fault = trials.validate(&input)?;
                    if !fault.is_some_and(|fault| matches!(fault, InputFault::Invalid { .. })) {
                        break;
                    }
                    input = mutated(&cases[case], &mut random);
                }
                Ok((InputOrigin::Mutated, Ok(input)))
            }
        }
    }

    fn totals(&self) -> std::sync::MutexGuard<'_, SearchTotals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the runs of a worker to the totals; returns them.
    fn add(&self, trials: &mut StressTrials<'_>) -> RunCounts {
        let runs = std::mem::take(&mut trials.counts);
        self.totals().runs.add(runs);
        runs
    }

    /// Shrinks what a round found. `None`: it was a time that does not repeat, which is only counted. A fault does not lose what was found.
    fn shrink(
        &self,
        round: u64,
        found: RoundFinding,
    ) -> Result<(Option<StressFinding>, Option<SandboxError>), StressError> {
        let RoundFinding::Failure { kind, origin, input, results } = found else {
            return Ok((None, None));
        };
        let is_generated = matches!(origin, InputOrigin::Generated { .. });
        let mut shrinking = Shrinking {
            programs: self.programs,
            on_step: self.on_step,
            trials: StressTrials::new(self.programs, self.source, Some(self.plan.look))?,
            finding: StressFinding {
                round,
                kind,
                after: input.clone(),
                before: input,
                still_generated: is_generated.then(|| origin.command(self.programs)),
                results,
                repeated: (0, 0),
                end: ShrinkEnd::Ended,
                texts: 0,
                undecided: None,
                learned_from: None,
                runs: RunCounts::default(),
            },
            deadline: self.plan.budget.map(|budget| Instant::now() + budget),
            is_generated: true,
            shape: None,
            seed: self.plan.seed,
            fault: None,
        };
        // What was found is reported, even if the rest is interrupted.
        let ended = shrinking.run(&origin);
        let Shrinking { mut trials, mut finding, fault, .. } = shrinking;
        finding.runs = self.add(&mut trials);
        let fault = fault.or(ended.err());
        if fault.is_some() {
            finding.end = ShrinkEnd::Ended;
        }
        let is_chance = finding.end == ShrinkEnd::Flaky && kind.verdict == Verdict::TimeLimit;
        self.totals().unrepeated += u64::from(is_chance);
        Ok(((!is_chance).then_some(finding), fault))
    }
}
