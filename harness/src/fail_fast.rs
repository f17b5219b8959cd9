//! What ends at the first failure.

/// What ends at the first failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FailFast {
    /// Nothing: every submission is run on all of its cases.
    #[default]
    Never,
    /// A submission ends at its first case that is not accepted.
    Submission,
    /// A submission ends at its first case that is not accepted, and the run at the first submission that is not as
    /// expected.
    Run,
}
