//! Reads whole files and refuses anything that is not a regular file: a named pipe would block
//! forever, and a device may never end.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

/// Opens the regular file at `path` for reading.
pub fn open(path: &Path) -> io::Result<File> {
    let (file, _) = opened(path)?;
    // The file may become the standard input of a program, which would see the flag.
    rustix::fs::fcntl_setfl(&file, OFlags::empty())?;
    Ok(file)
}

/// The contents of the regular file at `path`.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_up_to(path, u64::MAX - 1)
}

/// The contents of the regular file at `path`: at most its first `most` bytes, and one byte more if it is larger.
pub fn read_up_to(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let (file, size) = opened(path)?;
    // A buffer that is not filled tells that the file ends, so this takes one read.
    let capacity = size.min(most) + 1;
    let mut text = vec![0; usize::try_from(capacity).unwrap_or(usize::MAX)];
    let length = (&file).read(&mut text)?;
    text.truncate(length);
    if length as u64 != size.min(most) {
        let rest = most + 1 - length as u64;
        file.take(rest).read_to_end(&mut text)?;
    }
    Ok(text)
}

/// The file and its size in bytes. Opening a named pipe does not wait for a writer.
fn opened(path: &Path) -> io::Result<(File, u64)> {
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let file = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?;
    let metadata = file.metadata()?;
    require(&metadata)?;
    Ok((file, metadata.len()))
}

/// The text of the regular file at `path`.
pub fn read_text(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not valid UTF-8");
    String::from_utf8(read(path)?).map_err(not_text)
}

/// `Ok` if this is a regular file.
pub fn require(metadata: &std::fs::Metadata) -> io::Result<()> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(io::ErrorKind::IsADirectory.into())
    } else {
        Err(io::Error::other("it is not a regular file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_one_byte_more_than_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        for (most, expected) in [(0, "1"), (4, "12345"), (5, "12345"), (9, "12345")] {
            let text = read_up_to(&path, most).unwrap();
            assert_eq!(text, expected.as_bytes(), "{most}");
        }
        // The system reports a size of 0 for it.
        let status = read_text(Path::new("/proc/self/status")).unwrap();
        assert!(status.contains("VmPeak"), "{status}");
    }

    #[test]
    fn reads_regular_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "text").unwrap();
        assert_eq!(read_text(&path).unwrap(), "text");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(read_text(&path).unwrap_err().to_string(), "it is not valid UTF-8");
        assert!(read(folder.path()).is_err() && open(folder.path()).is_err());
        assert!(read(&folder.path().join("no")).is_err());
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR).unwrap();
        assert_eq!(read(&pipe).unwrap_err().to_string(), "it is not a regular file");
        assert_eq!(
            read(Path::new("/dev/zero")).unwrap_err().to_string(),
            "it is not a regular file"
        );
    }
}
