//! Infers the time limits of packages that set none, before anything is judged.

use std::slice;

use anyhow::{Context as _, Result};

use super::on_demand;
use super::project::{Project, Selected};
use super::session::Session;
use super::stream;
use super::timing_progress::TimingProgress;
use crate::cache::Part;
use crate::discover::{Request, discover};
use crate::judge::Options;
use crate::problem::{Problem, ReadOptions};
use crate::sandbox::SandboxError;
use crate::submission::Submission;
use crate::time_limit::{self, Conflict, Inference, Inferred};

/// The problems for whose submissions no limit fits: reported after everything else.
#[derive(Debug, Default)]
#[must_use]
pub(crate) struct Conflicts(Vec<String>);

impl Conflicts {
    /// Reports them.
    pub(crate) fn report(&self) {
        for conflict in &self.0 {
            stream::error(conflict);
            stream::help("set `limits.time_limit` in problem.yaml, or fix the submissions");
        }
    }
}

/// Infers the time limit of every selected package without one from its own submissions. Where no limit fits all of
/// them, the problem is judged with the one that fits those that must be in time.
pub(crate) fn infer(
    session: &Session,
    project: &Project,
    options: &Options,
    selected: &mut Selected,
) -> Result<Conflicts> {
    let mut conflicts = Conflicts::default();
    if options.limits.cpu_time.is_some() {
        return Ok(conflicts);
    }
    let mut broken = Vec::new();
    for problem in &mut selected.problems {
        if !time_limit::is_inferred(problem) {
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
            Some(kept)
        } else {
            // Cases that are not selected bound the limit too.
            let unmade = on_demand::unmade(session, project.tools(), slice::from_ref(&whole));
            if !unmade.is_empty() {
                broken.extend(unmade);
                continue;
            }
            let found = timed(project, &whole, &jury, options)?;
            warn_of_left_out(&found);
            if let Some(conflict) = &found.conflict {
                conflicts.0.push(conflict_words(&problem.id, conflict, &found));
                selected.faulty = true;
            }
            if let (Some(key), Some(limit), true) = (&key, &found.limit, found.is_whole()) {
                cache.keep_answer(Part::TimeLimits, key, limit);
            }
            found.limit
        };
        if let Some(found) = found {
            stream::note(format_args!(
                "{}: time limit {} s, because {}",
                problem.id,
                found.limit.as_secs_f64(),
                found.why
            ));
            problem.limits.cpu_time = Some(found.limit);
        }
        if session.signalled().is_some() {
            break;
        }
    }
    selected.exclude(&broken)?;
    Ok(conflicts)
}

/// Times the submissions of a package. If the user interrupts it, a note says what was timed.
pub(super) fn timed(
    project: &Project,
    problem: &Problem,
    jury: &[Submission],
    options: &Options,
) -> Result<Inference> {
    let progress = TimingProgress::start(&problem.id);
    let found = time_limit::infer(problem, jury, project.tools(), options, &mut |step| {
        progress.step(step);
    });
    let last = progress.finish();
    if matches!(found, Err(SandboxError::Interrupted))
        && let Some(last) = last
    {
        stream::note(format_args!("interrupted while {last}"));
    }
    Ok(found?)
}

/// Warns of submissions that could not be run.
pub(super) fn warn_of_left_out(found: &Inference) {
    for (submission, why) in found.left_out() {
        stream::warn(format_args!(
            "`{submission}` does not bound the time limit, because it cannot be run: {why}"
        ));
    }
}

fn conflict_words(id: &str, conflict: &Conflict, found: &Inference) -> String {
    let judged = found.limit.as_ref().map(|found| found.limit.as_secs_f64());
    let judged = judged.map_or_else(String::new, |limit| format!("; judged with {limit} s"));
    format!("cannot infer the time limit of `{id}`: {conflict}{judged}")
}

/// The package with all of its cases, and its own submissions.
pub(super) fn jury_of(
    project: &Project,
    problem: &Problem,
) -> Result<Option<(Problem, Vec<Submission>)>> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let languages = &project.languages;
    // As users know it: the names of submissions contain it.
    let archive = problem.archive.as_ref().map(|archive| &archive.path);
    let found = discover(&Request {
        current: &current,
        paths: slice::from_ref(archive.unwrap_or(&problem.dir)),
        cases: None,
        read_options: ReadOptions::default(),
        repository: project.repository.as_ref(),
        language_of: &|extension| Some(languages.by_extension(extension.to_str()?)?.id.clone()),
        language_of_text: &|extension, text| languages.id_of_text(extension, text),
    });
    let folder = problem.dir.join("submissions");
    let mut jury = found.submissions;
    jury.retain(|submission| submission.path.starts_with(&folder));
    let whole = found.problems.into_iter().next();
    Ok(whole.map(|whole| (whole, jury)))
}
