//! Prepares the run of a program on a case: its arguments and its working folder.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::compile::Artifact;
use crate::left_behind::Temporary;
use crate::problem::TestCase;
use crate::sandbox::{Job, Limits, SandboxError, WorkDir};

/// A job, and the temporary folder that must exist until the job is done.
pub(crate) struct Launch {
    pub(crate) job: Job,
    _work_dir: Option<Temporary>,
}

/// The job that runs a submission on `case`.
pub(crate) fn launch(
    submission: &Artifact,
    case: &TestCase,
    limits: &Limits,
) -> Result<Launch, SandboxError> {
    launch_with(submission, case.args(), case.beside(), limits)
}

/// The job that runs a program with `args` in a copy of the folder `beside`.
pub(crate) fn launch_with(
    program: &Artifact,
    args: &[String],
    beside: Option<PathBuf>,
    limits: &Limits,
) -> Result<Launch, SandboxError> {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let folder = beside.map(|beside| copy_of(&beside)).transpose()?;
    let work_dir = match &folder {
        Some(folder) => WorkDir::At(folder.path().to_owned()),
        None => WorkDir::Fresh,
    };
    Ok(Launch {
        job: program.job(limits, &args, work_dir),
        _work_dir: folder,
    })
}

/// A new folder with a copy of everything in `from`. A symbolic link that points outside `from` is an error.
fn copy_of(from: &Path) -> Result<Temporary, SandboxError> {
    try_copy(from).map_err(|source| SandboxError::Io {
        action: format!("cannot copy `{}`", from.display()),
        source,
    })
}

fn try_copy(from: &Path) -> io::Result<Temporary> {
    let folder = Temporary::new_in(&std::env::temp_dir(), "rejudge-files-")?;
    let root = from.canonicalize()?;
    for entry in WalkDir::new(from).min_depth(1).follow_links(true) {
        let entry = entry?;
        if entry.path_is_symlink() && !entry.path().canonicalize()?.starts_with(&root) {
            return Err(io::Error::other("a symbolic link in it points outside it"));
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
