//! A new folder of ours that programs are given to write to, removed whatever they left in it.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use tempfile::TempDir;

use super::{Folder, remove};

/// A new folder. Dropping it removes it.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: TempDir,
    folder: Folder,
}

impl Temporary {
    /// A new one in `place`, whose name begins with `prefix`. Other users may pass through it to what they own.
    pub(crate) fn new_in(place: &Path, prefix: &str) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        builder.permissions(Permissions::from_mode(0o711));
        let path = builder.tempdir_in(place)?;
        let folder = Folder::open(path.path())?;
        Ok(Self { path, folder })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        self.path.path()
    }

    /// The folder, which stays this one whatever becomes of its path.
    pub(crate) fn folder(&self) -> &Folder {
        &self.folder
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The guard's own way gives up at folders that are very deep or closed to us.
        let _ = remove(self.path.path());
    }
}
