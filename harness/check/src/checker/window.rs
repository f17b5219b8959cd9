//! A forward-only window on a reader: the buffered bytes and the offset in the text.
//!
//! The built-in checkers read every text through it, so their memory does not depend on the text's
//! size. It does not know tokens or lines, only which bytes are blanks.

use std::io::{self, Read};

/// Bytes per read: large enough that the comparison costs more than the system calls.
const CAPACITY: usize = 128 << 10;
/// Bytes of the first read: most texts are short, and clearing a large buffer for them costs more
/// than everything else.
const FIRST: usize = 4 << 10;

/// The blanks of the ICPC default output validator: space, `\t`, `\n`, `\v`, `\f`, `\r`.
pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | 0x09..=0x0d)
}

/// The window.
pub(super) struct Window<R> {
    reader: R,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    consumed: u64,
}

impl<R: Read> Window<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader, buffer: vec![0; FIRST].into_boxed_slice(), start: 0, end: 0, consumed: 0 }
    }

    /// The buffered bytes; reads more if there are none, so an empty slice means the end of the
    /// text.
    pub(super) fn fill(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            if self.end == self.buffer.len() && self.end < CAPACITY {
                self.buffer = vec![0; CAPACITY].into_boxed_slice();
            }
            self.start = 0;
            self.end = loop {
                match self.reader.read(&mut self.buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    other => break other?,
                }
            };
        }
        Ok(self.at_hand())
    }

    /// The buffered bytes, without reading more.
    pub(super) fn at_hand(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// The next byte; `None` at the end.
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        Ok(self.fill()?.first().copied())
    }

    /// Moves past `count` buffered bytes.
    pub(super) fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.end - self.start);
        self.start += count;
        self.consumed += count as u64;
    }

    /// The offset of the next byte.
    pub(super) fn offset(&self) -> u64 {
        self.consumed
    }
}

/// Consumes the common start of both windows and passes each stretch to `alike`; true if both texts
/// ended without a difference.
pub(super) fn skip_equal<A: Read, B: Read>(
    left: &mut Window<A>,
    right: &mut Window<B>,
    mut alike: impl FnMut(&[u8]),
) -> io::Result<bool> {
    loop {
        left.fill()?;
        right.fill()?;
        let (x, y) = (left.at_hand(), right.at_hand());
        let shared = x.len().min(y.len());
        if shared == 0 {
            return Ok(x.len() == y.len());
        }
        let equal = common_prefix(&x[..shared], &y[..shared]);
        alike(&x[..equal]);
        left.consume(equal);
        right.consume(equal);
        if equal < shared {
            return Ok(false);
        }
    }
}

/// The number of equal leading bytes of two slices of the same length.
pub(super) fn common_prefix(x: &[u8], y: &[u8]) -> usize {
    const BLOCK: usize = 4096;
    let mut base = 0;
    // Whole blocks are compared by `memcmp`; only the block with the difference is searched.
    for (a, b) in x.chunks(BLOCK).zip(y.chunks(BLOCK)) {
        if a != b {
            let within = a.iter().zip(b).position(|(p, q)| p != q);
            return base + within.unwrap_or(a.len());
        }
        base += a.len();
    }
    base
}
