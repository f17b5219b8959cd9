//! The reasons why a program could not be run.

/// The reason why a program could not be run. It is never the program's fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The run was interrupted by the user.
    #[error("interrupted")]
    Interrupted,
    /// A step of setting up the child failed.
    #[error("cannot start `{program}`: {step}")]
    Setup {
        /// The program.
        program: String,
        /// The step that failed.
        step: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// The program has 32 bits, and the filter permits only the system calls of programs with 64.
    #[error("`{program}` is a 32-bit program, and the sandbox permits no system calls of these")]
    Bits32 {
        /// The program.
        program: String,
    },
    /// [`Isolation::Strict`](crate::Isolation::Strict) is required, and the machine offers less.
    #[error("the sandbox is weaker than `strict` allows; missing:{missing}")]
    TooWeak {
        /// The missing protections, each with its reason and remedy on lines of its own.
        missing: String,
    },
    /// A limit that this process inherited is too low; holds the message.
    #[error("{0}")]
    Inherited(String),
    /// The sandbox needs this part of a system.
    #[error("the sandbox needs `{path}`, which is missing")]
    Missing {
        /// The file.
        path: &'static str,
        /// The command that adds it.
        command: &'static str,
    },
    /// The launcher died or sent an unexpected reply.
    #[error("the launcher failed: {0}")]
    Launcher(String),
    /// The judge could not read or write a file.
    #[error("{action}")]
    Io {
        /// The action that failed, and its file.
        action: String,
        /// The system's error.
        source: std::io::Error,
    },
}

/// Makes an error of what failed at `action`.
pub(crate) fn io_error(action: &str) -> impl Fn(std::io::Error) -> SandboxError {
    let action = action.to_owned();
    move |source| SandboxError::Io { action: action.clone(), source }
}
