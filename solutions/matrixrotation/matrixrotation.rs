//! Matrix Layer Rotation (HackerRank): rotate every ring of an m×n matrix anticlockwise by r cells.
//!
//! Idea: the program only moves the numbers, so it keeps them as text. One pass over the input checks
//! every number, eight digits at a time or many short numbers at once, and stores it in a list of all
//! cells: a short number as its text, any other as the place where its text starts. The list holds one ring after the other, each
//! clockwise from its upper left corner; a centre of one row or one column is a ring too. A rotation
//! then only changes the cell at which a ring starts within its part of the list.
//!
//! Row by row, the cells of a ring come from the front and from the back of its part in turn. At any
//! time, the program therefore reads and writes only a few adjacent entries per ring, which stay in the
//! cache. It copies the numbers in their new order to a small buffer, and writes that.
//!
//! Time O(mn + bytes), independent of r. Memory: the text of the input, 4 bytes per cell and a buffer.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_CELLS: u64 = 4_000_000;
const MAX_TURNS: u64 = 1_000_000_000_000_000_000;
/// The number of bytes per copy. The longest number, `-9223372036854775808`, has 20.
const COPY: usize = 32;
const BUFFER: usize = 64 * 1024;
/// The number of cells that are copied to the buffer without a test whether it is full.
const CHUNK: usize = 512;
/// The longest number that a cell of the list holds itself.
const SHORT: usize = 3;
/// A cell with both of these bits holds a short number: its text in the low three bytes, the first
/// character lowest, and its length in the lowest two bits of the highest byte. Any other cell is the
/// place where the number's text starts.
const IS_SHORT: u32 = 0xC000_0000;

/// The number of bytes that are examined at once; one for each bit of a word.
const BLOCK: usize = 64;

/// The highest bit of every byte.
const TOPS: u64 = 0x8080_8080_8080_8080;

fn word(bytes: &[u8]) -> u64 {
    u64::from_le_bytes(bytes.try_into().expect("eight bytes"))
}

/// Sets the highest bit of each byte that is not a digit. An XOR with '0' maps digits to numbers below
/// ten; adding 0x76 to these leaves the highest bit clear. The result is valid up to the first byte
/// that is not a digit: its carry can corrupt the bytes after it.
fn non_digits(word: u64) -> u64 {
    let digits = word ^ 0x3030_3030_3030_3030;
    (digits.wrapping_add(0x7676_7676_7676_7676) | digits) & TOPS
}

/// Gathers the highest bit of every byte in the low eight bits, in the same order.
fn gather(word: u64) -> u64 {
    ((word & TOPS) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// Which bytes of a block are of a kind, the first byte lowest.
#[derive(Default)]
struct Kinds {
    blanks: u64,
    minuses: u64,
    digits: u64,
    zeros: u64,
}

impl Kinds {
    fn of(bytes: &[u8; BLOCK]) -> Kinds {
        const LOW: u64 = !TOPS;
        const ONES: u64 = TOPS >> 7;
        // The bytes of `difference` above `most`. The sum of their lower seven bits has no carry.
        let above = |difference: u64, most: u8| {
            gather(((difference & LOW) + ONES * u64::from(0x7F - most)) | difference)
        };
        let mut kinds = Kinds::default();
        for chunk in bytes.rchunks_exact(8) {
            let is_not = |byte: u8| above(word(chunk) ^ (ONES * u64::from(byte)), 0);
            kinds.blanks = kinds.blanks << 8 | is_not(b' ');
            kinds.minuses = kinds.minuses << 8 | is_not(b'-');
            kinds.zeros = kinds.zeros << 8 | is_not(b'0');
            kinds.digits = kinds.digits << 8 | above(word(chunk) ^ (ONES * u64::from(b'0')), 9);
        }
        Kinds {
            blanks: !kinds.blanks,
            minuses: !kinds.minuses,
            zeros: !kinds.zeros,
            digits: !kinds.digits,
        }
    }

    /// Whether each number among the bytes is valid and short, and one blank is before each.
    fn all_short(&self) -> bool {
        let Kinds { blanks, minuses, digits, zeros } = self;
        let first = blanks << 1;
        let other = !(blanks | minuses | digits);
        let empty = (blanks | minuses) & blanks >> 1;
        let inner_minus = minuses & !first;
        let minus_zero = minuses & zeros >> 1;
        let leading_zero = zeros & first & digits >> 1;
        let characters = !blanks;
        let long = characters & characters >> 1 & characters >> 2 & characters >> 3;
        let wrong = other | empty | inner_minus | minus_zero | leading_zero | long;
        blanks & 1 == 1 && wrong == 0
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Splits the text into numbers.
struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn skip_blanks(&mut self) {
        while self.text.get(self.at).is_some_and(|&b| is_blank(b)) {
            self.at += 1;
        }
    }

    /// An error at `start`, with the line and the word there.
    fn error(&self, start: usize, what: &str) -> String {
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

    /// The number of consecutive decimal digits from `at` on. Tests eight bytes at a time.
    fn digits(&self, mut at: usize) -> usize {
        let start = at;
        while let Some(chunk) = self.text.get(at..at + 8) {
            let other = non_digits(word(chunk));
            if other != 0 {
                return at - start + other.trailing_zeros() as usize / 8;
            }
            at += 8;
        }
        at - start + self.text[at..].iter().take_while(|b| b.is_ascii_digit()).count()
    }

    /// A fast path of `number`, without a loop, for the usual text: one blank, an optional minus, digits
    /// and a blank, in at most nine bytes. `None` for any other text.
    #[inline]
    fn short_number(&mut self) -> Option<u32> {
        let start = self.at + 1;
        let bytes: &[u8; 9] = self.text.get(self.at..start + 8)?.try_into().ok()?;
        let signed = word(&bytes[1..]);
        let minus = u32::from(bytes[1] == b'-');
        let text = signed >> (8 * minus);
        // After a minus, the shift puts a zero byte at the end, which is not a digit.
        let digits = non_digits(text).trailing_zeros() / 8;
        let zero = text as u8 == b'0' && digits + minus > 1;
        let after = bytes.get((1 + minus + digits) as usize)?;
        if digits == 0 || zero || !is_blank(bytes[0]) || !is_blank(*after) {
            return None;
        }
        let length = minus + digits;
        self.at = start + length as usize;
        Some(cell(signed, length as usize, start))
    }

    /// Reads numbers of a row from blocks of the text, up to a block that has other than short ones.
    /// Returns how many. This is faster than number by number, because the processor finds the next
    /// number before it has read this one.
    fn short_numbers(&mut self, row: &mut [u32]) -> usize {
        let mut read = 0;
        while row.len() - read >= BLOCK / 2 {
            let Some(bytes) = self.text.get(self.at..self.at + BLOCK + 4) else {
                break;
            };
            let mut kinds = Kinds::of(bytes[..BLOCK].try_into().expect("its size"));
            // In front of a row, the blank is a newline.
            kinds.blanks |= u64::from(is_blank(bytes[0]));
            if !kinds.all_short() {
                break;
            }
            let mut blank = 0;
            let mut ends = kinds.blanks & (kinds.blanks - 1);
            while ends != 0 {
                let end = ends.trailing_zeros() as usize;
                ends &= ends - 1;
                let text = bytes[blank + 1..blank + 5].try_into().expect("its size");
                row[read] = short_cell(u32::from_le_bytes(text), end - blank - 1);
                read += 1;
                blank = end;
            }
            self.at += blank;
        }
        read
    }

    /// Reads a row of the matrix as cells of the list.
    fn row(&mut self, row: &mut [u32]) -> Result<(), String> {
        let short = self.short_numbers(row);
        // Numbers that are too long for the fast path usually follow each other.
        let mut long = false;
        for cell in &mut row[short..] {
            let short = if long { None } else { self.short_number() };
            *cell = match short {
                Some(cell) => cell,
                None => self.any_number()?,
            };
            long = short.is_none() && *cell < IS_SHORT;
        }
        Ok(())
    }

    /// Reads a number of the matrix as a cell of the list.
    fn any_number(&mut self) -> Result<u32, String> {
        let start = self.number("a 64-bit integer of the matrix")?;
        let length = self.at - start;
        if length > SHORT {
            return Ok(start as u32);
        }
        let first = self.text[start..self.at].iter().rev();
        let signed = first.fold(0, |text, &byte| text << 8 | u64::from(byte));
        Ok(cell(signed, length, start))
    }

    /// Reads a 64-bit integer without leading zeros and returns where its text starts.
    fn number(&mut self, what: &str) -> Result<usize, String> {
        self.skip_blanks();
        let start = self.at;
        let negative = self.text.get(start) == Some(&b'-');
        let first = start + usize::from(negative);
        let digits = self.digits(first);
        let end = first + digits;
        let stops = self.text.get(end).is_none_or(|&b| is_blank(b));
        let zero = digits > 0 && self.text[first] == b'0' && (digits > 1 || negative);
        if digits == 0
            || digits > 19
            || zero
            || !stops
            || (digits == 19 && self.too_large(first, negative))
        {
            return Err(self.error(start, what));
        }
        self.at = end;
        Ok(start)
    }

    /// Whether the number with 19 digits at `first` exceeds 64 bits.
    fn too_large(&self, first: usize, negative: bool) -> bool {
        let limit = if negative { b"9223372036854775808" } else { b"9223372036854775807" };
        self.text[first..first + 19] > limit[..]
    }

    /// Reads a number from `low` to `high`.
    fn value(&mut self, what: &str, low: u64, high: u64) -> Result<u64, String> {
        let start = self.number(what)?;
        let value = self.text[start..self.at]
            .iter()
            .try_fold(0u64, |v, &b| b.is_ascii_digit().then(|| v * 10 + u64::from(b - b'0')));
        value.filter(|v| (low..=high).contains(v)).ok_or_else(|| self.error(start, what))
    }
}

/// The cell of the list for a short number.
#[inline]
fn short_cell(text: u32, length: usize) -> u32 {
    IS_SHORT | (length as u32) << 24 | (text & 0x00FF_FFFF >> (8 * (SHORT - length)))
}

/// The cell of the list for a number: its first characters, its length, and where it starts.
#[inline]
fn cell(text: u64, length: usize, start: usize) -> u32 {
    let short = text as u32 & 0x00FF_FFFF >> (8 * (SHORT - length.min(SHORT)));
    let cells = [start as u32, IS_SHORT | (length as u32) << 24 | short];
    cells[usize::from(length <= SHORT)]
}

/// The part of a ring in the list of all cells: its cells, clockwise from its upper left corner. Row by
/// row, the cells come from both ends of the part.
struct Ring {
    start: usize,
    end: usize,
    /// The next index from the front: along the upper row, then down the right side.
    front: usize,
    /// The next index from the back: down the left side, then along the lower row.
    back: usize,
}

impl Ring {
    fn next_front(&mut self) -> usize {
        let place = self.front;
        self.front = if place + 1 == self.end { self.start } else { place + 1 };
        place
    }

    fn next_back(&mut self) -> usize {
        let place = self.back;
        self.back = if place == self.start { self.end } else { place } - 1;
        place
    }
}

/// For each cell in reading order: the index in the list of the number that it holds after some turns.
struct Places {
    rows: usize,
    columns: usize,
    rings: Vec<Ring>,
}

impl Places {
    fn new(rows: usize, columns: usize, turns: u64) -> Places {
        let mut start = 0;
        let ring = |k: usize| {
            let (high, wide) = (rows - 2 * k, columns - 2 * k);
            let len = match high.min(wide) {
                1 => high.max(wide),
                _ => 2 * (high + wide) - 4,
            };
            let by = (turns % len as u64) as usize;
            let end = start + len;
            let back = if by == 0 { end } else { start + by } - 1;
            let ring = Ring { start, end, front: start + by, back };
            start = end;
            ring
        };
        let rings = (0..rows.min(columns).div_ceil(2)).map(ring).collect();
        Places { rows, columns, rings }
    }

    /// Calls `each` with the indices for a row. The rows must come in order.
    fn row(&mut self, row: usize, mut each: impl FnMut(usize)) {
        let depth = row.min(self.rows - 1 - row);
        let around = depth.min(self.rings.len());
        // A centre of one column has no left side.
        for ring in &mut self.rings[..around.min(self.columns / 2)] {
            each(ring.next_back());
        }
        if let Some(ring) = self.rings.get_mut(depth) {
            for _ in 2 * depth..self.columns {
                each(if row == depth { ring.next_front() } else { ring.next_back() });
            }
        }
        for ring in self.rings[..around].iter_mut().rev() {
            each(ring.next_front());
        }
    }
}

/// The length of the number at `start`, up to the blank after it.
#[inline]
fn length_at(text: &[u8], start: u32) -> u8 {
    let mut length = 0;
    for chunk in at(text, start).chunks_exact(8) {
        // The addition sets the highest bit of digits and minus, but not of blanks. There is no carry.
        let blank = !word(chunk).wrapping_add(0x5F5F_5F5F_5F5F_5F5F) & TOPS;
        if blank != 0 {
            return length + (blank.trailing_zeros() / 8) as u8;
        }
        length += 8;
    }
    length
}

/// Writes the cells in the order of `places`. `text` must end with `COPY` blanks.
///
/// The cells of a row are at distant places in the list and in the text. Loops that do nothing else
/// fetch the data for a whole row, so that the cache misses overlap.
fn print(text: &[u8], cells: &[u32], mut places: Places, out: &mut impl Write) -> io::Result<()> {
    let mut buffer = vec![0u8; BUFFER + COPY];
    let mut used = 0;
    let mut numbers = vec![0; places.columns];
    for row in 0..places.rows {
        let mut next = numbers.iter_mut();
        places.row(row, |place| {
            *next.next().expect("a number for each place") = cells[place];
        });
        for numbers in numbers.chunks(CHUNK) {
            if used > BUFFER - CHUNK * COPY {
                out.write_all(&buffer[..used])?;
                used = 0;
            }
            used = if numbers.iter().all(|&cell| cell >= IS_SHORT) {
                print_short(numbers, &mut buffer, used)
            } else {
                print_any(text, numbers, &mut buffer, used)
            };
        }
        buffer[used - 1] = b'\n';
    }
    out.write_all(&buffer[..used])?;
    out.flush()
}

/// Writes short numbers to the buffer from `used` on, each with a blank. Returns the end.
fn print_short(numbers: &[u32], buffer: &mut [u8], mut used: usize) -> usize {
    for &cell in numbers {
        // The blank and the next number overwrite the excess bytes.
        buffer[used..used + 4].copy_from_slice(&cell.to_le_bytes());
        used += (cell >> 24 & 3) as usize + 1;
        buffer[used - 1] = b' ';
    }
    used
}

/// Writes numbers to the buffer from `used` on, each with a blank. Returns the end.
fn print_any(text: &[u8], numbers: &[u32], buffer: &mut [u8], mut used: usize) -> usize {
    let mut lengths = [0; CHUNK];
    for (length, &cell) in lengths.iter_mut().zip(numbers) {
        if cell < IS_SHORT {
            *length = length_at(text, cell);
        }
    }
    for (&cell, &length) in numbers.iter().zip(&lengths) {
        if length == 0 {
            used = print_short(&[cell], buffer, used);
            continue;
        }
        // A copy of fixed size compiles to two moves. The next copy overwrites the excess bytes.
        buffer[used..used + COPY].copy_from_slice(at(text, cell));
        used += usize::from(length) + 1;
        buffer[used - 1] = b' ';
    }
    used
}

/// The text from `start` on, where a number starts.
fn at(text: &[u8], start: u32) -> &[u8; COPY] {
    let start = start as usize;
    text[start..start + COPY].try_into().expect("its size")
}

/// Reads a matrix and writes it with its rings rotated. Writes nothing if the input is invalid.
pub fn solve(mut text: Vec<u8>, out: &mut impl Write) -> Result<(), String> {
    if text.len() >= IS_SHORT as usize {
        return Err("the input is longer than 3 GiB".to_owned());
    }
    let mut scanner = Scanner { text: &text, at: 0 };
    let m = scanner.value("the number of rows", 1, MAX_CELLS)?;
    let n =
        scanner.value("the number of columns, at most 4000000 cells in all", 1, MAX_CELLS / m)?;
    let turns = scanner.value("the number of turns, from 0 to 10^18", 0, MAX_TURNS)?;
    let (m, n) = (m as usize, n as usize);
    let mut cells = vec![0; m * n];
    let mut places = Places::new(m, n, 0);
    let mut numbers = vec![0; n];
    for row in 0..m {
        scanner.row(&mut numbers)?;
        let mut next = numbers.iter();
        places.row(row, |place| {
            cells[place] = *next.next().expect("a number for each place");
        });
    }
    scanner.skip_blanks();
    if scanner.at < text.len() {
        return Err(scanner.error(scanner.at, "the end of the input"));
    }
    text.resize(text.len() + COPY, b' ');
    print(&text, &cells, Places::new(m, n, turns), out)
        .map_err(|error| format!("writing the answer: {error}"))
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
