//! How a case is created, as data.

use std::path::PathBuf;

/// The endings of the text files of a case, the longest first if one ends another.
pub(crate) const TEXTS: [&str; 9] = [
    "in.statement",
    "ans.statement",
    "in.download",
    "ans.download",
    "interaction",
    "yaml",
    "in",
    "ans",
    "out",
];

/// The endings of the images of a case.
pub(crate) const IMAGES: [&str; 4] = ["png", "jpg", "svg", "pdf"];

/// How one case is created. Each step replaces files of the steps before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Recipe {
    /// The path under `data/` without its ending, such as `secret/small/03`.
    pub(crate) name: String,
    /// The generator, with the seed of each attempt; the next attempt follows a failure. Empty: there is no generator.
    pub(crate) attempts: Vec<GeneratorCommand>,
    /// Files that are copied, by their endings.
    pub(crate) copies: Vec<(&'static str, PathBuf)>,
    /// Files with these texts, by their endings.
    pub(crate) texts: Vec<(&'static str, String)>,
    /// Files that equal another file of the case: their endings, and those of the other files.
    pub(crate) links: Vec<(&'static str, &'static str)>,
    /// Where the answer comes from if no step above made it.
    pub(crate) answer: AnswerSource,
    /// Regular expressions that a file of the case must contain, by its ending.
    pub(crate) patterns: Vec<(&'static str, String)>,
}

impl Recipe {
    /// The folder in `data/` that contains the case.
    pub(crate) fn root(&self) -> &str {
        self.name.split('/').next().unwrap_or_default()
    }
}

/// Where an answer comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AnswerSource {
    /// The output of this program when it reads the input.
    Solved(GeneratorCommand),
    /// It is empty, because the interactor or the validator of every pass decides.
    Empty,
    /// The recipe must give it.
    Given,
    /// The case needs none.
    Unneeded,
}

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GeneratorCommand {
    /// The source file, or the folder of sources.
    pub(crate) source: PathBuf,
    /// The files that form the program, the first of which starts; empty if `source` is the whole program.
    pub(crate) files: Vec<PathBuf>,
    /// Its arguments, with all fields filled in.
    pub(crate) args: Vec<String>,
    /// The command as it is shown to users.
    pub(crate) shown: String,
}

/// The settings of a folder: `test_group.yaml`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GroupFile {
    /// The path under `data/`; empty for `data/` itself.
    pub(crate) folder: String,
    /// Its text; `None`: the file must not exist.
    pub(crate) text: Option<String>,
}
