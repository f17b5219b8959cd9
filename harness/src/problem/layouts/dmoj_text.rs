//! The line ends that DMOJ gives to programs: unless a case is binary, its files have `\\n` at the end of every line, the
//! last one included.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use super::store::{self, StoreError};
use crate::cache;
use crate::notice::Notices;
use crate::plain_file;
use crate::problem::{CaseFiles, TestCase, with_line_ends};

/// Replaces the files of the cases by those that DMOJ gives to programs. `archive`: the folder that the archive was
/// unpacked to.
pub(super) fn normalise<'a>(
    cases: impl Iterator<Item = &'a mut TestCase>,
    archive: Option<&Path>,
    notices: &mut Notices,
) -> Result<(), StoreError> {
    let unpacked = match archive {
        Some(folder) => Some((folder, normalised_archive(folder)?)),
        None => None,
    };
    let made = cache::cases_dir();
    for case in cases {
        let mut as_given = |path: PathBuf| -> Result<PathBuf, StoreError> {
            let (of_archive, other) = match &unpacked {
                Some((folder, other)) => (path.strip_prefix(folder).ok(), other.as_path()),
                None => (None, Path::new("")),
            };
            let given = match of_archive {
                Some(name) => Some(other.join(name)).filter(|given| given.is_file()),
                // What a generator prints as the input stays as it is.
                None if path.starts_with(&made) => None,
                None => normalised_file(&path)?,
            };
            let Some(given) = given else {
                return Ok(path);
            };
            notices.call(&given, &path);
            Ok(given)
        };
        let files = CaseFiles {
            input: as_given(case.input())?,
            answer: case.answer().map(&mut as_given).transpose()?,
        };
        *case = TestCase::with_files(case.name(), Arc::clone(&case.set), files);
    }
    Ok(())
}

/// A folder with the files of an unpacked archive that DMOJ changes. Such a folder never changes, so it is read once.
fn normalised_archive(folder: &Path) -> Result<PathBuf, StoreError> {
    let mut key = blake3::Hasher::new();
    key.update(b"DMOJ's line ends of an archive\n");
    // Named after its contents.
    key.update(folder.file_name().unwrap_or_default().as_encoded_bytes());
    let key = key.finalize();
    store::materialise(&key, |root| {
        for entry in WalkDir::new(folder) {
            let entry = entry.map_err(std::io::Error::from)?;
            let Ok(below) = entry.path().strip_prefix(folder) else {
                continue;
            };
            if !entry.file_type().is_file() {
                continue;
            }
            if let Some(text) = with_line_ends(&std::fs::read(entry.path())?) {
                store::write_new(root, below, &text)?;
            }
        }
        Ok(())
    })
}

/// The file as DMOJ gives it; `None`: as it is, or it is still to be made.
fn normalised_file(path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let text = match plain_file::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read?,
    };
    let Some(text) = with_line_ends(&text) else {
        return Ok(None);
    };
    let mut key = blake3::Hasher::new();
    key.update(b"DMOJ's line ends\n").update(&text);
    let folder = store::materialise(&key.finalize(), |root| {
        store::write_new(root, "text", &text)
    })?;
    Ok(Some(folder.join("text")))
}
