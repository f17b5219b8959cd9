//! Chooses where new working folders are created.
//!
//! Every run creates and removes one. On a disk, a removal can wait for milliseconds while others write; in memory it
//! takes a microsecond, and the files count as the program's memory.

use std::io;
use std::path::PathBuf;

use crate::process_folder::ProcessFolder;

/// A new folder for [`RunnerOptions::work_base`](crate::RunnerOptions::work_base), in memory if possible.
pub fn work_base() -> io::Result<ProcessFolder> {
    let private = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let shared = PathBuf::from("/dev/shm");
    let in_memory = [Some(shared), private].into_iter().flatten();
    in_memory
        .filter(|place| place.is_absolute())
        .find_map(|place| ProcessFolder::new_in(&place).ok())
        .map_or_else(|| ProcessFolder::new_in(&std::env::temp_dir()), Ok)
}
