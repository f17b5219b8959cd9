//! `rejudge --watch`: judges again what a saved file changes.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use walkdir::WalkDir;

use super::exit::CommandExit;
use super::judging::{Cases, judge_selected};
use super::project::{Project, Reported, Selected};
use super::run_args::RunArgs;
use super::session::Session;
use super::stream;
use crate::compile::files_beside;
use crate::problem::{Problem, TestCase};
use crate::show::words::Count;
use crate::submission::Submission;

/// How long nothing may change before a change is complete: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// How often a signal is looked for while nothing changes.
const LOOK: Duration = Duration::from_millis(100);

/// Judges everything that is selected, and then, until a signal, what changes.
pub(super) fn watch(args: &RunArgs, session: &Session, project: Project) -> Result<CommandExit> {
    let mut watcher = Watcher::start()?;
    let mut project = Some(project);
    let mut changed: Option<BTreeSet<PathBuf>> = None;
    loop {
        tidy(changed.as_ref())?;
        let round = match project.take() {
            Some(project) => Ok(project),
            None => args.open(),
        };
        let round = round.and_then(|mut project| {
            // Before anything is judged, so that no change is missed.
            watcher.follow(&project);
            one_round(args, session, &mut project, &mut watcher, changed.as_ref())
        });
        if let Some(exit) = session.signalled() {
            return Ok(exit);
        }
        if session.interrupt().is_set() {
            return round.map(|()| CommandExit::Expected);
        }
        if let Err(error) = round
            && !error.is::<Reported>()
        {
            stream::report_error(&error);
        }
        stream::eprint_line(format_args!(
            "watching {}; Ctrl-C ends",
            Count(watcher.folders.len(), "folder")
        ));
        match watcher.wait(session) {
            Some(paths) => changed = Some(paths),
            None => return Ok(session.signalled().unwrap_or(CommandExit::Expected)),
        }
    }
}

/// Judges what `changed` concerns; everything if it is `None`.
fn one_round(
    args: &RunArgs,
    session: &Session,
    project: &mut Project,
    watcher: &mut Watcher,
    changed: Option<&BTreeSet<PathBuf>>,
) -> Result<()> {
    let Some(mut selected) = project.select(args.selection())? else {
        return Ok(());
    };
    let names: BTreeSet<String> =
        selected.submissions.iter().map(|submission| submission.name.clone()).collect();
    if let Some(changed) = changed {
        retain_changed(&mut selected, project, &watcher.known, changed);
    }
    watcher.known = names;
    if selected.submissions.is_empty() {
        return Ok(());
    }
    judge_selected(args, session, project, selected, Cases::FailedFirst).map(drop)
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

/// Follows the folders that contain something to judge.
struct Watcher {
    inotify: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    folders: BTreeSet<PathBuf>,
    /// The names of the submissions of the last round.
    known: BTreeSet<String>,
}

impl Watcher {
    fn start() -> Result<Self> {
        let (sender, events) = mpsc::channel();
        let inotify = notify::recommended_watcher(sender).context("cannot watch files")?;
        Ok(Self { inotify, events, folders: BTreeSet::new(), known: BTreeSet::new() })
    }

    /// Follows the folders of a project, and no others. A folder that cannot be followed is reported.
    fn follow(&mut self, project: &Project) {
        let folders = folders_of(project);
        for gone in self.folders.difference(&folders) {
            // It may not exist any more.
            let _ = self.inotify.unwatch(gone);
        }
        let mut followed = BTreeSet::new();
        for folder in folders {
            let is_new = !self.folders.contains(&folder);
            let result = if is_new {
                self.inotify.watch(&folder, RecursiveMode::NonRecursive)
            } else {
                Ok(())
            };
            match result {
                Ok(()) => drop(followed.insert(folder)),
                Err(error) => stream::warn(format_args!(
                    "cannot watch `{}`: {error}",
                    crate::notice::shown(&folder, None)
                )),
            }
        }
        self.folders = followed;
    }

    /// Waits for a change that is complete. `None` after a signal.
    fn wait(&self, session: &Session) -> Option<BTreeSet<PathBuf>> {
        let mut changed = BTreeSet::new();
        loop {
            let patience = if changed.is_empty() { LOOK } else { QUIET };
            match self.events.recv_timeout(patience) {
                Ok(event) => changed.extend(event.iter().flat_map(changed_by)),
                Err(RecvTimeoutError::Timeout) if changed.is_empty() => {}
                Err(_) => return (!changed.is_empty()).then_some(changed),
            }
            if session.signalled().is_some() {
                return None;
            }
        }
    }
}

/// The files whose contents or names an event changed.
fn changed_by(event: &Event) -> Vec<PathBuf> {
    let changes = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) => false,
        _ => true,
    };
    if !changes {
        return Vec::new();
    }
    event.paths.iter().filter(|path| !is_scratch(path)).cloned().collect()
}

/// Whether a name is that of a hidden file or of an editor's copy.
fn is_scratch(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Vim tests with `4913` whether it may create files.
    name.starts_with(['.', '#']) || name.ends_with(['~', '#']) || name == "4913"
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_editors_are_no_changes() {
        for name in ["a.cpp~", ".a.cpp.swp", "#a.cpp#", ".#a.cpp", "4913"] {
            assert!(is_scratch(Path::new(name)), "{name}");
        }
        for name in ["a.cpp", "1.in", "rejudge.toml"] {
            assert!(!is_scratch(Path::new(name)), "{name}");
        }
    }
}
