//! Chooses where fresh working folders are made.
//!
//! One is made and removed for every run. On a disk's journal a removal waits for milliseconds while others write; in
//! memory it takes one microsecond, and what a program writes there counts as its memory.

use std::io;
use std::path::PathBuf;

use crate::process_folder::ProcessFolder;

/// A new folder to be [`RunnerOptions::work_base`](super::RunnerOptions::work_base), in memory if the system offers that.
pub fn work_base() -> io::Result<ProcessFolder> {
    let private = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let shared = PathBuf::from("/dev/shm");
    let in_memory = [Some(shared), private].into_iter().flatten();
    in_memory
        .filter(|place| place.is_absolute())
        .find_map(|place| ProcessFolder::new_in(&place).ok())
        .map_or_else(|| ProcessFolder::new_in(&std::env::temp_dir()), Ok)
}
