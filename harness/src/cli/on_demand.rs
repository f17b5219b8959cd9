//! Makes the cases that are too large for a repository, before anything is judged over them.

use std::time::Duration;

use anyhow::{Error, Result};

use super::project::Selected;
use super::session::Session;
use super::stream;
use crate::attempts::run_fairly;
use crate::generate::materialise;
use crate::judge::Tools;
use crate::problem::Problem;
use crate::report::progress::{one_line, spinner};
use crate::sandbox::{Input, Job, Runner};

/// Makes what the cache lacks. A problem whose cases cannot be made is said, and left out with its
/// submissions; if nothing is left, that is the end.
pub(crate) fn make(session: &Session, tools: Tools<'_>, selected: &mut Selected) -> Result<()> {
    let broken = unmade(session, tools, &selected.problems);
    selected.leave_out(&broken)
}

/// Makes what the cache lacks; the ids of the problems whose cases cannot be made, which is said.
pub(crate) fn unmade(session: &Session, tools: Tools<'_>, problems: &[Problem]) -> Vec<String> {
    let mut runner: Option<Runner> = None;
    let mut run = |job: &Job, input: Input| {
        let runner = match &mut runner {
            Some(runner) => runner,
            // Most runs need none.
            none => none.insert(session.runner_options().runner()?),
        };
        run_fairly(runner, job, input)
    };
    let bar = spinner();
    let mut broken = Vec::new();
    for problem in problems {
        let mut say = |case: &str| {
            bar.enable_steady_tick(Duration::from_millis(200));
            bar.set_message(one_line(&format!("making {} {case}", problem.id)));
        };
        let made = materialise(problem, tools.languages, tools.compiler, &mut run, &mut say);
        if session.signalled().is_some() {
            break;
        }
        if let Err(error) = made {
            let error = Error::from(error).context(format!("`{}` cannot be judged", problem.id));
            bar.suspend(|| stream::report_error(&error));
            broken.push(problem.id.clone());
        }
    }
    bar.finish_and_clear();
    broken
}
