//! Headers that the compiler reads in the form in which it keeps them in memory.
//!
//! Most of the time of a C++ compiler goes into headers that are the same for many sources. GCC and Clang can store what they
//! know after the leading directives of a source, and start from there.
//!
//! **The law: nobody can tell.** The program, its messages and the verdict are those of a plain compilation:
//!
//! - What is stored has read exactly the leading directives of the source ([`lead`]), which it then reads a second time. The
//!   compiler shows beforehand that a second reading changes no macro and adds no token ([`making`]).
//! - A compilation that fails, prints anything, or ends by a signal does not count: the source is compiled plainly.
//! - The first source that uses a stored header is compiled plainly too. Unless both programs are equal, the header is never
//!   used again.
//!
//! **The wall.** The compiler makes headers in the sandbox, and sees them read-only. The name of one is a digest of all that it
//! depends on: the compiler, the flags, the environment, the directives, the files of the package that they include, and the
//! stat of every other file that the compiler has read. The size and the digest of its file are checked before use.

use std::collections::{BTreeSet, HashMap};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rejudge_quantity::Bytes;
use serde::{Deserialize, Serialize};

use super::CompileError;
use super::store::ArtifactStore;
use crate::cache::{Cache, Part};
use crate::language::fingerprint;
use crate::sandbox::{Job, RunJob};

mod command;
mod lead;
mod making;
mod room;

pub(super) use making::{MakingPlan, is_silent};

/// The name that the compiler gets for the leading directives, in the folder of the header.
const LEAD: &str = "lead.h";
/// The stored header, which the compiler finds by [`LEAD`].
const STORED: &str = "lead.h.gch";

/// A header is made at this compilation of sources that begin with it, across commands.
const PAYS_FROM: u32 = 5;

/// What is known about the headers of some leading directives, in the cache.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
struct HeaderRecord {
    /// The number of plain compilations that could have used it.
    compilations: u32,
    /// The files that the compiler read to make it, without those of the package.
    files: Vec<PathBuf>,
    /// A digest of the stat of these files when it was made.
    stamp: String,
    stage: HeaderStage,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
enum HeaderStage {
    #[default]
    Unmade,
    /// Made, and not yet compared with a plain compilation.
    Untested,
    /// A program that was compiled with it is the same as without.
    Proven,
    /// It cannot be made, or programs differ.
    Unusable,
}

/// The precompiled headers of a cache.
#[derive(Debug)]
pub(super) struct PrecompiledHeaders {
    store: ArtifactStore,
    cache: Arc<Cache>,
    /// Their largest total size.
    room: Bytes,
    state: Mutex<HeadersState>,
}

#[derive(Debug, Default)]
struct HeadersState {
    /// The number of compilations of this process, by key.
    compilations: HashMap<String, u32>,
    /// The keys of headers that are being made.
    in_work: BTreeSet<String>,
    /// The stat of stored files whose digest was checked.
    checked: HashMap<PathBuf, [u64; 4]>,
}

/// A stored header that a source can use.
pub(super) struct StoredHeader {
    key: String,
    folder: PathBuf,
    /// Whether a program that used it was compared with the same program without it.
    pub(super) is_proven: bool,
}

impl StoredHeader {
    /// The folder of its file.
    #[cfg(test)]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes the job of a compiler so that it uses the header.
    pub(super) fn add_to(&self, job: &mut Job) {
        command::include(&mut job.argv, &self.folder.join(LEAD));
        job.readable.push(self.folder.clone());
    }
}

impl PrecompiledHeaders {
    /// The headers in `cache`. `None`: nothing is precompiled.
    pub(super) fn open(cache: &Arc<Cache>, room: Bytes) -> Option<Self> {
        if room.get() == 0 || cache.warning().is_some() {
            return None;
        }
        let store = ArtifactStore::at(cache.part(Part::Headers)).ok()?;
        store.remove_abandoned();
        Some(Self { store, cache: Arc::clone(cache), room, state: Mutex::default() })
    }

    /// The stored header, unless it is missing, damaged, or made from files that have changed.
    pub(super) fn find(&self, plan: &MakingPlan) -> Option<StoredHeader> {
        let key = plan.key();
        let record = self.record(key)?;
        if !matches!(record.stage, HeaderStage::Untested | HeaderStage::Proven) {
            return None;
        }
        let stamp = stamp_of(&record.files);
        let folder = (stamp == record.stamp).then(|| self.checked(&name_of(key, &stamp)));
        let Some(folder) = folder.flatten() else {
            self.update(key, |record| record.stage = HeaderStage::Unmade);
            return None;
        };
        let is_proven = record.stage == HeaderStage::Proven;
        Some(StoredHeader { key: key.to_owned(), folder, is_proven })
    }

    /// The folder of a stored header whose size and digest are right.
    fn checked(&self, name: &str) -> Option<PathBuf> {
        let folder = self.store.files_of(name);
        let file = folder.join(STORED);
        let now = stat_of(&file)?;
        if self.lock().checked.get(&file) == Some(&now) {
            return Some(folder);
        }
        let (folder, _) = self.store.find(name)?;
        self.lock().checked.insert(file, now);
        Some(folder)
    }

    /// Counts a compilation that can use the header of `plan`. Returns whether the caller should make it now: it pays, nobody
    /// else makes it, and there is room. Then the caller calls [`Self::make`].
    pub(super) fn is_due(&self, plan: &MakingPlan) -> bool {
        let key = plan.key();
        let record = self.update(key, |record| {
            record.compilations = record.compilations.saturating_add(1);
        });
        let mut state = self.lock();
        let here = state.compilations.entry(key.to_owned()).or_default();
        *here += 1;
        // Whoever compiles one source does not wait for a header.
        *here > 1
            && record.compilations >= PAYS_FROM
            && record.stage == HeaderStage::Unmade
            && !state.in_work.contains(key)
            && room::make(&self.store, self.room)
            && state.in_work.insert(key.to_owned())
    }

    /// Makes the header of `plan`.
    pub(super) fn make(&self, plan: &MakingPlan, run: &mut RunJob<'_>) -> Result<(), CompileError> {
        let made = plan.make(&self.store, run);
        self.lock().in_work.remove(plan.key());
        let made = made?;
        let stage = if made.is_some() { HeaderStage::Untested } else { HeaderStage::Unusable };
        let MadeHeader { files, stamp } = made.unwrap_or_default();
        self.update(plan.key(), |record| {
            *record = HeaderRecord { stage, files, stamp, compilations: record.compilations };
        });
        Ok(())
    }

    /// Records whether a program is the same with the header as without.
    pub(super) fn prove(&self, header: &StoredHeader, is_same: bool) {
        let stage = if is_same { HeaderStage::Proven } else { HeaderStage::Unusable };
        self.update(&header.key, |record| record.stage = stage);
    }

    fn record(&self, key: &str) -> Option<HeaderRecord> {
        self.cache.answer(Part::Toolchains, key)
    }

    fn update(&self, key: &str, change: impl FnOnce(&mut HeaderRecord)) -> HeaderRecord {
        let mut record = self.record(key).unwrap_or_default();
        change(&mut record);
        self.cache.keep_answer(Part::Toolchains, key, &record);
        record
    }

    fn lock(&self) -> MutexGuard<'_, HeadersState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A header that was just stored.
#[derive(Debug, Default)]
pub(super) struct MadeHeader {
    files: Vec<PathBuf>,
    stamp: String,
}

/// The name of a stored header in the store.
fn name_of(key: &str, stamp: &str) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(key.as_bytes()).update(stamp.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// A digest of the stat of these files, and of the folders in which a file could come before one of them.
fn stamp_of(files: &[PathBuf]) -> String {
    const BEFORE: &str = "/usr/local/include";
    let mut hasher = blake3::Hasher::new();
    let mut add = |path: &Path| {
        hasher.update(fingerprint(path).as_bytes());
        hasher.update(b"\n");
    };
    add(Path::new(BEFORE));
    add(&Path::new(BEFORE).join("bits"));
    for file in files {
        add(file);
    }
    hasher.finalize().to_hex().to_string()
}

fn stat_of(file: &Path) -> Option<[u64; 4]> {
    let stat = file.symlink_metadata().ok()?;
    let time = |time: i64| time.cast_unsigned();
    Some([stat.ino(), stat.size(), time(stat.ctime()), time(stat.ctime_nsec())])
}
