//! Texts that a careless checker reads again and again: each byte is read once, and no more is kept than a window.

use std::io::{self, Read};

use super::super::{TokenOptions, exact, tokens};

/// A text without end to it but for a count, which is never in memory as a whole.
struct Endless<'a> {
    pattern: &'a [u8],
    left: usize,
    read: &'a mut usize,
}

const SIZE: usize = 1 << 20;

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.left);
        for (place, byte) in buffer[..count].iter_mut().enumerate() {
            *byte = self.pattern[(SIZE - self.left + place) % self.pattern.len()];
        }
        self.left -= count;
        *self.read += count;
        Ok(count)
    }
}

#[test]
fn every_byte_is_read_once() {
    let patterns: &[&[u8]] = &[
        b"1", b"0", b".", b"-", b"9", b"1e", b" ", b"\n", b"\r\n", b"\0", b"\xff", b"\xc3", b"1 ",
        b"1.0e9 ", b"a\n\n",
    ];
    let tolerant = TokenOptions {
        float_absolute: Some(1e-6),
        float_relative: Some(1e-6),
        ..TokenOptions::default()
    };
    let strict = TokenOptions {
        case_sensitive: true,
        space_change_sensitive: true,
        ..TokenOptions::default()
    };
    for pattern in patterns {
        for options in [&tolerant, &strict] {
            let (mut of_output, mut of_answer) = (0, 0);
            let text = |read| Endless { pattern, left: SIZE, read };
            let found = tokens::compare(text(&mut of_output), text(&mut of_answer), options);
            assert_eq!(found.unwrap(), None, "{pattern:?}");
            assert_eq!((of_output, of_answer), (SIZE, SIZE), "{pattern:?}");
        }
        let (mut of_output, mut of_answer) = (0, 0);
        let text = |read| Endless { pattern, left: SIZE, read };
        let found = exact::compare(text(&mut of_output), text(&mut of_answer));
        assert_eq!(found.unwrap(), None, "{pattern:?}");
        assert_eq!((of_output, of_answer), (SIZE, SIZE), "{pattern:?}");
    }
}
