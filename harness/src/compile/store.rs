//! The store of artefacts: a folder for each, named by its key.
//!
//! ```text
//! KEY/manifest.json      the hash of every file; an artefact with another hash is built again
//! KEY/files/             the files that programs see
//! new-…/work/            the folder of the compiler, the only one in `new-…` that it can write to
//! new-…/whole/           the complete artefact, renamed to KEY
//! ```
//!
//! A complete artefact is renamed to its key, so no process ever sees a partial one; if two
//! processes build the same artefact, the first to rename wins. The manifest's time of change is
//! the time of the artefact's last use.
//!
//! The files of a compilation are not trusted: [`left_behind::keep`] copies them to new files in a
//! folder that the compiler could not write to. rejudge writes none of its own files to a folder
//! that it could write to.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use rejudge_quantity::Bytes;
use rustix::fs::{FlockOperation, flock};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::kept_file::KeptFile;
use super::message::Message;
use crate::cache::{Cache, Part};
use crate::left_behind::{self, Folder, KeepError, Temporary};

const MANIFEST: &str = "manifest.json";
/// The artefact's own files.
const FILES: &str = "files";
/// The file that describes a precompiled one for people, among its files.
pub(super) const ABOUT: &str = "about.txt";
const WORK: &str = "work";
const WHOLE: &str = "whole";
/// The prefix of unfinished artefacts; no key starts with it.
const UNFINISHED: &str = "new-";
/// Unfinished artefacts are not removed before this age.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// A process locks its folder within this time.
const UNLOCKED: Duration = Duration::from_secs(10);
/// The precision of the time of last use, which limits the number of writes.
const USED_WITHIN: Duration = Duration::from_secs(60 * 60);

/// The manifest of an artefact.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct Manifest {
    build_ms: u64,
    /// What the compiler printed, without colours and with the names of files as the compiler knows them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    message: String,
    files: Vec<KeptFile>,
}

impl Manifest {
    pub(super) fn build_time(&self) -> Duration {
        Duration::from_millis(self.build_ms)
    }

    /// The checksum of all files but these; `None`: there are no others.
    pub(super) fn digest_without(&self, sources: &[&str]) -> Option<blake3::Hash> {
        let files = self.files.iter().map(KeptFile::identity);
        let mut others = files.filter(|(path, _)| {
            let is_source = |name: &&str| *path == Path::new(name);
            !sources.iter().any(is_source)
        });
        let mut digest = blake3::Hasher::new();
        let first = others.next()?;
        for (path, hash) in std::iter::once(first).chain(others) {
            digest.update(path.as_os_str().as_encoded_bytes());
            digest.update(hash.as_bytes());
        }
        Some(digest.finalize())
    }

    pub(super) fn message(&self) -> Message {
        Message { plain: self.message.clone(), colored: None }
    }
}

/// The store of artefacts.
#[derive(Debug)]
pub(super) struct ArtifactStore {
    root: PathBuf,
    _temporary: Option<TempDir>,
}

impl ArtifactStore {
    /// Opens the store in `root`, which is created if it is missing.
    pub(super) fn at(root: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&root)?;
        Ok(Self { root, _temporary: None })
    }

    /// Creates a temporary store that is removed when the value is dropped.
    pub(super) fn temporary() -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("rejudge-").tempdir()?;
        Ok(Self { root: folder.path().to_owned(), _temporary: Some(folder) })
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder with the files of `key`, which may be missing or damaged.
    pub(super) fn files_of(&self, key: &str) -> PathBuf {
        self.root.join(key).join(FILES)
    }

    /// The times of the last use of all complete artefacts, and their folders.
    pub(super) fn entries(&self) -> Vec<(SystemTime, PathBuf)> {
        let used = |folder: &Path| folder.join(MANIFEST).metadata().and_then(|it| it.modified());
        let entries = listed(&self.root).unwrap_or_default().into_iter();
        let complete = entries.filter(|entry| !is_unfinished(entry));
        complete.map(|one| (used(&one).unwrap_or(SystemTime::UNIX_EPOCH), one)).collect()
    }

    /// Removes the unfinished artefacts of dead processes.
    pub(super) fn remove_abandoned(&self) {
        for dir in listed(&self.root).unwrap_or_default() {
            // A folder that was not locked yet is young.
            let age = fs::symlink_metadata(&dir).and_then(|stat| stat.modified());
            let age = age.ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
            if is_unfinished(&dir) && age > UNLOCKED && is_unlocked(&dir) {
                left_behind::remove(&dir).ok();
            }
        }
    }

    /// The undamaged artefact of `key`, if there is one.
    pub(super) fn find(&self, key: &str) -> Option<(PathBuf, Manifest)> {
        let artefact = self.root.join(key);
        let path = artefact.join(MANIFEST);
        let manifest: Manifest = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let dir = artefact.join(FILES);
        let folder = Folder::open(&dir).ok()?;
        if !manifest.files.iter().all(|file| file.is_in(&folder)) {
            return None;
        }
        touch(&path);
        Some((dir, manifest))
    }

    /// Creates a folder to build in.
    pub(super) fn begin(&self) -> io::Result<BuildFolder> {
        let folder = Temporary::new_in(&self.root, UNFINISHED)?;
        // Others see that this process lives; without locks, they do not remove the folder either.
        flock(folder.folder(), FlockOperation::LockShared).ok();
        let work = folder.folder().make_folder(WORK)?;
        Ok(BuildFolder { dir: folder.path().join(WORK), folder, work })
    }

    /// Stores the result of the build in `place` under `key`.
    pub(super) fn finish(
        &self,
        place: &BuildFolder,
        key: &str,
        build_time: Duration,
        message: &Message,
    ) -> Result<(PathBuf, Manifest), KeepError> {
        let whole = place.folder.folder().make_folder(WHOLE)?;
        let files = whole.make_folder(FILES)?;
        let kept = left_behind::keep(&place.work, &files)?.into_iter();
        let manifest = Manifest {
            build_ms: u64::try_from(build_time.as_millis()).unwrap_or(u64::MAX),
            message: message.plain.clone(),
            files: kept.map(|path| KeptFile::of(&files, path)).collect::<Result<_, _>>()?,
        };
        let text = serde_json::to_vec(&manifest).map_err(io::Error::from)?;
        whole.write(Path::new(MANIFEST), 0o644, &text)?;
        // Programs run as other users.
        for folder in [&files, &whole] {
            folder.open_to_all()?;
        }
        Ok(self.put(&place.folder.path().join(WHOLE), key, manifest)?)
    }

    /// Moves a complete artefact to its key.
    fn put(&self, whole: &Path, key: &str, manifest: Manifest) -> io::Result<(PathBuf, Manifest)> {
        let artefact = self.root.join(key);
        for _ in 0..8 {
            let Err(error) = fs::rename(whole, &artefact) else {
                return Ok((artefact.join(FILES), manifest));
            };
            if artefact.symlink_metadata().is_err() {
                return Err(error);
            }
            if let Some(earlier) = self.find(key) {
                return Ok(earlier);
            }
            // A damaged artefact is in the way: the process that moves it away first removes it.
            let aside = Temporary::new_in(&self.root, UNFINISHED)?;
            fs::rename(&artefact, aside.path().join("damaged")).ok();
        }
        Err(io::Error::other("another process keeps replacing the artefact"))
    }
}

/// The folder of a build; removed when the value is dropped.
#[derive(Debug)]
pub(super) struct BuildFolder {
    dir: PathBuf,
    folder: Temporary,
    work: Folder,
}

impl BuildFolder {
    /// The folder in which the compiler runs.
    pub(super) fn path(&self) -> &Path {
        &self.dir
    }

    /// The same folder, opened.
    pub(super) fn work(&self) -> &Folder {
        &self.work
    }
}

fn is_unfinished(entry: &Path) -> bool {
    entry.file_name().is_some_and(|name| name.to_string_lossy().starts_with(UNFINISHED))
}

/// Whether no process builds in this folder.
fn is_unlocked(folder: &Path) -> bool {
    let folder = Folder::open(folder);
    folder.is_ok_and(|folder| flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok())
}

/// Records that an artefact was used. Failures are ignored, because only the cleaning uses this.
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

/// The contents of the cache folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CacheInfo {
    /// The number of artefacts, of precompiled files, and of test cases created on demand.
    pub entries: u64,
    /// Their total size.
    pub size: Bytes,
}

/// A precompiled file in the cache.
#[derive(Debug)]
pub(crate) struct PrecompiledEntry {
    /// The compiler, and in the next lines what it has read.
    pub(crate) about: String,
    pub(crate) size: Bytes,
    /// The time since its last use, to the hour.
    pub(crate) unused: Duration,
}

/// The precompiled files in `cache`, the last used first.
pub(crate) fn precompiled(cache: &Cache) -> Vec<PrecompiledEntry> {
    let store = ArtifactStore { root: cache.part(Part::Precompiled), _temporary: None };
    let mut entries = store.entries();
    entries.sort_by(|one, other| other.cmp(one));
    let described = entries.into_iter().map(|(used, folder)| PrecompiledEntry {
        about: about(&folder).unwrap_or_default(),
        size: Bytes(left_behind::size(&folder)),
        unused: used.elapsed().unwrap_or_default(),
    });
    described.collect()
}

/// What a precompiled file says about itself.
fn about(folder: &Path) -> Option<String> {
    const MOST: u64 = 64 << 10;
    let text = Folder::open(&folder.join(FILES)).ok()?.start_of(ABOUT, MOST)?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// Counts the artefacts and the test cases created on demand in `cache`.
pub fn info(cache: &Cache) -> io::Result<CacheInfo> {
    let mut info = CacheInfo::default();
    for (dir, _) in entries_of(cache)? {
        let size = left_behind::size(&dir);
        info.entries += 1;
        info.size.0 += size;
    }
    Ok(info)
}

/// Removes entries that were not used for `older_than`, and unfinished ones that were abandoned;
/// returns the removed ones.
pub fn clean(cache: &Cache, older_than: Duration) -> io::Result<CacheInfo> {
    let mut removed = CacheInfo::default();
    let now = SystemTime::now();
    for (dir, unfinished) in entries_of(cache)? {
        let stat = fs::symlink_metadata(dir.join(MANIFEST)).or_else(|_| fs::symlink_metadata(&dir));
        let used = stat.and_then(|stat| stat.modified());
        let age = used.map_or(Duration::MAX, |used| now.duration_since(used).unwrap_or_default());
        let least = if unfinished { ABANDONED } else { older_than };
        if age < least {
            continue;
        }
        let size = left_behind::size(&dir);
        left_behind::remove(&dir)?;
        removed.entries += 1;
        removed.size.0 += size;
    }
    forget(cache, older_than)?;
    Ok(removed)
}

/// Removes small results that are older than `older_than`; they are not counted.
fn forget(cache: &Cache, older_than: Duration) -> io::Result<()> {
    for part in Part::ALL.into_iter().filter(|part| part.holds_answers()) {
        for file in listed(&cache.part(part))? {
            let kept = fs::symlink_metadata(&file).and_then(|stat| stat.modified());
            let age = kept.ok().and_then(|kept| kept.elapsed().ok());
            if age.unwrap_or_default() >= older_than {
                left_behind::remove(&file)?;
            }
        }
    }
    Ok(())
}

/// The entries of a folder, which may be missing.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.map(|entry| Ok(entry?.path())).collect(),
    }
}

/// The entries of the cache, each with whether it is unfinished.
fn entries_of(cache: &Cache) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for part in Part::ALL.into_iter().filter(|part| !part.holds_answers()) {
        for entry in listed(&cache.part(part))? {
            let unfinished = is_unfinished(&entry);
            entries.push((entry, unfinished));
        }
    }
    Ok(entries)
}
