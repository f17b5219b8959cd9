//! What ends at the first failure.

/// What ends at the first failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FailFast {
    /// Judge every submission on all of its cases.
    #[default]
    Never,
    /// Stop a submission at its first case that is not accepted, whatever its score; what measures cases needs no score.
    #[value(skip)]
    #[serde(skip)]
    Case,
    /// Stop a submission when its remaining cases cannot change its result.
    Submission,
    /// Stop a submission when its remaining cases cannot change its result, and the run at the first submission that is not as
    /// expected.
    Run,
}
