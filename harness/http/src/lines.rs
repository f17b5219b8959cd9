//! Lines out of pieces of a body.

use std::mem;

/// The part of a line that is too long of which the start is kept.
const START: usize = 64 << 10;

/// A line of a body.
#[derive(Debug, PartialEq, Eq)]
pub struct HttpLine {
    /// Its number in the body, from 1.
    pub number: u64,
    /// Its text; `Err`: it is too long, and this is its start.
    pub text: Result<Vec<u8>, Vec<u8>>,
}

/// Puts lines together.
#[derive(Debug)]
pub(crate) struct LineSplitter {
    longest: usize,
    number: u64,
    text: Vec<u8>,
    is_long: bool,
}

impl LineSplitter {
    pub(crate) fn new(longest: usize) -> Self {
        Self { longest, number: 0, text: Vec::new(), is_long: false }
    }

    /// The lines that end in this piece. Blank lines count, but are none.
    pub(crate) fn feed(&mut self, mut piece: &[u8]) -> Vec<HttpLine> {
        let mut lines = Vec::new();
        while let Some(end) = memchr::memchr(b'\n', piece) {
            self.add(&piece[..end]);
            lines.extend(self.end());
            piece = &piece[end + 1..];
        }
        self.add(piece);
        lines
    }

    fn add(&mut self, part: &[u8]) {
        if self.is_long {
            return;
        }
        self.text.extend_from_slice(part);
        if self.text.len() > self.longest {
            self.is_long = true;
            self.text.truncate(START);
            self.text.shrink_to_fit();
        }
    }

    /// The line that ends here, unless it is blank.
    pub(crate) fn end(&mut self) -> Option<HttpLine> {
        self.number += 1;
        let (text, is_long) = (mem::take(&mut self.text), mem::take(&mut self.is_long));
        let is_blank = text.trim_ascii().is_empty();
        let text = if is_long { Err(text) } else { Ok(text) };
        (!is_blank).then_some(HttpLine { number: self.number, text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_out_of_pieces_of_any_size() {
        let text = b"a\n\nbcdef\r\ntoo long a line\nend";
        let line = |number, text: &str| HttpLine { number, text: Ok(text.into()) };
        for size in 1..text.len() {
            let mut splitter = LineSplitter::new(8);
            let mut lines: Vec<HttpLine> =
                text.chunks(size).flat_map(|piece| splitter.feed(piece)).collect();
            lines.extend(splitter.end());
            assert_eq!(lines.len(), 4, "{lines:?}");
            assert_eq!((&lines[0], &lines[1]), (&line(1, "a"), &line(3, "bcdef\r")));
            assert!(lines[2].text.is_err() && lines[2].number == 4, "{lines:?}");
            assert_eq!(lines[3], line(5, "end"));
        }
    }
}
