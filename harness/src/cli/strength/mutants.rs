//! The options about mutants, and the progress of compiling and judging them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use clap::Args;

use super::Strength;
use crate::cli::project::Reported;
use crate::judge::Options;
use crate::problem::Problem;
use crate::report::progress::{one_line, spinner};
use crate::strength::{MutantPlan, MutantReview, StrengthReview, fates};
use crate::submission::Submission;

/// Mutants: accepted solutions with one change each
#[derive(Debug, Args)]
pub(super) struct MutantArgs {
    /// Number of mutants of the accepted solutions of each problem; 0 makes none
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(..=10_000))]
    mutants: u16,
    /// Number that determines which mutants are made
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Store the mutants that no case kills as DIR/PROBLEM/NUMBER/NAME
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
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
    let accepted = |one: &&Submission| {
        let mut judged = review.matrix.submissions.iter();
        judged.any(|found| found.name == one.name && !found.must_fail && found.is_accepted())
    };
    let solutions: Vec<Submission> = submissions.iter().filter(accepted).cloned().collect();
    let folder = tempfile::tempdir().context("cannot create a temporary folder")?;
    let plan = MutantPlan {
        problem,
        wanted: usize::from(args.mutants),
        seed: args.seed,
        tools: strength.project.tools(),
        runners: strength.session.runners(),
        jobs: std::thread::available_parallelism().map_or(1, usize::from),
        folder: folder.path(),
    };
    let bar = spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    let started = Instant::now();
    let set = plan.make(&solutions, &|done| {
        bar.set_message(one_line(&format!(
            "{}: compiling mutants, {done} of {}",
            problem.id, args.mutants
        )));
    });
    let set = match set {
        Ok(set) => set,
        Err(error) if error.is_interrupt() => return Err(Reported.into()),
        Err(error) => return Err(error.into()),
    };
    let compiled_in = started.elapsed();
    let started = Instant::now();
    let all = set.mutants.len();
    let options = Options {
        jobs: strength.options.jobs,
        ..strength.options.clone()
    };
    let fates = fates(
        problem,
        &set,
        &review.matrix,
        &review.order.cases,
        strength.project.tools(),
        &options,
        &mut |done| {
            bar.set_message(one_line(&format!(
                "{}: judging mutants, {done} of {all}",
                problem.id
            )));
        },
    );
    bar.finish_and_clear();
    let mut found = MutantReview {
        fates: fates?,
        set,
        seed: args.seed,
        compiled_in,
        judged_in: started.elapsed(),
        kept: BTreeMap::new(),
    };
    if let Some(folder) = &args.keep {
        let folder = folder.join(&problem.id);
        found
            .keep(&folder)
            .with_context(|| format!("cannot store mutants in `{}`", folder.display()))?;
    }
    Ok(Some(found))
}
