//! Writes reports as JSON, one object per line. All JSON output goes through this module.
//!
//! Commands to a terminal or a CI can occur only inside JSON strings, where every character can be written as an
//! escape: readers get the same string, and the line is inert.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde::Serialize;

use crate::printable::is_hazardous;

/// The value on one line, without the newline.
pub(crate) fn line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(&serde_json::to_string(value)?))
}

/// Writes the value as one line.
pub(crate) fn write(out: &mut (impl Write + ?Sized), value: &impl Serialize) -> io::Result<()> {
    let mut line = line(value)?;
    line.push('\n');
    out.write_all(line.as_bytes())
}

/// Escapes what a CI or a terminal would execute. Outside strings, JSON has only characters that need no escape.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    let mut before = '\0';
    for c in json.chars() {
        let marked = c == '#' && before == '#';
        // A CI finds `section_start:` and the like in the middle of a line, too.
        let starts_fold = c == '_' && ends_in_fold_keyword(&out);
        if marked || starts_fold || is_hazardous(c) {
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

fn ends_in_fold_keyword(text: &str) -> bool {
    ["section", "travis"].iter().any(|word| text.ends_with(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::hostile::{self, obeyed};
    use crate::show::inert::inert;

    #[test]
    fn a_text_is_read_back_unchanged_and_executed_nowhere() {
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
            // The inert output stream has nothing left to change.
            prop_assert_eq!(inert(&json), json.clone());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
        }
    }
}
