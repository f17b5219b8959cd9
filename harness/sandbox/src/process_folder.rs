//! A temporary folder that belongs to one process.
//!
//! The owner removes it, and holds a lock on it until then. If the owner is killed, the kernel releases the lock, and
//! another process with such a folder in the same place may remove it. See `flock(2)`.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{CWD, FlockOperation, flock};
use tempfile::TempDir;

use crate::left_behind::{self, open_folder};

/// The prefix of its name. A folder with this prefix that nobody has locked may be removed.
pub(super) const PREFIX: &str = "rejudge-own-";

/// A folder of this process. Dropping it removes it.
#[derive(Debug)]
pub struct ProcessFolder {
    folder: TempDir,
    /// Released after the folder is removed; `None` on a file system without locks.
    _lock: Option<File>,
}

impl ProcessFolder {
    /// Creates one in `place`.
    pub fn new_in(place: &Path) -> io::Result<Self> {
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
            // Before it is locked, another process may remove it.
            let file = match open_folder(CWD, folder.path()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => File::from(file?),
            };
            let locked = flock(&file, FlockOperation::LockExclusive).is_ok();
            if is_at(&file, folder.path()) {
                return Ok(Self { folder, _lock: locked.then_some(file) });
            }
        }
    }

    /// Removes such folders of dead processes of this user from the same place. It reads the whole place, which takes longer
    /// than all else here.
    pub fn remove_abandoned(&self) {
        if let Some(place) = self.path().parent() {
            remove_abandoned(place);
        }
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders of dead processes of this user from `place`.
fn remove_abandoned(place: &Path) {
    let us = rustix::process::geteuid().as_raw();
    // Ignores folders that cannot be read or removed: nothing depends on them.
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let named = entry.file_name().as_bytes().starts_with(PREFIX.as_bytes());
        let ours = || {
            let data = entry.metadata();
            data.is_ok_and(|data| data.is_dir() && data.uid() == us)
        };
        if named
            && ours()
            && let Ok(folder) = open_folder(CWD, entry.path())
            && flock(&folder, FlockOperation::NonBlockingLockExclusive).is_ok()
        {
            let _ = left_behind::remove(&entry.path());
        }
    }
}

impl Drop for ProcessFolder {
    fn drop(&mut self) {
        // Removed while it is locked. `TempDir` does not remove very deep folders, or folders without permissions.
        let _ = left_behind::remove(self.folder.path());
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let number = |data: &fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(one), Ok(other)) => number(&one) == number(&other),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dead_process_left_goes_and_what_the_living_have_stays() {
        let place = tempfile::tempdir().unwrap();
        let living = ProcessFolder::new_in(place.path()).unwrap();
        fs::write(living.path().join("file"), "kept").unwrap();
        let dead = place.path().join(format!("{PREFIX}dead"));
        fs::create_dir_all(dead.join("below")).unwrap();
        fs::write(dead.join("below/file"), "left").unwrap();
        let others = ["rejudge-other", "own"].map(|name| place.path().join(name));
        for other in &others {
            fs::create_dir(other).unwrap();
        }
        let link = place.path().join(format!("{PREFIX}link"));
        std::os::unix::fs::symlink(&others[0], &link).unwrap();
        let new = ProcessFolder::new_in(place.path()).unwrap();
        assert!(dead.exists());
        new.remove_abandoned();
        assert!(!dead.exists());
        assert!(living.path().join("file").exists() && new.path().exists());
        assert!(others.iter().chain([&link]).all(|other| other.exists()));
        let paths = [living.path().to_owned(), new.path().to_owned()];
        drop((living, new));
        assert!(paths.iter().all(|path| !path.exists()));
    }

    #[test]
    fn of_many_that_begin_at_once_none_takes_anothers_folder() {
        let place = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let own = ProcessFolder::new_in(place.path()).unwrap();
                        fs::write(own.path().join("file"), "mine").unwrap();
                        assert!(own.path().join("file").exists());
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
