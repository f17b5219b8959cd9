//! Matrix Layer Rotation (HackerRank): turn every ring of an m×n matrix anticlockwise by r cells.
//!
//! Idea: the numbers are only moved, never computed with, so they stay text. One pass over the
//! input checks every number, eight digits at a time, and notes where it lies. Every ring is then
//! gathered clockwise from its upper-left corner and rotated by r modulo its length; a centre of
//! one row or one column is a ring as well, of the cells from its first to its last. At the end
//! the pieces of text are copied out in their new order, through a buffer that stays in cache.
//!
//! Time O(mn + bytes), whatever r is; memory: the input's text, 8 bytes a cell, one buffer.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_CELLS: u64 = 4_000_000;
const MAX_TURNS: u64 = 1_000_000_000_000_000_000;
/// The longest number is `-9223372036854775808`, 20 bytes; copies move this many at once.
const COPY: usize = 32;
const BUFFER: usize = 64 * 1024;

/// A number's text: where it starts, shifted left by `LEN_BITS`, and its length.
type Piece = u64;
const LEN_BITS: u32 = 5;

/// Splits text into numbers, and remembers where it is for its complaints.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn skip_blanks(&mut self) {
        while self.at < self.text.len()
            && matches!(self.text[self.at], b' ' | b'\n' | b'\r' | b'\t')
        {
            self.at += 1;
        }
    }

    fn complain(&self, start: usize, what: &str) -> String {
        let line = 1 + self.text[..start].iter().filter(|&&b| b == b'\n').count();
        if start >= self.text.len() {
            return format!("line {line}: the input ends, but {what} should follow");
        }
        let end = self.text[start..]
            .iter()
            .position(u8::is_ascii_whitespace)
            .map_or(self.text.len(), |n| start + n);
        let word = String::from_utf8_lossy(&self.text[start..end.min(start + 40)]);
        format!("line {line}: `{word}` is not {what}")
    }

    /// The number of decimal digits from `at` on, at most 8 at a step.
    fn digits(&self, mut at: usize) -> usize {
        let start = at;
        while let Some(chunk) = self.text.get(at..at + 8) {
            // A byte is a digit if, with '0' taken off, it is below ten; adding 0x76 then leaves
            // its top bit clear. Only what follows the first other byte is spoilt by carries.
            let v =
                u64::from_le_bytes(chunk.try_into().expect("eight bytes")) ^ 0x3030_3030_3030_3030;
            let other = (v.wrapping_add(0x7676_7676_7676_7676) | v) & 0x8080_8080_8080_8080;
            if other != 0 {
                return at - start + other.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        at - start
            + self.text[at..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count()
    }

    /// The next number as a piece of text: an optional minus, no leading zeros, 64 bits.
    fn piece(&mut self, what: &str) -> Result<Piece, String> {
        self.skip_blanks();
        let start = self.at;
        let negative = self.text.get(start) == Some(&b'-');
        let first = start + usize::from(negative);
        let digits = self.digits(first);
        let end = first + digits;
        let stops = self
            .text
            .get(end)
            .is_none_or(|b| matches!(b, b' ' | b'\n' | b'\r' | b'\t'));
        let zero = digits > 0 && self.text[first] == b'0' && (digits > 1 || negative);
        if digits == 0
            || digits > 19
            || zero
            || !stops
            || (digits == 19 && self.too_large(first, negative))
        {
            return Err(self.complain(start, what));
        }
        self.at = end;
        Ok((start as u64) << LEN_BITS | (end - start) as u64)
    }

    /// Whether the 19 digits at `first` exceed what 64 bits hold.
    fn too_large(&self, first: usize, negative: bool) -> bool {
        let limit = if negative {
            b"9223372036854775808"
        } else {
            b"9223372036854775807"
        };
        self.text[first..first + 19] > limit[..]
    }

    /// The next number as a value from `low` to `high`.
    fn value(&mut self, what: &str, low: u64, high: u64) -> Result<u64, String> {
        let piece = self.piece(what)?;
        let start = (piece >> LEN_BITS) as usize;
        let value = self.text[start..self.at].iter().try_fold(0u64, |v, &b| {
            b.is_ascii_digit().then(|| v * 10 + u64::from(b - b'0'))
        });
        value
            .filter(|v| (low..=high).contains(v))
            .ok_or_else(|| self.complain(start, what))
    }
}

/// The cells of ring `k`, clockwise from its upper-left corner; a single row or column once.
fn ring(m: usize, n: usize, k: usize) -> impl Iterator<Item = usize> {
    let (top, left, bottom, right) = (k, k, m - 1 - k, n - 1 - k);
    let down = (top + 1..=bottom).map(move |row| row * n + right);
    let (back, up) = if top < bottom && left < right {
        (left..right, top + 1..bottom)
    } else {
        (0..0, 0..0)
    };
    (left..=right)
        .map(move |column| top * n + column)
        .chain(down)
        .chain(back.rev().map(move |column| bottom * n + column))
        .chain(up.rev().map(move |row| row * n + left))
}

fn rotate(cells: &mut [Piece], m: usize, n: usize, turns: u64) {
    let (mut places, mut pieces) = (Vec::new(), Vec::new());
    for k in 0..m.min(n).div_ceil(2) {
        places.clear();
        pieces.clear();
        places.extend(ring(m, n, k));
        pieces.extend(places.iter().map(|&at| cells[at]));
        pieces.rotate_left((turns % places.len() as u64) as usize);
        for (&at, &piece) in places.iter().zip(&pieces) {
            cells[at] = piece;
        }
    }
}

fn print(text: &[u8], cells: &[Piece], n: usize, out: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0u8; BUFFER + COPY];
    let mut used = 0;
    for row in cells.chunks_exact(n) {
        for &piece in row {
            if used > BUFFER - COPY {
                out.write_all(&buffer[..used])?;
                used = 0;
            }
            let (start, len) = (
                (piece >> LEN_BITS) as usize,
                (piece & ((1 << LEN_BITS) - 1)) as usize,
            );
            // A copy of fixed size is two moves; what is too much is overwritten by the next one.
            buffer[used..used + COPY].copy_from_slice(&text[start..start + COPY]);
            buffer[used + len] = b' ';
            used += len + 1;
        }
        buffer[used - 1] = b'\n';
    }
    out.write_all(&buffer[..used])?;
    out.flush()
}

/// Reads a matrix and writes it with its rings turned; nothing is written if the input is bad.
pub fn solve(mut text: Vec<u8>, out: &mut impl Write) -> Result<(), String> {
    let mut scanner = Scanner { text: &text, at: 0 };
    let m = scanner.value("the number of rows", 1, MAX_CELLS)?;
    let n = scanner.value(
        "the number of columns, at most 4000000 cells in all",
        1,
        MAX_CELLS / m,
    )?;
    let turns = scanner.value("the number of turns, from 0 to 10^18", 0, MAX_TURNS)?;
    let mut cells = Vec::with_capacity((m * n) as usize);
    for _ in 0..m * n {
        cells.push(scanner.piece("a 64-bit integer of the matrix")?);
    }
    scanner.skip_blanks();
    if scanner.at < text.len() {
        return Err(scanner.complain(scanner.at, "the end of the input"));
    }
    rotate(&mut cells, m as usize, n as usize, turns);
    text.resize(text.len() + COPY, b' ');
    print(&text, &cells, n as usize, out).map_err(|error| format!("writing the answer: {error}"))
}

fn main() -> ExitCode {
    let mut text = Vec::new();
    let read = io::stdin()
        .lock()
        .read_to_end(&mut text)
        .map_err(|error| format!("reading the input: {error}"));
    match read.and_then(|_| solve(text, &mut io::stdout().lock())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
