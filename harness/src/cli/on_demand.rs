//! Makes the cases that are too large for a repository, before anything is judged on them.

use std::time::Duration;

use anyhow::{Error, Result};

use super::project::Selected;
use super::session::Session;
use super::stream;
use crate::attempts::run_fairly;
use crate::generate::{MaterialiseError, materialise};
use crate::judge::Tools;
use crate::problem::Problem;
use crate::report::progress::{one_line, spinner};
use crate::sandbox::{Input, Job, Runner};

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
    let bar = spinner();
    let mut faults = Vec::new();
    for problem in problems {
        let mut show = |case: &str| {
            bar.enable_steady_tick(Duration::from_millis(200));
            bar.set_message(one_line(&format!("making {} {case}", problem.id)));
        };
        let made = materialise(
            problem,
            tools.languages,
            tools.compiler,
            &mut run,
            &mut show,
        );
        if session.signalled().is_some() {
            break;
        }
        if let Err(error) = made {
            faults.push((problem.id.clone(), error));
        }
    }
    bar.finish_and_clear();
    faults
}
