//! The file of a report that is written at the end: it appears complete or not at all.

use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Where the report goes.
pub(crate) enum Destination {
    /// A regular file: a temporary file in the same folder, which will be moved to the path.
    File(NamedTempFile, PathBuf),
    /// A pipe or a device, which must not be replaced.
    Stream(File),
}

impl Destination {
    /// Opens `path`. A path that cannot be written is an error now.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        // Resolve links, so that the file that they point to changes.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        match path.metadata() {
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                File::options().write(true).open(path).map(Self::Stream)
            }
            _ => {
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let sibling = tempfile::Builder::new()
                    // Those of any new file, before the umask.
                    .permissions(Permissions::from_mode(0o666))
                    .tempfile_in(folder.unwrap_or(Path::new(".")))
                    // Without the temporary name, which would confuse the user.
                    .map_err(|error| io::Error::from(error.kind()))?;
                Ok(Self::File(sibling, path))
            }
        }
    }

    /// Writes the report, and puts it in its place.
    pub(crate) fn write(
        self,
        report: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        match self {
            Self::Stream(stream) => buffered(stream, report).map(drop),
            Self::File(file, path) => {
                buffered(file, report)?.persist(&path)?;
                Ok(())
            }
        }
    }
}

fn buffered<W: Write>(
    out: W,
    report: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<W> {
    let mut out = BufWriter::new(out);
    report(&mut out)?;
    out.into_inner().map_err(io::IntoInnerError::into_error)
}
