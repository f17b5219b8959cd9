//! Writes a part of `generators.yaml` to a file of its own, as `BAPCtools` writes it: in its order, with its quotes and
//! its brackets, and with two spaces for each level. Comments are not carried over.

use crate::problem::yaml::{Key, Node, Value};

/// The text of a file with the table `node` of the file `source`.
pub(super) fn of(node: &Node, source: &str) -> String {
    let source = YamlSource(source);
    let mut text = String::new();
    match &node.value {
        Value::Map(entries) if !entries.is_empty() && !source.is_flow(node) => {
            source.table(entries, 0, &mut text);
        }
        _ => {
            text = source.flow(node);
            text.push('\n');
        }
    }
    text
}

/// The text of `generators.yaml`.
struct YamlSource<'a>(&'a str);

impl YamlSource<'_> {
    fn table(&self, entries: &[(Key, Node)], indent: usize, text: &mut String) {
        for (key, node) in entries {
            text.push_str(&" ".repeat(indent));
            self.entry(key, node, indent, text);
        }
    }

    /// `key: value`, at the end of a line that is already indented.
    fn entry(&self, key: &Key, node: &Node, indent: usize, text: &mut String) {
        text.push_str(&word(self.rest(key.place), &key.name));
        text.push(':');
        match &node.value {
            Value::Null => text.push('\n'),
            Value::Map(inner) if !inner.is_empty() && !self.is_flow(node) => {
                text.push('\n');
                self.table(inner, indent + 2, text);
            }
            Value::List(items) if !items.is_empty() && !self.is_flow(node) => {
                text.push('\n');
                self.list(items, indent + 2, text);
            }
            Value::Text(value) if self.is_block(key) => block(value, indent + 2, text),
            _ => {
                text.push(' ');
                text.push_str(&self.flow(node));
                text.push('\n');
            }
        }
    }

    fn list(&self, items: &[Node], indent: usize, text: &mut String) {
        for item in items {
            text.push_str(&" ".repeat(indent));
            text.push_str("- ");
            match &item.value {
                Value::Map(entries) if !entries.is_empty() && !self.is_flow(item) => {
                    for (index, (key, node)) in entries.iter().enumerate() {
                        if index > 0 {
                            text.push_str(&" ".repeat(indent + 2));
                        }
                        self.entry(key, node, indent + 2, text);
                    }
                }
                _ => {
                    text.push_str(&self.flow(item));
                    text.push('\n');
                }
            }
        }
    }

    /// A value on one line.
    fn flow(&self, node: &Node) -> String {
        match &node.value {
            Value::Null => String::from("null"),
            Value::Bool(_) | Value::Number(_) => self.plain(node),
            Value::Text(value) => word(self.rest(node.place), value),
            Value::List(items) => {
                let items: Vec<String> = items.iter().map(|item| self.flow(item)).collect();
                format!("[{}]", items.join(", "))
            }
            Value::Map(entries) => {
                let entry = |(key, node): &(Key, Node)| {
                    let key = word(self.rest(key.place), &key.name);
                    format!("{key}: {}", self.flow(node))
                };
                let entries: Vec<String> = entries.iter().map(entry).collect();
                format!("{{{}}}", entries.join(", "))
            }
        }
    }

    /// A number or a truth value, with every digit that the source has.
    fn plain(&self, node: &Node) -> String {
        let rest = self.rest(node.place);
        let end = rest.find(|c: char| c.is_whitespace() || ",]}#".contains(c));
        rest[..end.unwrap_or(rest.len())].to_owned()
    }

    fn is_flow(&self, node: &Node) -> bool {
        self.rest(node.place).starts_with(['[', '{'])
    }

    /// Whether the value of a key is a text of several lines.
    fn is_block(&self, key: &Key) -> bool {
        let value = self.rest(key.place).split_once(": ");
        value.is_some_and(|(_, value)| value.trim_start().starts_with('|'))
    }

    /// The source from this place.
    fn rest(&self, place: crate::notice::Place) -> &str {
        let number = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
        let line = self.0.split_inclusive('\n').nth(number(place.line)).unwrap_or_default();
        let start = line.char_indices().nth(number(place.column));
        // The rest of the line is enough: what begins a value is on its first line.
        start.map_or("", |(at, _)| &line[at..])
    }
}

/// A text in the quotes that the source has at its start.
fn word(source: &str, value: &str) -> String {
    let quoted = source.starts_with(['"', '\'']);
    let is_plain = !value.contains('\n') && source.starts_with(value);
    if quoted && source.starts_with('\'') && !value.contains('\n') {
        return format!("'{}'", value.replace('\'', "''"));
    }
    if quoted || !is_plain || value.is_empty() {
        return serde_json::Value::from(value).to_string();
    }
    value.to_owned()
}

/// A text of several lines.
fn block(value: &str, indent: usize, text: &mut String) {
    let header = match value.len() - value.trim_end_matches('\n').len() {
        0 => " |-\n",
        1 => " |\n",
        _ => " |+\n",
    };
    text.push_str(header);
    for line in value.split_inclusive('\n') {
        if line != "\n" {
            text.push_str(&" ".repeat(indent));
        }
        text.push_str(line);
    }
    if !value.ends_with('\n') {
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::yaml::parse;

    #[test]
    fn a_table_keeps_its_order_its_quotes_and_its_brackets() {
        let table = [
            ("a: [--x, \"y z\", '1e-2', 007, 1.50]\n", None),
            ("b:\n  c: true\n  'd e': {f: 1, g: [h]}\n", None),
            ("a:\n  - b\n  - c: 1\n    d: 2\n", None),
            ("a: # why\n- b\n-   c # what\nd:    e\n", Some("a:\n  - b\n  - c\nd: e\n")),
            ("a:\nb: \"\"\n", None),
            ("a: |\n  one\n\n  two\nb: 1\n", None),
            ("a: >\n  one\n  two\n", Some("a: \"one two\\n\"\n")),
            ("{a: 1}\n", None),
        ];
        for (source, expected) in table {
            let text = of(&parse(source).unwrap(), source);
            assert_eq!(text, expected.unwrap_or(source));
        }
    }
}
