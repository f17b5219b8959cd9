//! Starts a program: a submission on a case, or a program of the problem. Prepares its arguments and its working folder.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use crate::compile::{Artifact, OwnPaths};
use crate::left_behind::Temporary;
use crate::problem::TestCase;
use crate::sandbox::{Captured, Execution, Input, Job, Limits, RunJob, SandboxError, WorkDir};
use crate::submission::FileNames;

/// A program that is ready to start: its job, and the temporary folder that must exist until it has ended.
pub(crate) struct Launch {
    pub(crate) job: Job,
    work_dir: Option<Temporary>,
    /// The names of files in it that may be the output.
    outputs: Vec<String>,
    own_paths: Arc<OwnPaths>,
}

impl Launch {
    /// A submission on `case`, which finds the input under the names in `files` too.
    pub(crate) fn on_case(
        submission: &Artifact,
        files: &FileNames,
        case: &TestCase,
        limits: &Limits,
    ) -> Result<Self, SandboxError> {
        if files.is_empty() {
            Self::with_args(submission, case.args(), case.beside(), limits)
        } else {
            Self::with_files(submission, files, case.args(), &case.input(), limits)
        }
    }

    /// A submission with `args`, in a folder with a copy of `input` under each of the names in `files`.
    pub(crate) fn with_files(
        submission: &Artifact,
        files: &FileNames,
        args: &[String],
        input: &Path,
        limits: &Limits,
    ) -> Result<Self, SandboxError> {
        let folder = folder_with(input, &files.inputs).map_err(|source| SandboxError::Io {
            action: format!("cannot copy `{}`", input.display()),
            source,
        })?;
        Ok(Self {
            outputs: files.outputs.clone(),
            ..Self::in_folder(submission, args, Some(folder), limits)
        })
    }

    /// A program with `args`, in a copy of the folder `beside`, or in a new folder.
    pub(crate) fn with_args(
        program: &Artifact,
        args: &[String],
        beside: Option<PathBuf>,
        limits: &Limits,
    ) -> Result<Self, SandboxError> {
        let folder = beside.map(|beside| copy_of(&beside)).transpose()?;
        Ok(Self::in_folder(program, args, folder, limits))
    }

    fn in_folder(
        program: &Artifact,
        args: &[String],
        folder: Option<Temporary>,
        limits: &Limits,
    ) -> Self {
        let args: Vec<OsString> = args.iter().map(OsString::from).collect();
        let work_dir = match &folder {
            Some(folder) => WorkDir::At(folder.path().to_owned()),
            None => WorkDir::Fresh,
        };
        Self {
            job: program.job(limits, &args, work_dir),
            work_dir: folder,
            outputs: Vec::new(),
            own_paths: program.own_paths.clone(),
        }
    }

    /// Runs the program to its end. Its messages name files as users know them.
    pub(crate) fn run(
        &self,
        input: Input,
        run: &mut RunJob<'_>,
    ) -> Result<Execution, SandboxError> {
        let mut execution = self.finish(run(&self.job, input)?)?;
        execution.stderr_tail = self.own_paths.in_message(execution.stderr_tail);
        Ok(execution)
    }

    /// The execution with the output of the program. If the program printed nothing, that is the first file with the name
    /// of an output.
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

fn folder_with(input: &Path, names: &[String]) -> io::Result<Temporary> {
    let folder = Temporary::new_in(&std::env::temp_dir(), "rejudge-files-")?;
    for name in names {
        let mut copy = folder.folder().create(Path::new(name), 0o644)?;
        io::copy(&mut fs::File::open(input)?, &mut copy)?;
    }
    Ok(folder)
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
