//! Texts with other line ends than those of their files, as judges give them to programs.

/// The line ends that a judge gives to programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// DMOJ: `\n` at the end of every line, the last one included.
    Dmoj,
    /// Polygon: `\n` in place of `\r\n`, as Codeforces' programs see them, and CMS and rbx after an import. A package for
    /// Windows, and one whose tests `doall.sh` made under Wine, has `\r\n` in all lines.
    Polygon,
}

impl LineEnds {
    /// The number of bytes at the start of a text that decide whether it may change.
    pub(crate) fn looked_at(self) -> u64 {
        match self {
            Self::Dmoj => 0,
            Self::Polygon => 1 << 16,
        }
    }

    /// Whether a text that starts so may change: for Polygon, its first line decides.
    pub(crate) fn may_change(self, start: &[u8]) -> bool {
        let first = memchr::memchr(b'\n', start);
        match self {
            Self::Dmoj => true,
            Self::Polygon => first.is_none_or(|at| at > 0 && start[at - 1] == b'\r'),
        }
    }

    /// The text as programs get it; `None`: as it is.
    pub fn given(self, text: &[u8]) -> Option<Vec<u8>> {
        match self {
            Self::Dmoj => with_line_ends(text),
            Self::Polygon => without_carriage_returns(text),
        }
    }

    /// A name that differs from the others.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dmoj => "DMOJ's line ends",
            Self::Polygon => "Polygon's line ends",
        }
    }
}

/// The text with `\n` in place of `\r\n`; `None`: it has none.
fn without_carriage_returns(text: &[u8]) -> Option<Vec<u8>> {
    let next = |at: usize| text.get(at + 1) == Some(&b'\n');
    let mut ends = memchr::memchr_iter(b'\r', text).filter(|at| next(*at)).peekable();
    ends.peek()?;
    let (mut new, mut from) = (Vec::with_capacity(text.len()), 0);
    for at in ends {
        new.extend_from_slice(&text[from..at]);
        from = at + 1;
    }
    new.extend_from_slice(&text[from..]);
    Some(new)
}

/// The text with `\n` at the end of every line, the last one included; `None`: it is so already.
pub fn with_line_ends(text: &[u8]) -> Option<Vec<u8>> {
    let last = *text.last()?;
    if last == b'\n' && !text.contains(&b'\r') {
        return None;
    }
    let mut new = Vec::with_capacity(text.len() + 1);
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'\r' => new.push(b'\n'),
            b'\n' if at > 0 && text[at - 1] == b'\r' => {}
            byte => new.push(byte),
        }
    }
    if new.last() != Some(&b'\n') {
        new.push(b'\n');
    }
    Some(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_carriage_returns_before_line_feeds_are_removed() {
        let table: [(&[u8], Option<&[u8]>); 6] = [
            (b"", None),
            (b"a\nb\r", None),
            (b"a\r\nb", Some(b"a\nb")),
            (b"a\r\nb\r\n", Some(b"a\nb\n")),
            (b"a\r\r\n", Some(b"a\r\n")),
            (b"\r\n", Some(b"\n")),
        ];
        for (text, expected) in table {
            let given = LineEnds::Polygon.given(text);
            assert_eq!(given.as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn every_line_ends_with_a_line_feed() {
        let table: [(&[u8], Option<&[u8]>); 7] = [
            (b"", None),
            (b"a\nb\n", None),
            (b"a\nb", Some(b"a\nb\n")),
            (b"a\r\nb\r\n", Some(b"a\nb\n")),
            (b"a\rb\r", Some(b"a\nb\n")),
            (b"\r\r\n\n", Some(b"\n\n\n")),
            (b"\r", Some(b"\n")),
        ];
        for (text, expected) in table {
            assert_eq!(with_line_ends(text).as_deref(), expected, "{text:?}");
        }
    }
}
