//! A new folder of ours for programs to write to; it is removed with any contents.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::TempDir;

use super::{Folder, remove};

/// A new folder. Dropping it removes it.
#[derive(Debug)]
pub struct Temporary {
    path: TempDir,
    folder: Folder,
}

impl Temporary {
    /// Creates a folder in `place` with a name that starts with `prefix`. Other users may traverse
    /// it to reach their own files.
    pub fn new_in(place: &Path, prefix: &str) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        builder.permissions(Permissions::from_mode(0o711));
        let path = builder.tempdir_in(place)?;
        let folder = Folder::open(path.path())?;
        Ok(Self { path, folder })
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.path.path()
    }

    /// The open folder, which stays the same if its path changes.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The cleanup of `tempfile` fails on very deep or inaccessible folders.
        let _ = remove(self.path.path());
    }
}
