//! How a submission is started on a case: its arguments, and the folder it finds itself in.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;

use tempfile::TempDir;
use walkdir::WalkDir;

use super::build::Ready;
use crate::problem::TestCase;
use crate::sandbox::{Job, Limits, SandboxError, WorkDir};

/// A job, and what must stay until it is done.
pub(super) struct Launch {
    pub(super) job: Job,
    _work_dir: Option<TempDir>,
}

impl Ready {
    /// The job that runs the submission on `case`.
    pub(super) fn launch(&self, case: &TestCase, limits: &Limits) -> Result<Launch, SandboxError> {
        let args: Vec<OsString> = case.args().iter().map(OsString::from).collect();
        let Some(beside) = case.beside() else {
            return Ok(Launch {
                job: self.artifact.job(limits, &args, WorkDir::Fresh),
                _work_dir: None,
            });
        };
        let folder = furnished(&beside)?;
        let work_dir = WorkDir::At(folder.path().to_owned());
        Ok(Launch {
            job: self.artifact.job(limits, &args, work_dir),
            _work_dir: Some(folder),
        })
    }
}

/// A new folder with a copy of everything in `from`; a link that leads out of it is an error.
pub(crate) fn furnished(from: &Path) -> Result<TempDir, SandboxError> {
    copied(from).map_err(|source| SandboxError::Io {
        action: format!("cannot copy `{}`", from.display()),
        source,
    })
}

fn copied(from: &Path) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new()
        .prefix("rejudge-files-")
        .tempdir()?;
    let root = from.canonicalize()?;
    for entry in WalkDir::new(from).min_depth(1).follow_links(true) {
        let entry = entry?;
        if entry.path_is_symlink() && !entry.path().canonicalize()?.starts_with(&root) {
            return Err(io::Error::other("a link in it leads out of it"));
        }
        let below = entry.path().strip_prefix(from).expect("walked from `from`");
        let to = folder.path().join(below);
        if entry.file_type().is_dir() {
            fs::create_dir(&to)?;
        } else {
            crate::plain_file::require(&entry.metadata()?)?;
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(folder)
}
