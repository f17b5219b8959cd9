//! What the search for problems has read, for somebody who watches it and may stop it.

use std::path::{Path, PathBuf};

/// What was read so far.
#[derive(Debug, Clone, Default)]
pub struct FilesSeen {
    /// The number of files.
    pub files: u64,
    /// How many of them are sources in known languages.
    pub sources: u64,
    /// The number of folders.
    pub folders: u64,
    /// The folder that was read last.
    pub place: PathBuf,
}

/// Called from time to time. Returns whether to go on.
pub type SearchWatch<'a> = &'a dyn Fn(&FilesSeen) -> bool;

/// A search that may be stopped.
pub(super) struct SearchProgress<'a> {
    pub(super) seen: FilesSeen,
    pub(super) watch: SearchWatch<'a>,
    pub(super) is_stopped: bool,
}

impl<'a> SearchProgress<'a> {
    /// The number of files between two calls.
    const EVERY: u64 = 256;

    pub(super) fn new(watch: SearchWatch<'a>) -> Self {
        Self { seen: FilesSeen::default(), watch, is_stopped: false }
    }

    pub(super) fn folder(&mut self, path: &Path) {
        self.seen.folders += 1;
        self.seen.place = path.to_path_buf();
        self.ask();
    }

    pub(super) fn file(&mut self, is_source: bool) {
        self.seen.files += 1;
        self.seen.sources += u64::from(is_source);
        if self.seen.files.is_multiple_of(Self::EVERY) {
            self.ask();
        }
    }

    fn ask(&mut self) {
        self.is_stopped |= !(self.watch)(&self.seen);
    }
}
