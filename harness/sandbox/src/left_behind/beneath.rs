//! Writes files below a folder whose contents are not trusted, such as a problem's, and never
//! outside of it.

use std::ffi::{CStr, CString};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::fs::{mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::{create, kind, names, open_folder};

/// Writes everything from `from` to the file `below` the folder `root`, in place of an existing
/// file: whole, or not at all. Creates missing folders. A symbolic link is replaced if it is the
/// file, and an error if it is a folder on the way.
pub fn write_beneath(root: &Path, below: &Path, from: &mut impl Read) -> io::Result<()> {
    std::fs::create_dir_all(root)?;
    let (folder, name) = parent(root, below, true)?;
    let (temporary, mut file) = temporary(&folder)?;
    let written =
        io::copy(from, &mut file).and_then(|_| Ok(renameat(&folder, &temporary, &folder, &name)?));
    if written.is_err() {
        // The temporary file is no longer needed; a failure to remove it is harmless.
        let _ = unlinkat(&folder, &temporary, AtFlags::empty());
    }
    written
}

/// Removes the file `below` the folder `root`, never through a symbolic link; returns whether it
/// existed.
pub fn remove_beneath(root: &Path, below: &Path) -> io::Result<bool> {
    let found = parent(root, below, false)
        .and_then(|(folder, name)| Ok(unlinkat(&folder, &name, AtFlags::empty())?));
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        other => other.map(|()| true),
    }
}

/// The folder that contains the file, and its name there.
fn parent(root: &Path, below: &Path, make: bool) -> io::Result<(OwnedFd, CString)> {
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::RDONLY;
    let mut folder = openat(CWD, root, flags, Mode::empty())?;
    let mut names = names(below)?;
    let last = names.pop().ok_or(io::ErrorKind::InvalidInput)?;
    for name in names {
        if make {
            match mkdirat(&folder, &name, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(error) => return Err(error.into()),
            }
        }
        folder = inside(&folder, &name, root)?;
    }
    Ok((folder, last))
}

fn inside(folder: &OwnedFd, name: &CStr, root: &Path) -> io::Result<OwnedFd> {
    open_folder(folder.as_fd(), name).map_err(|error| {
        let found = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW);
        if found.is_ok_and(|stat| kind(&stat).is_symlink()) {
            let (name, root) = (name.to_string_lossy(), root.display());
            io::Error::other(format!(
                "the folder `{name}` in it is a symbolic link, but files are only written inside `{root}`\n\
                 help: replace the link with a folder"
            ))
        } else {
            error
        }
    })
}

/// A new file next to the one that will be replaced.
fn temporary(folder: &OwnedFd) -> io::Result<(CString, std::fs::File)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!(".rejudge-{}-{count}", std::process::id()))?;
        // The usual mode of a new file; the umask still applies.
        match create(folder, &name, 0o666) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other.map(|file| (name, file)),
        }
    }
}
