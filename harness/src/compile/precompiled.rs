//! What a compiler reads in the form in which it keeps it in memory: headers, and its own classes.
//!
//! Most of the time of a C++ compiler goes into headers that are the same for many sources. GCC and Clang can store what they
//! know after the leading directives of a source, and start from there ([`header`]). Most of the time of a compiler on a Java
//! virtual machine goes into loading its own classes, which the machine can store, too ([`class_data`]).
//!
//! **The law: nobody can tell.** The program, its messages and the verdict are those of a plain compilation:
//!
//! - What is stored of headers has read exactly the leading directives of the source ([`lead`]), which it then reads a second
//!   time. The compiler shows beforehand that a second reading changes no macro and adds no token.
//! - A compilation that fails or ends by a signal does not count: the source is compiled plainly. With a header, neither does
//!   one whose messages name anything but lines of the source. The messages of a compiler with stored classes are its own.
//! - The first source that uses a stored file is compiled plainly too. Unless both programs are equal, the file is never used
//!   again.
//!
//! **The wall.** The compiler makes these files in the sandbox, and sees them read-only. The name of one is a digest of all that
//! it depends on: the compiler, the flags, the environment, the directives, the files of the package that they include, and the
//! stat of every other file that the compiler has read. No text of a submission enters stored classes. The size and the digest
//! of a file are checked before use.

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

mod class_data;
mod command;
mod header;
mod lead;
mod outputs;
mod plan;
mod room;
mod running;

pub(super) use outputs::same_files;
pub(super) use plan::MakingPlan;

/// A file is made at this compilation that could use it, across commands.
const PAYS_FROM: u32 = 5;

/// What is known about a file, in the cache.
#[derive(Debug, Clone, Default, Deserialize, Serialize)]
struct MakingRecord {
    /// The number of plain compilations that could have used it.
    compilations: u32,
    /// The files that the compiler read to make it, without those of the package.
    files: Vec<PathBuf>,
    /// A digest of the stat of these files when it was made.
    stamp: String,
    stage: MakingStage,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
enum MakingStage {
    #[default]
    Unmade,
    /// Made, and not yet compared with a plain compilation.
    Untested,
    /// A program that was compiled with it is the same as without it.
    Proven,
    /// It cannot be made, or programs differ.
    Unusable,
}

/// The precompiled files of a cache.
#[derive(Debug)]
pub(super) struct PrecompiledFiles {
    store: ArtifactStore,
    cache: Arc<Cache>,
    /// Their largest total size.
    room: Bytes,
    state: Mutex<MakingState>,
}

#[derive(Debug, Default)]
struct MakingState {
    /// The number of compilations of this process, by key.
    compilations: HashMap<String, u32>,
    /// The keys of files that are being made.
    in_work: BTreeSet<String>,
    /// The stat of stored files whose digest was checked.
    checked: HashMap<PathBuf, [u64; 4]>,
}

/// A stored file that the compiler of a source can use.
pub(super) struct PrecompiledFile {
    key: String,
    folder: PathBuf,
    kind: FileKind,
    /// Whether a program that used it was compared with the same program without it.
    pub(super) is_proven: bool,
}

/// What a stored file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Header,
    Classes,
}

impl FileKind {
    /// The name of the file in its folder.
    fn file_name(self) -> &'static str {
        match self {
            Self::Header => command::STORED,
            Self::Classes => class_data::STORED,
        }
    }
}

impl PrecompiledFile {
    /// The folder of its file.
    #[cfg(test)]
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes the job of a compiler so that it uses the file.
    pub(super) fn add_to(&self, job: &mut Job) {
        match self.kind {
            FileKind::Header => command::include(&mut job.argv, &self.folder.join(command::LEAD)),
            FileKind::Classes => class_data::load(&mut job.argv, &self.folder),
        }
        job.readable.push(self.folder.clone());
    }

    /// Whether messages with the file may differ from those without it.
    pub(super) fn changes_messages(&self) -> bool {
        self.kind == FileKind::Header
    }
}

impl PrecompiledFiles {
    /// The files in `cache`. `None`: nothing is precompiled.
    pub(super) fn open(cache: &Arc<Cache>, room: Bytes) -> Option<Self> {
        if room.get() == 0 || cache.warning().is_some() {
            return None;
        }
        let store = ArtifactStore::at(cache.part(Part::Precompiled)).ok()?;
        store.remove_abandoned();
        Some(Self { store, cache: Arc::clone(cache), room, state: Mutex::default() })
    }

    /// The stored file, unless it is missing, damaged, or made from files that have changed.
    pub(super) fn find(&self, plan: &MakingPlan) -> Option<PrecompiledFile> {
        let key = plan.key();
        let record = self.record(key)?;
        if !matches!(record.stage, MakingStage::Untested | MakingStage::Proven) {
            return None;
        }
        let stamp = stamp_of(&record.files);
        let folder =
            (stamp == record.stamp).then(|| self.checked(&name_of(key, &stamp), plan.kind()));
        let Some(folder) = folder.flatten() else {
            self.update(key, |record| record.stage = MakingStage::Unmade);
            return None;
        };
        let is_proven = record.stage == MakingStage::Proven;
        Some(PrecompiledFile { key: key.to_owned(), folder, kind: plan.kind(), is_proven })
    }

    /// The folder of a stored file whose size and digest are right.
    fn checked(&self, name: &str, kind: FileKind) -> Option<PathBuf> {
        let folder = self.store.files_of(name);
        let file = folder.join(kind.file_name());
        let now = stat_of(&file)?;
        if self.lock().checked.get(&file) == Some(&now) {
            return Some(folder);
        }
        let (folder, _) = self.store.find(name)?;
        self.lock().checked.insert(file, now);
        Some(folder)
    }

    /// Counts a compilation that can use the file of `plan`. Returns whether the caller should make it now: it pays, nobody
    /// else makes it, and there is room. Then the caller calls [`Self::make`].
    pub(super) fn is_due(&self, plan: &MakingPlan) -> bool {
        let key = plan.key();
        let record = self.update(key, |record| {
            record.compilations = record.compilations.saturating_add(1);
        });
        let mut state = self.lock();
        let here = state.compilations.entry(key.to_owned()).or_default();
        *here += 1;
        // Whoever compiles one source does not wait for a file.
        *here > 1
            && record.compilations >= PAYS_FROM
            && record.stage == MakingStage::Unmade
            && !state.in_work.contains(key)
            && room::make(&self.store, self.room)
            && state.in_work.insert(key.to_owned())
    }

    /// Whether the file of `plan` is missing and may be useful, nobody else makes it, and there is room. Then the caller calls
    /// [`Self::make`].
    pub(super) fn may_make(&self, plan: &MakingPlan) -> bool {
        let stage = self.record(plan.key()).unwrap_or_default().stage;
        stage != MakingStage::Unusable
            && self.find(plan).is_none()
            && room::make(&self.store, self.room)
            && self.lock().in_work.insert(plan.key().to_owned())
    }

    /// Makes the file of `plan`.
    pub(super) fn make(&self, plan: &MakingPlan, run: &mut RunJob<'_>) -> Result<(), CompileError> {
        let made = plan.make(&self.store, run);
        self.lock().in_work.remove(plan.key());
        let made = made?;
        let stage = if made.is_some() { MakingStage::Untested } else { MakingStage::Unusable };
        let MadeFile { files, stamp } = made.unwrap_or_default();
        self.update(plan.key(), |record| {
            *record = MakingRecord { stage, files, stamp, compilations: record.compilations };
        });
        Ok(())
    }

    /// Records whether a program is the same with the file as without it.
    pub(super) fn prove(&self, file: &PrecompiledFile, is_same: bool) {
        let stage = if is_same { MakingStage::Proven } else { MakingStage::Unusable };
        self.update(&file.key, |record| record.stage = stage);
    }

    fn record(&self, key: &str) -> Option<MakingRecord> {
        self.cache.answer(Part::Toolchains, key)
    }

    fn update(&self, key: &str, change: impl FnOnce(&mut MakingRecord)) -> MakingRecord {
        let mut record = self.record(key).unwrap_or_default();
        change(&mut record);
        self.cache.keep_answer(Part::Toolchains, key, &record);
        record
    }

    fn lock(&self) -> MutexGuard<'_, MakingState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file that was just stored.
#[derive(Debug, Default)]
pub(super) struct MadeFile {
    files: Vec<PathBuf>,
    stamp: String,
}

/// The name of a stored file in the store.
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
