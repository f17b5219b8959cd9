//! A program to run.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::error::SandboxError;
use crate::execution::Execution;
use crate::input::{self, Input};
use crate::limits::Limits;

/// A program to run, with its environment and limits.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program, as an absolute path, and its arguments.
    pub argv: Vec<OsString>,
    /// The complete environment: the program inherits nothing.
    pub env: Vec<(OsString, OsString)>,
    /// The working folder.
    pub work_dir: WorkDir,
    /// Files and folders that it may read in addition to those of the system, such as its executable.
    pub readable: Vec<PathBuf>,
    /// The limits.
    pub limits: Limits,
    /// How it may start without the start of its interpreter. The sandbox does so from the second run in a row on, if the
    /// machine has every protection; [`Usage::preloaded`](crate::Usage::preloaded) says whether it did.
    pub preload: Option<Preload>,
}

/// A program in Python, whose source is the last argument, may run in a copy of an interpreter that has started once, and has
/// imported these modules then.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Preload {
    /// The names of modules that the source imports. Only those of the standard library are imported.
    pub modules: Vec<String>,
}

impl Job {
    /// A program with its arguments, in a new working folder, with an environment that only sets `PATH`.
    pub fn new<A: Into<OsString>>(argv: impl IntoIterator<Item = A>, limits: Limits) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            env: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            work_dir: WorkDir::Fresh,
            readable: Vec::new(),
            limits,
            preload: None,
        }
    }
}

/// Runs a job: a [`Runner`](crate::Runner), or a test.
pub type RunJob<'a> = dyn FnMut(&Job, Input) -> Result<Execution, SandboxError> + 'a;

/// The working folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkDir {
    /// A new, empty folder, which is removed after the run.
    Fresh,
    /// This folder of the caller, in which the program may write. With a mount namespace, the program works on a copy
    /// in memory, whose size is limited. After the run, the copy replaces the contents of the folder, without the
    /// folder that `TMPDIR` names.
    At(PathBuf),
}

/// A program and its input file, for [`Runner::run_ahead`](crate::Runner::run_ahead).
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// The program.
    pub job: &'a Job,
    /// A copy of this file is its standard input.
    pub input: &'a Path,
}

impl Turn<'_> {
    /// Copies the input, unless it is longer than this.
    pub(crate) fn copy(&self, most: u64) -> Result<OwnedFd, SandboxError> {
        let copy = File::open(self.input).and_then(|file| input::copy_of_short_file(&file, most));
        copy.map_err(|source| SandboxError::Io {
            action: format!("cannot copy the input `{}`", self.input.display()),
            source,
        })
    }
}
