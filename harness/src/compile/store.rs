//! The folder of artefacts: one folder for each, under its key.
//!
//! An artefact is built in a temporary sibling and renamed when it is whole, so that nobody ever sees
//! half of one; of two that build the same, the first to rename wins. A manifest with the hash of
//! every file tells a damaged artefact, which is built anew. The manifest's time of change is when the
//! artefact was last used.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::bytes::Bytes;
use crate::cache::Cache;

pub(crate) const MANIFEST: &str = "manifest.json";
/// The prefix of what is being built; no key begins with it.
const UNFINISHED: &str = "new-";
/// What is being built is not cleaned away before this age.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// How exact the time of last use is: rarer writes.
const USED_WITHIN: Duration = Duration::from_secs(60 * 60);

/// What lies in an artefact's folder.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct Manifest {
    build_ms: u64,
    files: Vec<FileEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
struct FileEntry {
    path: PathBuf,
    size: u64,
    hash: String,
}

impl Manifest {
    pub(super) fn build_time(&self) -> Duration {
        Duration::from_millis(self.build_ms)
    }
}

/// The folder of artefacts.
#[derive(Debug)]
pub(super) struct Store {
    root: PathBuf,
    _temporary: Option<TempDir>,
}

impl Store {
    /// The store in `root`, which exists or can be made.
    pub(super) fn at(root: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&root)?;
        Ok(Self {
            root,
            _temporary: None,
        })
    }

    /// A store that goes away with the value.
    pub(super) fn temporary() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("rejudge-").tempdir()?;
        Ok(Self {
            root: folder.path().to_owned(),
            _temporary: Some(folder),
        })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The artefact under `key`, if it is there and undamaged.
    pub(super) fn find(&self, key: &str) -> Option<(PathBuf, Manifest)> {
        let dir = self.root.join(key);
        let path = dir.join(MANIFEST);
        let manifest: Manifest = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let whole =
            |entry: &FileEntry| FileEntry::read(&dir, &entry.path).ok().as_ref() == Some(entry);
        if !manifest.files.iter().all(whole) {
            return None;
        }
        touch(&path);
        Some((dir, manifest))
    }

    /// A folder to build in.
    pub(super) fn begin(&self) -> io::Result<TempDir> {
        let place = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempdir_in(&self.root)?;
        Ok(place)
    }

    /// Keeps what was built in `place` under `key`.
    pub(super) fn finish(
        &self,
        place: TempDir,
        key: &str,
        build_time: Duration,
    ) -> io::Result<(PathBuf, Manifest)> {
        let manifest = Manifest {
            build_ms: u64::try_from(build_time.as_millis()).unwrap_or(u64::MAX),
            files: entries(place.path())?,
        };
        let path = place.path().join(MANIFEST);
        fs::write(&path, serde_json::to_vec(&manifest)?)?;
        make_common(place.path())?;
        let dir = self.root.join(key);
        for _ in 0..8 {
            let Err(error) = fs::rename(place.path(), &dir) else {
                // It is no longer where the guard would remove it.
                let _ = place.keep();
                return Ok((dir, manifest));
            };
            if !dir.exists() {
                return Err(error);
            }
            if let Some(earlier) = self.find(key) {
                return Ok(earlier);
            }
            // A damaged one is in the way: whoever moves it first removes it.
            let aside = self.begin()?;
            fs::rename(&dir, aside.path().join("damaged")).ok();
        }
        Err(io::Error::other(
            "another process keeps replacing the artefact",
        ))
    }
}

impl FileEntry {
    fn read(dir: &Path, path: &Path) -> io::Result<Self> {
        let file = File::open(dir.join(path))?;
        let size = file.metadata()?.len();
        let hash = blake3::Hasher::new().update_reader(file)?.finalize();
        Ok(Self {
            path: path.to_owned(),
            size,
            hash: hash.to_hex().to_string(),
        })
    }
}

fn entries(dir: &Path) -> io::Result<Vec<FileEntry>> {
    let mut files = Vec::new();
    for file in WalkDir::new(dir).sort_by_file_name() {
        let file = file?;
        if file.file_type().is_file() {
            let path = file.path().strip_prefix(dir).expect("walked from `dir`");
            files.push(FileEntry::read(dir, path)?);
        }
    }
    Ok(files)
}

/// Files that everybody may read and execute, and nobody write to: programs run as other users, and where a compiler
/// cannot change modes no file is marked as a program. Who may come here at all is said by the folders above.
fn make_common(dir: &Path) -> io::Result<()> {
    for entry in WalkDir::new(dir) {
        let entry = entry?;
        if entry.file_type().is_symlink() {
            continue;
        }
        let mut permissions = entry.metadata()?.permissions();
        set_common(&mut permissions, entry.file_type().is_dir());
        fs::set_permissions(entry.path(), permissions)?;
    }
    Ok(())
}

#[cfg(unix)]
fn set_common(permissions: &mut fs::Permissions, folder: bool) {
    use std::os::unix::fs::PermissionsExt;
    permissions.set_mode(if folder { 0o755 } else { 0o555 });
}

#[cfg(not(unix))]
fn set_common(permissions: &mut fs::Permissions, folder: bool) {
    permissions.set_readonly(!folder);
}

/// Notes that an artefact is in use; best effort, for it only matters to cleaning.
fn touch(manifest: &Path) {
    let now = SystemTime::now();
    let update = || -> io::Result<()> {
        let file = File::open(manifest)?;
        let last = file.metadata()?.modified()?;
        if now.duration_since(last).is_ok_and(|age| age > USED_WITHIN) {
            file.set_modified(now)?;
        }
        Ok(())
    };
    update().ok();
}

/// What the cache folder holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheInfo {
    /// Artefacts, and test cases made on demand.
    pub entries: u64,
    /// What they occupy.
    pub size: Bytes,
}

/// Counts what is in `cache`: artefacts, and test cases made on demand.
pub fn info(cache: &Cache) -> io::Result<CacheInfo> {
    let mut info = CacheInfo::default();
    for (dir, _) in entries_of(cache)? {
        info.entries += 1;
        info.size.0 += size_of(&dir);
    }
    Ok(info)
}

/// Removes what was not used for `older_than`, and what was left unfinished; returns
/// what was removed.
pub fn clean(cache: &Cache, older_than: Duration) -> io::Result<CacheInfo> {
    let mut removed = CacheInfo::default();
    let now = SystemTime::now();
    for (dir, unfinished) in entries_of(cache)? {
        let stat = fs::metadata(dir.join(MANIFEST)).or_else(|_| fs::metadata(&dir));
        let used = stat.and_then(|stat| stat.modified());
        let age = used.map_or(Duration::MAX, |used| {
            now.duration_since(used).unwrap_or_default()
        });
        let least = if unfinished { ABANDONED } else { older_than };
        if age < least {
            continue;
        }
        let size = size_of(&dir);
        match remove(&dir) {
            Ok(()) => {
                removed.entries += 1;
                removed.size.0 += size;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    if older_than.is_zero() {
        match fs::remove_dir_all(cache.toolchains()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(removed)
}

/// What is in the cache, each with whether it is still being made.
fn entries_of(cache: &Cache) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for root in [cache.artefacts(), cache.cases()] {
        let folder = match fs::read_dir(root) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            folder => folder?,
        };
        for entry in folder {
            let entry = entry?;
            let unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
            entries.push((entry.path(), unfinished));
        }
    }
    Ok(entries)
}

fn remove(path: &Path) -> io::Result<()> {
    if path.symlink_metadata()?.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

fn size_of(dir: &Path) -> u64 {
    let files = WalkDir::new(dir).into_iter().filter_map(Result::ok);
    files
        .filter_map(|file| file.metadata().ok())
        .filter(std::fs::Metadata::is_file)
        .map(|file| file.len())
        .sum()
}
