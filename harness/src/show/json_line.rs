//! Writes reports as JSON, one object per line. All JSON output goes through this module.
//!
//! Commands to a terminal or a CI can occur only inside JSON strings, where every character can be written as an
//! escape: readers get the same string, and the line is inert.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::printable::is_hazardous;

/// The version of the schemas, which every line has as `schema`.
pub(crate) const SCHEMA: u32 = 1;

/// What is written: the keys of a line, and those that all lines have.
#[derive(Serialize)]
struct Envelope<'a, T> {
    #[serde(flatten)]
    line: &'a T,
    schema: u32,
}

/// Milliseconds, to the nanosecond: a report of a stored run rounds and sums the same times as that of the run.
pub(crate) fn milliseconds(duration: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days")]
    let nanos = duration.as_nanos() as f64;
    nanos / 1e6
}

/// An object on one line, without the newline.
pub(crate) fn line(object: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(&Envelope { line: object, schema: SCHEMA })?;
    Ok(escaped(&text))
}

/// Writes an object as one line.
pub(crate) fn write(out: &mut (impl Write + ?Sized), object: &impl Serialize) -> io::Result<()> {
    let mut line = line(object)?;
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
        let json = line(&serde_json::json!({ "text": text })).unwrap();
        assert!(json.is_ascii(), "{json}");
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(read, serde_json::json!({ "text": text, "schema": SCHEMA }));
    }

    proptest! {
        #[test]
        fn every_line_is_inert_and_means_the_same(text in hostile::text()) {
            let mut value = serde_json::json!({ &text: [&text, 1, null], "type": "case" });
            let json = line(&value).unwrap();
            value["schema"] = SCHEMA.into();
            prop_assert_eq!(obeyed(&json), None);
            // The inert output stream has nothing left to change.
            prop_assert_eq!(inert(&json), json.clone());
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&json).unwrap(), value);
        }
    }
}
