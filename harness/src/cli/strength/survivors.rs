//! `--stress`: looks for inputs that kill the mutants that survive the cases.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Error, Result};

use super::Strength;
use crate::cli::case::found::AddedCases;
use crate::cli::project::Reported;
use crate::cli::stream;
use crate::cli::stress::add;
use crate::cli::stress::package::of_mutant;
use crate::limits::LimitOverrides;
use crate::notice::{Code, Notice};
use crate::problem::Problem;
use crate::shell::{relative_path, shell_word};
use crate::strength::{MutantReview, SurvivorSearch};
use crate::stress::{StressFinding, StressPlan, StressPrograms, search};
use crate::submission::Submission;

/// A mutant that survives, with its solution.
struct Survivor {
    number: usize,
    mutant: Submission,
    solution: Submission,
}

/// Looks for an input that kills each survivor. `on_step` gets the number of survivors that are done. A fault does not
/// end the other searches.
pub(super) fn search_all(
    strength: &Strength<'_>,
    problem: &Problem,
    budget: Duration,
    found: &mut MutantReview,
    on_step: &mut dyn FnMut(usize),
) {
    let survivors: Vec<Survivor> = found
        .survivors()
        .map(|(mutant, parent)| Survivor {
            number: mutant.number,
            mutant: mutant.submission.clone(),
            solution: parent.submission.clone(),
        })
        .collect();
    let mut searches = SurvivorSearches {
        strength,
        problem,
        budget,
        added: AddedCases::default(),
        faults: BTreeSet::new(),
    };
    for (done, survivor) in survivors.iter().enumerate() {
        on_step(done);
        let is_interrupted = || strength.session.signalled().is_some();
        let search = match searches.one(survivor) {
            Ok(search) => search,
            Err(_) if is_interrupted() => break,
            Err(fault) => {
                searches.report(&fault);
                Some(SurvivorSearch::Fault)
            }
        };
        let search = search.map(|search| (survivor.number, search));
        found.searches.extend(search);
        if is_interrupted() {
            break;
        }
    }
    found.is_faulty = !searches.faults.is_empty();
}

/// The searches for all survivors of a problem.
struct SurvivorSearches<'a> {
    strength: &'a Strength<'a>,
    problem: &'a Problem,
    budget: Duration,
    added: AddedCases,
    /// The faults so far, as they were reported: each is reported once.
    faults: BTreeSet<String>,
}

impl SurvivorSearches<'_> {
    /// The result of a search; `None`: it was interrupted, or no input of it says anything about the mutant.
    fn one(&mut self, survivor: &Survivor) -> Result<Option<SurvivorSearch>> {
        let strength = self.strength;
        let args = strength.args;
        let Survivor { number, mutant, solution } = survivor;
        let name = format!("mutant {number} of {}", solution.name);
        let (project, tools) = (strength.project, strength.project.tools());
        let sources = of_mutant(project, self.problem, mutant, name, solution)?;
        let mut runner = strength.session.runner()?;
        let programs =
            StressPrograms::build(sources, &LimitOverrides::default(), tools, &mut runner)?;
        drop(runner);
        let plan = StressPlan {
            seed: args.mutants.seed,
            first_round: 1,
            last_round: None,
            budget: Some(self.budget),
            findings: 1,
            jobs: strength.options.jobs,
            look: stream::look(),
        };
        let report = search(&programs, plan, strength.session.runners(), &|_| ())?;
        let Some(finding) = report.findings.first() else {
            // Only inputs that are valid, and that the solution answers, are compared.
            let without = report.invalid + report.unanswered + report.unrepeated;
            let rounds = report.rounds.saturating_sub(without);
            let is_over = !report.interrupted && rounds > 0;
            return Ok(is_over.then_some(SurvivorSearch::NothingFound { rounds }));
        };
        let (verdict, input) = (finding.kind.verdict, finding.after.clone());
        let search = if programs.is_reference(finding.kind.contestant) {
            self.report(&fault_of(solution, finding, args.mutants.seed).into());
            SurvivorSearch::SolutionFails { verdict, input }
        } else {
            SurvivorSearch::Killed { verdict, input }
        };
        if args.mutants.add && matches!(search, SurvivorSearch::Killed { .. }) {
            let command = args.mutants.command(&self.problem.id, self.budget);
            let prints_json = args.json.path() == Some(Path::new("-"));
            let added = add::add(finding, &programs, &command, prints_json, &mut self.added);
            // What was found is kept also if it cannot be added.
            if let Err(error) = added {
                self.report(&error);
            }
        }
        if let Some(fault) = report.fault {
            self.report(&fault.into());
        }
        Ok(Some(search))
    }

    fn report(&mut self, fault: &Error) {
        if self.faults.insert(format!("{fault:#}")) && !fault.is::<Reported>() {
            stream::report_error(fault);
        }
    }
}

/// An accepted solution fails on an input that the problem allows.
fn fault_of(solution: &Submission, finding: &StressFinding, seed: u64) -> Notice {
    let current = std::env::current_dir().unwrap_or_default();
    let path = relative_path(&current, &solution.path);
    let path = shell_word(&path.to_string_lossy());
    let (verdict, round) = (finding.kind.verdict, finding.round);
    Code::FailingProgram
        .says(format!(
            "`{}`, which every case accepts, gets {verdict} on a generated input",
            solution.name
        ))
        .help(format!(
            "`rejudge stress {path} --seed {seed} --rounds {round}..{round}` shows the input"
        ))
}
