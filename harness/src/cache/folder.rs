//! The cache folder, opened for writing.
//!
//! Everything in it can be made again. A folder that cannot be written is no error: one warning, and
//! a temporary folder in its place.

use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The cache folder, ready to be written.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    warning: Option<String>,
    _temporary: Option<TempDir>,
}

impl Cache {
    /// Opens the user's cache folder; one that cannot be written is replaced by a temporary one,
    /// with a [`Cache::warning`].
    pub fn open() -> io::Result<Self> {
        Self::open_at(&super::dir())
    }

    /// Opens the cache folder at `root`, as [`Cache::open`].
    pub fn open_at(root: &Path) -> io::Result<Self> {
        let artefacts = root.join("artefacts");
        let usable = std::fs::create_dir_all(&artefacts)
            .and_then(|()| tempfile::tempfile_in(&artefacts).map(drop));
        match usable {
            Ok(()) => Ok(Self {
                root: root.to_owned(),
                warning: None,
                _temporary: None,
            }),
            Err(error) => Self::temporary(Some(format!(
                "cannot write to the cache folder `{}`: {error}; compiled programs are not kept\n\
                 help: mend it, or set `REJUDGE_CACHE_DIR` to a folder that can be written",
                root.display()
            ))),
        }
    }

    /// A cache of its own that goes away with the value.
    pub fn temporary(warning: Option<String>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("rejudge-").tempdir()?;
        Ok(Self {
            root: folder.path().to_owned(),
            warning,
            _temporary: Some(folder),
        })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Why this is not the user's own folder, to be said once.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    pub(crate) fn artefacts(&self) -> PathBuf {
        self.root.join("artefacts")
    }

    pub(crate) fn cases(&self) -> PathBuf {
        self.root.join("cases")
    }

    pub(crate) fn toolchains(&self) -> PathBuf {
        self.root.join("toolchains")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_made_degrades_with_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let cache = Cache::open_at(&file.join("cache")).unwrap();
        assert!(cache.warning().unwrap().contains("file/cache"));
        assert!(cache.root().is_dir());
    }
}
