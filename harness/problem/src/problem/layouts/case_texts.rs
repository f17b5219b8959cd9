//! The line ends that judges give to programs, if they differ from those of the files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::WalkDir;

use super::store::{self, StoreError};
use crate::cache;
use crate::notice;
use crate::plain_file;
use crate::problem::{CaseFiles, LineEnds, TestCase};

/// Replaces the files of the cases by those that the judge gives to programs. `archive`: the folder that the archive was
/// unpacked to.
pub(super) fn normalise<'a>(
    ends: LineEnds,
    cases: impl Iterator<Item = &'a mut TestCase>,
    archive: Option<&Path>,
) -> Result<(), StoreError> {
    let unpacked = match archive {
        Some(folder) => Some((folder, normalised_archive(ends, folder)?)),
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
                None => normalised_file(ends, &path)?,
            };
            let Some(given) = given else {
                return Ok(path);
            };
            notice::call(&given, &path);
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

/// A folder with the files of an unpacked archive that the judge changes. Such a folder never changes, so it is read once.
fn normalised_archive(ends: LineEnds, folder: &Path) -> Result<PathBuf, StoreError> {
    let mut key = blake3::Hasher::new();
    key.update(ends.name().as_bytes()).update(b" of an archive\n");
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
            if let Some(text) = ends.given(&std::fs::read(entry.path())?) {
                store::write_new(root, below, &text)?;
            }
        }
        Ok(())
    })
}

/// The file as the judge gives it; `None`: as it is, or it is still to be made.
fn normalised_file(ends: LineEnds, path: &Path) -> Result<Option<PathBuf>, StoreError> {
    let start = match plain_file::read_up_to(path, ends.looked_at()) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        read => read?,
    };
    if !ends.may_change(&start) {
        return Ok(None);
    }
    let Some(text) = ends.given(&plain_file::read(path)?) else {
        return Ok(None);
    };
    let mut key = blake3::Hasher::new();
    key.update(ends.name().as_bytes()).update(b"\n").update(&text);
    let folder = store::materialise(&key.finalize(), |root| store::write_new(root, "text", &text))?;
    Ok(Some(folder.join("text")))
}
