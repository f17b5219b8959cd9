//! Errors and warnings about files, and the list that collects them.
//!
//! Every stage may use this module. It holds messages and decides nothing.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::name_text;

mod code;
mod folded;

pub use code::Code;
pub use folded::{Fold, few, folded, folds, more};

/// An error or warning: its kind, what is wrong and where in the first line, how to fix it in the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// The kind.
    pub code: Code,
    /// The file that it is about, if it is about one.
    pub location: Option<Location>,
    /// What is wrong, with the file, and the line and column if they are known.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
}

impl Notice {
    /// A file that cannot be read.
    pub fn unreadable(file: &str, error: &dyn fmt::Display) -> Self {
        Code::UnreadableFile.says(format!("cannot read {file}: {error}")).about(file)
    }

    /// Puts the setting or file that the message is about before it.
    #[must_use]
    pub fn of(self, what: impl fmt::Display) -> Self {
        Self { message: format!("{what}: {}", self.message), ..self }
    }

    /// Sets the location, and puts it before the message.
    #[must_use]
    pub fn at(self, location: impl Into<Location>) -> Self {
        let location = location.into();
        Self { location: Some(location.clone()), ..self.of(location) }
    }

    /// Sets the file that the message names.
    #[must_use]
    pub fn about(mut self, file: &str) -> Self {
        self.location = Some(Location { file: file.to_owned(), place: Place::default() });
        self
    }

    /// Sets how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(harmless(help.into()));
        self
    }
}

impl Code {
    /// A notice whose message names the file itself, if it is about one.
    pub fn says(self, message: impl Into<String>) -> Notice {
        Notice { code: self, location: None, message: harmless(message.into()), help: None }
    }

    /// A notice whose message begins with the file.
    pub fn of_file(self, file: &str, what: impl fmt::Display) -> Notice {
        self.says(format!("{file} {what}")).about(file)
    }

    /// A notice whose message begins with the location.
    pub fn at(self, location: impl Into<Location>, message: impl fmt::Display) -> Notice {
        let location = location.into();
        Notice { location: Some(location.clone()), ..self.says(format!("{location}: {message}")) }
    }
}

impl std::error::Error for Notice {}

/// A file as messages show it, and a place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The file, relative to the repository if it is inside.
    pub file: String,
    /// The place, if it is known.
    pub place: Place,
}

/// In the form that editors can open: `file:line:column`.
impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.line {
            0 => f.write_str(&self.file),
            line => write!(f, "{}:{line}:{}", self.file, self.place.column.max(1)),
        }
    }
}

impl From<&Location> for Location {
    fn from(location: &Location) -> Self {
        location.clone()
    }
}

impl From<&String> for Location {
    fn from(file: &String) -> Self {
        Self { file: file.clone(), place: Place::default() }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

/// A place in a text: line and column, both from 1. Line 0 means unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// The line, from 1.
    pub line: u64,
    /// The column in characters, from 1.
    pub column: u64,
}

impl Place {
    /// The place in a file.
    pub fn of(self, file: &str) -> Location {
        Location { file: file.to_owned(), place: self }
    }

    /// The start of a range of bytes in a text; the start of the text if there is no range.
    pub fn in_text(text: &str, span: Option<Range<usize>>) -> Self {
        let before = &text[..span.map_or(0, |span| span.start).min(text.len())];
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        Self { line: line as u64, column: column as u64 }
    }
}

/// The number of notices of one kind that are shown in full.
const ENOUGH: usize = 3;

/// Collects notices, so that one fault does not hide the next.
#[derive(Debug, Default)]
pub struct Notices {
    /// Paths are shown relative to this folder.
    base: Option<PathBuf>,
    /// Faults that must be fixed before judging.
    pub errors: Vec<Notice>,
    /// Faults that do not prevent judging.
    pub warnings: Vec<Notice>,
}

impl Notices {
    /// An empty list whose paths are shown relative to `base`.
    pub fn relative_to(base: Option<&Path>) -> Self {
        Self { base: base.map(Path::to_path_buf), ..Self::default() }
    }

    /// Adds an error.
    pub fn error(&mut self, notice: Notice) {
        self.errors.push(notice);
    }

    /// Adds an error with help.
    pub fn error_help(&mut self, notice: Notice, help: impl Into<String>) {
        self.errors.push(notice.help(help));
    }

    /// Adds a warning.
    pub fn warn(&mut self, notice: Notice) {
        self.warnings.push(notice);
    }

    /// Adds a warning with help.
    pub fn warn_help(&mut self, notice: Notice, help: impl Into<String>) {
        self.warnings.push(notice.help(help));
    }

    /// A path as messages show it.
    pub fn show(&self, path: &Path) -> String {
        shown(path, self.base.as_deref())
    }

    /// Shows paths in `other` as they are shown here.
    pub fn clone_names(&self, other: &mut Self) {
        other.base.clone_from(&self.base);
    }

    /// A path with a place.
    pub fn show_at(&self, path: &Path, place: Place) -> Location {
        Location { file: self.show(path), place }
    }
}

/// The first few of many faults of one kind, and the number of the others.
#[derive(Debug, Default)]
pub struct Few {
    first: Vec<Notice>,
    more: usize,
}

impl Few {
    /// Adds a fault. After the first few, faults are only counted and `notice` is not called.
    pub fn push(&mut self, notice: impl FnOnce() -> Notice) {
        if self.first.len() < ENOUGH {
            self.first.push(notice());
        } else {
            self.more += 1;
        }
    }

    /// The notices. If some were only counted, the last notice has their number.
    pub fn finish(mut self, of_what: &str) -> Vec<Notice> {
        if self.more > 0 {
            let code = self.first[0].code;
            self.first.push(code.says(format!("… and {} more {of_what}", self.more)));
        }
        self.first
    }
}

/// Folders and files that are shown under another path, such as that of an archive that was unpacked to them. They are facts of the
/// whole process: whoever shows a path of such a folder means the archive.
static CALLED: LazyLock<RwLock<HashMap<PathBuf, PathBuf>>> = LazyLock::new(RwLock::default);

/// From now on, shows `folder` as `name`, and paths in it as if they were in `name`, which may be such a path itself.
pub fn call(folder: &Path, name: &Path) {
    let name = called(name).unwrap_or_else(|| name.to_path_buf());
    let mut called = CALLED.write().unwrap_or_else(PoisonError::into_inner);
    called.insert(folder.to_path_buf(), name);
}

/// The path of the file in the archive, if `path` is in a folder to which one was unpacked.
fn called(path: &Path) -> Option<PathBuf> {
    let called = CALLED.read().unwrap_or_else(PoisonError::into_inner);
    if called.is_empty() {
        return None;
    }
    let mut above = path.ancestors();
    above.find_map(|folder| {
        let name = called.get(folder)?;
        let rest = path.strip_prefix(folder).ok()?;
        Some(if rest.as_os_str().is_empty() { name.clone() } else { name.join(rest) })
    })
}

/// A path with its control characters escaped; relative to `base` if it is below `base`.
pub fn shown(path: &Path, base: Option<&Path>) -> String {
    let known = called(path);
    let path = known.as_deref().unwrap_or(path);
    let relative = base
        .and_then(|base| path.strip_prefix(base).ok())
        .filter(|rest| !rest.as_os_str().is_empty())
        .unwrap_or(path);
    visible(&name_text::text(relative.as_os_str()))
}

/// `text` with the control characters escaped that do not separate lines. Packages and paths choose parts of messages.
fn harmless(text: String) -> String {
    let is_harmful = |c: char| c.is_control() && c != '\n';
    if !text.contains(is_harmful) {
        return text;
    }
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

/// `text` with its control characters escaped, safe to print on a terminal.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            let _ = write!(out, "{}", c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// The known name that is most similar to `word`, if one is similar enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&word, &name.to_ascii_lowercase()), name))
        .filter(|(distance, name)| {
            let length = name.chars().count();
            *distance <= 1.max(length / 3) && *distance < length.max(1)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_an_unpacked_archive_is_shown_as_part_of_it() {
        let at = |path: &str| Path::new("/no/such/cache").join(path);
        call(&at("unpacked"), Path::new("/d/tests.zip"));
        // A judge changes the line ends of one of its files.
        call(&at("texts/1"), &at("unpacked/1.in"));
        let base = Some(Path::new("/d"));
        for (path, expected) in [
            ("unpacked/a/1.in", "tests.zip/a/1.in"),
            ("unpacked", "tests.zip"),
            ("texts/1", "tests.zip/1.in"),
            ("other/1.in", "/no/such/cache/other/1.in"),
        ] {
            assert_eq!(shown(&at(path), base), expected);
        }
    }

    #[test]
    fn control_characters_of_a_message_are_escaped() {
        let location = Location { file: "a".to_owned(), place: Place::default() };
        let notices = [
            Code::UnknownKey.says("`\u{1b}[2J`\nsecond"),
            Code::UnknownKey.at(location, "`\u{1b}[2J`\nsecond"),
            Code::UnknownKey.says("x\nsecond").help("`\u{1b}[2J`"),
        ];
        for notice in notices {
            let shown = notice.to_string();
            assert!(shown.contains("`\\u{1b}[2J`"), "{shown}");
            assert!(shown.contains("\nsecond"), "{shown}");
        }
    }

    #[test]
    fn shows_paths_below_the_base_as_relative() {
        let base = Path::new("/r");
        let table = [
            ("/r/cases/a", "cases/a"),
            ("/r", "/r"),
            ("/elsewhere/a", "/elsewhere/a"),
            ("/r/a\u{1b}[31m\nb", "a\\u{1b}[31m\\nb"),
            ("/r/ü b", "ü b"),
        ];
        for (path, expected) in table {
            assert_eq!(shown(Path::new(path), Some(base)), expected);
        }
    }

    #[test]
    fn suggests_only_similar_names() {
        let known = ["wrong_answer", "accepted", "time_limit_exceeded"];
        let table = [
            ("wrong-answer", Some("wrong_answer")),
            ("acepted", Some("accepted")),
            ("TIME_LIMIT_EXCEDED", Some("time_limit_exceeded")),
            ("old", None),
            ("", None),
        ];
        for (word, expected) in table {
            assert_eq!(nearest(word, known), expected, "{word}");
        }
    }

    #[test]
    fn counts_repeated_notices() {
        let mut few = Few::default();
        for i in 0..8 {
            few.push(|| Code::NoCases.says(i.to_string()));
        }
        let shown = few.finish("files like that");
        assert_eq!(shown.len(), 4);
        assert_eq!(shown[3].message, "… and 5 more files like that");
    }
}
