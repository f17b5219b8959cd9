//! The options about mutants, and the progress of compiling and judging them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{fs, io};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use rejudge_quantity as quantity;

use super::{Strength, survivors};
use crate::cli::project::{Reported, Selected};
use crate::cli::stream;
use crate::language::Languages;
use crate::notice::Code;
use crate::problem::Problem;
use crate::shell::shell_word;
use crate::show::progress::Spinner;
use crate::strength::{MutantPlan, MutantReview, StrengthReview, check_families, fates};
use crate::submission::Submission;

/// Mutants: accepted solutions with one change each
#[derive(Debug, Args)]
pub(super) struct MutantArgs {
    /// Number of mutants of the accepted solutions of each problem; 0 makes none
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(..=10_000))]
    mutants: u16,
    /// Number that determines which mutants are made
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,
    /// Look for an input that kills each mutant that no case kills, for TIME each
    #[arg(long, value_name = "TIME", value_parser = quantity::time)]
    pub(super) stress: Option<Duration>,
    /// Add the inputs that `--stress` finds to the cases
    #[arg(long, requires = "stress")]
    pub(super) add: bool,
    /// Store the mutants that no case kills as DIR/PROBLEM/NUMBER/NAME
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl MutantArgs {
    /// Finds before any work what would end it: an unknown family of syntax, and folders of `--keep` that hold other
    /// mutants already.
    pub(super) fn check(&self, languages: &Languages, selected: &Selected) -> Result<()> {
        if self.mutants == 0 {
            return Ok(());
        }
        check_families(languages, selected.submissions.iter())?;
        let Some(folder) = &self.keep else {
            return Ok(());
        };
        for problem in &selected.problems {
            let folder = folder.join(&problem.id);
            let is_used = match fs::read_dir(&folder) {
                Ok(mut entries) => entries.next().is_some(),
                Err(error) => error.kind() != io::ErrorKind::NotFound,
            };
            ensure!(
                !is_used,
                Code::AlreadyExists
                    .says(format!(
                        "`{}` exists already, and is not an empty folder",
                        folder.display()
                    ))
                    .help("remove it, or name another folder with `--keep DIR`")
            );
        }
        Ok(())
    }

    /// The command that finds the same inputs again.
    pub(super) fn command(&self, problem: &str, budget: Duration) -> String {
        let Self { mutants, seed, .. } = self;
        let budget = budget.as_secs_f64();
        let problem = shell_word(problem);
        format!("rejudge strength {problem} --mutants {mutants} --seed {seed} --stress {budget}s")
    }
}

/// A line on the terminal that tells how far the review of a problem is. It goes when this is dropped.
struct MutantBar<'a> {
    problem: &'a str,
    spinner: Spinner,
}

impl<'a> MutantBar<'a> {
    fn new(problem: &'a str) -> Self {
        Self { problem, spinner: Spinner::start(stream::note_of_work) }
    }

    fn say(&self, what: &str, done: usize, all: usize) {
        self.spinner.say(&format!("{}: {what}, {done} of {all}", self.problem));
    }
}

/// The solutions that every case accepts.
fn accepted(submissions: &[Submission], review: &StrengthReview) -> Vec<Submission> {
    let accepted = |one: &&Submission| {
        let mut judged = review.matrix.submissions.iter();
        judged.any(|found| found.name == one.name && !found.must_fail && found.is_accepted())
    };
    submissions.iter().filter(accepted).cloned().collect()
}

/// Makes and judges mutants of the solutions that every case accepts.
pub(super) fn review(
    strength: &Strength<'_>,
    problem: &Problem,
    submissions: &[Submission],
    review: &StrengthReview,
) -> Result<Option<MutantReview>> {
    let args = &strength.args.mutants;
    if args.mutants == 0 {
        return Ok(None);
    }
    let solutions = accepted(submissions, review);
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let bar = MutantBar::new(&problem.id);
    let plan = MutantPlan {
        problem,
        wanted: usize::from(args.mutants),
        seed: args.seed,
        tools: strength.project.tools(),
        runners: strength.session.runners(),
        jobs: strength.compilers(),
        folder: folder.path(),
    };
    let started = Instant::now();
    let wanted = usize::from(args.mutants);
    let made = plan.make(&solutions, &|done| bar.say("compiling mutants", done, wanted));
    let set = made.map_err(|error| {
        if error.is_interrupt() { Reported.into() } else { anyhow::Error::from(error) }
    })?;
    let compiled_in = started.elapsed();
    let problem = &Problem { additions: set.additions.clone(), ..problem.clone() };
    let started = Instant::now();
    let all = set.mutants.len();
    let fates = fates(
        problem,
        &set,
        &review.matrix,
        &review.order.cases,
        strength.project.tools(),
        &strength.options,
        &mut |done| bar.say("judging mutants", done, all),
    );
    let mut found = MutantReview {
        fates: fates?,
        set,
        seed: args.seed,
        compiled_in,
        judged_in: started.elapsed(),
        current: std::env::current_dir().unwrap_or_default(),
        kept: BTreeMap::new(),
        searches: BTreeMap::new(),
        is_faulty: false,
    };
    let survivors = found.survivors().count();
    if let Some(budget) = args.stress {
        survivors::search_all(strength, problem, budget, &mut found, &mut |done| {
            bar.say("searching for inputs that kill survivors", done, survivors);
        });
    }
    drop(bar);
    if let Some(folder) = &args.keep {
        let folder = folder.join(&problem.id);
        found
            .keep(&folder)
            .with_context(|| format!("cannot store mutants in `{}`", folder.display()))?;
    }
    Ok(Some(found))
}
