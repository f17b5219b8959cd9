//! What a layout compiles together with a source.

use std::path::PathBuf;

use crate::problem::LocalIncludes;

/// The files of a package that are compiled with one of its sources.
#[derive(Debug)]
pub(super) struct JoinedSources<'a> {
    pub(super) local: &'a LocalIncludes,
    /// Further sources.
    pub(super) linked: Vec<PathBuf>,
    /// Whether standard output is not buffered.
    pub(super) is_unbuffered: bool,
}
