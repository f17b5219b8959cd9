//! ZIP archives, read as if they were folders. Each content is unpacked into the cache once.
//!
//! An archive may be malicious. Nothing is written outside the new folder, no links are created (those that stay inside become
//! copies), and an archive that would become far too large is refused before it does.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use super::store;
pub use super::store::StoreError;

mod directory;
mod links;

use crate::problem::names::is_ignored;
use links::ArchiveLinks;

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
const BOUNDS: Bounds = Bounds { entries: 250_000, total: 8 << 30, free: 256 << 20, ratio: 400 };

/// The bytes of the longest path that a system follows.
const LONGEST_TARGET: u64 = 4096;

/// Hidden files and folders that some layouts use.
const HIDDEN: [&str; 2] = [".cph", ".timelimit"];

/// Whether the name of a path is that of an archive that is read in place.
pub fn is_at(path: &Path) -> bool {
    let zip = |end: &std::ffi::OsStr| end.eq_ignore_ascii_case("zip");
    path.extension().is_some_and(zip) && path.is_file()
}

/// Unpacks the archive at `path` and returns the folder with its contents.
pub fn unpack(path: &Path) -> Result<PathBuf, StoreError> {
    unpack_as_is(path).map(descend)
}

/// The names of the files in the archive, with `/` between their parts.
pub fn names(path: &Path) -> Result<Vec<String>, StoreError> {
    let file = File::open(path)?;
    crate::plain_file::require(&file.metadata()?)?;
    let mut archive = open(file, BOUNDS)?;
    let mut names = Vec::new();
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(|error| broken(&error))?;
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
        return Err(too_many(archive.len(), bounds.entries));
    }
    Ok(archive)
}

fn too_many(count: usize, most: usize) -> StoreError {
    let what = format!("it has {count} entries; at most {most} are allowed");
    StoreError::content(what, None)
}

/// What may still be unpacked.
struct Allowance {
    /// The size of the archive.
    size: u64,
    bounds: Bounds,
    /// The bytes of all files together.
    most: u64,
    left: u64,
    entries: usize,
}

impl Allowance {
    fn of(size: u64, entries: usize, bounds: Bounds) -> Self {
        let by_ratio = size.saturating_mul(bounds.ratio);
        let most = bounds.total.min(bounds.free.saturating_add(by_ratio));
        Self { size, bounds, most, left: most, entries }
    }

    /// Counts another entry.
    fn entry(&mut self) -> Result<(), StoreError> {
        self.entries += 1;
        if self.entries > self.bounds.entries {
            return Err(too_many(self.entries, self.bounds.entries));
        }
        Ok(())
    }

    /// Counts the bytes of a file.
    fn spend(&mut self, bytes: u64) -> Result<(), StoreError> {
        let (size, mib) = (self.size, self.most >> 20);
        self.left = self.left.checked_sub(bytes).ok_or_else(|| {
            StoreError::content(
                format!("it unpacks from {size} bytes to more than {mib} MiB, so it is refused"),
                "if that is intended, unpack it yourself and name the folder",
            )
        })?;
        Ok(())
    }
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
    let mut allowance = Allowance::of(size, archive.len(), bounds);
    let mut links = ArchiveLinks::default();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    let mut files: HashSet<String> = HashSet::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).map_err(|error| broken(&error))?;
        let name = entry.name().map_err(|error| broken(&error))?.into_owned();
        let Some(clean) = clean_name(&name)? else {
            continue;
        };
        let above = clean.match_indices('/').map(|(end, _)| &clean[..end]);
        if let Some(file) =
            above.chain(entry.is_dir().then_some(&*clean)).find(|path| files.contains(*path))
        {
            let why = format!("is in `{}`, which is a file", shown(file));
            return Err(refused(&name, &why));
        }
        if entry.is_dir() {
            fs::create_dir_all(folder.join(clean))?;
            continue;
        }
        if let Some(other) = seen.insert(clean.to_lowercase(), name.clone()) {
            let why = format!("has the same name as `{}` on many systems", shown(&other));
            return Err(refused(&name, &why));
        }
        if entry.is_symlink() {
            let mut target = String::new();
            let read = entry.by_ref().take(LONGEST_TARGET);
            let read = io::BufReader::new(read).read_to_string(&mut target);
            read.map_err(|error| unreadable(&name, &error))?;
            links.add(clean, &target);
            continue;
        }
        let target = folder.join(&clean);
        if target.is_dir() {
            return Err(refused(&name, "is both a file and a folder"));
        }
        files.insert(clean);
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent)?;
        }
        let mut file = File::create_new(&target)?;
        let copied =
            io::copy(&mut entry.by_ref().take(allowance.left.saturating_add(1)), &mut file);
        allowance.spend(copied.map_err(|error| unreadable(&name, &error))?)?;
    }
    links.copy_all(folder, &mut allowance)
}

/// The longest name of a file in bytes, and a path that still leaves room for the folder above it.
const LONGEST_NAME: usize = 255;
const LONGEST_PATH: usize = 3000;

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
    if parts.iter().any(|part| part.len() > LONGEST_NAME) || unified.len() > LONGEST_PATH {
        return Err(refused(name, "is longer than file systems allow"));
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
mod tests;
