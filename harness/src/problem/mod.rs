//! What is judged against: problems, their limits and their test cases.
//!
//! First in the flow. It reads files and knows layouts; it never starts a program.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::bytes::Bytes;
use crate::checker::CheckerSpec;

/// A problem: its limits, its checker and its test cases in judging order.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The short name: the name of its folder.
    pub id: String,
    /// The title in `problem.yaml`, if there is one.
    pub title: Option<String>,
    /// The folder it was read from.
    pub dir: PathBuf,
    /// The limits that its files set; what they leave open is `None`.
    pub limits: ProblemLimits,
    /// How outputs are checked.
    pub checker: CheckerSpec,
    /// In a package a case without an answer is an error; in a plain folder it is run only.
    pub is_package: bool,
    /// The cases, in the order in which they are reported.
    pub cases: Vec<TestCase>,
}

/// What a problem's own files say of its limits.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProblemLimits {
    /// CPU time of a run.
    pub cpu_time: Option<Duration>,
    /// Wall time of a run.
    pub wall_time: Option<Duration>,
    /// Memory of a run.
    pub memory: Option<Bytes>,
    /// Standard output, standard error and files together.
    pub output: Option<Bytes>,
    /// Size of a source file.
    pub code: Option<Bytes>,
    /// CPU time of a compilation.
    pub compilation_time: Option<Duration>,
    /// Memory of a compilation.
    pub compilation_memory: Option<Bytes>,
    /// CPU time of a validator's run.
    pub validation_time: Option<Duration>,
    /// Memory of a validator's run.
    pub validation_memory: Option<Bytes>,
    /// Output of a validator's run, its feedback files included.
    pub validation_output: Option<Bytes>,
}

/// One test case. Small, for there may be a hundred thousand of them: the folder is shared, and the
/// usual file names are derived from the case's name.
#[derive(Debug, Clone)]
pub struct TestCase {
    name: Box<str>,
    root: Arc<Path>,
    files: CaseFiles,
}

/// Where a case's files lie, relative to the root of its cases.
#[derive(Debug, Clone)]
pub enum CaseFiles {
    /// The name plus a suffix: `secret/01` + `.in`, `.ans`.
    Suffixed {
        /// Suffix of the input, with its dot.
        input: &'static str,
        /// Suffix of the answer, with its dot; `None`: there is no answer.
        answer: Option<&'static str>,
    },
    /// Anything else (input, answer), relative to the root or absolute.
    Named(Box<(PathBuf, Option<PathBuf>)>),
}

impl TestCase {
    /// A case called `name`, whose `files` lie under `root`.
    pub fn new(name: impl Into<Box<str>>, root: Arc<Path>, files: CaseFiles) -> Self {
        Self {
            name: name.into(),
            root,
            files,
        }
    }

    /// The name: the path under the root without its suffix, as `secret/small/03`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path of the input file.
    pub fn input(&self) -> PathBuf {
        match &self.files {
            CaseFiles::Suffixed { input, .. } => self.suffixed(input),
            CaseFiles::Named(files) => self.root.join(&files.0),
        }
    }

    /// The path of the answer file, if the case has one.
    pub fn answer(&self) -> Option<PathBuf> {
        match &self.files {
            CaseFiles::Suffixed { answer, .. } => answer.map(|suffix| self.suffixed(suffix)),
            CaseFiles::Named(files) => files.1.as_ref().map(|path| self.root.join(path)),
        }
    }

    /// The group: the folder part of the name, `secret/small` of `secret/small/03`; empty if none.
    pub fn group(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(group, _)| group)
    }

    fn suffixed(&self, suffix: &str) -> PathBuf {
        self.root.join(format!("{}{suffix}", self.name))
    }
}
