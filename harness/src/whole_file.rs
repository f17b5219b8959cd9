//! Files that appear complete or not at all: written in the same folder under another name, then
//! renamed.

use std::fs;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Writes everything that `from` contains to `path`, in place of an existing file. Creates the
/// folder.
pub(crate) fn write(path: &Path, from: &mut impl Read) -> io::Result<()> {
    write_with(path, |file| io::copy(from, file).map(drop))
}

/// Writes what `make` writes to `path`, in place of an existing file. Creates the folder.
pub(crate) fn write_with(
    path: &Path,
    make: impl FnOnce(&mut fs::File) -> io::Result<()>,
) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    fs::create_dir_all(folder)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rejudge-");
    // The permissions of any new file, before the umask.
    builder.permissions(fs::Permissions::from_mode(0o666));
    let mut file = builder.tempfile_in(folder)?;
    make(file.as_file_mut())?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_leaves_the_old_file_and_no_other() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("broken"))
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.ans");
        write(&path, &mut &b"old"[..]).unwrap();
        assert!(write(&path, &mut Broken).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }
}
