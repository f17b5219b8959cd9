//! ZIP archives, read as if they were folders. Each content is unpacked into the cache once.
//!
//! An archive may be malicious. Nothing is written outside the new folder, no links are created,
//! and an archive that would become far too large is refused before it does.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::store::{self, StoreError};

mod directory;

use crate::problem::names::is_ignored;

/// Bounds of what an archive may unpack to.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// The number of files and folders.
    entries: usize,
    /// The bytes of all files together.
    total: u64,
    /// The number of bytes for which no ratio is checked.
    free: u64,
    /// Above `free` bytes: the maximum ratio of unpacked bytes to the size of the archive.
    ratio: u64,
}

/// Deflate reaches a ratio of at most 1,032; real cases of some size stay far below half of that.
const BOUNDS: Bounds = Bounds {
    entries: 250_000,
    total: 8 << 30,
    free: 256 << 20,
    ratio: 400,
};

/// Hidden files and folders that some layouts use.
const HIDDEN: [&str; 2] = [".cph", ".timelimit"];

/// Whether the name of a path is that of an archive that is read in place.
pub(crate) fn is_at(path: &Path) -> bool {
    let zip = |end: &std::ffi::OsStr| end.eq_ignore_ascii_case("zip");
    path.extension().is_some_and(zip) && path.is_file()
}

/// Unpacks the archive at `path` and returns the folder with its contents.
pub(crate) fn unpack(path: &Path) -> Result<PathBuf, StoreError> {
    unpack_as_is(path).map(descend)
}

/// The names of the files in the archive, with `/` between their parts.
pub(crate) fn names(path: &Path) -> Result<Vec<String>, StoreError> {
    let file = File::open(path)?;
    crate::plain_file::require(&file.metadata()?)?;
    let mut archive = open(file, BOUNDS)?;
    let mut names = Vec::new();
    for index in 0..archive.len() {
        let entry = archive
            .by_index_raw(index)
            .map_err(|error| broken(&error))?;
        let name = entry.name().map_err(|error| broken(&error))?;
        if !entry.is_dir() {
            names.extend(clean_name(&name)?);
        }
    }
    Ok(names)
}

/// The archive in a file, unless it has too many entries.
fn open(file: File, bounds: Bounds) -> Result<ZipArchive<File>, StoreError> {
    let archive = ZipArchive::new(file).map_err(|error| broken(&error))?;
    if archive.len() > bounds.entries {
        let (count, most) = (archive.len(), bounds.entries);
        return Err(StoreError::content(
            format!("it has {count} entries; at most {most} are allowed"),
            None,
        ));
    }
    Ok(archive)
}

/// As [`unpack`], but with all names as in the archive, even if a single folder contains
/// everything.
pub(super) fn unpack_as_is(path: &Path) -> Result<PathBuf, StoreError> {
    let file = File::open(path)?;
    crate::plain_file::require(&file.metadata()?)?;
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"zip 2\n");
    hasher.update_reader(&file)?;
    store::materialise(&hasher.finalize(), |folder| extract(path, folder, BOUNDS))
}

/// The folder's only subfolder, if it contains everything else, as in many archives.
fn descend(folder: PathBuf) -> PathBuf {
    let Ok(entries) = fs::read_dir(&folder) else {
        return folder;
    };
    let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    match paths.as_slice() {
        // A folder that belongs to a layout is kept.
        [one] if one.is_dir() && !super::is_part_of_layout(one) => one.clone(),
        _ => folder,
    }
}

fn extract(path: &Path, folder: &Path, bounds: Bounds) -> Result<(), StoreError> {
    let file = File::open(path)?;
    let size = file.metadata()?.len();
    let mut archive = open(file, bounds)?;
    if let Some(name) =
        directory::repeated(path, archive.central_directory_start(), bounds.entries)?
    {
        return Err(refused(&name, "appears twice"));
    }
    let most = bounds.total.min(
        bounds
            .free
            .saturating_add(size.saturating_mul(bounds.ratio)),
    );
    let mut left = most;
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| broken(&error))?;
        let name = entry.name().map_err(|error| broken(&error))?.into_owned();
        let Some(clean) = clean_name(&name)? else {
            continue;
        };
        if entry.is_symlink() {
            return Err(refused(&name, "is a symbolic link"));
        }
        if entry.is_dir() {
            fs::create_dir_all(folder.join(clean))?;
            continue;
        }
        if let Some(other) = seen.insert(clean.to_lowercase(), name.clone()) {
            let why = format!("has the same name as `{}` on many systems", shown(&other));
            return Err(refused(&name, &why));
        }
        let target = folder.join(&clean);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = File::create_new(&target)?;
        let copied = io::copy(&mut entry.by_ref().take(left.saturating_add(1)), &mut file);
        let copied = copied.map_err(|error| unreadable(&name, &error))?;
        if copied > left {
            let mib = most >> 20;
            return Err(StoreError::content(
                format!("it unpacks from {size} bytes to more than {mib} MiB, so it is refused"),
                "if that is intended, unpack it yourself and name the folder",
            ));
        }
        left -= copied;
    }
    Ok(())
}

/// A name that stays inside the folder, with `/`. `None`: the entry is ignored.
fn clean_name(name: &str) -> Result<Option<String>, StoreError> {
    let unified = name.replace('\\', "/");
    let drive = unified.as_bytes().get(1) == Some(&b':');
    if unified.starts_with('/') || drive {
        return Err(refused(name, "is an absolute path"));
    }
    if unified.contains('\0') {
        return Err(refused(name, "contains a NUL byte"));
    }
    let mut parts = Vec::new();
    for part in unified.split('/') {
        match part {
            "" | "." => {}
            ".." => return Err(refused(name, "leads out of the archive")),
            part if is_ignored(part) && !HIDDEN.contains(&part) => return Ok(None),
            part => parts.push(part),
        }
    }
    Ok((!parts.is_empty()).then(|| parts.join("/")))
}

fn shown(name: &str) -> String {
    crate::notice::visible(name)
}

fn refused(name: &str, why: &str) -> StoreError {
    StoreError::content(
        format!("its entry `{}` {why}, so nothing was unpacked", shown(name)),
        "create the archive again from inside its folder, without links",
    )
}

fn unreadable(name: &str, error: &io::Error) -> StoreError {
    let what = format!("cannot unpack its entry `{}`: {error}", shown(name));
    StoreError::content(what, None)
}

fn broken(error: &ZipError) -> StoreError {
    const HELP: &str = "unpack it yourself and name the folder";
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) => {
            StoreError::content("it is encrypted".to_owned(), HELP)
        }
        ZipError::CompressionMethodNotSupported(_) => {
            let what = "it uses an unsupported compression method";
            StoreError::content(what.to_owned(), HELP)
        }
        other => {
            let what = format!("it is not a readable ZIP archive: {other}");
            StoreError::content(what, None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notice::Notice;
    use std::io::Write as _;
    use zip::write::SimpleFileOptions;

    fn zipped(files: &[(&str, &[u8])]) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = zip::ZipWriter::new(file.reopen().unwrap());
        for (name, bytes) in files {
            let options = SimpleFileOptions::default();
            writer.start_file(*name, options).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap();
        file
    }

    fn unzip(files: &[(&str, &[u8])], bounds: Bounds) -> Result<Vec<String>, Notice> {
        let archive = zipped(files);
        let folder = tempfile::tempdir().unwrap();
        extract(archive.path(), folder.path(), bounds).map_err(|error| error.notice("f"))?;
        let walk = walkdir::WalkDir::new(folder.path()).sort_by_file_name();
        let files = walk.into_iter().map(Result::unwrap);
        let files = files.filter(|entry| entry.file_type().is_file());
        Ok(files
            .map(|entry| {
                let path = entry.path().strip_prefix(folder.path()).unwrap();
                path.to_str().unwrap().to_owned()
            })
            .collect())
    }

    #[test]
    fn unpacks_cases_and_skips_ignored_files() {
        let files: [(&str, &[u8]); 6] = [
            ("a/1.in", b"1"),
            ("a\\1.out", b"2"),
            ("__MACOSX/a/1.in", b"?"),
            ("a/.DS_Store", b"?"),
            ("a/.timelimit", b"3"),
            ("./b", b""),
        ];
        let expected: Vec<String> = ["a/.timelimit", "a/1.in", "a/1.out", "b"]
            .map(str::to_owned)
            .into();
        assert_eq!(unzip(&files, BOUNDS), Ok(expected));
    }

    #[test]
    fn refuses_names_outside_the_archive() {
        let table: [(&str, &str); 6] = [
            ("../x", "leads out"),
            ("a/../../x", "leads out"),
            ("..\\x", "leads out"),
            ("/etc/x", "absolute"),
            ("C:\\x", "absolute"),
            ("A/1.in", "same name as `a/1.in` on many systems"),
        ];
        for (name, why) in table {
            let error = unzip(&[("a/1.in", b"1"), (name, b"x")], BOUNDS).unwrap_err();
            assert!(error.message.contains(why), "{name}: {error}");
            assert!(error.help.is_some(), "{name}: {error}");
        }
    }

    #[test]
    fn refuses_duplicate_names() {
        let archive = zipped(&[("a/1.in", b"1"), ("b", b""), ("a/2.in", b"22")]);
        let mut bytes = fs::read(archive.path()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        assert!(extract(archive.path(), folder.path(), BOUNDS).is_ok());
        for at in 0..bytes.len() - 6 {
            if bytes[at..].starts_with(b"a/2.in") {
                bytes[at + 2] = b'1';
            }
        }
        fs::write(archive.path(), bytes).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let error = extract(archive.path(), folder.path(), BOUNDS).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("its entry `a/1.in` appears twice"),
            "{error}"
        );
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn refuses_links() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut writer = zip::ZipWriter::new(file.reopen().unwrap());
        let options = SimpleFileOptions::default();
        writer.add_symlink("a", "/etc/passwd", options).unwrap();
        writer.finish().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let error = extract(file.path(), folder.path(), BOUNDS).unwrap_err();
        assert!(error.to_string().contains("symbolic link"), "{error}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn refuses_archives_that_unpack_to_too_much() {
        let zeros = vec![0; 3 << 20];
        let small = Bounds {
            free: 1 << 20,
            ratio: 2,
            ..BOUNDS
        };
        let error = unzip(&[("a", &zeros)], small).unwrap_err();
        assert!(error.message.contains("more than 1 MiB"), "{error}");
        let few = Bounds {
            entries: 1,
            ..BOUNDS
        };
        let error = unzip(&[("a", b""), ("b", b"")], few).unwrap_err();
        assert!(error.message.contains("2 entries"), "{error}");
        assert!(unzip(&[("a", &zeros)], BOUNDS).is_ok());
    }

    #[test]
    fn reports_files_that_are_not_archives() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), "hello").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let error = extract(file.path(), folder.path(), BOUNDS).unwrap_err();
        assert!(
            error.to_string().contains("not a readable ZIP archive"),
            "{error}"
        );
    }

    proptest::proptest! {
        #[test]
        fn an_archive_of_any_bytes_unpacks_within_its_bounds_or_not_at_all(
            changes in proptest::collection::vec((0_usize..400, proptest::num::u8::ANY), 1..12),
            end in 0_usize..400,
        ) {
            let zeros = vec![b'0'; 5000];
            let archive = zipped(&[("a/1.in", b"1"), ("a/1.out", &zeros), ("b", b"")]);
            let mut bytes = fs::read(archive.path()).unwrap();
            for (at, byte) in changes {
                let at = at % bytes.len();
                bytes[at] = byte;
            }
            if end < bytes.len() / 4 {
                bytes.truncate(bytes.len() - end);
            }
            fs::write(archive.path(), bytes).unwrap();
            let bounds = Bounds { entries: 10, total: 1 << 16, free: 1 << 16, ratio: 1 };
            let folder = tempfile::tempdir().unwrap();
            let _ = extract(archive.path(), folder.path(), bounds);
            let walk = walkdir::WalkDir::new(folder.path()).into_iter().map(Result::unwrap);
            let written: u64 = walk
                .filter(|entry| entry.file_type().is_file())
                .map(|entry| entry.metadata().unwrap().len())
                .sum();
            proptest::prop_assert!(written <= (1 << 16) + 1);
        }
    }
}
