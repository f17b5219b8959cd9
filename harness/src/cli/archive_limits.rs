//! The options for the time limit that `import` and `export` write down.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use rejudge_quantity as quantity;

use super::exit::CommandExit;
use super::project::{Project, Selected};
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::time_limits;
use crate::judge::Options;
use crate::problem::Problem;
use crate::shard::SavedLimits;
use crate::time_limit::is_inferred;

/// The time limit to write down.
#[derive(Debug, Args)]
pub(super) struct ArchiveLimitArgs {
    /// Time limit to write, in seconds, or with a unit: `2s`, `500ms` [default: the problem's]
    #[arg(short, long, value_name = "SECONDS", value_parser = quantity::time, allow_negative_numbers = true)]
    pub(super) time_limit: Option<Duration>,
    /// Read the time limits of problems that set none from FILE, which `rejudge time --save FILE` wrote
    #[arg(long = "limits", value_name = "FILE")]
    limits: Option<PathBuf>,
}

/// What inferring a limit ended with.
pub(super) enum LimitInferred {
    /// The limit is set where one could be inferred. Holds whether a fault was reported.
    Done(bool),
    /// By a signal.
    Signalled(CommandExit),
}

impl ArchiveLimitArgs {
    /// Whether a limit is stated.
    pub(super) fn is_stated(&self) -> bool {
        self.time_limit.is_some() || self.limits.is_some()
    }

    /// Sets the limits that the options state.
    pub(super) fn apply(&self, problems: &mut [Problem]) -> Result<()> {
        let saved = SavedLimits::of_file(self.limits.as_deref())?;
        for problem in problems {
            let unset = problem.limits.cpu_time.is_none();
            let saved = saved.of(&problem.id).filter(|_| unset);
            if let Some(limit) = self.time_limit.or(saved) {
                problem.limits.cpu_time = Some(limit);
            }
        }
        Ok(())
    }
}

/// Infers the limit of a package that sets none, as a run does.
pub(super) fn infer(project: &Project, problem: &mut Problem) -> Result<LimitInferred> {
    if !is_inferred(problem) {
        return Ok(LimitInferred::Done(false));
    }
    let session = Session::start(SandboxArgs::default())?;
    session.accept(&project.languages)?;
    let options = Options::new(session.runners().clone());
    let mut selected =
        Selected { problems: vec![problem.clone()], submissions: Vec::new(), faulty: false };
    let conflicts = time_limits::infer(&session, project, &options, &mut selected);
    if let Some(exit) = session.signalled() {
        return Ok(LimitInferred::Signalled(exit));
    }
    conflicts?.report();
    if let Some(limit) = selected.problems.first().and_then(|one| one.limits.cpu_time) {
        problem.limits.cpu_time = Some(limit);
    }
    Ok(LimitInferred::Done(selected.faulty))
}
