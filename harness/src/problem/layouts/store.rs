//! Cases that lie in no file of their own (in a ZIP, in JSON or YAML), put into the cache as files.
//!
//! A folder there is named by the content that it was made from, and appears whole or not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cache::{Cache, Part};

/// Why there is no folder.
#[derive(Debug, thiserror::Error)]
pub(super) enum StoreError {
    /// The cache cannot be used; the message says how to mend it.
    #[error("{0}")]
    Cache(String),
    #[error("cannot write to the cache folder: {0}")]
    Io(#[from] io::Error),
    /// What is to be unpacked is not as it should be.
    #[error("{0}")]
    Content(String),
}

/// The folder in the cache that holds what `fill` puts there; `fill` is called if it is new.
/// `key` stands for the content and for how it is read.
pub(super) fn materialise(
    key: &blake3::Hash,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<PathBuf, StoreError> {
    let cache = Cache::open()?;
    if let Some(warning) = cache.warning() {
        return Err(StoreError::Cache(warning.to_owned()));
    }
    let base = cache.part(Part::Cases);
    let folder = base.join(key.to_hex().as_str());
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(&base)?;
    // The prefix tells `rejudge cache clean` that it is being made.
    let new = tempfile::Builder::new().prefix("new-").tempdir_in(&base)?;
    fill(new.path())?;
    match fs::rename(new.path(), &folder) {
        // Another process was faster; what it made is the same.
        Err(_) if folder.is_dir() => {}
        result => result?,
    }
    Ok(folder)
}

/// Writes one file below `root`, with the folders above it; it must be new.
pub(super) fn write_new(root: &Path, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
    let path = root.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::File::create_new(path)?;
    io::Write::write_all(&mut file, bytes)?;
    Ok(())
}
