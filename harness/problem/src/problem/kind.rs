//! The kind of a problem, and the version of its package format.

/// How a problem is judged. With nothing set, it is a pass-fail problem with one run per case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the format combines them freely")]
pub struct Kind {
    /// Accepted submissions get a score.
    pub scoring: bool,
    /// The output validator talks with the submission.
    pub interactive: bool,
    /// The output validator may request further runs on inputs that it writes.
    pub multi_pass: bool,
    /// A submission consists of the answers. Nothing is run.
    pub submit_answer: bool,
    /// Whether answers are outputs that the output validator accepts (`ans_is_output`), if the package states it.
    pub answers_are_outputs: Option<bool>,
}

/// The version of the package format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// `legacy`, `legacy-icpc`, or not given.
    #[default]
    Legacy,
    /// `2025-09` and its drafts.
    V2025,
}
