//! Keeps build results: copies every file of a folder to a new file of ours, or none.

use std::collections::HashMap;
use std::ffi::CStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rejudge_quantity::Bytes;
use rustix::fs::{FileType, Mode, Stat, fchmod, fstat, mkdirat};

use super::{
    DEEPEST, Folder, MOST_ENTRIES, create, each, kind, open_file, open_folder, tree, unwritten,
};

/// The maximum total size of the kept files, including holes.
const MOST_BYTES: Bytes = Bytes::mib(1024);

/// Why the files are not kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// An entry is not allowed; holds the message.
    #[error("{0}")]
    Contents(String),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Copies every file in `from` to the empty folder `to`, and returns the sorted paths of the copies. All users may read
/// and execute the copies, and nobody may write to them.
///
/// Symbolic links are rejected: no compiler's result needs one, and a silently dropped link would
/// only cause an error later. A file with a hard link outside the folder is also rejected, because
/// it was not created by the build.
pub fn keep(from: &Folder, to: &Folder) -> Result<Vec<PathBuf>, KeepError> {
    from.take_back()?;
    // Checked before any file is copied.
    if tree::size_below(&from.0, 0) > MOST_BYTES.get() {
        let words = format!("the build creates files of more than {MOST_BYTES} in total");
        return Err(KeepError::Contents(words));
    }
    let mut keeper = Keeper { kept: Vec::new(), entries: 0, links: HashMap::new() };
    keeper.folder(&from.0, &to.0, "", 0)?;
    if let Some((path, _)) = keeper.links.values().find(|(_, elsewhere)| *elsewhere > 0) {
        return Err(rejected(path, "also has a hard link elsewhere"));
    }
    keeper.kept.sort();
    Ok(keeper.kept)
}

fn rejected(path: &str, why: &str) -> KeepError {
    let path = visible(path);
    KeepError::Contents(format!("the build creates `{path}`, which {why}"))
}

/// `text` with its control characters escaped, safe to print on a terminal.
fn visible(text: &str) -> String {
    let escaped = |c: char| c.is_control().then(|| c.escape_default().to_string());
    text.chars().map(|c| escaped(c).unwrap_or_else(|| c.into())).collect()
}

struct Keeper {
    kept: Vec<PathBuf>,
    entries: u64,
    /// For files with several names, by device and inode number: the first path and the number of
    /// names not yet seen.
    links: HashMap<(u64, u64), (String, u64)>,
}

impl Keeper {
    fn folder(
        &mut self,
        from: &OwnedFd,
        to: &OwnedFd,
        above: &str,
        depth: u32,
    ) -> Result<(), KeepError> {
        let mut result = Ok(());
        each(from, |name, stat| {
            if result.is_ok() {
                result = self.entry(from, to, (above, name), stat, depth);
            }
            Ok(())
        })?;
        result
    }

    fn entry(
        &mut self,
        from: &OwnedFd,
        to: &OwnedFd,
        (above, name): (&str, &CStr),
        stat: &Stat,
        depth: u32,
    ) -> Result<(), KeepError> {
        let shown = name.to_string_lossy();
        let path = if above.is_empty() { shown.into_owned() } else { format!("{above}/{shown}") };
        let plain = |text: &str| !text.contains(char::is_control);
        if !name.to_str().is_ok_and(plain) {
            return Err(rejected(&path, "is not a name of printable UTF-8"));
        }
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            let words = format!("the build creates more than {MOST_ENTRIES} files and folders");
            return Err(KeepError::Contents(words));
        }
        match kind(stat) {
            FileType::Directory if depth == DEEPEST => Err(rejected(&path, "is nested too deeply")),
            FileType::Directory => {
                let inside = open_folder(from.as_fd(), name)
                    .map_err(|_| rejected(&path, "cannot be read"))?;
                mkdirat(to, name, Mode::RWXU).map_err(io::Error::from)?;
                let copy = open_folder(to.as_fd(), name)?;
                self.folder(&inside, &copy, &path, depth + 1)?;
                Ok(fchmod(&copy, Mode::from_raw_mode(0o755)).map_err(io::Error::from)?)
            }
            FileType::RegularFile => self.file(from, to, name, path),
            FileType::Symlink => Err(rejected(&path, "is a symbolic link")),
            _ => Err(rejected(&path, "is neither a file nor a folder")),
        }
    }

    fn file(
        &mut self,
        from: &OwnedFd,
        to: &OwnedFd,
        name: &CStr,
        path: String,
    ) -> Result<(), KeepError> {
        let mut source = open_file(from, name).map_err(|_| rejected(&path, "cannot be read"))?;
        let stat = fstat(&source).map_err(io::Error::from)?;
        #[cfg_attr(
            target_arch = "x86_64",
            expect(clippy::useless_conversion, reason = "aarch64 has 32 bits")
        )]
        let links = u64::from(stat.st_nlink);
        if links > 1 {
            let names = self.links.entry((stat.st_dev, stat.st_ino));
            let (_, elsewhere) = names.or_insert_with(|| (path.clone(), links));
            *elsewhere -= 1;
        }
        let mut copy = create(to, name, 0o600)?;
        io::copy(&mut source, &mut copy)?;
        // Under some protections a compiler cannot change modes and marks no file as executable, so
        // every file may be executed.
        fchmod(&copy, Mode::from_raw_mode(0o555)).map_err(io::Error::from)?;
        tree::keep_times(&stat, &copy)?;
        drop(copy);
        unwritten::wait(&open_file(to, name)?);
        self.kept.push(path.into());
        Ok(())
    }
}
