//! Typed access to the keys of a table in a YAML file. A value of the wrong type is an error with
//! its place.

use std::path::{Path, PathBuf};

use crate::notice::{Code, Location, Notices, Place};
use crate::problem::settings::{read_yaml, read_yaml_of_python};
use crate::problem::yaml::{Key, Node, Value};
use crate::problem::{StatedFiles, Streams};

/// A table in a YAML file.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    path: &'a Path,
    entries: &'a [(Key, Node)],
    /// Where the table starts.
    place: Place,
}

/// A YAML file that contains a table.
pub(super) struct TableFile {
    path: PathBuf,
    entries: Vec<(Key, Node)>,
    place: Place,
}

impl TableFile {
    /// Reads a file that must contain a table. Errors go to `notices`.
    pub(super) fn read(path: &Path, notices: &mut Notices) -> Option<Self> {
        Self::of(path, read_yaml(path, notices)?, notices)
    }

    /// As [`Self::read`], for a file that its own tool reads with a library for Python: keys may be set twice.
    pub(super) fn read_of_python(path: &Path, notices: &mut Notices) -> Option<Self> {
        Self::of(path, read_yaml_of_python(path, notices)?, notices)
    }

    fn of(path: &Path, root: Node, notices: &mut Notices) -> Option<Self> {
        let Value::Map(entries) = root.value else {
            not_a_table(path, &root, notices);
            return None;
        };
        Some(Self { path: path.to_owned(), entries, place: root.place })
    }

    /// A file in another notation, with these keys.
    pub(super) fn with_entries(path: &Path, entries: Vec<(Key, Node)>) -> Self {
        Self { path: path.to_owned(), entries, place: Place { line: 1, column: 1 } }
    }

    /// What a file without keys would be.
    pub(super) fn empty(path: &Path) -> Self {
        Self { path: path.to_owned(), entries: Vec::new(), place: Place::default() }
    }

    /// Its table.
    pub(super) fn fields(&self) -> Fields<'_> {
        Fields { path: &self.path, entries: &self.entries, place: self.place }
    }
}

fn not_a_table(path: &Path, node: &Node, notices: &mut Notices) {
    let got = node.value.kind();
    let at = notices.show_at(path, node.place);
    notices.error(Code::InvalidValue.at(&at, format!("expected a table of keys, got {got}")));
}

impl<'a> Fields<'a> {
    /// The table in `node`; an error if it is not a table.
    pub(super) fn of(path: &'a Path, node: &'a Node, notices: &mut Notices) -> Option<Self> {
        if let Value::Map(entries) = &node.value {
            return Some(Self { path, entries, place: node.place });
        }
        not_a_table(path, node, notices);
        None
    }

    /// Whether a key exists and is not null.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value of a key; `None` if it is missing or null.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        let (_, node) = self.entries.iter().find(|(known, _)| known.name == key)?;
        (node.value != Value::Null).then_some(node)
    }

    /// Adds an error about this table.
    pub(super) fn fault(&self, message: &str, notices: &mut Notices) {
        let at = notices.show_at(self.path, self.place);
        notices.error(Code::InvalidValue.at(&at, message));
    }

    /// Where the value of a key is; the start of the table if the key is missing.
    pub(super) fn place_at(&self, key: &str, notices: &Notices) -> Location {
        let place = self.get(key).map_or(self.place, |node| node.place);
        notices.show_at(self.path, place)
    }

    /// Adds an error about the value of a key.
    pub(super) fn fault_at(&self, key: &str, message: &str, help: &str, notices: &mut Notices) {
        let at = self.place_at(key, notices);
        notices.error_help(Code::InvalidValue.at(at, message), help);
    }

    /// Warns that a setting has no effect.
    pub(super) fn ignored(&self, key: &str, notices: &mut Notices) {
        let at = notices.show(self.path);
        let key = crate::notice::visible(key);
        notices
            .warn(Code::UnusedSetting.at(&at, format!("`{key}` is not supported; it is ignored")));
    }

    /// The files that solutions must use. An invalid name is an error.
    pub(super) fn stated_files(
        &self,
        input: Option<String>,
        output: Option<String>,
        notices: &mut Notices,
    ) -> Option<Streams> {
        match StatedFiles::new(input, output) {
            Ok(files) => Some(Streams::Stated(files)),
            Err(invalid) => {
                self.fault(&invalid.to_string(), notices);
                None
            }
        }
    }

    fn wrong(&self, key: &str, node: &Node, what: &str, notices: &mut Notices) {
        let got = node.value.kind();
        let at = notices.show_at(self.path, node.place);
        notices.error(Code::InvalidValue.at(&at, format!("`{key}` must be {what}, got {got}")));
    }

    /// A text; a number is converted to text.
    pub(super) fn text(&self, key: &str, notices: &mut Notices) -> Option<String> {
        let node = self.get(key)?;
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => {
                self.wrong(key, node, "a text", notices);
                None
            }
        }
    }

    /// A number that is not negative.
    pub(super) fn number(&self, key: &str, notices: &mut Notices) -> Option<f64> {
        let node = self.get(key)?;
        let number = match &node.value {
            Value::Number(number) => Some(*number),
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        };
        let good = number.filter(|number| number.is_finite() && *number >= 0.0);
        if good.is_none() {
            self.wrong(key, node, "a number of at least 0", notices);
        }
        good
    }

    /// The table of a key; `None` if it is missing or null. Another value is an error.
    pub(super) fn table(&self, key: &str, notices: &mut Notices) -> Option<Self> {
        Self::of(self.path, self.get(key)?, notices)
    }

    /// The file that contains the table.
    pub(super) fn path(&self) -> &'a Path {
        self.path
    }

    /// Where the table starts.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// All keys with their values.
    pub(super) fn entries(&self) -> &'a [(Key, Node)] {
        self.entries
    }

    /// The items of a list; empty if the key is missing.
    pub(super) fn list(&self, key: &str, notices: &mut Notices) -> &'a [Node] {
        match self.get(key).map(|node| (node, &node.value)) {
            None => &[],
            Some((_, Value::List(items))) => items,
            Some((node, _)) => {
                self.wrong(key, node, "a list", notices);
                &[]
            }
        }
    }

    /// Whether a key is `true`, `yes` or `on`; false if it is missing.
    pub(super) fn flag(&self, key: &str) -> bool {
        match self.get(key).map(|node| &node.value) {
            Some(Value::Bool(flag)) => *flag,
            // As in YAML 1.1.
            Some(Value::Text(word)) => ["yes", "on"].contains(&word.to_ascii_lowercase().as_str()),
            _ => false,
        }
    }
}
