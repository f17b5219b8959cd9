//! The folder that links must not leave: a link could bring any file of the user's into a report.

use std::fs::DirEntry;
use std::path::{Path, PathBuf};

use crate::notice::{Code, Notice, Notices};

/// The file of a repository's settings.
pub const SETTINGS_FILE: &str = "rejudge.toml";

/// The folder that links below `root` must not leave: the nearest repository that contains it, otherwise `root`.
pub fn bounds_of(root: &Path) -> PathBuf {
    let real = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
    let is_root = |folder: &&Path| {
        let has = |name: &str| folder.join(name).exists();
        has(".git") || has(SETTINGS_FILE)
    };
    let found = real.ancestors().find(is_root);
    found.unwrap_or(&real).to_path_buf()
}

/// Whether what `link` leads to is outside `bounds`.
pub fn leads_out_of_bounds(bounds: &Path, link: &Path) -> bool {
    let target = link.canonicalize();
    target.is_ok_and(|target| !target.starts_with(bounds))
}

/// Whether an entry of a plain folder is a link that leads out.
pub(super) fn is_link_outside(folder: &Path, entry: &DirEntry) -> bool {
    let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
    is_link && leads_out_of_bounds(&bounds_of(folder), &entry.path())
}

/// The error about such a link.
pub fn link_outside(link: &Path, notices: &Notices) -> Notice {
    let what = "is a symbolic link that leads out of the folder; it is not read";
    let notice = Code::LinkOutside.of_file(&notices.show(link), what);
    notice.help("replace it with a copy, or name on the command line what it leads to")
}
