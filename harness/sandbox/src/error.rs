//! The reasons why a program could not be run.

/// Why we could not run a program; never the program's fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The run was interrupted by the user.
    #[error("interrupted")]
    Interrupted,
    /// A step of setting up the child failed.
    #[error("cannot start `{program}`: {step}")]
    Setup {
        /// What was to be started.
        program: String,
        /// Which step failed, in words.
        step: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// [`Isolation::Strict`] was asked for, and the machine gives less.
    #[error("the sandbox is weaker than `strict` allows, which lacks:{missing}")]
    TooWeak {
        /// What is missing, why, and what would give it: a few lines for each.
        missing: String,
    },
    /// A limit that this process inherited is too low, in words.
    #[error("{0}")]
    Inherited(String),
    /// The launcher process died or answered nonsense.
    #[error("the launcher failed: {0}")]
    Launcher(String),
    /// Reading or writing our own files failed.
    #[error("{action}")]
    Io {
        /// What was being done, and to which file.
        action: String,
        /// The system's error.
        source: std::io::Error,
    },
}
