//! A test case: its name, and from it the paths of its files, its arguments and its checker.
//!
//! The layout's reader has checked that the files exist. This module reads none of them.

use std::path::PathBuf;
use std::sync::Arc;

use super::ValidatorArgs;
use crate::checker_spec::CheckerSpec;
use crate::name_text;

/// One test case. It is small because there may be a hundred thousand of them: cases share their
/// common settings, and the usual file names are derived from the case's name.
#[derive(Debug, Clone)]
pub struct TestCase {
    name: Box<str>,
    pub(super) set: Arc<CaseSet>,
    files: Option<Box<CaseFiles>>,
}

/// The settings that cases of a group share.
#[derive(Debug, Clone, Default)]
pub struct CaseSet {
    /// The folder that case names are relative to.
    pub root: PathBuf,
    /// Suffix of the input files, including the dot.
    pub input: &'static str,
    /// Suffix of the answer files, including the dot; `None`: there are no answers.
    pub answer: Option<&'static str>,
    /// The checker, if it differs from the problem's.
    pub checker: Option<CheckerSpec>,
    /// The arguments of the submission.
    pub args: Vec<String>,
    /// The arguments of the input validators; they come before `args`.
    pub input_validator_args: ValidatorArgs,
    /// The arguments of the answer validators of `BAPCtools`.
    pub answer_validator_args: ValidatorArgs,
    /// The arguments of the output visualizer.
    pub output_visualizer_args: Vec<String>,
    /// Whether a case may have a folder of files, `NAME.files`.
    pub beside: bool,
}

/// The files of a case whose paths do not follow from its name.
#[derive(Debug, Clone)]
pub struct CaseFiles {
    /// The input, absolute or relative to the root.
    pub input: PathBuf,
    /// The answer, if there is one, absolute or relative to the root.
    pub answer: Option<PathBuf>,
}

impl TestCase {
    /// Creates a case called `name`, whose files are `set.root/name` with the suffixes of `set`.
    pub fn new(name: impl Into<Box<str>>, set: Arc<CaseSet>) -> Self {
        Self { name: name.into(), set, files: None }
    }

    /// Creates a case called `name` with files at other paths.
    pub fn with_files(name: impl Into<Box<str>>, set: Arc<CaseSet>, files: CaseFiles) -> Self {
        Self { name: name.into(), set, files: Some(Box::new(files)) }
    }

    /// The name: the path below the root without the suffix, for example `secret/small/03`.
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

    /// Whether the case has an answer.
    pub fn has_answer(&self) -> bool {
        match &self.files {
            None => self.set.answer.is_some(),
            Some(files) => files.answer.is_some(),
        }
    }

    /// The group: the folder part of the name (`secret/small` of `secret/small/03`). Empty if there
    /// is none.
    pub fn group(&self) -> &str {
        self.name.rsplit_once('/').map_or("", |(group, _)| group)
    }

    /// The checker, if the case or its group sets one.
    pub fn checker(&self) -> Option<&CheckerSpec> {
        self.set.checker.as_ref()
    }

    /// Whether it is a run of a static validator on the submission's files, and not a real case.
    pub fn is_static(&self) -> bool {
        matches!(self.set.checker, Some(CheckerSpec::Static { .. }))
    }

    /// The arguments of the submission.
    pub fn args(&self) -> &[String] {
        &self.set.args
    }

    /// The arguments of the input validator whose file or folder is called `name`.
    pub fn input_validator_args(&self, name: &str) -> Vec<String> {
        let own = self.set.input_validator_args.of(name);
        own.iter().chain(&self.set.args).cloned().collect()
    }

    /// The arguments of the answer validator whose file or folder is called `name`.
    pub fn answer_validator_args(&self, name: &str) -> Vec<String> {
        self.set.answer_validator_args.of(name).to_vec()
    }

    /// The arguments of the output visualizer.
    pub fn output_visualizer_args(&self) -> &[String] {
        &self.set.output_visualizer_args
    }

    /// The folder whose contents are copied into the program's working folder, if there is one.
    pub fn beside(&self) -> Option<PathBuf> {
        let folder = self.set.beside.then(|| self.suffixed(".files"))?;
        folder.is_dir().then_some(folder)
    }

    fn suffixed(&self, suffix: &str) -> PathBuf {
        let file = format!("{}{suffix}", self.name);
        self.set.root.join(name_text::path(&file))
    }
}
