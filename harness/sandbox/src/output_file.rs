//! A program's standard output: a regular file without a name, made for one run.
//!
//! Judges redirect standard output to a file, and programs depend on it: they seek in it, and runtimes that write to pipes
//! in the background would lose output when they exit.
//!
//! The program can write the file but not read or map it, so the file does not serve as memory, and no page of it counts
//! towards the peak of a process. The judge reads it, by its own descriptor, after the last process of the run is dead.
//!
//! The file is in memory: to create one on a disk would take a tenth of a short run. The kernel charges its pages to the
//! group of the program. If a program that has written something reaches the memory limit of its group, its run therefore
//! does not count; it is repeated with a file on disk, whose pages the kernel takes back before it kills.

use std::fs::{File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::fs::{OFlags, SealFlags, fcntl_add_seals, statfs};

use crate::unnamed_file;

/// Everybody may open it again to write, and nobody to read.
const MODE: u32 = 0o222;
/// `TMPFS_MAGIC` of `linux/magic.h`.
const TMPFS: u64 = 0x0102_1994;

/// Where the file of a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputPlace {
    Memory,
    Disk,
}

/// The judge's descriptor of the file.
#[derive(Debug)]
pub(super) struct OutputFile {
    file: File,
    place: OutputPlace,
    /// Whether another descriptor of it may be read for longer than this exists.
    is_kept: AtomicBool,
}

impl Drop for OutputFile {
    /// Frees its memory: the launcher may still have a descriptor, and waits for that.
    fn drop(&mut self) {
        if self.place == OutputPlace::Memory && !self.is_kept.load(Ordering::Relaxed) {
            // If this fails, its last descriptor frees it.
            let _ = self.cut(0);
        }
    }
}

impl OutputFile {
    /// Creates one, in memory only if the kernel permits that. Returns the descriptor for the program, too.
    pub(super) fn new(place: OutputPlace) -> io::Result<(Self, OwnedFd)> {
        let in_memory = match place {
            OutputPlace::Memory => unnamed_file::in_memory(c"output"),
            OutputPlace::Disk => None,
        };
        let (file, place) = match in_memory {
            Some(file) => {
                // Otherwise the program could add seals that keep the judge from freeing the file.
                fcntl_add_seals(&file, SealFlags::SEAL)?;
                (file, OutputPlace::Memory)
            }
            None => (on_disk()?, OutputPlace::Disk),
        };
        file.set_permissions(Permissions::from_mode(MODE))?;
        let program = match unnamed_file::reopen(&file, OFlags::WRONLY) {
            Some(program) => program,
            None => file.try_clone()?.into(),
        };
        let is_kept = AtomicBool::new(false);
        Ok((Self { file, place, is_kept }, program))
    }

    /// The length in bytes, with its holes.
    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Whether it holds memory.
    pub(super) fn holds_memory(&self) -> io::Result<bool> {
        Ok(self.place == OutputPlace::Memory && self.file.metadata()?.blocks() > 0)
    }

    /// Whether it is on a disk.
    pub(super) fn is_on_disk(&self) -> bool {
        self.place == OutputPlace::Disk
    }

    /// The file, for reading.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Leaves it as it is when it is dropped.
    pub(super) fn keep(&self) {
        self.is_kept.store(true, Ordering::Relaxed);
    }

    /// Cuts off what is after the first `length` bytes.
    pub(super) fn cut(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }
}

/// A file whose pages the kernel can take back. In many systems, the folder for temporary files is in memory.
fn on_disk() -> io::Result<File> {
    let usual = std::env::temp_dir();
    let folders = [usual.clone(), PathBuf::from("/var/tmp")];
    let is_disk = |folder: &PathBuf| {
        let found = statfs(folder.as_path());
        found.is_ok_and(|found| u64::try_from(found.f_type) != Ok(TMPFS))
    };
    let disks = folders.into_iter().filter(is_disk);
    let mut made = disks.filter_map(|folder| tempfile::tempfile_in(folder).ok());
    made.next().map_or_else(|| tempfile::tempfile_in(&usual), Ok)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use rustix::fs::{FallocateFlags, fallocate, fcntl_get_seals};

    use super::*;

    const PLACES: [OutputPlace; 2] = [OutputPlace::Memory, OutputPlace::Disk];

    #[test]
    fn a_program_can_write_and_cut_it_but_not_read_it() {
        for place in PLACES {
            let (file, program) = OutputFile::new(place).unwrap();
            let mut program = File::from(program);
            program.write_all(b"text").unwrap();
            assert!(io::read_to_string(&program).is_err(), "{place:?}");
            assert_eq!(file.length().unwrap(), 4, "{place:?}");
            program.set_len(1 << 20).unwrap();
            assert_eq!(file.length().unwrap(), 1 << 20, "{place:?}");
            let mode = program.metadata().unwrap().mode() & 0o777;
            assert_eq!(mode, MODE, "{place:?}");
        }
    }

    #[test]
    fn a_program_cannot_keep_the_judge_from_emptying_it() {
        let (file, program) = OutputFile::new(OutputPlace::Memory).unwrap();
        assert_eq!(fcntl_get_seals(&program).unwrap() & SealFlags::SEAL, SealFlags::SEAL);
        fallocate(&program, FallocateFlags::KEEP_SIZE, 0, 1 << 16).unwrap();
        assert_eq!(file.length().unwrap(), 0);
        assert!(file.holds_memory().unwrap());
        drop(file);
        assert_eq!(File::from(program).metadata().unwrap().blocks(), 0);
    }
}
