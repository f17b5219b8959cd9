//! Which files of a problem are copied: links that stay inside it become copies of their files.

use std::path::{Path, PathBuf};

use walkdir::DirEntry;

use crate::notice::Notice;

/// Whether a link at or above the file leads out of `root`, which contains the file.
pub(crate) fn leads_out_of(root: &Path, file: &Path) -> bool {
    let mut below = file.ancestors().take_while(|path| path.starts_with(root) && *path != root);
    let leaves = |(real, root): (PathBuf, PathBuf)| !real.starts_with(root);
    below.any(Path::is_symlink)
        && file
            .canonicalize()
            .and_then(|real| Ok((real, root.canonicalize()?)))
            .map_or(true, leaves)
}

/// Why a file or folder below `root` is not carried; `None` if it is.
pub(crate) fn why_not_carried(
    root: &Path,
    path: &Path,
    entry: &walkdir::Result<DirEntry>,
) -> Result<Option<&'static str>, Notice> {
    let kind = match entry {
        Ok(entry) if entry.path_is_symlink() && leads_out_of(root, path) => {
            return Ok(Some("which is a link out of the problem"));
        }
        Ok(entry) => entry.file_type(),
        // It has no target, or is a folder around itself.
        Err(_) if path.is_symlink() => return Ok(Some("which is a link that leads nowhere")),
        Err(error) => {
            return Err(Notice::unreadable(&crate::notice::shown(path, None), error));
        }
    };
    let is_known = kind.is_file() || kind.is_dir();
    Ok((!is_known).then_some("which is not a regular file"))
}
