//! The submissions of a search.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::SubmissionReasons;
use crate::submission::Submission;

/// The submissions in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct SubmissionTable {
    pub(super) found: Vec<Submission>,
    /// Their paths, and those of sources that could not be read.
    sources: HashSet<OsString>,
    /// By path.
    pub(super) reasons: HashMap<PathBuf, SubmissionReasons>,
}

impl SubmissionTable {
    /// Makes room for this number of submissions.
    pub(super) fn reserve(&mut self, count: usize) {
        self.found.reserve(count);
        self.sources.reserve(count);
        self.reasons.reserve(count);
    }

    /// Notes that a source is read. Returns whether it is the first time.
    pub(super) fn begin(&mut self, path: &Path) -> bool {
        self.sources.insert(path.as_os_str().to_owned())
    }

    /// Whether the source at `path` is read as a submission.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.sources.contains(path.as_os_str())
    }

    /// Adds a submission.
    pub(super) fn add(&mut self, submission: Submission, reasons: SubmissionReasons) {
        self.reasons.insert(submission.path.clone(), reasons);
        self.found.push(submission);
    }

    /// Gives the submissions of renamed problems the new ids.
    pub(super) fn rename_problems(&mut self, new_ids: &BTreeMap<String, String>) {
        for submission in &mut self.found {
            if let Some(new) = new_ids.get(&submission.problem) {
                submission.problem.clone_from(new);
            }
        }
    }
}
