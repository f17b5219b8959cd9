//! Files and folders, with their paths in errors.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

/// The files below a folder whose names end with one of the extensions, sorted.
pub(crate) fn files_below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let entries = folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path, extensions)?);
        } else if let Some(end) = path.extension().and_then(OsStr::to_str)
            && extensions.contains(&end)
        {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

pub(crate) fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file, and creates its folder.
pub(crate) fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_with_the_extensions_are_found() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["b.md", "a/c.yml", "a/d.rs", "yml"] {
            write(&dir.path().join(name), "").expect("a file");
        }
        let found = files_below(dir.path(), &["yml", "md"]).expect("a folder");
        assert_eq!(found, ["a/c.yml", "b.md"].map(|name| dir.path().join(name)));
        assert!(files_below(&dir.path().join("missing"), &[]).is_err());
    }
}
