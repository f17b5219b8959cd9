//! Whether two compilations wrote the same files.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read as _};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use crate::compile::SCRATCH;
use crate::compile::store::BuildFolder;

/// Whether the folders of two compilations contain the same files. Archives are the same if their entries are: they also contain
/// the time of their making.
pub(in crate::compile) fn same_files(one: &BuildFolder, other: &BuildFolder) -> io::Result<bool> {
    Ok(contents(one)? == contents(other)?)
}

/// The name, the size and the checksum of an entry of an archive.
type JarEntry = (Vec<u8>, u64, u32);

/// What a file contains.
#[derive(PartialEq, Eq)]
enum FileContents {
    Bytes(Vec<u8>),
    /// Of an archive.
    Entries(Vec<JarEntry>),
}

fn contents(place: &BuildFolder) -> io::Result<BTreeMap<PathBuf, FileContents>> {
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(place.path()) {
        let entry = entry?;
        let Ok(path) = entry.path().strip_prefix(place.path()) else { continue };
        if entry.file_type().is_dir() || path.starts_with(SCRATCH) {
            continue;
        }
        let mut bytes = Vec::new();
        place.work().file(path)?.read_to_end(&mut bytes)?;
        let found =
            entries_of(path, &bytes).map_or(FileContents::Bytes(bytes), FileContents::Entries);
        files.insert(path.to_owned(), found);
    }
    Ok(files)
}

/// The entries of a `jar`. `None`: it is not one.
fn entries_of(path: &Path, bytes: &[u8]) -> Option<Vec<JarEntry>> {
    if path.extension().is_none_or(|end| end != "jar") {
        return None;
    }
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).ok()?;
    let mut entries = Vec::with_capacity(archive.len());
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).ok()?;
        entries.push((entry.name_raw().to_vec(), entry.size(), entry.crc32()));
    }
    entries.sort();
    Some(entries)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    fn jar(text: &str, time: zip::DateTime) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let options = SimpleFileOptions::default().last_modified_time(time);
        writer.start_file("A.class", options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn archives_are_compared_by_their_entries() {
        let times = [1990, 2020]
            .map(|year| zip::DateTime::from_date_and_time(year, 1, 1, 1, 1, 1).unwrap());
        let entries = |text, time| entries_of(Path::new("program.jar"), &jar(text, time));
        assert!(entries("one", times[0]).is_some());
        assert_ne!(jar("one", times[0]), jar("one", times[1]));
        assert_eq!(entries("one", times[0]), entries("one", times[1]));
        assert_ne!(entries("one", times[0]), entries("two", times[0]));
        assert_eq!(entries_of(Path::new("program"), &jar("one", times[0])), None);
        assert_eq!(entries_of(Path::new("program.jar"), b"damaged"), None);
    }
}
