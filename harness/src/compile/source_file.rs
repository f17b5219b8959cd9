//! A file of a program.

use std::path::{Path, PathBuf};

/// One file of a program.
#[derive(Debug)]
pub(super) struct SourceFile {
    /// Its path in the program's folder, separated by `/`.
    pub(super) name: String,
    pub(super) text: Vec<u8>,
    pub(super) executable: bool,
    /// Whether another file includes it, so that it is not compiled on its own.
    pub(super) is_included: bool,
}

/// The lowest folder that contains all of these files.
pub(super) fn around<'a>(mut files: impl Iterator<Item = &'a Path>) -> PathBuf {
    let parent = |path: &Path| path.parent().unwrap_or(path).to_path_buf();
    let mut above = files.next().map(parent).unwrap_or_default();
    for file in files {
        while !file.starts_with(&above) && above.pop() {}
    }
    above
}
