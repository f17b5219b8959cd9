//! A test case: its name, and from that its files, arguments and checker.
//!
//! Whoever reads a layout has made sure that the files are there; none of them is read here.

use std::path::PathBuf;
use std::sync::Arc;

use super::ValidatorArgs;
use crate::checker::CheckerSpec;

/// One test case. Small, for there may be a hundred thousand of them: all that cases have in common
/// is shared, and the usual file names are derived from the case's name.
#[derive(Debug, Clone)]
pub struct TestCase {
    name: Box<str>,
    pub(super) set: Arc<CaseSet>,
    files: Option<Box<CaseFiles>>,
}

/// What the cases of a group have in common.
#[derive(Debug, Clone, Default)]
pub struct CaseSet {
    /// The folder that names are relative to.
    pub root: PathBuf,
    /// Suffix of the inputs, with its dot.
    pub input: &'static str,
    /// Suffix of the answers, with its dot; `None`: there are no answers.
    pub answer: Option<&'static str>,
    /// The checker, where it is not the problem's.
    pub checker: Option<CheckerSpec>,
    /// What the submission gets as arguments.
    pub args: Vec<String>,
    /// What the input validators get as arguments, before `args`.
    pub input_validator_args: ValidatorArgs,
    /// What the output visualizer gets as arguments.
    pub output_visualizer_args: Vec<String>,
    /// Whether any of the cases may have a folder of files, `NAME.files`.
    pub beside: bool,
}

/// Where a case's files lie that do not lie at their usual place.
#[derive(Debug, Clone)]
pub struct CaseFiles {
    /// The input, absolute or relative to the root.
    pub input: PathBuf,
    /// The answer, if there is one, absolute or relative to the root.
    pub answer: Option<PathBuf>,
}

impl TestCase {
    /// A case called `name`, whose files are `set.root/name` with the set's suffixes.
    pub fn new(name: impl Into<Box<str>>, set: Arc<CaseSet>) -> Self {
        Self {
            name: name.into(),
            set,
            files: None,
        }
    }

    /// A case called `name`, whose files lie elsewhere.
    pub fn with_files(name: impl Into<Box<str>>, set: Arc<CaseSet>, files: CaseFiles) -> Self {
        Self {
            name: name.into(),
            set,
            files: Some(Box::new(files)),
        }
    }

    /// The name: the path under the root without its suffix, as `secret/small/03`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path of the input file.
    pub fn input(&self) -> PathBuf {
        match &self.files {
            None => self.suffixed(self.set.input),
            Some(files) => self.set.root.join(&files.input),
        }
    }

    /// The path of the answer file, if the case has one.
    pub fn answer(&self) -> Option<PathBuf> {
        match &self.files {
            None => self.set.answer.map(|suffix| self.suffixed(suffix)),
            Some(files) => files.answer.as_ref().map(|path| self.set.root.join(path)),
        }
    }

    /// The group: the folder part of the name, `secret/small` of `secret/small/03`; empty if none.
    pub fn group(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// The checker, where the case's group or its own file sets another than the problem's.
    pub fn checker(&self) -> Option<&CheckerSpec> {
        self.set.checker.as_ref()
    }

    /// Whether it is no case but a static validator's look at the submission's files.
    pub fn is_static(&self) -> bool {
        matches!(self.set.checker, Some(CheckerSpec::Static { .. }))
    }

    /// What the submission gets as arguments.
    pub fn args(&self) -> &[String] {
        &self.set.args
    }

    /// What the input validator whose file or folder is called `name` gets as arguments.
    pub fn input_validator_args(&self, name: &str) -> Vec<String> {
        let own = self.set.input_validator_args.of(name);
        own.iter().chain(&self.set.args).cloned().collect()
    }

    /// What the output visualizer gets as arguments.
    pub fn output_visualizer_args(&self) -> &[String] {
        &self.set.output_visualizer_args
    }

    /// The folder whose contents the program finds in its working folder, if there is one.
    pub fn beside(&self) -> Option<PathBuf> {
        let folder = self.set.beside.then(|| self.suffixed(".files"))?;
        folder.is_dir().then_some(folder)
    }

    fn suffixed(&self, suffix: &str) -> PathBuf {
        self.set.root.join(format!("{}{suffix}", self.name))
    }
}
