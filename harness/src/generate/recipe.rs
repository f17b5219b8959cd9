//! How a case is created, as data.

use std::path::PathBuf;

/// How one case is created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// The path under `data/` without its ending, such as `secret/small/03`.
    pub(crate) name: String,
    /// Where its input comes from.
    pub(crate) input: InputSource,
    /// Where its answer comes from.
    pub(crate) answer: AnswerSource,
}

/// Where an input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputSource {
    /// This text.
    Text(String),
    /// A copy of this file.
    Copy(PathBuf),
    /// The output of this program.
    Generated(GeneratorCommand),
}

/// Where an answer comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AnswerSource {
    /// This text.
    Text(String),
    /// A copy of this file.
    Copy(PathBuf),
    /// The output of this program when it reads the input.
    Solved(GeneratorCommand),
}

/// A source file and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GeneratorCommand {
    /// The source file.
    pub(crate) source: PathBuf,
    /// Its arguments, with all fields filled in.
    pub(crate) args: Vec<String>,
    /// The command as it is shown to users.
    pub(crate) shown: String,
}
