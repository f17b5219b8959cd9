//! A program to run.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use crate::error::SandboxError;
use crate::input;
use crate::limits::Limits;

/// What to start.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program and its arguments; the program as an absolute path.
    pub argv: Vec<OsString>,
    /// The environment, whole: nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub work_dir: WorkDir,
    /// Files and folders it may read besides the system's: its artefact, a checker's input.
    pub readable: Vec<PathBuf>,
    /// The limits.
    pub limits: Limits,
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
        }
    }
}

/// The working folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkDir {
    /// A new, empty folder that is removed after the run.
    Fresh,
    /// This folder, which the caller owns and the program may write to (a compiler's, a checker's). Where the system can,
    /// the program works on a copy in memory, as bounded as a fresh folder, which replaces what is in the folder
    /// afterwards, save for what the program keeps in a folder in it that its `TMPDIR` names.
    At(PathBuf),
}

/// A program, and the file that it reads, for a run in a row of them.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// What to start.
    pub job: &'a Job,
    /// The file of which a copy is its standard input.
    pub input: &'a Path,
}

impl Turn<'_> {
    /// Copies the input.
    pub(crate) fn copy(&self) -> Result<OwnedFd, SandboxError> {
        let copy = File::open(self.input).and_then(|file| input::copy_of_file(&file));
        copy.map_err(|source| SandboxError::Io {
            action: format!("cannot copy the input `{}`", self.input.display()),
            source,
        })
    }
}
