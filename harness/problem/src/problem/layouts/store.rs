//! Stores cases that are not files (in a ZIP archive, in JSON or YAML) as files in the cache.
//!
//! A folder in the cache is named after the content that it was made from, and appears complete or
//! not at all.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cache::{Cache, Part};
use crate::notice::Notice;

/// Why the folder could not be created.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("{}", .0.message)]
    /// There is no cache folder.
    Cache(Notice),
    #[error("cannot write to the cache folder: {0}")]
    /// The system refused.
    Io(#[from] io::Error),
    /// The content to unpack is invalid.
    #[error("{what}")]
    Content {
        /// What is invalid.
        what: String,
        /// What to do about it.
        help: Option<&'static str>,
    },
}

impl StoreError {
    /// The content to unpack is invalid.
    pub(super) fn content(what: String, help: impl Into<Option<&'static str>>) -> Self {
        Self::Content { what, help: help.into() }
    }

    /// The error about the file that messages call `shown`.
    pub fn notice(self, shown: &str) -> Notice {
        let notice = Notice::unreadable(shown, &self);
        match self {
            Self::Cache(Notice { help, .. }) => Notice { help, ..notice },
            Self::Content { help: Some(help), .. } => notice.help(help),
            Self::Content { help: None, .. } | Self::Io(_) => notice,
        }
    }
}

/// The folder in the cache for `key`, which is the hash of the content and of how it is read. If
/// the folder is new, `fill` writes its files.
pub(super) fn materialise(
    key: &blake3::Hash,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<PathBuf, StoreError> {
    let name = key.to_hex();
    if let Some(folder) = Cache::known(Part::Cases, name.as_str()) {
        return Ok(folder);
    }
    let cache = Cache::open()?;
    if let Some(warning) = cache.warning() {
        return Err(StoreError::Cache(warning.clone()));
    }
    let base = cache.part(Part::Cases);
    let folder = base.join(name.as_str());
    if folder.is_dir() {
        return Ok(folder);
    }
    fs::create_dir_all(&base)?;
    // `rejudge cache clean` recognises unfinished folders by this prefix.
    let new = tempfile::Builder::new().prefix("new-").tempdir_in(&base)?;
    fill(new.path())?;
    match fs::rename(new.path(), &folder) {
        // Another process was faster; its folder has the same content.
        Err(_) if folder.is_dir() => {}
        result => result?,
    }
    Ok(folder)
}

/// Writes a new file below `root` and creates its parent folders.
pub(super) fn write_new(
    root: &Path,
    name: impl AsRef<Path>,
    bytes: &[u8],
) -> Result<(), StoreError> {
    let path = root.join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = fs::File::create_new(path)?;
    io::Write::write_all(&mut file, bytes)?;
    Ok(())
}
