//! Converts an offset into a line, a column and a token count.
//!
//! The checkers count nothing while the texts agree; after a failed comparison, the text before the
//! difference is read once more.

use std::io::{self, Read};

use super::Position;
use super::window::is_blank;

/// The line, the column and the number of tokens before an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LocatedOffset {
    /// The offset as a line and a column.
    pub(super) position: Position,
    /// How many tokens start before it.
    pub(super) tokens_before: u64,
}

/// Reads `text` from its start up to `offset`.
pub(super) fn locate(text: impl Read, offset: u64) -> io::Result<LocatedOffset> {
    let mut text = text.take(offset);
    let mut buffer = vec![0; 64 << 10];
    let (mut newlines, mut line_start, mut tokens, mut read) = (0, 0, 0, 0_u64);
    let mut characters = 0;
    let mut after_blank = true;
    loop {
        let count = match text.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if count == 0 {
            break;
        }
        let chunk = &buffer[..count];
        newlines += memchr::memchr_iter(b'\n', chunk).count() as u64;
        if let Some(last) = memchr::memrchr(b'\n', chunk) {
            line_start = read + last as u64 + 1;
            characters = starts_of_characters(&chunk[last + 1..]);
        } else {
            characters += starts_of_characters(chunk);
        }
        for &byte in chunk {
            let blank = is_blank(byte);
            tokens += u64::from(after_blank && !blank);
            after_blank = blank;
        }
        read += count as u64;
    }
    // An offset inside a character belongs to it.
    let mut next = [0];
    let is_inside = text.into_inner().read(&mut next)? == 1 && starts_of_characters(&next) == 0;
    if !is_inside || characters == 0 {
        characters += 1;
    }
    Ok(LocatedOffset {
        position: Position { line: newlines + 1, column: characters, line_start, offset: read },
        tokens_before: tokens,
    })
}

/// The number of characters of UTF-8 that start in these bytes. Bytes that are not UTF-8 count as they come.
fn starts_of_characters(bytes: &[u8]) -> u64 {
    let starts = bytes.iter().filter(|byte| *byte & 0xc0 != 0x80);
    starts.count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_columns_and_tokens_are_counted() {
        let text = b"ab c\n\n de\r\nf";
        for (offset, line, column, tokens) in [
            (0, 1, 1, 0),
            (3, 1, 4, 1),
            (4, 1, 5, 2),
            (5, 2, 1, 2),
            (6, 3, 1, 2),
            (7, 3, 2, 2),
            (11, 4, 1, 3),
            (12, 4, 2, 4),
        ] {
            let place = locate(&text[..], offset).unwrap();
            let Position { line: found, column: place_in_line, .. } = place.position;
            assert_eq!((found, place_in_line), (line, column));
            assert_eq!(place.position.offset, offset);
            assert_eq!(place.tokens_before, tokens, "at {offset}");
        }
    }

    #[test]
    fn columns_count_characters() {
        let text = "a\n\u{e9}\u{e8} b\u{1f600}";
        for (offset, column, line_start) in [
            (1, 2, 0),
            (2, 1, 2),
            (3, 1, 2),
            (4, 2, 2),
            (5, 2, 2),
            (7, 4, 2),
            (9, 5, 2),
            (12, 6, 2),
        ] {
            let position = locate(text.as_bytes(), offset).unwrap().position;
            assert_eq!((position.column, position.line_start), (column, line_start), "at {offset}");
        }
    }
}
