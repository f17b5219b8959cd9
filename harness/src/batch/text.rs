//! The texts of inputs and answers, which requests write as text, as lines, or as values.

use std::borrow::Cow;

use serde_json::value::RawValue;

/// Why a value is no text.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotText {
    #[error("is neither text nor a list of lines")]
    Neither,
    #[error("is a list with something that is no text")]
    Item,
    #[error("is no valid text: {0}")]
    Invalid(String),
}

/// A text, or a list of lines. `Err`: it is neither.
pub(super) fn of(value: &RawValue) -> Result<Cow<'_, str>, NotText> {
    let json = value.get();
    match json.as_bytes().first() {
        Some(b'"') => {
            serde_json::from_str(json).map_err(|error| NotText::Invalid(error.to_string()))
        }
        Some(b'[') => {
            let lines: Result<Vec<Cow<'_, str>>, _> = serde_json::from_str(json);
            let lines = lines.map_err(|_| NotText::Item)?;
            let mut text = String::with_capacity(lines.iter().map(|line| line.len() + 1).sum());
            for line in lines {
                text.push_str(&line);
                if !line.ends_with('\n') {
                    text.push('\n');
                }
            }
            Ok(Cow::Owned(text))
        }
        _ => Err(NotText::Neither),
    }
}

/// The length of a head of a text, in bytes.
const HEAD: usize = 1024;

/// The start of a text, without a part of a character at its end.
pub(super) fn start_of(bytes: &[u8]) -> String {
    let head = &bytes[..bytes.len().min(HEAD)];
    let whole = match std::str::from_utf8(head) {
        Err(error) if error.error_len().is_none() => &head[..error.valid_up_to()],
        _ => head,
    };
    String::from_utf8_lossy(whole).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_lists_of_lines_are_texts() {
        let text = |json: &str| {
            let value = RawValue::from_string(json.to_owned()).unwrap();
            of(&value).map(Cow::into_owned)
        };
        assert_eq!(text(r#""a\nb""#), Ok("a\nb".to_owned()));
        assert_eq!(text(r#"["a", "b\n", ""]"#), Ok("a\nb\n\n".to_owned()));
        assert_eq!(text("[]"), Ok(String::new()));
        for wrong in ["1", "null", "{}", "[1]", "[[\"a\"]]"] {
            assert!(text(wrong).is_err(), "{wrong}");
        }
    }
}
