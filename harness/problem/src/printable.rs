//! Makes untrusted bytes safe to show: on a terminal, in a log, on one line.
//!
//! These are escaped: control characters, invalid UTF-8, characters that reorder or hide text
//! (bidirectional controls, zero-width characters, line separators) and noncharacters such as
//! U+FFFE. Nothing else changes.

use std::borrow::Cow;
use std::fmt::Write as _;

/// One character or byte of a text, with the way to show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintablePiece {
    /// A character that is safe as it is.
    Plain(char),
    /// A character that has to be escaped.
    Escaped(char),
    /// A byte that is not part of valid UTF-8.
    Byte(u8),
}

impl PrintablePiece {
    /// The piece with blanks escaped that are not the space.
    #[must_use]
    pub fn with_blanks(self) -> Self {
        match self {
            Self::Plain(c) if c != ' ' && c.is_whitespace() => Self::Escaped(c),
            other => other,
        }
    }

    /// Appends the piece in its safe form.
    pub fn push_to(self, text: &mut String) {
        // Writing to a `String` cannot fail.
        let _ = match self {
            Self::Plain(c) => {
                text.push(c);
                Ok(())
            }
            Self::Escaped('\n') => write!(text, "\\n"),
            Self::Escaped('\r') => write!(text, "\\r"),
            Self::Escaped('\t') => write!(text, "\\t"),
            Self::Escaped(c) if c.is_ascii() => write!(text, "\\x{:02x}", u32::from(c)),
            Self::Escaped(c) => write!(text, "\\u{{{:x}}}", u32::from(c)),
            Self::Byte(byte) => write!(text, "\\x{byte:02x}"),
        };
    }
}

/// Splits bytes into pieces; no byte is omitted.
pub fn pieces(bytes: &[u8]) -> impl Iterator<Item = PrintablePiece> + '_ {
    bytes.utf8_chunks().flat_map(|chunk| {
        let valid = chunk.valid().chars().map(|c| {
            if is_hazardous(c) { PrintablePiece::Escaped(c) } else { PrintablePiece::Plain(c) }
        });
        valid.chain(chunk.invalid().iter().copied().map(PrintablePiece::Byte))
    })
}

/// One line of at most `limit` characters, then `…`; control characters are escaped.
pub fn one_line(bytes: &[u8], limit: usize) -> String {
    line_of(bytes, limit, |piece| piece)
}

/// As [`one_line`], for a text that is compared with another: blanks that look like a space are escaped too.
pub fn compared(bytes: &[u8], limit: usize) -> String {
    line_of(bytes, limit, PrintablePiece::with_blanks)
}

fn line_of(bytes: &[u8], limit: usize, shown_as: fn(PrintablePiece) -> PrintablePiece) -> String {
    let mut text = String::new();
    // A character has at most four bytes: any bytes beyond that are not examined.
    let looked_at = &bytes[..bytes.len().min(limit.saturating_mul(4).saturating_add(4))];
    for (shown, piece) in pieces(looked_at).enumerate() {
        if shown == limit {
            text.push('…');
            return text;
        }
        shown_as(piece).push_to(&mut text);
    }
    if looked_at.len() < bytes.len() {
        text.push('…');
    }
    text
}

/// Several lines: newlines stay, tabs become a space, `\r\n` becomes `\n`; at most `limit` bytes
/// are examined. Trailing blanks are cut.
pub fn paragraph(bytes: &[u8], limit: usize) -> String {
    let cut = &bytes[..bytes.len().min(limit)];
    let mut text = lines(cut);
    text.truncate(text.trim_end().len());
    if cut.len() < bytes.len() {
        text.push('…');
    }
    text
}

/// Like [`paragraph`], but with all bytes and trailing blanks.
pub fn lines(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut pieces = pieces(bytes).peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            PrintablePiece::Escaped('\n') => text.push('\n'),
            PrintablePiece::Escaped('\t') => text.push(' '),
            PrintablePiece::Escaped('\r')
                if pieces.peek() == Some(&PrintablePiece::Escaped('\n')) => {}
            other => other.push_to(&mut text),
        }
    }
    text
}

/// Whether `c` could control a terminal or hide or reorder the text around it, or is a character
/// that XML forbids.
pub fn is_hazardous(c: char) -> bool {
    c.is_control()
        // U+FFFE, U+FFFF and the corresponding code points of the other planes are not characters,
        // and XML forbids some of them.
        || u32::from(c) & 0xfffe == 0xfffe
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

/// A token in back quotes; a back quote in it becomes an apostrophe so that the end is clear.
pub fn quoted(shown: &str) -> String {
    let inner: Cow<'_, str> =
        if shown.contains('`') { shown.replace('`', "'").into() } else { shown.into() };
    format!("`{inner}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hazardous_characters_are_escaped() {
        for (bytes, shown) in [
            (&b"plain"[..], "plain"),
            ("größe ✓".as_bytes(), "größe ✓"),
            (b"\x1b[31mred", "\\x1b[31mred"),
            (b"a\tb\r\nc\0", "a\\tb\\r\\nc\\x00"),
            (b"\xff\xfeok\xc3", "\\xff\\xfeok\\xc3"),
            ("\u{202e}abc\u{2066}".as_bytes(), "\\u{202e}abc\\u{2066}"),
            ("\u{9b}31m".as_bytes(), "\\u{9b}31m"),
        ] {
            assert_eq!(one_line(bytes, 40), shown);
        }
    }

    #[test]
    fn blanks_that_look_like_a_space_are_escaped_in_what_is_compared() {
        let text = "a b\u{a0}c\u{2009}d".as_bytes();
        assert_eq!(compared(text, 40), "a b\\u{a0}c\\u{2009}d");
        assert_eq!(one_line(text, 40), "a b\u{a0}c\u{2009}d");
        assert_eq!(compared(text, 3), "a b…");
    }

    #[test]
    fn long_texts_are_cut() {
        assert_eq!(one_line(b"abcdef", 6), "abcdef");
        assert_eq!(one_line(b"abcdefg", 6), "abcdef…");
        assert_eq!(one_line(&vec![b'x'; 1 << 20], 3), "xxx…");
        assert_eq!(paragraph(b"a\r\nb\tc\x07\n\n", 100), "a\nb c\\x07");
        assert_eq!(paragraph(b"abcdef", 3), "abc…");
    }
}

#[cfg(test)]
mod laws;
