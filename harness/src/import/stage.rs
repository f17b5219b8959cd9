//! A folder that appears whole or not at all: it is filled under a hidden name next to its final
//! place and then moved.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder that is being filled.
#[derive(Debug)]
pub(crate) struct StagingFolder {
    folder: TempDir,
    place: PathBuf,
}

impl StagingFolder {
    /// Creates the folder for `place`, which must not exist, and the parent folders of `place`.
    pub(crate) fn begin(place: &Path) -> io::Result<Self> {
        if place.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let parent = place.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".rejudge-");
        // The usual mode of a new folder; the umask still applies.
        builder.permissions(fs::Permissions::from_mode(0o777));
        Ok(Self { folder: builder.tempdir_in(parent)?, place: place.to_path_buf() })
    }

    /// Writes a new file.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = self.create(name)?;
        io::Write::write_all(&mut file, bytes)
    }

    /// Copies a file and keeps it executable.
    pub(crate) fn copy(&self, name: impl AsRef<Path>, from: &Path) -> io::Result<()> {
        let mut source = fs::File::open(from)?;
        let metadata = source.metadata()?;
        crate::plain_file::require(&metadata)?;
        let mut file = self.create(name)?;
        io::copy(&mut source, &mut file)?;
        let mode = file.metadata()?.permissions().mode();
        if metadata.permissions().mode() & 0o111 != 0 {
            // Every user who may read the file may then execute it.
            let executable = fs::Permissions::from_mode(mode | (mode & 0o444) >> 2);
            file.set_permissions(executable)?;
        }
        Ok(())
    }

    fn create(&self, name: impl AsRef<Path>) -> io::Result<fs::File> {
        let path = self.folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::File::create_new(path)
    }

    /// Moves the folder to its place; fails if that exists by now.
    pub(crate) fn finish(self) -> io::Result<()> {
        if self.place.symlink_metadata().is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        fs::rename(self.folder.path(), &self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_appears_whole_or_not_at_all() {
        let root = tempfile::tempdir().unwrap();
        let place = root.path().join("cases/sum");
        let stage = StagingFolder::begin(&place).unwrap();
        stage.write("data/1.in", b"1").unwrap();
        assert!(stage.write("data/1.in", b"2").is_err());
        assert!(!place.exists());
        drop(stage);
        assert_eq!(fs::read_dir(root.path().join("cases")).unwrap().count(), 0);
        let stage = StagingFolder::begin(&place).unwrap();
        stage.write("data/1.in", b"1").unwrap();
        stage.finish().unwrap();
        assert_eq!(fs::read(place.join("data/1.in")).unwrap(), b"1");
        let again = StagingFolder::begin(&place).unwrap_err();
        assert_eq!(again.kind(), io::ErrorKind::AlreadyExists);
    }

    #[test]
    fn executable_files_stay_executable() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = tempfile::tempdir().unwrap();
        let stage = StagingFolder::begin(&root.path().join("p")).unwrap();
        for (name, mode) in [("run", 0o700), ("data", 0o600)] {
            let from = root.path().join(name);
            fs::write(&from, "x").unwrap();
            fs::set_permissions(&from, fs::Permissions::from_mode(mode)).unwrap();
            stage.copy(name, &from).unwrap();
        }
        stage.finish().unwrap();
        let mode =
            |name| fs::metadata(root.path().join("p").join(name)).unwrap().permissions().mode();
        assert_eq!(mode("run") & 0o100, 0o100);
        assert_eq!(mode("data") & 0o111, 0);
    }
}
