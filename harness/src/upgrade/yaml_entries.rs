//! A YAML file as the lines of its entries: an edit of one entry keeps all other lines, with their comments.

use crate::notice::Place;
use crate::problem::yaml::{self, Node, Value};

/// An entry of a table: its key, its value, and its lines.
#[derive(Debug, Clone)]
struct YamlEntry {
    key: String,
    node: Node,
    place: Place,
    lines: Vec<String>,
}

/// A table in block style: a file, or the lines of a value of one.
#[derive(Debug, Clone)]
pub(super) struct YamlEntries {
    /// The lines before the first entry.
    head: Vec<String>,
    entries: Vec<YamlEntry>,
}

/// Why a table cannot be edited.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NotEditable {
    pub(super) message: String,
    pub(super) place: Place,
}

impl YamlEntries {
    /// Reads a file. An empty one has no entries.
    pub(super) fn parse(text: &str) -> Result<Self, NotEditable> {
        let root = yaml::parse(text)
            .map_err(|error| NotEditable { message: error.message, place: error.place })?;
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        match root.value {
            Value::Null => Ok(Self { head: lines, entries: Vec::new() }),
            Value::Map(table) => Self::of(table, lines, 1),
            other => Err(NotEditable {
                message: format!("expected a table of keys, got {}", other.kind()),
                place: root.place,
            }),
        }
    }

    /// The entries of a table that is the value of `key`; `None`: it is not a table in block style.
    pub(super) fn inside(&self, key: &str) -> Option<Self> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        let Value::Map(table) = &entry.node.value else { return None };
        let first = table.first()?.0.place.line;
        if first == entry.place.line {
            return None;
        }
        // What follows the value stays with the entry around it.
        let end = entry.lines.len() - entry.comments_below().len();
        Self::of(table.clone(), entry.lines[1..end].to_vec(), entry.place.line + 1).ok()
    }

    /// The entries with these keys, which are in `lines`; the first of these is line `start` of the file.
    fn of(
        table: Vec<(yaml::Key, Node)>,
        mut lines: Vec<String>,
        start: u64,
    ) -> Result<Self, NotEditable> {
        let mut entries: Vec<YamlEntry> = Vec::new();
        for (key, node) in table.into_iter().rev() {
            let at = usize::try_from(key.place.line.saturating_sub(start)).unwrap_or(usize::MAX);
            let is_first_word = lines.get(at).is_some_and(|line| {
                let indent = line.chars().take_while(|c| *c == ' ').count() as u64;
                indent + 1 == key.place.column
            });
            if !is_first_word {
                return Err(NotEditable {
                    message: "two keys are on one line".to_owned(),
                    place: key.place,
                });
            }
            let own = lines.split_off(at);
            entries.push(YamlEntry { key: key.name, node, place: key.place, lines: own });
        }
        entries.reverse();
        Ok(Self { head: lines, entries })
    }

    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries.iter().find(|entry| entry.key == key).map(|entry| &entry.node)
    }

    /// The keys in order, with their values and places.
    pub(super) fn keys(&self) -> impl Iterator<Item = (&str, &Node, Place)> {
        self.entries.iter().map(|entry| (entry.key.as_str(), &entry.node, entry.place))
    }

    /// The place of a key.
    pub(super) fn place(&self, key: &str) -> Place {
        let found = self.entries.iter().find(|entry| entry.key == key);
        found.map(|entry| entry.place).unwrap_or_default()
    }

    /// Replaces the lines of an entry, or adds them at the end. Comments below the entry stay.
    pub(super) fn set(&mut self, key: &str, text: &str) {
        match self.entries.iter().position(|entry| entry.key == key) {
            Some(index) => self.entries[index].replace(key, text),
            None => self.entries.push(YamlEntry::new(key, text)),
        }
    }

    /// Replaces an entry by one with another key.
    pub(super) fn rename(&mut self, old: &str, new: &str, text: &str) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == old) {
            entry.replace(new, text);
        }
    }

    /// Adds an entry before all others, or after the entry `after`.
    pub(super) fn insert(&mut self, after: Option<&str>, key: &str, text: &str) {
        let place = after.and_then(|after| self.entries.iter().position(|one| one.key == after));
        let mut entry = YamlEntry::new(key, text);
        if let Some(before) = place.and_then(|place| self.entries.get_mut(place)) {
            let left = before.comments_below();
            before.lines.truncate(before.lines.len() - left.len());
            entry.lines.extend(left);
        }
        self.entries.insert(place.map_or(0, |place| place + 1), entry);
    }

    /// Removes an entry. Comments below it stay.
    pub(super) fn remove(&mut self, key: &str) {
        let Some(index) = self.entries.iter().position(|entry| entry.key == key) else { return };
        let left = self.entries.remove(index).comments_below();
        match index.checked_sub(1) {
            Some(before) => self.entries[before].lines.extend(left),
            None => self.head.extend(left),
        }
    }

    /// The number of blanks before the first key.
    pub(super) fn indent(&self) -> Option<usize> {
        let line = self.entries.first()?.lines.first()?;
        Some(line.len() - line.trim_start_matches(' ').len())
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        let lines = self.head.iter().chain(self.entries.iter().flat_map(|entry| &entry.lines));
        lines.fold(String::new(), |text, line| text + line + "\n")
    }

    /// The lines of comments.
    pub(super) fn comments(&self) -> impl Iterator<Item = &str> {
        let lines = self.head.iter().chain(self.entries.iter().flat_map(|entry| &entry.lines));
        lines.map(|line| line.trim()).filter(|line| line.starts_with('#'))
    }
}

impl YamlEntry {
    fn new(key: &str, text: &str) -> Self {
        let node = Node { value: Value::Null, place: Place::default() };
        let lines = text.lines().map(str::to_owned).collect();
        Self { key: key.to_owned(), node, place: Place::default(), lines }
    }

    fn replace(&mut self, key: &str, text: &str) {
        let left = self.comments_below();
        key.clone_into(&mut self.key);
        self.lines = text.lines().map(str::to_owned).collect();
        self.lines.extend(left);
    }

    /// The comments and empty lines that follow the value.
    fn comments_below(&self) -> Vec<String> {
        let is_comment = |line: &&String| {
            let line = line.trim();
            line.is_empty() || line.starts_with('#')
        };
        let count = self.lines[1..].iter().rev().take_while(is_comment).count();
        self.lines[self.lines.len() - count..].to_vec()
    }
}

/// A text as a value: without quotes if it can be.
pub(super) fn scalar(text: &str) -> String {
    let plain = format!("k: {text}\n");
    let is_same = |node: Node| match node.value {
        Value::Map(entries) => {
            matches!(entries.as_slice(), [(_, Node { value: Value::Text(value), .. })] if value == text)
        }
        _ => false,
    };
    // Words such as `no` are texts here, and not for every reader.
    let is_word = text.len() > 3 && text.chars().any(|c| !c.is_ascii_digit() && !".-:".contains(c));
    let fits_in_a_list = !text.contains([',', '[', ']', '{', '}']);
    if is_word && fits_in_a_list && yaml::parse(&plain).is_ok_and(is_same) {
        text.to_owned()
    } else {
        crate::import::quoted(text)
    }
}

/// Texts as a list on one line.
pub(super) fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| scalar(word)).collect();
    format!("[{}]", words.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_of_an_entry_keeps_the_other_lines() {
        let text = "# head\nname: A # title\n\n# about\nauthor: B\n# below\nlimits:\n  memory: 5\n  # in\n  time_multiplier: 2\n# end\n";
        let mut yaml = YamlEntries::parse(text).unwrap();
        assert_eq!(yaml.text(), text);
        yaml.rename("author", "credits", "credits:\n  authors: B");
        yaml.insert(None, "type", "type: pass-fail");
        yaml.insert(Some("name"), "uuid", "uuid: 1");
        let mut limits = yaml.inside("limits").unwrap();
        limits.remove("time_multiplier");
        assert_eq!(limits.text(), "  memory: 5\n  # in\n");
        yaml.remove("name");
        let expected = "# head\ntype: pass-fail\nuuid: 1\n\n# about\ncredits:\n  authors: B\n# below\nlimits:\n  memory: 5\n  # in\n  time_multiplier: 2\n# end\n";
        assert_eq!(yaml.text(), expected);
        assert_eq!(yaml.place("limits").line, 7);
    }

    #[test]
    fn tables_in_one_line_are_not_edited() {
        let fault = YamlEntries::parse("{name: a, author: b}\n").unwrap_err();
        assert_eq!((fault.place.line, fault.place.column), (1, 11));
        let yaml = YamlEntries::parse("limits: {memory: 5}\n").unwrap();
        assert!(yaml.inside("limits").is_none());
        assert!(YamlEntries::parse("# nothing\n").unwrap().get("name").is_none());
    }

    #[test]
    fn a_text_is_quoted_if_readers_could_take_it_for_something_else() {
        for (text, expected) in [
            ("Hello World!", "Hello World!"),
            ("float_tolerance", "float_tolerance"),
            ("1e-6", "\"1e-6\""),
            ("no", "\"no\""),
            ("a: b", "\"a: b\""),
            ("x # y", "\"x # y\""),
            ("2019-05", "\"2019-05\""),
            ("a, b", "\"a, b\""),
        ] {
            assert_eq!(scalar(text), expected, "{text}");
        }
    }
}
