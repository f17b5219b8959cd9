//! What people are told about a file that is not as it should be, and the list that collects it.
//!
//! Below every stage: it holds texts and never decides what happens because of them.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

/// One error or warning: what and where in the first line, how to mend it in the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What is wrong, with the file (and line and column) it is wrong in.
    pub message: String,
    /// How to mend it.
    pub help: Option<String>,
}

/// How a message ends about something that nobody reads: a warning to who judges, an error to who sets.
pub(crate) const IGNORED: &str = "; it is ignored";

impl Notice {
    /// Whether it tells of something that nobody reads.
    pub(crate) fn is_of_ignored(&self) -> bool {
        self.message.ends_with(IGNORED)
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

/// A place in a text: line and column, both from 1; line 0 is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Line, from 1.
    pub line: u64,
    /// Column in characters, from 1.
    pub column: u64,
}

/// How many warnings of one kind are worth reading.
const ENOUGH: usize = 5;

/// Collects notices, so that one fault does not hide the next.
#[derive(Debug, Default)]
pub struct Notices {
    /// Paths are shown relative to this folder.
    base: Option<PathBuf>,
    /// Folders that people know by another path: an archive that was unpacked.
    called: Vec<(PathBuf, PathBuf)>,
    /// What must be mended before the thing can be judged.
    pub errors: Vec<Notice>,
    /// What is odd, but does not keep anything from being judged.
    pub warnings: Vec<Notice>,
}

impl Notices {
    /// An empty list whose paths are shown relative to `base`.
    pub fn relative_to(base: Option<&Path>) -> Self {
        Self {
            base: base.map(Path::to_path_buf),
            ..Self::default()
        }
    }

    /// Adds an error without advice.
    pub fn error(&mut self, message: impl Into<String>) {
        self.errors.push(Notice {
            message: message.into(),
            help: None,
        });
    }

    /// Adds an error with advice.
    pub fn error_help(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(Notice {
            message: message.into(),
            help: Some(help.into()),
        });
    }

    /// Adds a warning without advice.
    pub fn warn(&mut self, message: impl Into<String>) {
        self.warnings.push(Notice {
            message: message.into(),
            help: None,
        });
    }

    /// Adds a warning with advice.
    pub fn warn_help(&mut self, message: impl Into<String>, help: impl Into<String>) {
        self.warnings.push(Notice {
            message: message.into(),
            help: Some(help.into()),
        });
    }

    /// A path as people see it.
    pub fn show(&self, path: &Path) -> String {
        let known = self
            .called
            .iter()
            .find_map(|(folder, name)| Some(name.join(path.strip_prefix(folder).ok()?)));
        shown(known.as_deref().unwrap_or(path), self.base.as_deref())
    }

    /// From now on, what lies in `folder` is shown as if it lay in `name`.
    pub(crate) fn call(&mut self, folder: &Path, name: &Path) {
        self.called.push((folder.to_path_buf(), name.to_path_buf()));
    }

    /// A path with a place in it, as editors jump to it: `file:line:column`.
    pub fn show_at(&self, path: &Path, place: Place) -> String {
        match place.line {
            0 => self.show(path),
            line => format!("{}:{line}:{}", self.show(path), place.column.max(1)),
        }
    }
}

/// The first few of many faults of one kind; the others are counted.
#[derive(Debug, Default)]
pub(crate) struct Few {
    first: Vec<Notice>,
    more: usize,
}

impl Few {
    /// Adds a fault; beyond the first few its text is not even made.
    pub(crate) fn push(&mut self, notice: impl FnOnce() -> Notice) {
        if self.first.len() < ENOUGH {
            self.first.push(notice());
        } else {
            self.more += 1;
        }
    }

    /// The notices, the last of which counts those left out.
    pub(crate) fn finish(mut self, of_what: &str) -> Vec<Notice> {
        if self.more > 0 {
            self.first.push(Notice {
                message: format!("… and {} more {of_what}", self.more),
                help: None,
            });
        }
        self.first
    }
}

/// A path relative to `base` where it lies below it, with `/`, control characters made visible.
pub fn shown(path: &Path, base: Option<&Path>) -> String {
    let relative = base
        .and_then(|base| path.strip_prefix(base).ok())
        .filter(|rest| !rest.as_os_str().is_empty())
        .unwrap_or(path);
    let text = relative.to_string_lossy();
    let text = if std::path::MAIN_SEPARATOR == '/' {
        text
    } else {
        text.replace(std::path::MAIN_SEPARATOR, "/").into()
    };
    visible(&text)
}

/// `text` with its control characters escaped, safe to print on a terminal.
pub(crate) fn visible(text: &str) -> String {
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

/// The known name that `word` was probably meant to be.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    known
        .into_iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&word, &name.to_ascii_lowercase()),
                name,
            )
        })
        .filter(|(distance, name)| *distance <= 1.max(name.chars().count() / 3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn suggests_only_what_is_near() {
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
    fn counts_what_is_not_worth_repeating() {
        let mut few = Few::default();
        for i in 0..8 {
            few.push(|| Notice {
                message: i.to_string(),
                help: None,
            });
        }
        let shown = few.finish("files like that");
        assert_eq!(shown.len(), 6);
        assert_eq!(shown[5].message, "… and 3 more files like that");
    }
}
