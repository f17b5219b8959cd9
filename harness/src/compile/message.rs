//! The compiler's messages, edited for users: cut to a limit from the start, and with the real path
//! of the submission, so that an editor can open it.

use std::ffi::OsString;
use std::io::Read;
use std::path::Path;

use crate::bytes::Bytes;
use crate::printable;
use crate::sandbox::Execution;

/// A compiler that prints more is killed.
pub(super) const MOST_OUTPUT: Bytes = Bytes::mib(8);

/// The number of bytes kept of the messages, from the start, because the first error matters most.
const MOST_KEPT: u64 = 64 << 10;

/// The command line with standard error redirected to standard output: this keeps the order of the
/// messages and their start, while only the end is kept of standard error.
pub(super) fn merged(command: Vec<OsString>) -> Vec<OsString> {
    let mut argv: Vec<OsString> = ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>&1"]
        .map(OsString::from)
        .into();
    argv.extend(command);
    argv
}

/// The messages of the compiler of `source`, in which the source is called `file` in `dir`.
pub(super) fn of(execution: &Execution, source: &Path, dir: &Path, file: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(reader) = execution.stdout.reader() {
        reader.take(MOST_KEPT).read_to_end(&mut bytes).ok();
    }
    let mut text = printable::paragraph(&bytes, usize::MAX);
    if execution.stdout.len() > MOST_KEPT {
        text.push_str("\n[the rest of the compiler's message is omitted]");
    }
    let errors = printable::paragraph(&execution.stderr_tail, usize::MAX);
    if !errors.trim().is_empty() {
        text.push('\n');
        text.push_str(errors.trim_end());
    }
    let dir = format!("{}/", dir.display());
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let shown = shown(source);
    rename(&text.replace(&dir, ""), &name, &shown)
        .trim()
        .to_owned()
}

/// The path relative to the current folder, if it lies in that.
pub(super) fn shown(source: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    crate::notice::shown(source, Some(&here))
}

/// Replaces `name` with `shown` where it is a whole path.
pub(super) fn rename(text: &str, name: &str, shown: &str) -> String {
    let joined = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '\\');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, found) = rest.split_at(at);
        let after = &found[name.len()..];
        let here = before.strip_suffix("./").unwrap_or(before);
        let alone = !here.ends_with(joined) && !here.ends_with('.') && !after.starts_with(joined);
        out.push_str(if alone { here } else { before });
        out.push_str(if alone { shown } else { name });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_path_is_replaced() {
        let table = [
            ("a.rs:3:5: error", "s/p/a.rs:3:5: error"),
            ("  --> a.rs:3:5", "  --> s/p/a.rs:3:5"),
            ("File \"a.rs\", line 3", "File \"s/p/a.rs\", line 3"),
            ("./a.rs:3:5", "s/p/a.rs:3:5"),
            ("a.rs(3,5) (a.rs)", "s/p/a.rs(3,5) (s/p/a.rs)"),
            (
                "aa.rs x/a.rs a.rst a.rs_ ../a.rs",
                "aa.rs x/a.rs a.rst a.rs_ ../a.rs",
            ),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(rename(text, "a.rs", "s/p/a.rs"), expected);
        }
    }
}
