//! The commits that changed a path.

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{AsOf, GitError, Revision, checked, commit, is_shallow, root_of, run};
use crate::notice::Code;

/// The most commits that are read.
const MOST: usize = 1000;

/// The history of a path.
#[derive(Debug)]
pub(crate) struct PathHistory {
    /// The commits that changed it, the oldest first. Of a merge, only the first parent is followed.
    pub(crate) commits: Vec<PathCommit>,
    /// Whether the clone is without older history.
    pub(crate) is_shallow: bool,
    /// Whether older commits changed the path too.
    pub(crate) is_cut: bool,
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
        Self::newest(path, MOST)
    }

    /// The newest `most` commits of the history of `path`.
    fn newest(path: &Path, most: usize) -> Result<Self, GitError> {
        let no_repository = || GitError::NoRepository(path.display().to_string());
        let full = std::path::absolute(path).map_err(GitError::NoGit)?;
        let full = full.canonicalize().unwrap_or(full);
        let mut folders = full.ancestors();
        let folder = folders.find(|folder| folder.is_dir());
        let root = root_of(folder.ok_or_else(no_repository)?)?;
        let inside = full.strip_prefix(&root).map_err(|_| no_repository())?;
        let head = commit(&root, "HEAD")?;
        if inside.as_os_str().is_empty() {
            let shown = path.display();
            let notice = Code::InvalidOption
                .says(format!("`{shown}` is the root of the repository, not a part of it"))
                .help("name a file or a folder, for example `benches/baselines`");
            return Err(GitError::WholeRepository(notice));
        }
        // One more shows whether there are older ones.
        let count = format!("--max-count={}", most.saturating_add(1));
        let words = [
            "--literal-pathspecs",
            "rev-list",
            "--timestamp",
            "--first-parent",
            &count,
            &head,
            "--",
        ];
        let words = words.map(OsStr::new).into_iter();
        let list = run(&root, words.chain([inside.as_os_str()]))?;
        let list = checked(&root, "rev-list", list)?;
        let list = String::from_utf8_lossy(&list);
        let lines: Vec<&str> = list.lines().collect();
        let newest = &lines[..lines.len().min(most)];
        let commits = newest.iter().rev().filter_map(|line| {
            let (seconds, hash) = line.split_once(' ')?;
            Some(PathCommit {
                revision: Revision {
                    root: root.clone(),
                    commit: hash.to_owned(),
                    renamed: Vec::new(),
                },
                time: SystemTime::UNIX_EPOCH + Duration::from_secs(seconds.parse().ok()?),
                path: inside.to_path_buf(),
            })
        });
        Ok(Self {
            commits: commits.collect(),
            is_shallow: is_shallow(&root)?,
            is_cut: lines.len() > most,
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

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_history_of_more_commits_than_are_read_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let git = |args: &[&str]| {
            let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
            let mut git = Command::new("git");
            git.current_dir(folder.path()).args(author).args(args);
            assert!(git.status().unwrap().success(), "{args:?}");
        };
        git(&["init", "-q", "-b", "main"]);
        let file = folder.path().join("file");
        for text in ["1", "2", "3"] {
            std::fs::write(&file, text).unwrap();
            git(&["add", "file"]);
            git(&["commit", "-q", "-m", text]);
        }
        for (most, read, is_cut) in [(2, 2, true), (3, 3, false), (4, 3, false)] {
            let found = PathHistory::newest(&file, most).unwrap();
            assert_eq!((found.commits.len(), found.is_cut), (read, is_cut));
            let last = found.commits.last().unwrap().content().unwrap();
            assert!(matches!(last, AsOf::Text(text, _) if text == b"3"));
        }
    }
}
