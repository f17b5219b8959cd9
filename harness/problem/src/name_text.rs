//! Names of files as text. A name can be any bytes, but names of cases, globs and reports are text.
//!
//! A byte that is not part of valid UTF-8 becomes U+FFFD, which is how programs show it, and its two hexadecimal digits. So
//! names that differ stay different, and the name can be computed from the text. Archives from Windows often contain such
//! names.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::Path;

const MARK: char = char::REPLACEMENT_CHARACTER;

/// The text of a name, or of a path.
pub fn text(name: &OsStr) -> Cow<'_, str> {
    match name.to_str() {
        Some(text) if !text.contains(MARK) => Cow::Borrowed(text),
        _ => Cow::Owned(marked(name.as_bytes())),
    }
}

fn marked(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        let mut rest = chunk.valid();
        while let Some((before, after)) = rest.split_once(MARK) {
            text.push_str(before);
            // The digits make a mark in the name itself different from our own.
            mark(&mut text, MARK.encode_utf8(&mut [0; 4]).as_bytes());
            rest = after;
        }
        text.push_str(rest);
        mark(&mut text, chunk.invalid());
    }
    text
}

fn mark(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{MARK}{byte:02x}");
    }
}

/// The name, or the path, that has this text.
pub fn path(text: &str) -> Cow<'_, Path> {
    if !text.contains(MARK) {
        return Cow::Borrowed(Path::new(text));
    }
    let mut parts = text.split(MARK);
    let mut bytes = Vec::from(parts.next().unwrap_or_default());
    for part in parts {
        let byte = part.get(..2).map(|digits| u8::from_str_radix(digits, 16));
        match byte {
            Some(Ok(byte)) => {
                bytes.push(byte);
                bytes.extend_from_slice(&part.as_bytes()[2..]);
            }
            // A person wrote the mark.
            _ => bytes.extend(MARK.encode_utf8(&mut [0; 4]).bytes().chain(part.bytes())),
        }
    }
    Cow::Owned(OsString::from_vec(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_that_are_not_text_become_their_digits() {
        let table: [(&[u8], &str); 4] = [
            (b"a b.in", "a b.in"),
            ("größe".as_bytes(), "größe"),
            (b"\xd1\xf92.in", "\u{fffd}d1\u{fffd}f92.in"),
            ("\u{fffd}".as_bytes(), "\u{fffd}ef\u{fffd}bf\u{fffd}bd"),
        ];
        for (bytes, expected) in table {
            assert_eq!(text(OsStr::from_bytes(bytes)), expected);
        }
        assert_eq!(path("\u{fffd}xx"), Path::new("\u{fffd}xx"));
    }

    proptest! {
        #[test]
        fn every_name_is_found_again(
            bytes in prop_oneof![
                proptest::collection::vec(any::<u8>(), 0..12),
                "[a\u{fffd}é0-9]{0,8}".prop_map(String::into_bytes),
            ],
        ) {
            let name = OsStr::from_bytes(&bytes);
            let text = text(name);
            let found = path(&text);
            prop_assert_eq!(found.as_os_str(), name);
        }
    }
}
