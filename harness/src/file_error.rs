//! A file that could not be read or written.

use std::io;
use std::path::Path;

/// What could not be done with which file, and the system's error.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} `{path}`")]
pub(crate) struct FileError {
    /// The action that failed.
    pub(crate) action: &'static str,
    /// The file.
    pub(crate) path: String,
    /// The system's error.
    pub(crate) source: io::Error,
}

impl FileError {
    /// Adds the action and the file to an error of the system.
    pub(crate) fn on(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self { action, path, source }
    }
}
