//! Prepares the run of a program on a case: its arguments and its working folder.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use crate::compile::{Artifact, OwnPaths};
use crate::decide;
use crate::left_behind::Temporary;
use crate::problem::TestCase;
use crate::sandbox::{Captured, Execution, Input, Job, Limits, RunJob, SandboxError, WorkDir};
use crate::submission::FileNames;
use crate::verdict::Verdict;

/// A program that is ready to start: its job, and the temporary folder that must exist until it has ended.
pub(crate) struct Launch {
    pub(crate) job: Job,
    work_dir: Option<Temporary>,
    /// The files in the folder that the program uses.
    files: FileNames,
    /// The folder in it, which may be empty, where the program leaves its files.
    below: String,
    own_paths: Arc<OwnPaths>,
}

/// A solution that is ready to run, and the files that it uses instead of standard input and output.
#[derive(Clone, Copy)]
pub(crate) struct Solution<'a> {
    pub(crate) artifact: &'a Artifact,
    pub(crate) files: &'a FileNames,
    pub(crate) limits: &'a Limits,
}

impl Solution<'_> {
    /// The solution on `case`, with `input` under the names of its files too.
    pub(crate) fn launch(&self, case: &TestCase, input: &Path) -> Result<Launch, SandboxError> {
        self.launch_on(case.args(), case.beside(), || File::open(input))
    }

    /// The solution with `args` in a copy of the folder `beside`, with the input that `open` returns under the names of
    /// its files.
    pub(crate) fn launch_on<R: io::Read>(
        &self,
        args: &[String],
        beside: Option<PathBuf>,
        open: impl Fn() -> io::Result<R>,
    ) -> Result<Launch, SandboxError> {
        let folder = if self.files.is_empty() && !self.has_folder() {
            beside.map(|beside| copy_of(&beside, &[])).transpose()?
        } else {
            Some(self.folder_with(beside, open)?)
        };
        Ok(Launch {
            files: self.files.clone(),
            ..Launch::in_folder(self.artifact, args, folder, self.limits)
        })
    }

    /// The solution without an input: nobody knows what it will be.
    pub(crate) fn launch_without_input(&self) -> Result<Launch, SandboxError> {
        let folder = self.has_folder().then(|| self.folder_of_sources(None)).transpose()?;
        Ok(Launch::in_folder(self.artifact, &[], folder, self.limits))
    }

    /// Whether its sources are in its working folder.
    pub(crate) fn has_folder(&self) -> bool {
        !self.artifact.opened.is_empty()
    }

    /// A new folder with the sources of a submission of several files, as other judges have them, and a copy of the folder
    /// `beside`, whose files replace them.
    fn folder_of_sources(&self, beside: Option<&Path>) -> Result<Temporary, SandboxError> {
        let copied = || -> io::Result<Temporary> {
            let folder = new_folder()?;
            for name in self.artifact.opened.iter() {
                let top = name.split('/').next().unwrap_or(name);
                if self.files.names(top) || beside.is_some_and(|beside| beside.join(top).exists()) {
                    continue;
                }
                let to = folder.path().join(name);
                if let Some(parent) = to.parent() {
                    fs::create_dir_all(parent)?;
                }
                match fs::copy(self.artifact.dir.join(name), to) {
                    // A compiler may remove what it does not need any more.
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    other => drop(other?),
                }
            }
            Ok(folder)
        };
        copied().map_err(|source| SandboxError::Io {
            action: String::from("cannot copy the sources of the solution"),
            source,
        })
    }

    fn folder_with<R: io::Read>(
        &self,
        beside: Option<PathBuf>,
        open: impl Fn() -> io::Result<R>,
    ) -> Result<Temporary, SandboxError> {
        let failed = |source| SandboxError::Io {
            action: String::from("cannot copy the input for the solution"),
            source,
        };
        let folder = self.folder_of_sources(beside.as_deref())?;
        if let Some(beside) = beside {
            copy_into(&folder, &beside, self.files.stated_inputs())?;
        }
        let mut copied: Option<&Path> = None;
        for name in &self.files.inputs {
            let (to, name) = (folder.folder(), Path::new(name));
            // If the source only mentions the name, a file of the case stays in its place.
            if to.file(name).is_ok() {
                continue;
            }
            let made = if let Some(copied) = copied {
                // An input may be large, and the source opens one of its names.
                symlink(copied, folder.path().join(name))
            } else {
                copied = Some(name);
                let copy = || io::copy(&mut open()?, &mut to.create(name, 0o644)?).map(drop);
                copy()
            };
            made.map_err(failed)?;
        }
        for path in &self.files.copies {
            let name = Path::new(path.file_name().unwrap_or_default());
            let (to, mut from) = (folder.folder(), File::open(path).map_err(failed)?);
            if to.file(name).is_err() {
                let copied = to.create(name, 0o644);
                copied.and_then(|mut to| io::copy(&mut from, &mut to)).map_err(failed)?;
            }
        }
        for (name, stream) in &self.files.links {
            symlink(stream, folder.path().join(name)).map_err(failed)?;
        }
        Ok(folder)
    }
}

impl Launch {
    /// A program with `args`, in a copy of the folder `beside`, or in a new folder.
    pub(crate) fn with_args(
        program: &Artifact,
        args: &[String],
        beside: Option<PathBuf>,
        limits: &Limits,
    ) -> Result<Self, SandboxError> {
        let folder = beside.map(|beside| copy_of(&beside, &[])).transpose()?;
        Ok(Self::in_folder(program, args, folder, limits))
    }

    /// A program with `args`, in a folder of the caller whose files can be read after the run.
    pub(crate) fn in_own_folder(
        program: &Artifact,
        args: &[String],
        folder: Temporary,
        limits: &Limits,
    ) -> Self {
        Self::in_folder(program, args, Some(folder), limits)
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
            files: FileNames::default(),
            below: String::new(),
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

    /// The input of the job: `input`, unless a file replaces standard input.
    pub(crate) fn standard_input<'i>(&self, input: &'i Path) -> &'i Path {
        if self.reads_only_files() { Path::new("/dev/null") } else { input }
    }

    /// Whether a file replaces standard input, which is empty then.
    pub(crate) fn reads_only_files(&self) -> bool {
        self.files.are_stated && !self.files.inputs.is_empty()
    }

    /// Whether a file may be the output instead of standard output.
    pub(crate) fn has_output_files(&self) -> bool {
        !self.files.outputs.is_empty()
    }

    /// What the job did, with its output. If the problem states the file of the output, that file is the output; if it
    /// permits a file, the file is if the job left it. Otherwise, if the job printed nothing, the first file that may be
    /// the output and that it left is.
    pub(crate) fn finish(&self, mut execution: Execution) -> Result<Execution, SandboxError> {
        let files_first = self.files.are_stated || self.files.are_optional;
        if self.files.outputs.is_empty() || (!files_first && !execution.stdout.is_empty()) {
            return Ok(execution);
        }
        if self.files.are_stated {
            execution.stdout = Captured::default();
        }
        for name in &self.files.outputs {
            let Some(mut file) = self.left(name) else {
                continue;
            };
            let output = read_all(&mut file).map_err(|source| SandboxError::Io {
                action: format!("cannot read the output `{name}`"),
                source,
            })?;
            if !output.is_empty() || self.files.are_optional {
                execution.stdout = output;
                break;
            }
        }
        Ok(execution)
    }

    /// The verdict if the run alone decides it: a limit, a crash, or no output in the stated file.
    pub(crate) fn decide(
        &self,
        execution: &Execution,
        limits: &Limits,
    ) -> Option<(Verdict, String)> {
        decide::of_execution(execution, limits).or_else(|| {
            let mut stated = self.files.outputs.iter().filter(|_| self.files.are_stated);
            let missing = stated.find(|name| self.left(name).is_none())?;
            Some(decide::of_missing_output(missing, self.files.missing_is_failure))
        })
    }

    /// The names of the regular files that the program left and that `wanted` accepts.
    pub(crate) fn left_names(&self, wanted: impl FnMut(&str) -> bool) -> io::Result<Vec<String>> {
        let files = match &self.work_dir {
            Some(folder) if self.below.is_empty() => folder.folder().files(wanted)?,
            Some(folder) => folder.folder().folder(&self.below)?.files(wanted)?,
            None => Vec::new(),
        };
        Ok(files.into_iter().map(|(name, _)| name).collect())
    }

    /// The regular file that the program left under this name.
    pub(crate) fn left(&self, name: &str) -> Option<File> {
        let path = Path::new(&self.below).join(name);
        self.work_dir.as_ref()?.folder().file(&path).ok()
    }

    /// Lets the files that the program leaves be those in this folder of its working folder.
    pub(crate) fn leaves_in(&mut self, below: &str) {
        below.clone_into(&mut self.below);
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

fn new_folder() -> io::Result<Temporary> {
    Temporary::new_in(&std::env::temp_dir(), "rejudge-files-")
}

/// A new folder with a copy of everything in `from`, without the `omitted` files. A symbolic link that points outside
/// `from` is an error.
fn copy_of(from: &Path, omitted: &[String]) -> Result<Temporary, SandboxError> {
    let folder = new_folder().map_err(|source| not_copied(from, source))?;
    copy_into(&folder, from, omitted)?;
    Ok(folder)
}

/// Copies everything in `from`, without the `omitted` files, to `folder`.
fn copy_into(folder: &Temporary, from: &Path, omitted: &[String]) -> Result<(), SandboxError> {
    try_copy(folder, from, omitted).map_err(|source| not_copied(from, source))
}

fn not_copied(from: &Path, source: io::Error) -> SandboxError {
    SandboxError::Io { action: format!("cannot copy `{}`", from.display()), source }
}

fn try_copy(folder: &Temporary, from: &Path, omitted: &[String]) -> io::Result<()> {
    let root = from.canonicalize()?;
    for entry in WalkDir::new(from).min_depth(1).follow_links(true) {
        let entry = entry?;
        if entry.path_is_symlink() && !entry.path().canonicalize()?.starts_with(&root) {
            return Err(io::Error::other("a symbolic link in it points outside it"));
        }
        let below = entry.path().strip_prefix(from).expect("walked from `from`");
        if omitted.iter().any(|name| below == Path::new(name)) {
            continue;
        }
        let to = folder.path().join(below);
        if entry.file_type().is_dir() {
            fs::create_dir(&to)?;
        } else {
            crate::plain_file::require(&entry.metadata()?)?;
            fs::copy(entry.path(), &to)?;
        }
    }
    Ok(())
}
