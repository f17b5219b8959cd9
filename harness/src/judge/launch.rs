//! Prepares the run of a program on a case: its arguments and its working folder.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::compile::Artifact;
use crate::left_behind::Temporary;
use crate::problem::TestCase;
use crate::sandbox::{Captured, Execution, Job, Limits, SandboxError, WorkDir};
use crate::submission::FileNames;

/// A job, and the temporary folder that must exist until the job is done.
pub(crate) struct Launch {
    pub(crate) job: Job,
    work_dir: Option<Temporary>,
    /// The names of files in it that may be the output.
    outputs: Vec<String>,
}

/// The job that runs a submission on `case`.
pub(crate) fn launch(
    submission: &Artifact,
    case: &TestCase,
    limits: &Limits,
) -> Result<Launch, SandboxError> {
    launch_with(submission, case.args(), case.beside(), limits)
}

/// The job that runs a submission on `case`, with the input under the names in `files` too.
pub(crate) fn launch_submission(
    submission: &Artifact,
    files: &FileNames,
    case: &TestCase,
    limits: &Limits,
) -> Result<Launch, SandboxError> {
    if files.is_empty() {
        launch(submission, case, limits)
    } else {
        launch_in_folder(submission, files, case.args(), &case.input(), limits)
    }
}

/// The job that runs a submission with `args` in a folder with a copy of `input` under each of the names in `files`.
pub(crate) fn launch_in_folder(
    submission: &Artifact,
    files: &FileNames,
    args: &[String],
    input: &Path,
    limits: &Limits,
) -> Result<Launch, SandboxError> {
    let folder = folder_with(input, &files.inputs).map_err(|source| SandboxError::Io {
        action: format!("cannot copy `{}`", input.display()),
        source,
    })?;
    Ok(Launch {
        outputs: files.outputs.clone(),
        ..launch_at(submission, args, Some(folder), limits)
    })
}

fn folder_with(input: &Path, names: &[String]) -> io::Result<Temporary> {
    let folder = Temporary::new_in(&std::env::temp_dir(), "rejudge-files-")?;
    for name in names {
        let mut copy = folder.folder().create(Path::new(name), 0o644)?;
        io::copy(&mut fs::File::open(input)?, &mut copy)?;
    }
    Ok(folder)
}

impl Launch {
    /// What the job did. If it printed nothing, the first file with the name of an output that it left is its output.
    pub(crate) fn finish(&self, mut execution: Execution) -> Result<Execution, SandboxError> {
        let Some(folder) = self
            .work_dir
            .as_ref()
            .filter(|_| execution.stdout.is_empty())
        else {
            return Ok(execution);
        };
        for name in &self.outputs {
            // Whatever is not a regular file is not an output.
            let Ok(mut file) = folder.folder().file(Path::new(name)) else {
                continue;
            };
            let output = read_all(&mut file).map_err(|source| SandboxError::Io {
                action: format!("cannot read the output `{name}`"),
                source,
            })?;
            if !output.is_empty() {
                execution.stdout = output;
                break;
            }
        }
        Ok(execution)
    }
}

fn read_all(file: &mut impl io::Read) -> io::Result<Captured> {
    let mut output = Captured::default();
    let mut chunk = vec![0; 64 << 10];
    loop {
        match file.read(&mut chunk)? {
            0 => return Ok(output),
            count => output.append(&chunk[..count])?,
        }
    }
}

/// The job that runs a program with `args` in a copy of the folder `beside`.
pub(crate) fn launch_with(
    program: &Artifact,
    args: &[String],
    beside: Option<PathBuf>,
    limits: &Limits,
) -> Result<Launch, SandboxError> {
    let folder = beside.map(|beside| copy_of(&beside)).transpose()?;
    Ok(launch_at(program, args, folder, limits))
}

/// The job that runs a program with `args` in this folder, or in a new one.
fn launch_at(
    program: &Artifact,
    args: &[String],
    folder: Option<Temporary>,
    limits: &Limits,
) -> Launch {
    let args: Vec<OsString> = args.iter().map(OsString::from).collect();
    let work_dir = match &folder {
        Some(folder) => WorkDir::At(folder.path().to_owned()),
        None => WorkDir::Fresh,
    };
    Launch {
        job: program.job(limits, &args, work_dir),
        work_dir: folder,
        outputs: Vec::new(),
    }
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
