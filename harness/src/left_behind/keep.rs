//! Keeps what was built: every file of a folder as a new file of ours, or not a single one.

use std::collections::HashMap;
use std::ffi::CStr;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::PathBuf;

use rustix::fs::{FileType, Mode, Stat, fchmod, fstat, mkdirat};
use serde::{Deserialize, Serialize};

use super::{DEEPEST, Folder, MOST_ENTRIES, create, each, kind, open_file, open_folder, tree};
use crate::bytes::Bytes;

/// The bytes of everything that is kept, holes and all.
const MOST_BYTES: Bytes = Bytes::mib(1024);

/// A file that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct KeptFile {
    /// Its path below.
    pub(crate) path: PathBuf,
    pub(crate) size: u64,
    /// The BLAKE3 sum in hexadecimal.
    pub(crate) hash: String,
}

/// Why what was left is not kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refused {
    /// It holds what it may not hold; what that is, in words.
    #[error("{0}")]
    Contents(String),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Copies every file in `from` to the empty folder `to`, in order of their paths. Everybody may read and execute every
/// file, and nobody may write to it.
///
/// Links are refused: nothing that compilers make needs one, and one that was dropped would only show later. So is a file
/// that has a name elsewhere too: it is not what was built.
pub(crate) fn keep(from: &Folder, to: &Folder) -> Result<Vec<KeptFile>, Refused> {
    from.take_back()?;
    // Before anything is copied.
    if tree::size_below(&from.0, 0) > MOST_BYTES.get() {
        let words = format!("it leaves files of more than {MOST_BYTES} together");
        return Err(Refused::Contents(words));
    }
    let mut keeper = Keeper {
        kept: Vec::new(),
        entries: 0,
        links: HashMap::new(),
    };
    keeper.folder(&from.0, &to.0, "", 0)?;
    if let Some((path, _)) = keeper.links.values().find(|(_, elsewhere)| *elsewhere > 0) {
        return Err(refused(path, "also has a name elsewhere"));
    }
    keeper.kept.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(keeper.kept)
}

fn refused(path: &str, why: &str) -> Refused {
    let path = crate::notice::visible(path);
    Refused::Contents(format!("it leaves `{path}`, which {why}"))
}

struct Keeper {
    kept: Vec<KeptFile>,
    entries: u64,
    /// By device and number: a file with several names, and how many of these were not seen yet.
    links: HashMap<(u64, u64), (String, u64)>,
}

impl Keeper {
    fn folder(
        &mut self,
        from: &OwnedFd,
        to: &OwnedFd,
        above: &str,
        depth: u32,
    ) -> Result<(), Refused> {
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
    ) -> Result<(), Refused> {
        let shown = name.to_string_lossy();
        let path = if above.is_empty() {
            shown.into_owned()
        } else {
            format!("{above}/{shown}")
        };
        let plain = |text: &str| !text.contains(char::is_control);
        if !name.to_str().is_ok_and(plain) {
            return Err(refused(&path, "is not a name of printable UTF-8"));
        }
        self.entries += 1;
        if self.entries > MOST_ENTRIES {
            let words = format!("it leaves more than {MOST_ENTRIES} files and folders");
            return Err(Refused::Contents(words));
        }
        match kind(stat) {
            FileType::Directory if depth == DEEPEST => Err(refused(&path, "lies too deep")),
            FileType::Directory => {
                let inside = open_folder(from.as_fd(), name);
                let inside = inside.map_err(|_| refused(&path, "cannot be read"))?;
                mkdirat(to, name, Mode::RWXU).map_err(io::Error::from)?;
                let copy = open_folder(to.as_fd(), name)?;
                self.folder(&inside, &copy, &path, depth + 1)?;
                Ok(fchmod(&copy, Mode::from_raw_mode(0o755)).map_err(io::Error::from)?)
            }
            FileType::RegularFile => self.file(from, to, name, path),
            FileType::Symlink => Err(refused(&path, "is a symbolic link")),
            _ => Err(refused(&path, "is neither a file nor a folder")),
        }
    }

    fn file(
        &mut self,
        from: &OwnedFd,
        to: &OwnedFd,
        name: &CStr,
        path: String,
    ) -> Result<(), Refused> {
        let mut source = open_file(from, name).map_err(|_| refused(&path, "cannot be read"))?;
        let stat = fstat(&source).map_err(io::Error::from)?;
        if stat.st_nlink > 1 {
            let names = self.links.entry((stat.st_dev, stat.st_ino));
            let (_, elsewhere) = names.or_insert_with(|| (path.clone(), stat.st_nlink));
            *elsewhere -= 1;
        }
        let mut copy = create(to, name, 0o600)?;
        let (size, hash) = copy_and_hash(&mut source, &mut copy)?;
        // Where a compiler cannot change modes, it marks no file as a program, so every file may be executed.
        fchmod(&copy, Mode::from_raw_mode(0o555)).map_err(io::Error::from)?;
        tree::keep_times(&stat, &copy)?;
        self.kept.push(KeptFile {
            path: path.into(),
            size,
            hash,
        });
        Ok(())
    }
}

fn copy_and_hash(from: &mut impl Read, to: &mut impl Write) -> io::Result<(u64, String)> {
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 128 << 10];
    let mut size = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => return Ok((size, hasher.finalize().to_hex().to_string())),
            Ok(length) => {
                hasher.update(&buffer[..length]);
                to.write_all(&buffer[..length])?;
                size += length as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl KeptFile {
    /// Whether the file of this path in `folder` is still this one.
    pub(crate) fn is_in(&self, folder: &Folder) -> bool {
        let now = folder
            .file(&self.path)
            .and_then(|mut file| copy_and_hash(&mut file, &mut io::sink()));
        now.is_ok_and(|(size, hash)| size == self.size && hash == self.hash)
    }
}
