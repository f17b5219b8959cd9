//! Makes the cases that are too large for a repository, before anything is judged over them.

use std::time::Duration;

use anyhow::{Error, Result};

use super::project::{Reported, Selected};
use super::session::Session;
use super::stream;
use crate::generate::materialise;
use crate::judge::Tools;
use crate::report::progress::spinner;
use crate::sandbox::{Input, Job, Runner};

/// Makes what the cache lacks. A problem whose cases cannot be made is said, and left out with its
/// submissions; if nothing is left, that is the end.
pub(crate) fn make(session: &Session, tools: Tools<'_>, selected: &mut Selected) -> Result<()> {
    let mut runner: Option<Runner> = None;
    let mut run = |job: &Job, input: Input| {
        let runner = match &mut runner {
            Some(runner) => runner,
            // Most runs need none.
            none => none.insert(session.runner_options().runner()?),
        };
        runner.run(job, input)
    };
    let bar = spinner();
    let mut broken = Vec::new();
    for problem in &selected.problems {
        let mut say = |case: &str| {
            bar.enable_steady_tick(Duration::from_millis(200));
            bar.set_message(format!("making {} {case}", problem.id));
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
    if broken.is_empty() {
        return Ok(());
    }
    selected
        .problems
        .retain(|problem| !broken.contains(&problem.id));
    selected
        .submissions
        .retain(|submission| !broken.contains(&submission.problem));
    selected.faulty = true;
    if selected.submissions.is_empty() {
        Err(Reported.into())
    } else {
        Ok(())
    }
}
