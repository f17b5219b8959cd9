//! The folder of artefacts: one folder for each, under its key.
//!
//! ```text
//! KEY/manifest.json      the hash of every file, which tells a damaged artefact: that is built anew
//! KEY/files/             what programs see of it
//! new-…/work/            where a compiler works; nothing else in `new-…` can be written to by it
//! new-…/whole/           what becomes KEY
//! ```
//!
//! An artefact is renamed when it is whole, so that nobody ever sees half of one; of two that build the same, the first
//! to rename wins. The manifest's time of change is when the artefact was last used.
//!
//! What a compilation left is not trusted: [`left_behind::keep`] makes new files of it, in a folder that the compiler
//! could not write to. No file of ours is ever in one that it could.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::bytes::Bytes;
use crate::cache::{Cache, Part};
use crate::left_behind::{self, Folder, KeptFile, Refused, Temporary};

const MANIFEST: &str = "manifest.json";
/// The artefact's own files.
const FILES: &str = "files";
const WORK: &str = "work";
const WHOLE: &str = "whole";
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
    files: Vec<KeptFile>,
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

    /// A folder to build in.
    pub(super) fn begin(&self) -> io::Result<Place> {
        let folder = Temporary::new_in(&self.root, UNFINISHED)?;
        let work = folder.folder().make_folder(WORK)?;
        Ok(Place {
            dir: folder.path().join(WORK),
            folder,
            work,
        })
    }

    /// Keeps what was built in `place` under `key`.
    pub(super) fn finish(
        &self,
        place: &Place,
        key: &str,
        build_time: Duration,
    ) -> Result<(PathBuf, Manifest), Refused> {
        let whole = place.folder.folder().make_folder(WHOLE)?;
        let files = whole.make_folder(FILES)?;
        let manifest = Manifest {
            build_ms: u64::try_from(build_time.as_millis()).unwrap_or(u64::MAX),
            files: left_behind::keep(&place.work, &files)?,
        };
        let text = serde_json::to_vec(&manifest).map_err(io::Error::from)?;
        whole.write(Path::new(MANIFEST), 0o644, &text)?;
        // Programs run as other users.
        for folder in [&files, &whole] {
            folder.open_to_all()?;
        }
        Ok(self.put(&place.folder.path().join(WHOLE), key, manifest)?)
    }

    /// Moves a whole artefact to its key.
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
            // A damaged one is in the way: whoever moves it first removes it.
            let aside = Temporary::new_in(&self.root, UNFINISHED)?;
            fs::rename(&artefact, aside.path().join("damaged")).ok();
        }
        Err(io::Error::other(
            "another process keeps replacing the artefact",
        ))
    }
}

/// Where an artefact is built; gone with the value.
#[derive(Debug)]
pub(super) struct Place {
    dir: PathBuf,
    folder: Temporary,
    work: Folder,
}

impl Place {
    /// Where the compiler works.
    pub(super) fn path(&self) -> &Path {
        &self.dir
    }

    /// The same folder, open.
    pub(super) fn work(&self) -> &Folder {
        &self.work
    }
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
        info.size.0 += left_behind::size(&dir);
    }
    Ok(info)
}

/// Removes what was not used for `older_than`, and what was left unfinished; returns
/// what was removed.
pub fn clean(cache: &Cache, older_than: Duration) -> io::Result<CacheInfo> {
    let mut removed = CacheInfo::default();
    let now = SystemTime::now();
    for (dir, unfinished) in entries_of(cache)? {
        let stat = fs::symlink_metadata(dir.join(MANIFEST)).or_else(|_| fs::symlink_metadata(&dir));
        let used = stat.and_then(|stat| stat.modified());
        let age = used.map_or(Duration::MAX, |used| {
            now.duration_since(used).unwrap_or_default()
        });
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

/// Removes the small answers that were kept for `older_than`; they are not counted.
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

/// What lies in a folder, which need not be there.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        entries => entries?.map(|entry| Ok(entry?.path())).collect(),
    }
}

/// What is in the cache, each with whether it is still being made.
fn entries_of(cache: &Cache) -> io::Result<Vec<(PathBuf, bool)>> {
    let mut entries = Vec::new();
    for part in Part::ALL.into_iter().filter(|part| !part.holds_answers()) {
        for entry in listed(&cache.part(part))? {
            let name = entry.file_name().unwrap_or_default().to_string_lossy();
            let unfinished = name.starts_with(UNFINISHED);
            entries.push((entry, unfinished));
        }
    }
    Ok(entries)
}
