//! Infers the time limits of packages that set none, before anything is judged.

use std::slice;

use anyhow::{Context as _, Result};

use super::on_demand;
use super::project::{Project, Selected};
use super::session::Session;
use super::stream;
use crate::cache::Part;
use crate::discover::{Request, discover};
use crate::judge::Options;
use crate::problem::{Problem, Wish};
use crate::submission::Submission;
use crate::time_limit::{self, Inferred};

/// Infers the time limit of every selected package without one from its own submissions. Reports packages for which no
/// limit fits, and excludes them with their submissions.
pub(crate) fn infer(
    session: &Session,
    project: &Project,
    options: &Options,
    selected: &mut Selected,
) -> Result<()> {
    if options.limits.cpu_time.is_some() {
        return Ok(());
    }
    let mut broken = Vec::new();
    for problem in &mut selected.problems {
        if !is_inferred(problem) {
            continue;
        }
        let Some((whole, jury)) = jury_of(project, problem)? else {
            continue;
        };
        let cache = project.compiler.cache();
        // The limit is cached only if everything that it depends on can be read.
        let key = time_limit::key(&whole, &jury, project.tools(), options);
        let kept = |key| cache.answer::<Inferred>(Part::TimeLimits, key);
        let found = if let Some(kept) = key.as_deref().and_then(kept) {
            Ok(Some(kept))
        } else {
            // Cases that are not selected bound the limit too.
            let unmade = on_demand::unmade(session, project.tools(), slice::from_ref(&whole));
            if !unmade.is_empty() {
                broken.extend(unmade);
                continue;
            }
            let found = time_limit::infer(&whole, &jury, project.tools(), options)?;
            if let (Some(key), Ok(Some(found))) = (&key, &found) {
                cache.keep_answer(Part::TimeLimits, key, found);
            }
            found
        };
        match found {
            Ok(None) => {}
            Ok(Some(found)) => {
                stream::note(format_args!(
                    "{}: time limit {} s, because {}",
                    problem.id,
                    found.limit.as_secs_f64(),
                    found.why
                ));
                problem.limits.cpu_time = Some(found.limit);
            }
            Err(why) => {
                stream::error(format_args!(
                    "cannot infer the time limit of `{}`: {why}",
                    problem.id
                ));
                stream::help("set `limits.time_limit` in problem.yaml, or fix the submissions");
                broken.push(problem.id.clone());
            }
        }
        if session.signalled().is_some() {
            break;
        }
    }
    selected.exclude(&broken)
}

/// Whether the time limit of a problem is inferred when it is judged: a package without a limit and with submissions.
pub(crate) fn is_inferred(problem: &Problem) -> bool {
    problem.limits.cpu_time.is_none()
        && problem.is_package
        && !problem.kind.submit_answer
        && problem.dir.join("submissions").is_dir()
}

/// The package with all of its cases, and its own submissions.
fn jury_of(project: &Project, problem: &Problem) -> Result<Option<(Problem, Vec<Submission>)>> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let languages = &project.languages;
    let found = discover(&Request {
        current: &current,
        paths: slice::from_ref(&problem.dir),
        cases: None,
        wish: Wish::default(),
        repository: project.repository.as_ref(),
        language_of: &|extension| Some(languages.by_extension(extension.to_str()?)?.id.clone()),
    });
    let folder = problem.dir.join("submissions");
    let mut jury = found.submissions;
    jury.retain(|submission| submission.path.starts_with(&folder));
    let whole = found.problems.into_iter().next();
    Ok(whole.map(|whole| (whole, jury)))
}
