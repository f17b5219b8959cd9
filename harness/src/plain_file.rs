//! Reads whole files and refuses anything that is not a regular file: a named pipe would block
//! forever, and a device may never end.

use std::io;
use std::path::Path;

/// Opens the regular file at `path` for reading.
pub(crate) fn open(path: &Path) -> io::Result<std::fs::File> {
    require(&std::fs::metadata(path)?)?;
    std::fs::File::open(path)
}

/// The contents of the regular file at `path`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    require(&std::fs::metadata(path)?)?;
    std::fs::read(path)
}

/// The text of the regular file at `path`.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let not_text = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not valid UTF-8");
    String::from_utf8(read(path)?).map_err(not_text)
}

/// `Ok` if this is a regular file.
pub(crate) fn require(metadata: &std::fs::Metadata) -> io::Result<()> {
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
    fn reads_regular_files_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "text").unwrap();
        assert_eq!(read_text(&path).unwrap(), "text");
        std::fs::write(&path, b"\xff").unwrap();
        assert_eq!(
            read_text(&path).unwrap_err().to_string(),
            "it is not valid UTF-8"
        );
        assert!(read(folder.path()).is_err() && open(folder.path()).is_err());
        assert!(read(&folder.path().join("no")).is_err());
        assert_eq!(
            read(Path::new("/dev/zero")).unwrap_err().to_string(),
            "it is not a regular file"
        );
    }
}
