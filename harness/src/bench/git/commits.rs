//! The commits that changed a path.

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{AsOf, GitError, Revision, checked, commit, is_shallow, root_of, run_offline};

/// The most commits that are read.
const MOST: &str = "--max-count=1000";

/// The history of a path.
#[derive(Debug)]
pub(crate) struct PathHistory {
    /// The commits that changed it, the oldest first. Of a merge, only the first parent is followed.
    pub(crate) commits: Vec<PathCommit>,
    /// Whether the clone is without older history.
    pub(crate) is_shallow: bool,
}

/// A commit that changed the path.
#[derive(Debug)]
pub(crate) struct PathCommit {
    revision: Revision,
    /// The time of the commit.
    pub(crate) time: SystemTime,
    path: std::path::PathBuf,
}

impl PathHistory {
    /// The history of `path` up to `HEAD`.
    ///
    /// Only plumbing commands are used, which read no settings that name programs, and nothing is fetched.
    pub(crate) fn of(path: &Path) -> Result<Self, GitError> {
        let no_repository = || GitError::NoRepository(path.display().to_string());
        let full = std::path::absolute(path).map_err(GitError::NoGit)?;
        let full = full.canonicalize().unwrap_or(full);
        let mut folders = full.ancestors();
        let folder = folders.find(|folder| folder.is_dir());
        let root = root_of(folder.ok_or_else(no_repository)?)?;
        let inside = full.strip_prefix(&root).map_err(|_| no_repository())?;
        let head = commit(&root, "HEAD")?;
        let pathspec = if inside.as_os_str().is_empty() {
            Path::new(".")
        } else {
            inside
        };
        let words = [
            "--literal-pathspecs",
            "rev-list",
            "--timestamp",
            "--first-parent",
            MOST,
            &head,
            "--",
        ];
        let words = words.map(OsStr::new).into_iter();
        let list = run_offline(&root, words.chain([pathspec.as_os_str()]))?;
        let list = checked("rev-list", list)?;
        let list = String::from_utf8_lossy(&list);
        let commits = list.lines().rev().filter_map(|line| {
            let (seconds, hash) = line.split_once(' ')?;
            Some(PathCommit {
                revision: Revision {
                    root: root.clone(),
                    commit: hash.to_owned(),
                    renamed: Vec::new(),
                    is_offline: true,
                },
                time: SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.parse().ok()?),
                path: inside.to_path_buf(),
            })
        });
        Ok(Self {
            commits: commits.collect(),
            is_shallow: is_shallow(&root)?,
        })
    }
}

impl PathCommit {
    /// The abbreviated hash.
    pub(crate) fn short(&self) -> &str {
        self.revision.short()
    }

    /// The content of the path in this commit.
    pub(crate) fn content(&self) -> Result<AsOf, GitError> {
        self.revision.at(&self.path)
    }
}
