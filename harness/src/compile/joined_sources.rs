//! What is compiled together with a source.

use std::path::{Path, PathBuf};

use crate::problem::LocalIncludes;

/// Which files are compiled with a source that is a single file.
pub(super) enum SourceCompany<'a> {
    /// None, as on judges.
    Alone,
    /// Those of the layout.
    Joined(JoinedSources<'a>),
    /// Those that it names and that lie next to it.
    Beside(BesideRule<'a>),
}

/// What a source may find next to it.
pub(super) struct BesideRule<'a> {
    /// Where it lies, if it is compiled elsewhere.
    pub(super) place: &'a Path,
    /// The folder of its problem, if it belongs to one.
    pub(super) problem: Option<&'a Path>,
}

/// The files of a package that are compiled with one of its sources.
#[derive(Debug)]
pub(super) struct JoinedSources<'a> {
    pub(super) local: &'a LocalIncludes,
    /// Where the source lies, if it is compiled elsewhere.
    pub(super) place: &'a Path,
    /// Further sources.
    pub(super) linked: Vec<PathBuf>,
    /// Whether standard output is not buffered.
    pub(super) is_unbuffered: bool,
}
