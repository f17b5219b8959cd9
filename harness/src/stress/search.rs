//! The search: rounds until something fails, and then the smallest input that fails in the same way.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::StressError;
use super::arguments::GeneratorValues;
use super::finding::{ShrinkEnd, StressFinding, StressPlan, StressReport, StressStep};
use super::programs::StressPrograms;
use super::rounds::{RoundPlan, lowest};
use super::smaller::Shrinking;
use super::trial::{Cast, FailureKind, Performance, RunCounts, TrialResult, Trials, first_failure};
use crate::bench::RandomSource;
use crate::sandbox::{RunnerSource, SandboxError};
use crate::verdict::Verdict;

/// What a round found.
enum RoundFinding {
    Failure {
        kind: FailureKind,
        generator: usize,
        values: GeneratorValues,
        input: Vec<u8>,
        results: Vec<Option<Performance>>,
    },
    Fault(StressError),
}

/// The totals of all workers.
#[derive(Debug, Default)]
struct SearchTotals {
    runs: RunCounts,
    unanswered: u64,
}

/// A search, with what all of its parts need.
struct StressSearch<'a> {
    programs: &'a StressPrograms,
    plan: StressPlan,
    source: &'a RunnerSource,
    on_step: &'a (dyn Fn(StressStep<'_>) + Sync),
    totals: Mutex<SearchTotals>,
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
    };
    let started = Instant::now();
    let mut report = StressReport {
        findings: Vec::new(),
        rounds: 0,
        unanswered: 0,
        runs: RunCounts::default(),
        interrupted: false,
        elapsed: Duration::ZERO,
    };
    let ended = search.run(&mut report, started);
    let totals = search
        .totals
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    report.runs = totals.runs;
    report.unanswered = totals.unanswered;
    report.elapsed = started.elapsed();
    match ended {
        Err(error) if error.is_interruption() => report.interrupted = true,
        Err(error) => return Err(error),
        Ok(()) => {}
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
            let worker = || Ok(Trials::new(self.programs, self.source, None)?);
            let end = lowest(rounds, &worker, &|trials, round| {
                self.round(trials, round, &known)
            })?;
            report.rounds = report.rounds.max(end.last);
            let Some((round, found)) = end.found else {
                return Ok(());
            };
            first = round + 1;
            let at = Instant::now();
            match found {
                RoundFinding::Fault(fault) => return Err(fault),
                failure @ RoundFinding::Failure { .. } => {
                    report.findings.extend(self.shrink(round, failure)?);
                }
            }
            shrinking += at.elapsed();
            if self.source.options().interrupt.is_set() {
                return Err(SandboxError::Interrupted.into());
            }
        }
        Ok(())
    }

    /// One round: an input, and the first failure on it that is not known.
    fn round(
        &self,
        trials: &mut Trials<'_>,
        round: u64,
        known: &[FailureKind],
    ) -> Result<Option<RoundFinding>, StressError> {
        (self.on_step)(StressStep::Round(round));
        let generators = self.programs.generators.len() as u64;
        let mut random = RandomSource::new(self.plan.seed ^ RandomSource::new(round).next());
        let generator = usize::try_from((round - 1) % generators).unwrap_or(0);
        let template = &self.programs.generators[generator].template;
        let values = template.draw((round - 1) / generators + 1, &mut random);
        let found = self.try_values(trials, round, generator, values);
        self.add(trials);
        let found = found?;
        Ok(found.filter(|found| match found {
            RoundFinding::Failure { kind, .. } => !known.contains(kind),
            RoundFinding::Fault(_) => true,
        }))
    }

    fn try_values(
        &self,
        trials: &mut Trials<'_>,
        round: u64,
        generator: usize,
        values: GeneratorValues,
    ) -> Result<Option<RoundFinding>, StressError> {
        let command = || {
            self.programs.generators[generator]
                .template
                .command(&values)
        };
        let input = match trials.generate(generator, &values)? {
            Ok(input) => input,
            Err(fault) => {
                let fault = StressError::Generator { round, fault };
                return Ok(Some(RoundFinding::Fault(fault)));
            }
        };
        let fault = match trials.judge(&input, Cast::All)? {
            TrialResult::Judged(results) => {
                let kind = first_failure(self.programs, &results);
                return Ok(kind.map(|kind| RoundFinding::Failure {
                    kind,
                    generator,
                    values,
                    input,
                    results,
                }));
            }
            TrialResult::NoAnswer => {
                self.totals().unanswered += 1;
                return Ok(None);
            }
            TrialResult::Invalid { validator, why } => StressError::InvalidInput {
                round,
                command: command(),
                validator,
                why,
            },
            TrialResult::BrokenValidator { validator, why } => StressError::BrokenValidator {
                round,
                command: command(),
                validator,
                why,
            },
        };
        Ok(Some(RoundFinding::Fault(fault)))
    }

    fn totals(&self) -> std::sync::MutexGuard<'_, SearchTotals> {
        self.totals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds the runs of a worker to the totals; returns them.
    fn add(&self, trials: &mut Trials<'_>) -> RunCounts {
        let runs = std::mem::take(&mut trials.counts);
        self.totals().runs.add(runs);
        runs
    }

    /// Shrinks what a round found. `None`: it was a time that does not repeat.
    fn shrink(
        &self,
        round: u64,
        found: RoundFinding,
    ) -> Result<Option<StressFinding>, StressError> {
        let RoundFinding::Failure {
            kind,
            generator,
            values,
            input,
            results,
        } = found
        else {
            return Ok(None);
        };
        let template = &self.programs.generators[generator].template;
        let mut shrinking = Shrinking {
            programs: self.programs,
            on_step: self.on_step,
            trials: Trials::new(self.programs, self.source, Some(self.plan.look))?,
            finding: StressFinding {
                round,
                kind,
                after: input.clone(),
                before: input,
                still_generated: Some(template.command(&values)),
                results,
                repeated: (0, 0),
                end: ShrinkEnd::Ended,
                texts: 0,
                runs: RunCounts::default(),
            },
            deadline: self.plan.budget.map(|budget| Instant::now() + budget),
            fault: None,
        };
        // What was found is reported, even if the rest is interrupted.
        let ended = shrinking.run(generator, values);
        let Shrinking {
            mut trials,
            mut finding,
            fault,
            ..
        } = shrinking;
        finding.runs = self.add(&mut trials);
        let fault = fault.or(ended.err());
        match fault {
            Some(error) if !matches!(error, SandboxError::Interrupted) => return Err(error.into()),
            Some(_) => finding.end = ShrinkEnd::Ended,
            None => {}
        }
        let is_chance = finding.end == ShrinkEnd::Flaky && kind.verdict == Verdict::TimeLimit;
        Ok((!is_chance).then_some(finding))
    }
}
