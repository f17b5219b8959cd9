//! Writes files below a folder that somebody else may have furnished, a problem's for one, and nowhere else.

use std::ffi::{CStr, CString};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use rustix::fs::{mkdirat, openat, renameat, statat, unlinkat};
use rustix::io::Errno;

use super::{create, kind, names, open_folder};

/// Writes everything that `from` gives to the file `below` the folder `root`, in place of what was there: whole, or not
/// at all. Folders are made. A link is replaced if it is the file, and an error if it is a folder on the way.
pub(crate) fn write_beneath(root: &Path, below: &Path, from: &mut impl Read) -> io::Result<()> {
    std::fs::create_dir_all(root)?;
    let (folder, name) = parent(root, below, true)?;
    let (temporary, mut file) = temporary(&folder)?;
    let written =
        io::copy(from, &mut file).and_then(|_| Ok(renameat(&folder, &temporary, &folder, &name)?));
    if written.is_err() {
        // It is only in the way.
        let _ = unlinkat(&folder, &temporary, AtFlags::empty());
    }
    written
}

/// Removes the file `below` the folder `root`, through no link; whether there was one.
pub(crate) fn remove_beneath(root: &Path, below: &Path) -> io::Result<bool> {
    let found = parent(root, below, false)
        .and_then(|(folder, name)| Ok(unlinkat(&folder, &name, AtFlags::empty())?));
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        other => other.map(|()| true),
    }
}

/// The folder that the file lies in, and its name there.
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
                "the folder `{name}` in it is a symbolic link, and files are written to `{root}` only\n\
                 help: replace the link by the folder"
            ))
        } else {
            error
        }
    })
}

/// A new file beside the one that is to be written.
fn temporary(folder: &OwnedFd) -> io::Result<(CString, std::fs::File)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = CString::new(format!(".rejudge-{}-{count}", std::process::id()))?;
        // As any file is made; the umask takes away what it does.
        match create(folder, &name, 0o666) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            other => return other.map(|file| (name, file)),
        }
    }
}
