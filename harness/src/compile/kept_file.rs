//! A file of an artefact as its manifest describes it.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::left_behind::Folder;

/// A file that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct KeptFile {
    /// Its path in the folder.
    path: PathBuf,
    /// Its size in bytes.
    size: u64,
    /// The BLAKE3 checksum in hexadecimal.
    hash: String,
}

impl KeptFile {
    /// Describes the file at `path` in `folder`.
    pub(super) fn of(folder: &Folder, path: PathBuf) -> io::Result<Self> {
        let mut hasher = blake3::Hasher::new();
        let size = io::copy(&mut folder.file(&path)?, &mut hasher)?;
        let hash = hasher.finalize().to_hex().to_string();
        Ok(Self { path, size, hash })
    }

    /// Its path and its checksum.
    pub(super) fn identity(&self) -> (&Path, &str) {
        (&self.path, &self.hash)
    }

    /// Whether the file at this path in `folder` is unchanged.
    pub(super) fn is_in(&self, folder: &Folder) -> bool {
        Self::of(folder, self.path.clone()).is_ok_and(|now| now == *self)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_changed_file_is_found() {
        let place = tempfile::tempdir().expect("a folder for the test");
        let folder = Folder::open(place.path()).expect("the folder exists");
        let path = place.path().join("program");
        fs::write(&path, "before").expect("a file");
        let file = KeptFile::of(&folder, "program".into()).expect("the file is readable");
        assert_eq!(file.size, 6);
        assert!(file.is_in(&folder));
        fs::write(&path, "behind").expect("a file");
        assert!(!file.is_in(&folder), "other contents of the same size");
        fs::remove_file(&path).expect("the file can be removed");
        assert!(!file.is_in(&folder), "it is gone");
        fs::write(place.path().join("other"), "before").expect("a file");
        symlink("other", &path).expect("a link");
        assert!(!file.is_in(&folder), "a link is not a file");
    }
}
