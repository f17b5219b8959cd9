//! A source, its language, and what is expected of it.

use std::path::PathBuf;

mod by_problem;
pub mod comments;
mod composed;
mod file_names;

pub use crate::expectation::Expectation;
pub use by_problem::SubmissionsByProblem;
pub use file_names::FileNames;

/// The language id of submissions that are answers instead of programs.
pub const ANSWERS: &str = "answers";

/// The language id of sources in no known language.
pub const UNKNOWN: &str = "unknown";

/// A solution to be judged.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The source file, or the folder of the source files.
    pub path: PathBuf,
    /// The path as shown: relative to the repository, with `/`.
    pub name: String,
    /// The id of the problem it solves.
    pub problem: String,
    /// The id of its language in the table of languages.
    pub language: String,
    /// The entry point, if it is given: a file of the folder, or a class.
    pub entrypoint: Option<String>,
    /// The expectation, from its folder or from its own text.
    pub expected: Expectation,
    /// The files that it uses instead of standard input and output.
    pub files: FileNames,
}

impl Submission {
    /// Whether it consists of answers and is not a program.
    #[must_use]
    pub fn is_answers(&self) -> bool {
        self.language == ANSWERS
    }
}
