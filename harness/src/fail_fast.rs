//! What ends at the first failure.

/// What ends at the first failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum FailFast {
    /// Judge every submission on all of its cases.
    #[default]
    Never,
    /// Stop a submission at its first case that is not accepted.
    Submission,
    /// Stop a submission at its first case that is not accepted, and the run at the first submission that is not as
    /// expected.
    Run,
}
