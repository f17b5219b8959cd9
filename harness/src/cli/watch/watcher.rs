//! Hears of files that are saved, also while a round judges them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::{Context as _, Result};
use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::folders_of;
use crate::cli::project::Project;
use crate::cli::session::Session;
use crate::cli::stream;
use crate::sandbox::Interrupt;

/// How long nothing may change before a change is complete: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(50);

/// How often a signal is looked for while nothing changes.
const LOOK: Duration = Duration::from_millis(100);

/// Follows the folders that contain something to judge.
pub(super) struct Watcher {
    inotify: RecommendedWatcher,
    changes: Receiver<SavedChange>,
    folders: BTreeSet<PathBuf>,
    /// The sources of the last round. The end of writing one is the end of the change.
    sources: BTreeSet<PathBuf>,
    round: Arc<RunningRound>,
    /// The names of the submissions of the last round.
    pub(super) known: BTreeSet<String>,
}

/// A file of which the contents or the name changed.
struct SavedChange {
    path: PathBuf,
    /// Whether the file was closed after writing, or has got its name.
    is_complete: bool,
}

/// The sources that are being judged.
struct RunningRound {
    /// Ends the round.
    interrupt: Interrupt,
    state: Mutex<RoundState>,
}

#[derive(Default)]
struct RoundState {
    /// By path: a digest of the contents, if the file can be read.
    sources: BTreeMap<PathBuf, Option<blake3::Hash>>,
    is_stale: bool,
}

impl RunningRound {
    /// Whether a file is as the round found it. If it judges another one, it ends.
    fn has_read(&self, path: &Path) -> bool {
        let mut state = self.lock();
        let Some(found) = state.sources.get(path) else {
            return false;
        };
        if digest_of(path) == *found {
            return true;
        }
        state.is_stale = true;
        self.interrupt.trigger();
        false
    }

    fn lock(&self) -> MutexGuard<'_, RoundState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest_of(path: &Path) -> Option<blake3::Hash> {
    std::fs::read(path).ok().map(|contents| blake3::hash(&contents))
}

impl Watcher {
    /// A watcher that triggers `interrupt` if a source is saved while it is judged.
    pub(super) fn start(interrupt: &Interrupt) -> Result<Self> {
        let (sender, changes) = mpsc::channel();
        let round =
            Arc::new(RunningRound { interrupt: interrupt.clone(), state: Mutex::default() });
        let running = Arc::clone(&round);
        let hear = move |event: notify::Result<Event>| {
            for change in event.iter().flat_map(changes_of) {
                if !running.has_read(&change.path) {
                    // Nobody waits for it at the end.
                    let _ = sender.send(change);
                }
            }
        };
        let inotify = notify::recommended_watcher(hear).context("cannot watch files")?;
        Ok(Self {
            inotify,
            changes,
            folders: BTreeSet::new(),
            sources: BTreeSet::new(),
            round,
            known: BTreeSet::new(),
        })
    }

    /// Follows the folders of a project, and no others. A folder that cannot be followed is reported.
    pub(super) fn follow(&mut self, project: &Project) {
        let submissions = project.found.submissions.iter();
        self.sources = submissions.map(|submission| submission.path.clone()).collect();
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

    /// The number of folders.
    pub(super) fn folders(&self) -> usize {
        self.folders.len()
    }

    /// A round begins to read these files. If another version of one is saved, the interrupt is triggered.
    pub(super) fn begin_round(&self, sources: impl IntoIterator<Item = PathBuf>) {
        let mut state = self.round.lock();
        let files = sources.into_iter().filter(|path| !path.is_dir());
        state.sources = files.map(|path| (path.clone(), digest_of(&path))).collect();
    }

    /// Whether a source was saved since the round began.
    pub(super) fn is_stale(&self) -> bool {
        self.round.lock().is_stale
    }

    /// The round has ended, and no more interrupts follow. Returns whether one was triggered.
    pub(super) fn end_round(&self) -> bool {
        std::mem::take(&mut *self.round.lock()).is_stale
    }

    /// Waits for a change that is complete. `None` after a signal.
    pub(super) fn wait(&self, session: &Session) -> Option<BTreeSet<PathBuf>> {
        let mut changed = BTreeSet::new();
        loop {
            let patience = if changed.is_empty() { LOOK } else { QUIET };
            match self.changes.recv_timeout(patience) {
                Ok(change) => {
                    let is_all = change.is_complete && self.sources.contains(&change.path);
                    changed.insert(change.path);
                    if is_all {
                        changed.extend(self.changes.try_iter().map(|change| change.path));
                        return Some(changed);
                    }
                }
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
fn changes_of(event: &Event) -> Vec<SavedChange> {
    let is_complete = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write))
        | EventKind::Modify(ModifyKind::Name(RenameMode::To)) => true,
        EventKind::Access(_) => return Vec::new(),
        _ => false,
    };
    let paths = event.paths.iter().filter(|path| !is_scratch(path));
    paths.map(|path| SavedChange { path: path.clone(), is_complete }).collect()
}

/// Whether a name is that of a hidden file or of an editor's copy.
pub(super) fn is_scratch(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Vim tests with `4913` whether it may create files.
    name.starts_with(['.', '#']) || name.ends_with(['~', '#']) || name == "4913"
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
