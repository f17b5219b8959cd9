//! Single files: whether a file can be the source of a solution, and its text.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;

use crate::notice::{Code, Notice, Notices};
use crate::submission::FileNames;

/// A larger file is not accepted as a source.
const MAX_SOURCE: u64 = 16 << 20;

/// The help for a file in no known language.
pub(super) const LANGUAGES_HELP: &str = "`rejudge languages` lists the known languages; add others under `[languages.NAME]` in `rejudge.toml`";

/// The extension of a file, in the form for messages.
pub(super) fn extension_of(path: &Path) -> String {
    path.extension().map_or_else(
        || "no extension".to_owned(),
        |extension| {
            format!(
                "`.{}`",
                crate::notice::visible(&extension.to_string_lossy())
            )
        },
    )
}

/// Whether a file next to test cases may be a solution.
pub(super) fn may_be_source(path: &Path) -> bool {
    const OTHERS: [&str; 15] = [
        "in", "out", "ans", "md", "txt", "toml", "yaml", "yml", "json", "pdf", "html", "sh", "zip",
        "h", "hpp",
    ];
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|extension| !OTHERS.contains(&extension))
}

/// The contents of a source file, if they can be a source.
pub(super) fn read_source(path: &Path, notices: &mut Notices) -> Option<Vec<u8>> {
    let shown = notices.show(path);
    let file = std::fs::metadata(path).and_then(|metadata| {
        crate::plain_file::require(&metadata)?;
        std::fs::File::open(path)
    });
    let invalid = |why: &str| Code::InvalidSource.of_file(&shown, why);
    let mut text = Vec::new();
    let read = file.and_then(|file| file.take(MAX_SOURCE + 1).read_to_end(&mut text));
    if let Err(error) = read {
        notices.error(Notice::unreadable(&shown, &error));
        None
    } else if text.len() as u64 > MAX_SOURCE {
        notices.error_help(
            invalid("is larger than 16 MiB"),
            "a solution is a source file; remove other files",
        );
        None
    } else if text.iter().all(u8::is_ascii_whitespace) {
        notices.error_help(
            invalid("is empty"),
            "write the solution, or remove the file",
        );
        None
    } else if text.contains(&0) {
        notices.error_help(
            invalid("is a binary file, not a source"),
            "replace it with the source; remove compiled programs",
        );
        None
    } else {
        Some(text)
    }
}

/// The names of files in the text of a source.
pub(super) fn files_opened(path: &Path) -> Vec<String> {
    FileNames::named_in(path, &text_of(path))
}

/// The text of a source; empty if it cannot be read, which is reported when it is judged.
pub(super) fn text_of(path: &Path) -> Vec<u8> {
    let mut quiet = Notices::default();
    read_source(path, &mut quiet).unwrap_or_default()
}
