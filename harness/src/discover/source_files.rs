//! Single files: whether a file can be the source of a solution, and its text.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::language::is_binary;
use crate::notice::{Code, Notice, Notices};
use crate::problem::is_ignored;

/// A larger file is not accepted as a source.
pub(crate) const MAX_SOURCE: u64 = 16 << 20;

/// The help for a file in no known language.
pub(super) const LANGUAGES_HELP: &str = "`rejudge languages` lists the known languages; add others under `[languages.NAME]` in `rejudge.toml`";

/// The extension of a file, in the form for messages.
pub(super) fn extension_of(path: &Path) -> String {
    path.extension().map_or_else(
        || "no extension".to_owned(),
        |extension| format!("`.{}`", crate::notice::visible(&extension.to_string_lossy())),
    )
}

/// Whether a file next to test cases may be a solution.
pub(super) fn may_be_source(path: &Path) -> bool {
    const OTHERS: [&str; 16] = [
        "in", "out", "ans", "md", "txt", "toml", "yaml", "yml", "json", "conf", "pdf", "html",
        "sh", "zip", "h", "hpp",
    ];
    path.extension().and_then(OsStr::to_str).is_some_and(|extension| !OTHERS.contains(&extension))
}

/// Why a text cannot be a source, and what to do.
pub(crate) fn fault_of_source(text: &[u8]) -> Option<(&'static str, &'static str)> {
    if text.len() as u64 > MAX_SOURCE {
        Some(("is larger than 16 MiB", "a solution is a source file; remove other files"))
    } else if is_binary(text) {
        let help = "replace it with the source; remove compiled programs";
        Some(("is a binary file, not a source", help))
    } else {
        None
    }
}

/// The contents of a source file, if they can be a source.
pub(super) fn read_source(path: &Path, notices: &mut Notices) -> Option<Vec<u8>> {
    let text = match crate::plain_file::read_up_to(path, MAX_SOURCE) {
        Ok(text) => text,
        Err(error) => {
            let shown = notices.show(path);
            notices.error(Notice::unreadable(&shown, &error));
            return None;
        }
    };
    let Some((why, help)) = fault_of_source(&text) else {
        return Some(text);
    };
    let shown = notices.show(path);
    notices.error_help(Code::InvalidSource.of_file(&shown, why), help);
    None
}

/// The folders below a folder, without hidden and ignored ones, in the order of their paths.
pub(super) fn folders_below(dir: &Path) -> Vec<PathBuf> {
    const DEPTH: usize = 8;
    let is_kept = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.file_type().is_dir() && !name.starts_with('.') && !is_ignored(&name)
    };
    let walk = walkdir::WalkDir::new(dir).min_depth(1).max_depth(DEPTH).sort_by_file_name();
    let entries = walk.into_iter().filter_entry(is_kept);
    entries.flatten().map(walkdir::DirEntry::into_path).collect()
}
