//! What a program reads: never a file that somebody else has, but a copy that is made for one run.
//!
//! A descriptor that can only be read still gives access to the file behind it: its owner changes mode, times and
//! attributes through it, and anybody places locks, leases and status flags that others meet. So the copy is fresh for
//! every run, and for every attempt at one. It is a file like any other (it can be sought, mapped, and opened again as
//! `/dev/stdin`), and it is filled by us, so that its pages count as the judge's memory and not as the program's.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::fd::OwnedFd;

use crate::error::SandboxError;

/// Larger files are copied to the folder for temporary files, for memory may be short; in bytes.
const IN_MEMORY: u64 = 64 << 20;

/// Where standard input comes from.
#[derive(Debug)]
pub enum Input {
    /// Nothing: an empty file.
    Empty,
    /// This regular file, from its current position.
    File(File),
    /// These bytes.
    Bytes(Vec<u8>),
    /// The reading end of a pipe that nobody else has: the program gets it as it is.
    Pipe(OwnedFd),
}

impl Input {
    /// Makes this input as often as it is asked for; `None` if it can be read only once.
    pub fn again(&self) -> Option<impl FnMut() -> Result<Self, SandboxError>> {
        if matches!(self, Self::Pipe(_)) {
            return None;
        }
        Some(|| match self {
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

    /// A descriptor for one run. That of a pipe is another one of the same pipe.
    pub(super) fn copy(&self) -> io::Result<OwnedFd> {
        match self {
            Self::Empty => copy_of_bytes(&[]),
            Self::Bytes(bytes) => copy_of_bytes(bytes),
            Self::File(file) => copy_of_file(file),
            Self::Pipe(pipe) => pipe.try_clone(),
        }
    }
}

/// A copy of `bytes`, for one run.
fn copy_of_bytes(bytes: &[u8]) -> io::Result<OwnedFd> {
    Copy::new(bytes.len() as u64)?.fill(|copy| copy.write_all(bytes))
}

/// A copy of `file` from its position on, for one run; leaves the position as it is.
pub(super) fn copy_of_file(file: &File) -> io::Result<OwnedFd> {
    let mut from = file;
    let start = from.stream_position()?;
    let copy = Copy::new(file.metadata()?.len())?;
    let filled = copy.fill(|copy| io::copy(&mut from, copy).map(drop));
    from.seek(SeekFrom::Start(start))?;
    filled
}

/// An empty file without a name.
struct Copy {
    file: File,
    in_memory: bool,
}

impl Copy {
    /// One for about so many bytes.
    fn new(length: u64) -> io::Result<Self> {
        let memory = (length <= IN_MEMORY).then(memory_file).flatten();
        let in_memory = memory.is_some();
        let file = memory.map_or_else(tempfile::tempfile, Ok)?;
        Ok(Self { file, in_memory })
    }

    /// Writes to it, and gives up every right but to read it.
    fn fill(mut self, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<OwnedFd> {
        write(&mut self.file)?;
        if self.in_memory {
            seal(&self.file)?;
        }
        to_read(self.file)
    }
}

/// A file in memory; `None` where the system has none.
fn memory_file() -> Option<File> {
    use rustix::fs::{MemfdFlags, memfd_create};
    let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
    // Nobody executes an input. Kernels before 6.3 do not know of that.
    let file = memfd_create("input", flags | MemfdFlags::NOEXEC_SEAL)
        .or_else(|_| memfd_create("input", flags));
    file.ok().map(File::from)
}

/// Whoever opens it again to write to it cannot do so either.
fn seal(file: &File) -> io::Result<()> {
    use rustix::fs::{SealFlags, fcntl_add_seals};
    let all = SealFlags::WRITE | SealFlags::GROW | SealFlags::SHRINK | SealFlags::SEAL;
    Ok(fcntl_add_seals(file, all)?)
}

/// The same file from its beginning, opened only to be read where the system can open it again.
fn to_read(mut file: File) -> io::Result<OwnedFd> {
    if let Ok(again) = File::open(format!("/proc/self/fd/{}", file.as_raw_fd())) {
        return Ok(again.into());
    }
    file.rewind()?;
    Ok(file.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
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
