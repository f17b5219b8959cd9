//! The cache folder, opened for writing.
//!
//! Everything in it can be created again. An unwritable folder is not an error: there is one
//! warning, and a temporary folder is used instead.

use std::fs;
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::Part;
use crate::notice::{Code, Notice};

/// The cache folder, ready for writing.
#[derive(Debug)]
pub struct Cache {
    root: PathBuf,
    warning: Option<Notice>,
    _temporary: Option<TempDir>,
}

impl Cache {
    /// Opens the user's cache folder; if it is not writable, opens a temporary one with a
    /// [`Cache::warning`].
    pub fn open() -> io::Result<Self> {
        Self::open_at(&super::dir())
    }

    /// Opens the cache folder at `root`; see [`Cache::open`].
    pub fn open_at(root: &Path) -> io::Result<Self> {
        let root = &std::path::absolute(root)?;
        if let Some(why) = refused(root) {
            return Self::temporary(Some(why));
        }
        let artefacts = root.join(Part::Artefacts.folder());
        let usable = fs::create_dir_all(&artefacts)
            .and_then(|()| tempfile::tempfile_in(&artefacts).map(drop))
            .and_then(|()| mark(root));
        match usable {
            Ok(()) => Ok(Self { root: root.to_owned(), warning: None, _temporary: None }),
            Err(error) => {
                let warning = Code::UnusableCache.says(format!(
                    "cannot write to the cache folder `{}`: {error}; compiled programs are not cached",
                    root.display()
                ));
                Self::temporary(Some(
                    warning
                        .help("make it writable, or set `REJUDGE_CACHE_DIR` to a writable folder"),
                ))
            }
        }
    }

    /// A folder that the user's cache already holds. The cache need not be writable.
    pub fn known(part: Part, name: &str) -> Option<PathBuf> {
        let root = std::path::absolute(super::dir()).ok()?;
        let folder = root.join(part.folder()).join(name);
        (folder.is_dir() && refused(&root).is_none()).then_some(folder)
    }

    /// A temporary cache that is removed when the value is dropped.
    pub fn temporary(warning: Option<Notice>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("rejudge-").tempdir()?;
        Ok(Self { root: folder.path().to_owned(), warning, _temporary: Some(folder) })
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Why this is not the user's cache folder; to be printed once.
    pub fn warning(&self) -> Option<&Notice> {
        self.warning.as_ref()
    }

    /// The folder of a part.
    pub fn part(&self, part: Part) -> PathBuf {
        self.root.join(part.folder())
    }
}

/// Why nothing may be written to `root`, if it contains other files or another user made it.
pub(super) fn refused(root: &Path) -> Option<Notice> {
    if is_planted(root) {
        let what = format!("another user made `{}`, so nothing in it is used", root.display());
        let help = "remove it, or set `REJUDGE_CACHE_DIR` to a folder of your own";
        return Some(Code::UnusableCache.says(what).help(help));
    }
    (!is_ours(root)).then(|| {
        let what = format!(
            "`{}` is not a cache folder of rejudge, so nothing is stored or removed there",
            root.display()
        );
        Code::UnusableCache.says(what).help("set `REJUDGE_CACHE_DIR` to an empty folder")
    })
}

/// Whether the folder was not chosen, is where every user may make one, such as in `/tmp`, and another user made it. That
/// user could have put programs and cases into it.
pub(super) fn is_planted(root: &Path) -> bool {
    if super::is_chosen() {
        return false;
    }
    let is_for_all = |folder: &Path| fs::metadata(folder).is_ok_and(|it| it.mode() & 0o002 != 0);
    let trusted = [0, rustix::process::geteuid().as_raw()];
    fs::symlink_metadata(root).is_ok_and(|it| !trusted.contains(&it.uid()))
        && root.parent().is_some_and(is_for_all)
}

/// Identifies the owner of the folder, and tells backup programs to skip it.
const TAG: &str = "CACHEDIR.TAG";
const TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n\
    # This folder is the cache of rejudge; `rejudge cache clean` empties it.\n";

/// Whether the folder is missing, empty, or a cache of rejudge: files in any other folder must
/// never be treated as entries and removed.
fn is_ours(root: &Path) -> bool {
    let Ok(entries) = fs::read_dir(root) else {
        return true;
    };
    let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    let tagged = || fs::read_to_string(root.join(TAG)).is_ok_and(|text| text == TAG_TEXT);
    // A folder that another process is creating has no tag yet.
    let known = |name: &std::ffi::OsString| {
        name == TAG || Part::ALL.iter().any(|part| name == part.folder())
    };
    let looks_so =
        names.iter().any(|name| name == Part::Artefacts.folder()) && names.iter().all(known);
    names.is_empty() || tagged() || looks_so
}

fn mark(root: &Path) -> io::Result<()> {
    match fs::File::create_new(root.join(TAG)) {
        Ok(mut file) => file.write_all(TAG_TEXT.as_bytes()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_other_files_is_not_changed() {
        let table: [(&[&str], bool); 6] = [
            (&[], true),
            (&["artefacts/x"], true),
            (&["artefacts/x", "cases/y", "toolchains/z", "time-limits/t"], true),
            (&["cases/sum/problem.yaml"], false),
            (&["artefacts/x", "thesis.tex"], false),
            (&["CACHEDIR.TAG", "debug/x"], false),
        ];
        for (files, ours) in table {
            let folder = tempfile::tempdir().unwrap();
            for file in files {
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "mine").unwrap();
            }
            let cache = Cache::open_at(folder.path()).unwrap();
            assert_eq!(cache.warning().is_none(), ours, "{files:?}");
            assert_eq!(cache.root() == folder.path(), ours);
        }
    }

    #[test]
    fn a_used_folder_stays_a_cache_folder() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Cache::open_at(folder.path()).unwrap().warning().is_none());
        fs::write(folder.path().join("note"), "").unwrap();
        assert!(Cache::open_at(folder.path()).unwrap().warning().is_none());
    }

    #[test]
    fn a_folder_that_cannot_be_created_gives_a_warning() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let cache = Cache::open_at(&file.join("cache")).unwrap();
        assert!(cache.warning().unwrap().message.contains("file/cache"));
        assert!(cache.root().is_dir());
    }
}
