//! Reads JSON files: the value, or the fault with its place.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::notice::{Code, Notice, Place};

/// Parses the file that messages call `shown`.
pub(super) fn parse<T: DeserializeOwned>(text: &str, shown: &str) -> Result<T, Notice> {
    serde_json::from_str(text).map_err(|error| {
        let place = Place {
            line: error.line() as u64,
            column: characters(text, error.line(), error.column()),
        };
        let (code, why) = match error.classify() {
            Category::Eof => (Code::InvalidSyntax, "the JSON text ends too early".to_owned()),
            Category::Syntax | Category::Io => (Code::InvalidSyntax, "not valid JSON".to_owned()),
            Category::Data => (Code::InvalidValue, without_place::<T>(text)),
        };
        code.at(place.of(shown), why)
    })
}

/// The column in characters of a column in bytes.
fn characters(text: &str, line: usize, column: usize) -> u64 {
    let line = text.split('\n').nth(line.saturating_sub(1));
    let bytes = line.unwrap_or_default().bytes().take(column);
    bytes.filter(|byte| !is_continuation(*byte)).count() as u64
}

/// Whether a byte continues a character of UTF-8.
fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

/// Why valid JSON is not a `T`. The library's message has no place if the value was parsed before.
fn without_place<T: DeserializeOwned>(text: &str) -> String {
    let value = serde_json::from_str(text).and_then(serde_json::from_value::<T>);
    let why = value.err().map(|error| error.to_string());
    why.unwrap_or_else(|| "a key is set twice".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct WithInput {
        #[expect(dead_code, reason = "only errors are of interest")]
        input: String,
    }

    #[test]
    fn a_fault_is_reported_with_its_place() {
        let table = [
            ("[{\"input\": \"a\"},", "f:1:16: the JSON text ends too early"),
            ("[{\"input\" \"a\"}]", "f:1:11: not valid JSON"),
            ("[{\"é\" \"a\"}]", "f:1:7: not valid JSON"),
            ("[{}]", "f:1:3: missing field `input`"),
            ("[\n{\"input\": 5}]", "f:2:11: invalid type: integer `5`, expected a string"),
            ("[{\"input\": \"a\", \"input\": \"b\"}]", "f:1:23: a key is set twice"),
        ];
        let found =
            table.map(|(text, _)| (text, parse::<Vec<WithInput>>(text, "f").unwrap_err().message));
        assert_eq!(found, table.map(|(text, message)| (text, message.to_owned())));
    }
}
