//! Writes the files of a project that were received into a folder. Nothing that was received is trusted.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use super::FarmError;
use super::tree::{PACK, TreeFile, TreeList};

/// Returns the pack with this name, of at most this size.
pub(crate) type Fetch<'a> = &'a mut dyn FnMut(&str, u64) -> Result<Vec<u8>, FarmError>;

/// Writes the files of `list` below `folder`, which is empty. `fetch` returns the contents of a pack of at most this size, whose
/// digest is its name. Returns the root of the files.
pub(crate) fn unpack(
    list: &TreeList,
    folder: &Path,
    fetch: Fetch<'_>,
) -> Result<PathBuf, FarmError> {
    let root = folder.join(&list.root);
    fs::create_dir_all(&root).map_err(|source| unwritable(&root, source))?;
    let mut contents =
        PackedContents { names: list.packs.iter(), current: io::Cursor::default(), fetch };
    let mut made = PathBuf::new();
    for file in &list.files {
        let path = root.join(&file.path);
        let folder_of_file = path.parent().expect("it is below the root");
        if folder_of_file != made {
            fs::create_dir_all(folder_of_file)
                .map_err(|source| unwritable(folder_of_file, source))?;
            made = folder_of_file.to_path_buf();
        }
        contents.write(file, &path)?;
    }
    Ok(root)
}

fn unwritable(path: &Path, source: io::Error) -> FarmError {
    FarmError::File { action: "write", path: path.to_path_buf(), source }
}

/// The contents of all files, one after the other.
struct PackedContents<'a> {
    names: std::slice::Iter<'a, String>,
    current: io::Cursor<Vec<u8>>,
    fetch: Fetch<'a>,
}

impl PackedContents<'_> {
    fn write(&mut self, file: &TreeFile, path: &Path) -> Result<(), FarmError> {
        let mode = if file.executable { 0o755 } else { 0o644 };
        let opened = File::options().write(true).create_new(true).mode(mode).open(path);
        let mut out = opened.map_err(|source| unwritable(path, source))?;
        let mut left = file.size;
        while left > 0 {
            let at = usize::try_from(self.current.position()).expect("a pack is in memory");
            let available = &self.current.get_ref()[at..];
            if available.is_empty() {
                self.open()?;
                continue;
            }
            let size = available.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let written = out.write_all(&available[..size]);
            written.map_err(|source| unwritable(path, source))?;
            self.current.set_position((at + size) as u64);
            left -= size as u64;
        }
        Ok(())
    }

    /// Opens the next pack.
    fn open(&mut self) -> Result<(), FarmError> {
        let name = self.names.next().ok_or_else(|| FarmError::Invalid {
            what: "the list of files",
            why: "its packs are shorter than its files".to_owned(),
        })?;
        self.current = io::Cursor::new((self.fetch)(name, PACK as u64)?);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(files: &[(&str, u64)], packs: &[&str]) -> TreeList {
        TreeList {
            root: "r".to_owned(),
            files: files
                .iter()
                .map(|(path, size)| TreeFile {
                    path: (*path).to_owned(),
                    size: *size,
                    executable: *path == "run.sh",
                })
                .collect(),
            packs: packs.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    #[test]
    fn files_are_cut_out_of_the_packs() {
        let folder = tempfile::tempdir().unwrap();
        let files = [("a/b.in", 3), ("a/c.in", 0), ("run.sh", 4)];
        let mut pack = |name: &str, _| Ok(name.as_bytes().to_vec());
        let root = unpack(&list(&files, &["123ab", "cd"]), folder.path(), &mut pack).unwrap();
        let read = |path: &str| fs::read_to_string(root.join(path)).unwrap();
        assert_eq!([read("a/b.in"), read("a/c.in"), read("run.sh")], ["123", "", "abcd"]);
    }

    #[test]
    fn packs_that_are_too_short_are_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut pack = |name: &str, _| Ok(name.as_bytes().to_vec());
        assert!(unpack(&list(&[("a", 9)], &["1", ""]), folder.path(), &mut pack).is_err());
    }
}
