//! Documents in YAML.

use anyhow::{Context as _, Result};
use serde_json::{Map, Value};

/// Reads one document. `on` is a word, as in YAML 1.2.
pub(super) fn parse(text: &str) -> Result<Value> {
    let options = serde_saphyr::options! { strict_booleans: true };
    Ok(serde_saphyr::from_str_with_options(text, options)?)
}

/// The text of a scalar.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// The entries of a field, of which there are none if the field is missing.
pub(super) fn entries<'a>(value: &'a Value, field: &str) -> Result<Vec<(&'a String, &'a Value)>> {
    match value.get(field) {
        None | Some(Value::Null) => Ok(Vec::new()),
        Some(Value::Object(fields)) => Ok(fields.iter().collect()),
        Some(_) => anyhow::bail!("`{field}` is not a mapping"),
    }
}

/// The items of a field, of which there are none if the field is missing. A single text counts as a list of one.
pub(super) fn items<'a>(value: &'a Value, field: &str) -> Vec<&'a Value> {
    match value.get(field) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(items)) => items.iter().collect(),
        Some(one) => vec![one],
    }
}

pub(super) fn mapping<'a>(value: &'a Value, what: &str) -> Result<&'a Map<String, Value>> {
    value.as_object().with_context(|| format!("{what} is not a mapping"))
}

#[cfg(test)]
mod tests {
    use super::*;

    use serde_json::json;

    #[test]
    fn words_stay_words() {
        let parsed = parse("on: push\na: {b: no, c: 4, d: \"\", e: true}\n").expect("YAML");
        assert_eq!(parsed, json!({"on": "push", "a": {"b": "no", "c": 4, "d": "", "e": true}}));
        assert!(parse("a: 1\na: 2\n").is_err());
        assert!(parse("a: [").is_err());
    }

    #[test]
    fn a_single_text_is_a_list_of_one() {
        let value = json!({"a": "x", "b": ["x", 1], "c": {"d": 1}});
        let texts = |field| items(&value, field).into_iter().map(text).collect::<Vec<_>>();
        assert_eq!(texts("a"), ["x"]);
        assert_eq!(texts("b"), ["x", "1"]);
        assert_eq!(texts("z"), [""; 0]);
        assert_eq!(entries(&value, "c").expect("a mapping").len(), 1);
        assert!(entries(&value, "a").is_err());
    }
}
