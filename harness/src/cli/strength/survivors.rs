//! `--stress`: looks for inputs that kill the mutants that survive the cases.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;

use super::Strength;
use crate::cli::stream;
use crate::cli::stress::add;
use crate::cli::stress::package::of_mutant;
use crate::limits::LimitOverrides;
use crate::problem::Problem;
use crate::strength::{MutantReview, SurvivorSearch};
use crate::stress::{StressPlan, StressPrograms, search};
use crate::submission::Submission;

/// A mutant that survives, with its solution.
struct Survivor {
    number: usize,
    mutant: Submission,
    solution: Submission,
}

/// Looks for an input that kills each survivor. `on_step` gets the number of survivors that are done.
pub(super) fn search_all(
    strength: &Strength<'_>,
    problem: &Problem,
    budget: Duration,
    found: &mut MutantReview,
    on_step: &mut dyn FnMut(usize),
) -> Result<()> {
    let survivors: Vec<Survivor> = found
        .survivors()
        .map(|(mutant, parent)| Survivor {
            number: mutant.number,
            mutant: mutant.submission.clone(),
            solution: parent.submission.clone(),
        })
        .collect();
    for (done, survivor) in survivors.iter().enumerate() {
        on_step(done);
        let (search, is_faulty) = one(strength, problem, budget, survivor)?;
        found.is_faulty |= is_faulty;
        found
            .searches
            .extend(search.map(|search| (survivor.number, search)));
        if strength.session.signalled().is_some() {
            break;
        }
    }
    Ok(())
}

/// The result of a search, and whether something failed. No result: the search was interrupted, or says nothing about the
/// mutant.
fn one(
    strength: &Strength<'_>,
    problem: &Problem,
    budget: Duration,
    survivor: &Survivor,
) -> Result<(Option<SurvivorSearch>, bool)> {
    let args = strength.args;
    let Survivor {
        number,
        mutant,
        solution,
    } = survivor;
    let name = format!("mutant {number} of {}", solution.name);
    let sources = of_mutant(strength.project, problem, &mutant.path, &name, solution)?;
    let tools = strength.project.tools();
    let mut runner = strength.session.runner()?;
    let programs = StressPrograms::build(sources, &LimitOverrides::default(), tools, &mut runner)?;
    drop(runner);
    let plan = StressPlan {
        seed: args.mutants.seed,
        first_round: 1,
        last_round: None,
        budget: Some(budget),
        findings: 1,
        jobs: strength.options.jobs,
        look: stream::look(),
    };
    let report = search(&programs, plan, strength.session.runners(), &|_| ())?;
    if let Some(fault) = &report.fault {
        stream::warn(fault);
    }
    let mut is_faulty = report.fault.is_some();
    let result = match report.findings.first() {
        Some(finding) if !programs.is_reference(finding.kind.contestant) => {
            if args.mutants.add {
                let command = args.mutants.command(&problem.id, budget);
                let prints_json = args.json.path() == Some(Path::new("-"));
                // What was found is kept also if it cannot be added.
                if let Err(error) = add::add(finding, &programs, &command, prints_json) {
                    stream::report_error(&error);
                    is_faulty = true;
                }
            }
            Some(SurvivorSearch::Killed {
                verdict: finding.kind.verdict,
                input: finding.after.clone(),
            })
        }
        None if !report.interrupted => {
            // Only inputs that are valid, and that the solution answers, are compared.
            let without = report.invalid.saturating_add(report.unanswered);
            let rounds = report.rounds.saturating_sub(without);
            (rounds > 0).then_some(SurvivorSearch::NothingFound { rounds })
        }
        _ => None,
    };
    Ok((result, is_faulty))
}
