//! The compiler's messages, edited for users: cut to a limit from the start, and with the real path
//! of the submission, so that an editor can open it.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use rejudge_check::{OwnPaths, rename};
use rejudge_quantity::Bytes;

use crate::printable;
use crate::sandbox::Execution;

/// A compiler that prints more is killed.
pub(super) const MOST_OUTPUT: Bytes = Bytes::mib(8);

/// The number of bytes kept of the messages, from the start, because the first error matters most.
const MOST_KEPT: u64 = 64 << 10;

/// The number of words before a command in what [`merged`] returns.
pub(super) const MERGED_WORDS: usize = 3;

/// The command line with standard error redirected to standard output: this keeps the order of the
/// messages and their start, while only the end is kept of standard error.
pub(super) fn merged(command: Vec<OsString>) -> Vec<OsString> {
    let mut argv: Vec<OsString> =
        ["/bin/sh", "-c", "exec \"$0\" \"$@\" 2>&1"].map(OsString::from).into();
    argv.extend(command);
    argv
}

/// Where a compiler ran, and what its messages are about.
#[derive(Clone, Copy)]
pub(super) struct MessageOrigin<'a> {
    /// The path of the source, as users know it.
    pub(super) shown: &'a str,
    /// The folder of the compilation.
    pub(super) dir: &'a Path,
    /// The source in that folder.
    pub(super) file: &'a Path,
    /// Whether the compiler was told to colour its messages.
    pub(super) is_colored: bool,
}

/// The messages of a compiler.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Message {
    /// Without colours: for files, other programs and the cache.
    pub(crate) plain: String,
    /// With the compiler's colours, if it was told to use them. Only for terminals.
    pub(crate) colored: Option<String>,
}

impl Message {
    /// The messages of the run, with the names of files as the compiler knows them.
    pub(super) fn of(execution: &Execution, origin: &MessageOrigin<'_>) -> Self {
        let mut bytes = Vec::new();
        if let Ok(reader) = execution.stdout.reader() {
            reader.take(MOST_KEPT).read_to_end(&mut bytes).ok();
        }
        let mut more = String::new();
        if execution.stdout.len() > MOST_KEPT {
            more.push_str("\n[the rest of the compiler's message is omitted]");
        }
        let errors = printable::paragraph(&execution.stderr_tail, usize::MAX);
        if !errors.trim().is_empty() {
            more.push('\n');
            more.push_str(errors.trim_end());
        }
        Self::read(&bytes, &more, origin)
    }

    /// The messages in `bytes`, with `more` after them.
    fn read(bytes: &[u8], more: &str, origin: &MessageOrigin<'_>) -> Self {
        let dir = format!("{}/", origin.dir.display());
        let shown = |text: &[u8]| printable::lines(text).replace(&dir, "");
        if !origin.is_colored {
            let plain = shown(bytes).trim_end().to_owned() + more;
            return Self { plain: plain.trim().to_owned(), colored: None };
        }
        let (mut plain, mut colored) = (String::new(), String::new());
        for (style, text) in styled_parts(bytes) {
            let text = shown(text);
            plain.push_str(&text);
            colored.push_str(&style);
            colored.push_str(&text);
        }
        let plain = plain.trim_end().to_owned() + more;
        let plain = plain.trim().to_owned();
        let colored = colored.trim_end().to_owned() + RESET + more;
        Self { colored: (!plain.is_empty()).then(|| colored.trim().to_owned()), plain }
    }

    /// The messages with the path of the source instead of its name in the folder of the compilation.
    pub(super) fn about(self, shown: &str, file_name: &str) -> Self {
        let name = Path::new(file_name).file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        // A source that includes files above it lies in a folder. The second pass finds nothing in `shown`, where the name
        // follows a slash.
        let rename = |text: &str| {
            if file_name == name {
                rename(text, &name, shown)
            } else {
                rename(&rename(text, file_name, shown), &name, shown)
            }
        };
        let colored = self.colored.map(|text| {
            let parts = styled_parts(text.as_bytes());
            let renamed =
                parts.map(|(style, text)| style + &rename(&String::from_utf8_lossy(text)));
            renamed.collect()
        });
        Self { plain: rename(&self.plain), colored }
    }
}

impl Message {
    /// Whether all of it is about lines of the source in the folder of the compilation, or nothing is said: no header is named, and
    /// the compiler has no other complaint. Lines of code begin with a space.
    pub(super) fn is_about(&self, file_name: &str) -> bool {
        let is_own = |line: &str| {
            let after = line.strip_prefix(file_name);
            line.starts_with(' ') || after.is_some_and(|after| after.starts_with(':'))
        };
        self.plain.lines().all(is_own)
    }

    /// The messages without the lines that say only that the compiler found no fault.
    pub(super) fn without_lines(self, success: &[OsString]) -> Self {
        let is_success = |line: &&str| {
            let parts = styled_parts(line.as_bytes()).map(|(_, text)| text);
            let bare = parts.collect::<Vec<_>>().concat();
            let mut known = success.iter();
            known.any(|known| known.as_encoded_bytes() == bare.trim_ascii())
        };
        let kept = |text: &str| {
            let lines: Vec<&str> = text.lines().filter(|line| !is_success(line)).collect();
            lines.join("\n").trim().to_owned()
        };
        if success.is_empty() {
            return self;
        }
        let plain = kept(&self.plain);
        let colored = self.colored.filter(|_| !plain.is_empty());
        Self { colored: colored.map(|text| kept(&text)), plain }
    }
}

const RESET: &str = "\x1b[0m";

/// Splits a text into parts that each start with a style or with nothing. The sequences that erase the rest of a line,
/// which gcc adds to its styles, are omitted. Any other control character stays in the text.
fn styled_parts(bytes: &[u8]) -> impl Iterator<Item = (String, &[u8])> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (mut style, mut start) = (String::new(), 0);
        if let Some((sequence, length)) = sequence(rest) {
            (style, start) = (sequence, length);
        }
        let text = &rest[start..];
        let end = (0..text.len()).find(|at| sequence(&text[*at..]).is_some());
        let (text, after) = text.split_at(end.unwrap_or(text.len()));
        rest = after;
        Some((style, text))
    })
}

/// The style at the start of a text, in our palette and empty for an erasing, and its length in the text.
fn sequence(bytes: &[u8]) -> Option<(String, usize)> {
    let inside = bytes.strip_prefix(b"\x1b[")?;
    let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b';';
    let length = inside.iter().take_while(|byte| is_part(byte)).count();
    let whole = length + 3;
    match inside.get(length)? {
        b'm' => Some((palette(&String::from_utf8_lossy(&inside[..length])), whole)),
        b'K' => Some((String::new(), whole)),
        _ => None,
    }
}

/// The styles of our palette that are nearest to these codes: bold, dim, underlined, reset, the eight colours.
fn palette(codes: &str) -> String {
    let numbers: Vec<u32> = codes.split(';').map(|code| code.parse::<u32>().unwrap_or(0)).collect();
    let mut styles = String::new();
    let mut rest = numbers.as_slice();
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let code = match (first, after) {
            (0 | 1 | 2 | 4 | 30..=37, _) => *first,
            (90..=97, _) => first - 60,
            // One of 256 colours: the first 16 are the eight, plain and bright.
            (38, [5, color, more @ ..]) => {
                rest = more;
                match color {
                    0..=15 => 30 + color % 8,
                    _ => continue,
                }
            }
            // A colour in red, green and blue, or a background.
            (38 | 48, [2, _, _, _, more @ ..]) | (48, [5, _, more @ ..]) => {
                rest = more;
                continue;
            }
            _ => continue,
        };
        let _ = write!(styles, "\x1b[{code}m");
    }
    styles
}

/// The messages of the compiler, in the names that users know.
pub(super) fn of(execution: &Execution, origin: &MessageOrigin<'_>) -> Message {
    let name = origin.file.strip_prefix(origin.dir).unwrap_or(origin.file).to_string_lossy();
    Message::of(execution, origin).about(origin.shown, &name)
}

/// The paths of an artefact in the store `root` that was built from `source`, which it calls `name` and messages `shown`.
pub(super) fn own_paths(root: &Path, source: &Path, (name, shown): (&str, &str)) -> Arc<OwnPaths> {
    let name = if source.is_dir() { "" } else { name };
    Arc::new(OwnPaths::new(root, name, shown))
}

/// The path relative to the current folder, if it lies in that.
pub(super) fn shown(source: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    crate::notice::shown(source, Some(&here))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_kept_only_for_terminals() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("a.c");
        let text =
            "\x1b[01m\x1b[Ka.c:1:2:\x1b[m\x1b[K \x1b[01;31m\x1b[Kerror: \x1b[m\x1b[Kno \x1b[2Jx\n";
        let mut origin =
            MessageOrigin { shown: "s/a.c", dir: dir.path(), file: &file, is_colored: true };
        let message = Message::read(text.as_bytes(), "", &origin).about(origin.shown, "a.c");
        assert_eq!(message.plain, "s/a.c:1:2: error: no \\x1b[2Jx");
        assert_eq!(
            message.colored.as_deref(),
            Some("\x1b[1ms/a.c:1:2:\x1b[0m \x1b[1m\x1b[31merror: \x1b[0mno \\x1b[2Jx\x1b[0m")
        );
        // No message has no colours.
        let none = Message::read(b"\x1b[K\n", "", &origin);
        assert_eq!((none.plain.as_str(), none.colored), ("", None));
        // The source lies in a folder, because it includes files above it.
        let below = Message { plain: "sol/a.c:3:1: error, and see a.c".to_owned(), colored: None };
        let message = below.about("p/sol/a.c", "sol/a.c");
        assert_eq!(message.plain, "p/sol/a.c:3:1: error, and see p/sol/a.c");
        // A compiler that was not told to colour prints the escapes of the source.
        origin.is_colored = false;
        let message = Message::read(text.as_bytes(), "", &origin);
        assert!(message.plain.starts_with("\\x1b[01m"), "{}", message.plain);
        assert_eq!(message.colored, None);
    }

    #[test]
    fn other_colours_become_the_nearest_of_the_palette() {
        for (codes, expected) in [
            ("01;31", "\x1b[1m\x1b[31m"),
            ("", "\x1b[0m"),
            ("38;5;12", "\x1b[34m"),
            ("38;5;200", ""),
            ("38;2;1;2;4;95", "\x1b[35m"),
            ("48;5;4;1", "\x1b[1m"),
            ("8", ""),
        ] {
            assert_eq!(palette(codes), expected, "{codes}");
        }
    }

    #[test]
    fn only_the_whole_path_is_replaced() {
        let table = [
            ("a.rs:3:5: error", "s/p/a.rs:3:5: error"),
            ("  --> a.rs:3:5", "  --> s/p/a.rs:3:5"),
            ("File \"a.rs\", line 3", "File \"s/p/a.rs\", line 3"),
            ("./a.rs:3:5", "s/p/a.rs:3:5"),
            ("a.rs(3,5) (a.rs)", "s/p/a.rs(3,5) (s/p/a.rs)"),
            ("aa.rs x/a.rs a.rst a.rs_ ../a.rs", "aa.rs x/a.rs a.rst a.rs_ ../a.rs"),
            ("", ""),
        ];
        for (text, expected) in table {
            assert_eq!(rename(text, "a.rs", "s/p/a.rs"), expected);
        }
    }

    #[test]
    fn a_line_of_success_is_no_message() {
        let success = ["Syntax OK", "p/a.pl syntax OK"].map(OsString::from);
        let table = [
            ("Syntax OK", ""),
            ("p/a.pl syntax OK", ""),
            ("p/b.pl syntax OK", "p/b.pl syntax OK"),
            ("a.rb:1: warning: x\nSyntax OK\n", "a.rb:1: warning: x"),
            ("not Syntax OK", "not Syntax OK"),
        ];
        for (text, expected) in table {
            let message =
                Message { plain: text.to_owned(), colored: Some(format!("\x1b[1m{text}")) };
            let found = message.clone().without_lines(&success);
            assert_eq!(found.plain, expected, "{text}");
            assert_eq!(found.colored.is_some(), !expected.is_empty(), "{text}");
            assert_eq!(message.clone().without_lines(&[]), message);
        }
    }
}
