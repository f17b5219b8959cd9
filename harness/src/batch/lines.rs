//! Reads requests, one a line, in bounded memory.

use std::io::{self, BufRead};

use super::request::RequestId;

/// A line of the input.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BatchLine {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// Its text; `Err`: it is too long, and this is its start.
    pub(crate) text: Result<Vec<u8>, Vec<u8>>,
}

/// The part of a line that is too long of which the id is looked for.
const START: usize = 64 << 10;

/// Calls `each` with every line that is not blank, until it returns `false`. Of a line with more than `most` bytes only the
/// start is kept.
pub(crate) fn read_lines(
    input: &mut dyn BufRead,
    most: u64,
    each: &mut dyn FnMut(BatchLine) -> bool,
) -> io::Result<()> {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let mut number = 0;
    loop {
        let (mut text, mut is_long, mut is_over) = (Vec::new(), false, false);
        while !is_over {
            let buffer = match input.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if buffer.is_empty() {
                break;
            }
            let end = memchr::memchr(b'\n', buffer);
            let part = &buffer[..end.unwrap_or(buffer.len())];
            is_over = end.is_some();
            if !is_long && text.len() + part.len() > most {
                is_long = true;
                text.extend_from_slice(&part[..part.len().min(START)]);
                text.truncate(START);
                text.shrink_to_fit();
            } else if !is_long {
                text.extend_from_slice(part);
            }
            let read = part.len() + usize::from(is_over);
            input.consume(read);
        }
        let is_end = !is_over && text.is_empty();
        if is_end {
            return Ok(());
        }
        number += 1;
        if text.trim_ascii().is_empty() {
            continue;
        }
        let text = if is_long { Err(text) } else { Ok(text) };
        if !each(BatchLine { number, text }) {
            return Ok(());
        }
    }
}

/// The `id` of a request that cannot be read as a whole, if it stands in the part before the fault.
pub(super) fn id_of(start: &[u8]) -> Option<RequestId> {
    let text = String::from_utf8_lossy(start);
    let mut rest = text.trim_start().strip_prefix('{')?;
    loop {
        let mut keys = serde_json::Deserializer::from_str(rest).into_iter::<String>();
        let key = keys.next()?.ok()?;
        rest = rest[keys.byte_offset()..].trim_start().strip_prefix(':')?;
        if key == "id" {
            let mut ids = serde_json::Deserializer::from_str(rest).into_iter::<RequestId>();
            return ids.next()?.ok();
        }
        let mut values =
            serde_json::Deserializer::from_str(rest).into_iter::<serde::de::IgnoredAny>();
        values.next()?.ok()?;
        rest = rest[values.byte_offset()..].trim_start().strip_prefix(',')?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, most: u64) -> Vec<BatchLine> {
        let mut found = Vec::new();
        // The buffer is smaller than the lines.
        let mut input = io::BufReader::with_capacity(3, text.as_bytes());
        read_lines(&mut input, most, &mut |line| {
            found.push(line);
            true
        })
        .unwrap();
        found
    }

    #[test]
    fn lines_have_numbers_and_a_longest_length() {
        let line = |number, text: &str| BatchLine { number, text: Ok(text.into()) };
        assert_eq!(lines("a\n\n  \nbcdef\ng", 10), [line(1, "a"), line(4, "bcdef"), line(5, "g")]);
        assert_eq!(lines("", 10), []);
        let long = BatchLine { number: 2, text: Err(b"bcdef".to_vec()) };
        assert_eq!(lines("a\nbcdef\ng\n", 4), [line(1, "a"), long, line(3, "g")]);
        let endless = "x".repeat(1 << 20);
        let kept = lines(&endless, 100).remove(0).text.unwrap_err();
        assert!(kept.len() <= START, "{}", kept.len());
    }

    #[test]
    fn the_id_is_found_before_a_fault() {
        let text = |id: &str| Some(RequestId::Text(id.to_owned()));
        assert_eq!(id_of(br#"{"id": "a", "source": "#), text("a"));
        assert_eq!(
            id_of(br#" {"source": "x", "cases": [{}], "id": 7}}"#),
            Some(RequestId::Number(7))
        );
        assert_eq!(id_of(br#"{"cases": {"id": 1}, "id": "b", oops"#), text("b"));
        for none in ["", "[]", "{", "{\"id\"", "{\"id\": {}}", "{\"source\": \"cut", "x"] {
            assert_eq!(id_of(none.as_bytes()), None, "{none}");
        }
    }
}
