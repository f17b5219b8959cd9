//! The folders of a judge's user, and snapshots of their contents with every attribute.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use rustix::fs::{XattrFlags, lgetxattr, llistxattr, setxattr};
use tempfile::TempDir;
use walkdir::WalkDir;

/// The contents of a file that no compiler may read.
pub(crate) const SECRET: &str = "UNSPEAKABLE";

/// A home, a repository, a cache, and folders for temporary files and for runs.
pub(crate) struct World {
    dir: TempDir,
}

/// A description of every entry of some folders, by path.
pub(crate) type WorldSnapshot = BTreeMap<PathBuf, String>;

impl World {
    pub(crate) fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("world-").tempdir().unwrap();
        let world = Self { dir };
        fs::set_permissions(world.path(""), Permissions::from_mode(0o755)).unwrap();
        for folder in ["home/.ssh", "home/empty", "repository", "cache", "temporary", "run"] {
            fs::create_dir_all(world.path(folder)).unwrap();
        }
        for (name, mode) in
            [(".bashrc", 0o644), (".profile", 0o600), (".ssh/id", 0o400), ("tool", 0o750)]
        {
            let path = world.path("home").join(name);
            fs::write(&path, format!("{name}\n")).unwrap();
            fs::File::open(&path)
                .unwrap()
                .set_modified(UNIX_EPOCH + Duration::from_secs(1_000_000_000))
                .unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        }
        fs::write(world.path("home/secret"), format!("{SECRET} is here\n")).unwrap();
        // Not every file system supports extended attributes.
        setxattr(world.path("home/.bashrc"), "user.kept", b"1", XattrFlags::empty()).ok();
        world
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.dir.path().join(below)
    }

    /// A snapshot of the user's own files, none of which may change. It includes the time of the
    /// last status change, unless the program itself may create links to the entry.
    pub(crate) fn own(&self, with_changes: bool) -> WorldSnapshot {
        let mut found = WorldSnapshot::new();
        for folder in ["home", "repository"] {
            for entry in WalkDir::new(self.path(folder)) {
                let path = entry.unwrap().into_path();
                let words = in_words(&path, with_changes);
                found.insert(path, words);
            }
        }
        found
    }

    /// Checks that the folders for runs and temporary files are empty and that the cache contains
    /// only files of rejudge.
    pub(crate) fn assert_clean(&self, after: &str) {
        for folder in ["run", "temporary"] {
            let left: Vec<_> = WalkDir::new(self.path(folder)).min_depth(1).into_iter().collect();
            assert!(left.is_empty(), "{after}: {left:?}");
        }
        for entry in WalkDir::new(self.path("cache")).min_depth(1) {
            let entry = entry.unwrap();
            let (path, data) = (entry.path(), entry.metadata().unwrap());
            let shown = path.display();
            assert!(data.is_file() || data.is_dir(), "{after}: {shown}: {data:?}");
            assert_eq!(data.uid(), rustix::process::geteuid().as_raw(), "{after}: {shown}");
            assert_eq!(data.mode() & 0o7022, 0, "{after}: {shown}: {:o}", data.mode());
            assert!(data.is_dir() || data.nlink() == 1, "{after}: {shown}");
            assert!(attributes(path).is_empty(), "{after}: {shown}");
            let name = entry.file_name().to_string_lossy();
            assert!(!name.starts_with("new-"), "{after}: {shown}");
        }
    }
}

fn in_words(path: &Path, with_changes: bool) -> String {
    let data = path.symlink_metadata().unwrap();
    let contents = if data.is_file() {
        format!("{:?}", String::from_utf8_lossy(&fs::read(path).unwrap()))
    } else if data.is_symlink() {
        format!("-> {}", fs::read_link(path).unwrap().display())
    } else {
        String::new()
    };
    let changes = if with_changes {
        format!("{} links, changed at {}.{}", data.nlink(), data.ctime(), data.ctime_nsec())
    } else {
        String::new()
    };
    format!(
        "{:o} of {}:{} at {}.{} {changes} {:?} {contents}",
        data.mode(),
        data.uid(),
        data.gid(),
        data.mtime(),
        data.mtime_nsec(),
        attributes(path),
    )
}

/// The extended attributes, including access control lists.
fn attributes(path: &Path) -> Vec<(String, Vec<u8>)> {
    let mut names = vec![0; 4096];
    // Not every file system supports extended attributes.
    let length = llistxattr(path, &mut names[..]).unwrap_or(0);
    let names = names[..length].split(|&byte| byte == 0);
    names
        .filter(|name| !name.is_empty() && !name.starts_with(b"security."))
        .map(|name| {
            let mut value = vec![0; 4096];
            let length = lgetxattr(path, name, &mut value[..]).unwrap_or(0);
            value.truncate(length);
            (String::from_utf8_lossy(name).into_owned(), value)
        })
        .collect()
}
