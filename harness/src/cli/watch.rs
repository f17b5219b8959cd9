//! `rejudge --watch`: judges again what a saved file changes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use walkdir::WalkDir;

use super::exit::CommandExit;
use super::judging::{Cases, judge_selected};
use super::project::{Project, Reported, Selected};
use super::run_args::RunArgs;
use super::session::Session;
use super::stream;
use super::warm::warm;
use crate::compile::files_beside;
use crate::problem::{Problem, TestCase};
use crate::show::words::Count;
use crate::submission::Submission;

mod watcher;

use watcher::{Watcher, is_scratch};

/// A round with at most so many solutions has those that somebody works on.
const WORKED_ON: usize = 2;

/// Judges everything that is selected, and then, until a signal, what changes.
pub(super) fn watch(args: &RunArgs, session: &Session, project: Project) -> Result<CommandExit> {
    let mut watcher = Watcher::start(session.interrupt())?;
    let mut project = Some(project);
    let mut changed: Option<BTreeSet<PathBuf>> = None;
    loop {
        tidy(changed.as_ref())?;
        let opened = match project.take() {
            Some(project) => Ok(project),
            None => args.open(),
        };
        let round = opened.and_then(|project| {
            // Before anything is judged, so that no change is missed.
            watcher.follow(&project);
            one_round(args, session, project, &mut watcher, changed.as_ref())
        });
        // Otherwise nobody needs to know what came of it.
        if !watcher.is_stale() {
            if let Some(exit) = session.signalled() {
                return Ok(exit);
            }
            if session.interrupt().is_set() {
                return round.map(|_| CommandExit::Expected);
            }
            let worked_on = round.unwrap_or_else(|error| {
                if !error.is::<Reported>() {
                    stream::report_error(&error);
                }
                None
            });
            let folders = Count(watcher.folders(), "folder");
            stream::eprint_line(format_args!("watching {folders}; Ctrl-C ends"));
            if let Some(worked_on) = worked_on {
                worked_on.precompile(session);
            }
        }
        if watcher.end_round() {
            session.resume();
        }
        match watcher.wait(session) {
            Some(paths) => changed = Some(paths),
            None => return Ok(session.signalled().unwrap_or(CommandExit::Expected)),
        }
    }
}

/// What somebody works on.
struct WorkedOn {
    project: Project,
    problems: Vec<Problem>,
    submissions: Vec<Submission>,
}

impl WorkedOn {
    /// Makes what lets the next compilation start faster, until a source is saved.
    fn precompile(&self, session: &Session) {
        if let Ok(mut runner) = session.runner() {
            // Nobody asked for it, and the next round says what is wrong.
            warm(&self.project, &self.problems, &self.submissions, &mut runner, &mut |_| {});
        }
    }
}

/// Judges what `changed` concerns; everything if it is `None`. Ends early if a source that it judges is saved again. Returns
/// the rest to do while nothing is saved.
fn one_round(
    args: &RunArgs,
    session: &Session,
    mut project: Project,
    watcher: &mut Watcher,
    changed: Option<&BTreeSet<PathBuf>>,
) -> Result<Option<WorkedOn>> {
    let Some(mut selected) = project.select(args.selection())? else {
        return Ok(None);
    };
    let names: BTreeSet<String> =
        selected.submissions.iter().map(|submission| submission.name.clone()).collect();
    if let Some(changed) = changed {
        retain_changed(&mut selected, &project, &watcher.known, changed);
    }
    watcher.known = names;
    if selected.submissions.is_empty() {
        return Ok(None);
    }
    let beside = beside_of(&selected.problems, &selected.submissions);
    watcher.begin_round(
        beside.into_iter().flat_map(|(source, beside)| [vec![source], beside]).flatten(),
    );
    let is_work = selected.submissions.len() <= WORKED_ON;
    let worked_on = is_work.then(|| (selected.problems.clone(), selected.submissions.clone()));
    judge_selected(args, session, &project, selected, Cases::FailedFirst)?;
    Ok(worked_on.map(|(problems, submissions)| WorkedOn { project, problems, submissions }))
}

/// Keeps the submissions that a change concerns: those whose source changed, those of a problem of which something
/// else changed, and those that are new. A change of settings or libraries concerns all.
fn retain_changed(
    selected: &mut Selected,
    project: &Project,
    known: &BTreeSet<String>,
    changed: &BTreeSet<PathBuf>,
) {
    let sources: BTreeSet<&Path> =
        selected.submissions.iter().map(|submission| submission.path.as_path()).collect();
    let is_source = |path: &Path| path.ancestors().any(|part| sources.contains(part));
    let others: Vec<&Path> =
        changed.iter().map(PathBuf::as_path).filter(|path| !is_source(path)).collect();
    let common = common_files(project);
    if others.iter().any(|path| common.iter().any(|one| path.starts_with(one))) {
        return;
    }
    let concerned: BTreeSet<&str> = selected
        .problems
        .iter()
        .filter(|problem| {
            let files = files_of(problem);
            others.iter().any(|path| files.iter().any(|one| path.starts_with(one)))
        })
        .map(|problem| problem.id.as_str())
        .collect();
    let beside = beside_of(&selected.problems, &selected.submissions);
    selected.submissions.retain(|submission| {
        let mut beside = beside[&submission.path].iter();
        let own = changed.iter().any(|path| path.starts_with(&submission.path))
            || beside.any(|path| changed.contains(path));
        own || concerned.contains(submission.problem.as_str()) || !known.contains(&submission.name)
    });
}

/// By the path of each submission: the files next to it that are compiled with it.
fn beside_of(problems: &[Problem], submissions: &[Submission]) -> BTreeMap<PathBuf, Vec<PathBuf>> {
    let by_id: BTreeMap<&str, &Problem> =
        problems.iter().map(|problem| (problem.id.as_str(), problem)).collect();
    let files = submissions.iter().map(|submission| {
        let problem = by_id.get(submission.problem.as_str());
        let files = problem.map(|problem| files_beside(&submission.path, problem));
        (submission.path.clone(), files.unwrap_or_default())
    });
    files.collect()
}

/// The settings and the included libraries.
fn common_files(project: &Project) -> Vec<PathBuf> {
    let Some(repository) = &project.repository else {
        return Vec::new();
    };
    let include = repository.config.include.iter().map(|folder| repository.root.join(folder));
    include.chain([repository.root.join("rejudge.toml")]).collect()
}

/// The files and folders of a problem: its folder, its cases, its checkers.
fn files_of(problem: &Problem) -> BTreeSet<PathBuf> {
    let mut files = BTreeSet::from([problem.dir.clone()]);
    let inputs = problem.cases.iter().map(TestCase::input);
    files.extend(inputs.filter_map(|input| input.parent().map(Path::to_owned)));
    let checkers = problem.cases.iter().filter_map(TestCase::checker);
    for checker in std::iter::once(&problem.checker).chain(checkers) {
        files.extend(checker.sources().iter().cloned());
    }
    files.extend(problem.interactor.iter().map(|one| one.source.clone()));
    files
}

/// Shows only the newest round, on a terminal.
fn tidy(changed: Option<&BTreeSet<PathBuf>>) -> Result<()> {
    let Some(changed) = changed else {
        return Ok(());
    };
    let mut out = io::stdout();
    if out.is_terminal() {
        // To the first column of the first row; then clear the screen.
        out.write_all(b"\x1b[H\x1b[2J")
            .and_then(|()| out.flush())
            .context("cannot write to standard output")?;
    }
    let here = std::env::current_dir().unwrap_or_default();
    let names: Vec<String> =
        changed.iter().map(|path| crate::notice::shown(path, Some(&here))).collect();
    let names = crate::notice::few(&names);
    stream::eprint_line(format_args!("changed: {names}"));
    Ok(())
}

/// The folders of everything that can change a verdict.
fn folders_of(project: &Project) -> BTreeSet<PathBuf> {
    let mut roots: BTreeSet<PathBuf> = common_files(project).into_iter().collect();
    for submission in &project.found.submissions {
        roots.insert(submission.path.clone());
    }
    for problem in &project.found.problems {
        roots.extend(files_of(problem));
    }
    let beside = beside_of(&project.found.problems, &project.found.submissions);
    roots.extend(beside.into_values().flatten());
    let mut folders = BTreeSet::new();
    for root in roots {
        if !root.is_dir() {
            folders.extend(root.parent().map(Path::to_owned));
            continue;
        }
        let walk = WalkDir::new(&root).into_iter();
        let visible = walk.filter_entry(|entry| entry.depth() == 0 || !is_scratch(entry.path()));
        let found = visible.flatten().filter(|entry| entry.file_type().is_dir());
        folders.extend(found.map(walkdir::DirEntry::into_path));
    }
    folders
}
