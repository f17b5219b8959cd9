//! What kind of problem it is, and by which version of the package format.

/// How a problem is judged; nothing set is a pass-fail problem with one run for each case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the format combines them freely"
)]
pub struct Kind {
    /// Accepted submissions get a score.
    pub scoring: bool,
    /// The output validator talks with the submission.
    pub interactive: bool,
    /// The output validator may ask for further runs with inputs of its own.
    pub multi_pass: bool,
    /// A submission is the answers themselves, and nothing is run.
    pub submit_answer: bool,
}

/// The version of the package format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Format {
    /// `legacy`, `legacy-icpc`, or not said.
    #[default]
    Legacy,
    /// `2025-09` and its drafts.
    V2025,
}
