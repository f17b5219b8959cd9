//! A folder for one process alone among the temporary files of all, which does not outlive that process for long.
//!
//! Its owner removes it, and holds a lock on it until then. Should the owner be killed, nobody holds the lock any more,
//! and who next makes such a folder in the same place removes it. See `flock(2)`.

use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use rustix::fs::{CWD, FlockOperation, flock};
use tempfile::TempDir;

use crate::left_behind::{self, open_folder};

/// The beginning of its name; what is called so may be removed by whoever finds it abandoned.
pub(super) const PREFIX: &str = "rejudge-own-";

/// A folder of this process alone. Dropping it removes it.
#[derive(Debug)]
pub struct ProcessFolder {
    folder: TempDir,
    /// Released after the folder is gone; a file system without locks does without.
    _lock: Option<File>,
}

impl ProcessFolder {
    /// A new one in `place`, from which those of the dead are removed.
    pub fn new_in(place: &Path) -> io::Result<Self> {
        remove_abandoned(place);
        loop {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
            // Before it is locked somebody may take it for abandoned.
            let file = match open_folder(CWD, folder.path()) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                file => File::from(file?),
            };
            let locked = flock(&file, FlockOperation::LockExclusive).is_ok();
            if is_at(&file, folder.path()) {
                return Ok(Self {
                    folder,
                    _lock: locked.then_some(file),
                });
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes from `place` the folders that processes of this user have left behind.
fn remove_abandoned(place: &Path) {
    let us = rustix::process::geteuid().as_raw();
    // What cannot be seen or removed stays: nothing depends on it.
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
        // While it is locked; the guard's own way gives up at folders that are very deep or closed to us.
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
