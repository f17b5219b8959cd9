//! Reports as JSON, a line for each object: the one place where they are made into text.
//!
//! What a terminal or a CI could obey stands in texts alone, and in them every character has an escape: readers
//! get the same text, and the line is inert.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::checker::printable::is_hazardous;

/// The value as one line, without its end.
pub(crate) fn line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(&serde_json::to_string(value)?))
}

/// Writes the value as one line.
pub(crate) fn write(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    let mut line = line(value)?;
    line.push('\n');
    out.write_all(line.as_bytes())
}

/// Outside of texts JSON is letters, digits and a few signs, none of which is touched here.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut before = '\0';
    for c in json.chars() {
        let marked = c == '#' && before == '#';
        // `section_start:` and its like would also be found in the middle of a line.
        let folds = c == '_' && ends_in_a_word_of_folds(&out);
        if marked || folds || is_hazardous(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
        before = c;
    }
    out
}

fn ends_in_a_word_of_folds(text: &str) -> bool {
    ["section", "travis"]
        .iter()
        .any(|word| text.ends_with(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::report::hostile::{self, obeyed};
    use crate::report::inert::inert;

    #[test]
    fn a_text_is_read_as_it_was_and_obeyed_by_nobody() {
        let text = "::error:: ##[error] ##vso[a] section_start:1 \u{9b}31m \u{202e} \u{1ffff}";
        let json = line(&text).unwrap();
        assert!(json.is_ascii(), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    proptest! {
        #[test]
        fn every_line_is_inert_and_means_the_same(text in hostile::text()) {
            let value = serde_json::json!({ &text: [&text, 1, null], "type": "case" });
            let json = line(&value).unwrap();
            prop_assert_eq!(obeyed(&json), None);
            // The stream that it may go to has nothing left to change.
            prop_assert_eq!(inert(&json), json.clone());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
        }
    }
}
