//! A program's standard input: a private copy of a file, made for one run.
//!
//! Even a read-only descriptor gives access to the file behind it: its owner can change the mode, times and attributes,
//! and anyone can place locks, leases and status flags that others notice. Therefore every run, and every repetition of
//! one, gets a new copy. The copy is a normal file: a program can seek in it, map it, and open it again as
//! `/dev/stdin`. The judge fills it, so its pages count as the judge's memory, not as the program's.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileExt as _;

use rustix::fs::OFlags;

use crate::error::SandboxError;
use crate::unnamed_file;

/// Larger files, in bytes, are copied to the folder for temporary files, to save memory.
const IN_MEMORY: u64 = 64 << 20;
/// Shorter files, in bytes, are read with one buffer: to let the kernel copy them takes more calls.
const SHORT: usize = 16 << 10;

/// The source of standard input.
#[derive(Debug)]
pub enum Input {
    /// An empty file.
    Empty,
    /// This regular file, from its current position.
    File(File),
    /// These bytes.
    Bytes(Vec<u8>),
    /// The reading end of a pipe that nobody else uses. The program gets it unchanged.
    Pipe(OwnedFd),
}

impl Input {
    /// A function that creates this input again and again; `None` if it can be read only once.
    pub fn again(&self) -> Option<impl FnMut() -> Result<Self, SandboxError>> {
        if matches!(self, Self::Pipe(_)) {
            return None;
        }
        Some(move || match self {
            Self::File(file) => {
                let another = file.try_clone().map(Self::File);
                another.map_err(|source| SandboxError::Io {
                    action: "cannot read the input again".into(),
                    source,
                })
            }
            Self::Bytes(bytes) => Ok(Self::Bytes(bytes.clone())),
            Self::Empty | Self::Pipe(_) => Ok(Self::Empty),
        })
    }

    /// A descriptor for one run. For a pipe, a duplicate.
    pub(super) fn copy(&self) -> io::Result<OwnedFd> {
        match self {
            Self::Empty => copy_of_bytes(&[]),
            Self::Bytes(bytes) => copy_of_bytes(bytes),
            Self::File(file) => copy_of_file(file),
            Self::Pipe(pipe) => pipe.try_clone(),
        }
    }
}

/// A private copy of `bytes`.
fn copy_of_bytes(bytes: &[u8]) -> io::Result<OwnedFd> {
    filled(bytes.len() as u64, |copy| copy.write_all(bytes))
}

/// A private copy of `file` from its current position, which stays unchanged.
pub(super) fn copy_of_file(file: &File) -> io::Result<OwnedFd> {
    copy_of_short_file(file, u64::MAX)
}

/// The same, unless the file is longer than this.
pub(super) fn copy_of_short_file(file: &File, most: u64) -> io::Result<OwnedFd> {
    let mut from = file;
    let start = from.stream_position()?;
    let mut bytes = [0; SHORT];
    let length = read_all_at(file, &mut bytes, start)?;
    if length < SHORT {
        return copy_of_bytes(&bytes[..length]);
    }
    if file.metadata()?.len() > most {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let copied = filled(file.metadata()?.len(), |copy| {
        from.seek(SeekFrom::Start(start))?;
        io::copy(&mut from, copy).map(drop)
    });
    from.seek(SeekFrom::Start(start))?;
    copied
}

/// A file of about `length` bytes, filled with `write`, that can only be read.
///
/// The kernel refuses to seal a file in memory while something else refers to one of its pages, such as its own reclaim of
/// memory, and waits for a fraction of a second only. A file on disk needs no seal.
fn filled(length: u64, mut write: impl FnMut(&mut File) -> io::Result<()>) -> io::Result<OwnedFd> {
    match Copy::new(length)?.fill(&mut write) {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Copy::on_disk()?.fill(write),
        done => done,
    }
}

/// Fills the buffer from this position in the file on. Returns the number of bytes, which is smaller at the end of the file.
fn read_all_at(file: &File, buffer: &mut [u8], start: u64) -> io::Result<usize> {
    let mut length = 0;
    while length < buffer.len() {
        match file.read_at(&mut buffer[length..], start + length as u64) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

/// An empty file without a name.
struct Copy {
    file: File,
    in_memory: bool,
}

impl Copy {
    /// Creates one for about `length` bytes.
    fn new(length: u64) -> io::Result<Self> {
        let in_memory = || unnamed_file::in_memory(c"input");
        let memory = (length <= IN_MEMORY).then(in_memory).flatten();
        let in_memory = |file| Self { file, in_memory: true };
        memory.map_or_else(Self::on_disk, |file| Ok(in_memory(file)))
    }

    /// Creates one in the folder for temporary files.
    fn on_disk() -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile()?, in_memory: false })
    }

    /// Writes to it, then gives up every right except reading.
    fn fill(mut self, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<OwnedFd> {
        write(&mut self.file)?;
        if self.in_memory {
            seal(&self.file)?;
        }
        to_read(self.file)
    }
}

/// Prevents writing even through a descriptor that is opened again.
fn seal(file: &File) -> io::Result<()> {
    use rustix::fs::{SealFlags, fcntl_add_seals};
    let all = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    Ok(fcntl_add_seals(file, all)?)
}

/// The same file from its start, opened for reading only where possible.
fn to_read(mut file: File) -> io::Result<OwnedFd> {
    if let Some(again) = unnamed_file::reopen(&file, OFlags::RDONLY) {
        return Ok(again);
    }
    file.rewind()?;
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::fd::AsRawFd as _;
    use std::os::unix::fs::MetadataExt as _;

    use super::*;

    fn read(fd: OwnedFd) -> String {
        let mut text = String::new();
        File::from(fd).read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn each_run_gets_another_file_with_the_rest_of_the_same_text() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"before after").unwrap();
        file.seek(SeekFrom::Start(7)).unwrap();
        let own = file.metadata().unwrap().ino();
        let input = Input::File(file);
        let copies = [(); 2].map(|()| File::from(input.copy().unwrap()));
        let [one, two] = copies.each_ref().map(|copy| copy.metadata().unwrap().ino());
        assert!(own != one && one != two && two != own);
        for copy in copies {
            assert_eq!(read(copy.into()), "after");
        }
    }

    #[test]
    fn files_of_every_length_are_copied_whole() {
        for length in [0, 1, SHORT - 1, SHORT, SHORT + 1] {
            let mut file = tempfile::tempfile().unwrap();
            let text: String = ('a'..='z').cycle().take(length).collect();
            file.write_all(b"before").unwrap();
            file.write_all(text.as_bytes()).unwrap();
            file.seek(SeekFrom::Start(6)).unwrap();
            assert!(read(copy_of_file(&file).unwrap()) == text, "{length}");
            assert_eq!(file.stream_position().unwrap(), 6, "{length}");
        }
    }

    #[test]
    fn a_file_in_memory_that_cannot_be_sealed_is_replaced_by_one_on_disk() {
        let mut mappings = Vec::new();
        let mut times = 0;
        let fd = filled(5, |file| {
            times += 1;
            file.write_all(b"input")?;
            if times == 1 {
                mappings.push(WritableMapping::of(file));
            }
            Ok(())
        });
        let mut file = File::from(fd.unwrap());
        assert_eq!((times, mappings.len()), (2, 1));
        assert!(file.write_all(b"other").is_err());
        assert_eq!(read(file.into()), "input");
    }

    /// While it exists, the kernel refuses to seal the file.
    struct WritableMapping(*mut libc::c_void);

    impl WritableMapping {
        #[expect(unsafe_code, reason = "a system call without a safe wrapper")]
        fn of(file: &File) -> Self {
            let rights = libc::PROT_READ | libc::PROT_WRITE;
            // SAFETY: the kernel chooses a place that is free.
            let start = unsafe {
                libc::mmap(std::ptr::null_mut(), 1, rights, libc::MAP_SHARED, file.as_raw_fd(), 0)
            };
            assert_ne!(start, libc::MAP_FAILED);
            Self(start)
        }
    }

    impl Drop for WritableMapping {
        #[expect(unsafe_code, reason = "a system call without a safe wrapper")]
        fn drop(&mut self) {
            // SAFETY: it is this mapping, to which nothing refers.
            unsafe { libc::munmap(self.0, 1) };
        }
    }

    #[test]
    fn a_copy_is_never_written_to() {
        for length in [5, IN_MEMORY + 1] {
            let copy = Copy::new(length).unwrap();
            let fd = copy.fill(|file| file.write_all(b"input")).unwrap();
            let mut file = File::from(fd);
            assert!(file.write_all(b"other").is_err(), "{length}");
            assert!(file.set_len(1).is_err(), "{length}");
            assert_eq!(read(file.into()), "input", "{length}");
        }
        let sealed = copy_of_bytes(b"input").unwrap();
        let path = format!("/proc/self/fd/{}", sealed.as_raw_fd());
        let again = File::options().write(true).open(path);
        assert!(again.and_then(|mut file| file.write_all(b"other")).is_err());
        assert_eq!(read(sealed), "input");
    }
}
