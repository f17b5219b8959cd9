//! Texts with other line ends, as DMOJ gives them to programs.

/// The text with `\n` at the end of every line, the last one included; `None`: it is so already.
pub(crate) fn with_line_ends(text: &[u8]) -> Option<Vec<u8>> {
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
