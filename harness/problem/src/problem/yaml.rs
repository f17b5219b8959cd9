//! YAML files as trees whose nodes know their line: `problem.yaml` and the settings of groups.
//!
//! A library parses the text; this module adds what rejudge's messages need.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{MessageFormatter as _, Spanned, UserMessageFormatter};

use crate::notice::{Place, visible};

/// A value and the place of its first character.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// The place of its first character.
    pub place: Place,
}

/// A value of YAML.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Nothing: `null`, `~`, or no text.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(f64),
    /// Any other scalar.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the text.
    Map(Vec<(Key, Node)>),
}

/// A key of a mapping.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The key; for one that is no text, as it is written.
    pub name: String,
    /// Its place.
    pub place: Place,
}

/// Why a text cannot be parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct YamlError {
    /// What is wrong.
    pub message: String,
    /// The place of the fault.
    pub place: Place,
    /// Whether a key occurs twice.
    pub is_duplicate: bool,
}

/// Settings files are small; a larger file is something different.
const MAX_BYTES: usize = 1 << 20;

/// Reads one document. An empty text is [`Value::Null`].
pub fn parse(text: &str) -> Result<Node, YamlError> {
    parse_by(text, serde_saphyr::DuplicateKeyPolicy::Error)
}

/// As [`parse`], but of several equal keys the last counts, as in most libraries for Python.
pub(crate) fn parse_last(text: &str) -> Result<Node, YamlError> {
    parse_by(text, serde_saphyr::DuplicateKeyPolicy::LastWins).map(last_of_each)
}

/// Keeps the last of equal keys.
fn last_of_each(node: Node) -> Node {
    let value = match node.value {
        Value::Map(entries) => {
            let mut kept: Vec<(Key, Node)> = Vec::new();
            for (key, node) in entries {
                kept.retain(|(known, _)| known.name != key.name);
                kept.push((key, last_of_each(node)));
            }
            Value::Map(kept)
        }
        Value::List(items) => Value::List(items.into_iter().map(last_of_each).collect()),
        other => other,
    };
    Node { value, ..node }
}

fn parse_by(
    text: &str,
    duplicate_keys: serde_saphyr::DuplicateKeyPolicy,
) -> Result<Node, YamlError> {
    if text.len() > MAX_BYTES {
        return Err(YamlError {
            message: "it is larger than 1 MiB".to_owned(),
            place: Place::default(),
            is_duplicate: false,
        });
    }
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_nodes: 20_000,
            max_events: 50_000,
            max_documents: 2,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: 20_000,
        },
        duplicate_keys: duplicate_keys,
        non_finite_float_policy: serde_saphyr::NonFiniteFloatPolicy::PassThrough,
        // `y` and `no` are words, as in YAML 1.2.
        strict_booleans: true,
    };
    match serde_saphyr::from_str_with_options::<Spanned<Value>>(text, options) {
        Ok(root) => Ok(Node::from(root)),
        Err(error) => Err(describe(&error)),
    }
}

/// The library's message, without its excerpt and place, and the place.
fn describe(error: &serde_saphyr::Error) -> YamlError {
    use serde_saphyr::Error;
    let error = error.without_snippet();
    let place = error.location().map_or_else(Place::default, |location| Place {
        line: location.line(),
        column: location.column(),
    });
    let is_duplicate = matches!(error, Error::DuplicateMappingKey { .. });
    let message = match error {
        Error::MultipleDocuments { .. } => "there is a second document (`---`)".to_owned(),
        Error::DuplicateMappingKey { key: Some(key), .. } => {
            format!("the key `{}` is set twice", visible(key))
        }
        Error::DuplicateMappingKey { key: None, .. } => "a key is set twice".to_owned(),
        Error::UnknownAnchor { .. } => "an alias names an anchor that does not exist".to_owned(),
        Error::RecursiveReferencesRequireWeakTypes { .. } => "an anchor contains itself".to_owned(),
        other => visible(&UserMessageFormatter.format_message(other)),
    };
    YamlError { message, place, is_duplicate }
}

impl From<Spanned<Value>> for Node {
    fn from(spanned: Spanned<Value>) -> Self {
        Self {
            place: Place { line: spanned.referenced.line(), column: spanned.referenced.column() },
            value: spanned.value,
        }
    }
}

impl Value {
    /// A description of the value for messages: "a list", "the text `abc`".
    pub fn kind(&self) -> String {
        match self {
            Self::Null => "nothing".to_owned(),
            Self::Bool(value) => format!("`{value}`"),
            Self::Number(value) => format!("`{value}`"),
            Self::Text(text) => {
                let short: String = text.chars().take(40).collect();
                format!("the text `{}`", visible(&short))
            }
            Self::List(_) => "a list".to_owned(),
            Self::Map(_) => "a table".to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a YAML value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "limits are far below 2^53")]
    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(Value::Number(value as f64))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Number(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(item) = list.next_element::<Spanned<Value>>()? {
            nodes.push(Node::from(item));
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) =
            map.next_entry::<Spanned<Option<String>>, Spanned<Value>>()?
        {
            let key = Key {
                place: Place { line: key.referenced.line(), column: key.referenced.column() },
                // `~` is an empty name.
                name: key.value.unwrap_or_default(),
            };
            entries.push((key, Node::from(value)));
        }
        Ok(Value::Map(entries))
    }
}

/// The words of a text, or of a list of texts and numbers. The error has the place and kind of the
/// wrong value.
pub fn words(node: &Node) -> Result<Vec<String>, (Place, String)> {
    match &node.value {
        Value::Null => Ok(Vec::new()),
        Value::Text(text) => Ok(text.split_whitespace().map(str::to_owned).collect()),
        Value::Number(number) => Ok(vec![number.to_string()]),
        Value::Bool(word) => Ok(vec![word.to_string()]),
        Value::List(items) => items
            .iter()
            .map(|item| match &item.value {
                Value::Text(text) => Ok(text.clone()),
                Value::Number(number) => Ok(number.to_string()),
                Value::Bool(word) => Ok(word.to_string()),
                other => Err((item.place, other.kind())),
            })
            .collect(),
        Value::Map(_) => Err((node.place, node.value.kind())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    #[test]
    fn every_node_has_its_place() {
        let root = parse("name: a\nlimits:\n  memory: 12\n  flags: [x, 1.5]\n").unwrap();
        let Value::Map(entries) = &root.value else { panic!("{root:?}") };
        let Value::Map(limits) = &entries[1].1.value else { panic!("{root:?}") };
        assert_eq!(limits[0].0.name, "memory");
        assert_eq!((limits[0].0.place.line, limits[0].0.place.column), (3, 3));
        assert_eq!(limits[0].1.value, Value::Number(12.0));
        assert_eq!((limits[0].1.place.line, limits[0].1.place.column), (3, 11));
        let Value::List(flags) = &limits[1].1.value else { panic!("{root:?}") };
        assert_eq!(flags[0].value, Value::Text("x".to_owned()));
        assert_eq!(flags[1].value, Value::Number(1.5));
    }

    #[test]
    fn words_keep_their_spelling() {
        let of = |text: &str| words(&parse(text).unwrap());
        let expected = ["y", "no", "true", "5", "a b"].map(str::to_owned);
        assert_eq!(of("[y, no, true, 5, a b]"), Ok(expected.to_vec()));
        assert_eq!(of("on y"), Ok(vec!["on".to_owned(), "y".to_owned()]));
        assert!(of("[[a]]").is_err());
    }

    #[test]
    fn reads_unusual_documents_and_reports_faults() {
        assert_eq!(parse("").unwrap().value, Value::Null);
        assert_eq!(parse("# nothing\n").unwrap().value, Value::Null);
        assert_eq!(parse("2025-09").unwrap().value, Value::Text("2025-09".into()));
        let table = [
            ("a: [1, 2", 1, "unclosed bracket '['"),
            ("a: 1\nb: 'x\n", 3, "invalid indentation in multiline quoted scalar"),
            ("a: 1\na: 2\n", 2, "the key `a` is set twice"),
            ("a: 1\n---\na: 2\n", 3, "there is a second document (`---`)"),
            ("a: 1\n  b: 2\n", 2, "mapping values are not allowed in this context"),
            ("a: &a [*a]\n", 1, "an anchor contains itself"),
            ("a: *b\n", 1, "an alias names an anchor that does not exist"),
        ];
        let found = table.map(|(text, ..)| {
            let error = parse(text).unwrap_err();
            (text, error.place.line, error.message)
        });
        assert_eq!(found, table.map(|(text, line, message)| (text, line, message.to_owned())));
    }

    #[test]
    fn nested_aliases_are_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x]\n".to_owned();
        for i in 1..12 {
            let before = i - 1;
            let aliases = vec![format!("*a{before}"); 8].join(", ");
            writeln!(text, "a{i}: &a{i} [{aliases}]").unwrap();
        }
        assert!(parse(&text).is_err());
    }
}
