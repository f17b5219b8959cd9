//! Makes the cases that are too large for a repository, before anything is judged on them.

use std::slice;

use anyhow::{Error, Result};

use super::exit::CommandExit;
use super::project::{Project, Reported, Selected};
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use crate::attempts::run_fairly;
use crate::generate::{MaterialiseError, has_unmade, materialise};
use crate::judge::Tools;
use crate::problem::Problem;
use crate::sandbox::{Input, Job, Runner};
use crate::show::progress::Spinner;

/// Makes the cases that are missing in the cache. Reports problems whose cases cannot be made, and excludes them with
/// their submissions. If nothing is left, that is an error.
pub(crate) fn make(session: &Session, tools: Tools<'_>, selected: &mut Selected) -> Result<()> {
    let broken = unmade(session, tools, &selected.problems);
    selected.exclude(&broken)
}

/// Makes the cases that are missing in the cache. Reports problems whose cases cannot be made, and returns their ids.
pub(crate) fn unmade(session: &Session, tools: Tools<'_>, problems: &[Problem]) -> Vec<String> {
    let faults = faults(session, tools, problems).into_iter();
    let reported = faults.map(|(id, error)| {
        stream::report_error(&Error::from(error).context(format!("cannot judge `{id}`")));
        id
    });
    reported.collect()
}

/// Makes the cases that are missing in the cache, for a command that copies them. Reports those that cannot be made, which
/// is an error. Returns the exit status for the signal that was received, if any.
pub(crate) fn make_to_copy(
    project: &Project,
    problems: &[&Problem],
) -> Result<Option<CommandExit>> {
    if problems.iter().all(|problem| !has_unmade(problem)) {
        return Ok(None);
    }
    let session = Session::start(SandboxArgs::default())?;
    session.accept(&project.languages)?;
    let mut is_faulty = false;
    for problem in problems {
        let faults = faults(&session, project.tools(), slice::from_ref(*problem));
        if let Some(exit) = session.signalled() {
            return Ok(Some(exit));
        }
        for (id, error) in faults {
            let what = format!("cannot make the cases of `{id}`");
            stream::report_error(&Error::from(error).context(what));
            is_faulty = true;
        }
    }
    if is_faulty { Err(Reported.into()) } else { Ok(None) }
}

/// Makes the cases that are missing in the cache. Returns the ids of the problems whose cases cannot be made, each with the
/// reason.
pub(crate) fn faults(
    session: &Session,
    tools: Tools<'_>,
    problems: &[Problem],
) -> Vec<(String, MaterialiseError)> {
    let mut runner: Option<Runner> = None;
    let mut run = |job: &Job, input: Input| {
        let runner = match &mut runner {
            Some(runner) => runner,
            // Started on first use: most runs need none.
            none => none.insert(session.runners().runner()?),
        };
        run_fairly(runner, job, input)
    };
    let mut spinner: Option<Spinner> = None;
    let mut faults = Vec::new();
    for problem in problems {
        let mut show = |case: &str| {
            let spinner = spinner.get_or_insert_with(|| Spinner::start(stream::note_of_work));
            spinner.say(&format!("making {} {case}", problem.id));
        };
        let made = materialise(problem, tools.languages, tools.compiler, &mut run, &mut show);
        if session.signalled().is_some() {
            break;
        }
        if let Err(error) = made {
            faults.push((problem.id.clone(), error));
        }
    }
    faults
}
