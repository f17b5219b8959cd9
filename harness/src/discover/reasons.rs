//! Why a submission is judged on its cases, and why its verdict is expected.

use super::join::{Source, Why};

/// Why cases belong to a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CasesBy {
    /// All cases of its folder.
    Folder,
    /// Cases that are named after it.
    Name,
    /// Cases of another tree, in a folder with the same name.
    Tree,
    /// The source opens an input with this name.
    Text,
}

impl CasesBy {
    /// The reason of a source of a joined problem.
    pub(super) fn of(source: &Source, why: Why) -> Self {
        match why {
            _ if source.opens => Self::Text,
            Why::Folder => Self::Folder,
            Why::Stem => Self::Name,
            Why::Apart => Self::Tree,
        }
    }

    /// The word for machines.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Name => "name",
            Self::Tree => "tree",
            Self::Text => "text",
        }
    }

    /// The reason in a sentence.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Folder => "all cases of the folder",
            Self::Name => "cases with the name of the solution",
            Self::Tree => "cases of the folder with the same name in another tree",
            Self::Text => "cases that the solution opens by name",
        }
    }
}

/// Where the expected verdict of a submission is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExpectedBy {
    /// Nowhere: solutions must be accepted.
    #[default]
    Default,
    /// The name of its folder.
    Folder,
    /// `@EXPECTED_RESULTS@` in its text.
    Header,
    /// A file that lists submissions, such as `submissions.yaml`.
    Settings,
}

impl ExpectedBy {
    /// The word, for everybody.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::Folder => "folder",
            Self::Header => "header",
            Self::Settings => "settings",
        }
    }
}

/// Why a submission is judged as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SubmissionReasons {
    /// `None`: the cases are those of its problem's package or repository, or named on the command line.
    pub cases: Option<CasesBy>,
    /// Where its expected verdict is stated.
    pub expected: ExpectedBy,
}
