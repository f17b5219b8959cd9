//! Compares a generated text with a file and reports the first line that differs; in constant
//! memory.

use std::fmt;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

use crate::plain_file;
use crate::printable;
use crate::sandbox::Captured;

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileComparison {
    /// All bytes are equal.
    Same,
    /// The file does not exist.
    Missing,
    /// Some bytes differ.
    Differs(LineDifference),
}

/// The first line that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LineDifference {
    line: u64,
    /// The text of the line in the file; `None` if the file ends before it.
    kept: Option<String>,
    /// The text of the line that was generated; `None` if the generated text ends before it.
    made: Option<String>,
}

impl fmt::Display for LineDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match (&self.kept, &self.made) {
            (Some(kept), Some(made)) => {
                write!(f, "line {line} is `{kept}`, but `{made}` was generated")
            }
            (None, Some(made)) => {
                write!(f, "it ends before line {line}, but `{made}` was generated")
            }
            (Some(kept), None) => {
                write!(f, "line {line} is `{kept}`, but the generated text ends before it")
            }
            (None, None) => write!(f, "line {line}"),
        }
    }
}

/// The number of bytes shown of a line, and how many of them before the difference.
const SHOWN: u16 = 60;
const BEFORE: u64 = 20;

/// Compares `made` with the file at `path`.
pub(super) fn with_file(made: &Captured, path: &Path) -> io::Result<FileComparison> {
    let mut file = match plain_file::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(FileComparison::Missing);
        }
        Err(error) => return Err(error),
    };
    let Some(at) = first_difference(&mut made.reader()?, &mut file)? else {
        return Ok(FileComparison::Same);
    };
    // Both lines have the same start; text far before the difference only hides it.
    let start = at.line_start.max(at.offset.saturating_sub(BEFORE));
    let mut reader = made.reader()?;
    io::copy(&mut reader.by_ref().take(start), &mut io::sink())?;
    let made = window(&mut reader)?;
    file.seek(SeekFrom::Start(start))?;
    Ok(FileComparison::Differs(LineDifference { line: at.line, kept: window(&mut file)?, made }))
}

/// The first difference between two streams: its byte, and the line that contains it.
#[derive(Debug, PartialEq, Eq)]
struct DifferencePosition {
    offset: u64,
    line: u64,
    line_start: u64,
}

fn first_difference(
    a: &mut impl Read,
    b: &mut impl Read,
) -> io::Result<Option<DifferencePosition>> {
    let (mut left, mut right) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    let mut place = DifferencePosition { offset: 0, line: 1, line_start: 0 };
    loop {
        let (n, m) = (fill(a, &mut left)?, fill(b, &mut right)?);
        let common = left[..n].iter().zip(&right[..m]).take_while(|(x, y)| x == y).count();
        for newline in memchr::memchr_iter(b'\n', &left[..common]) {
            place.line += 1;
            place.line_start = place.offset + newline as u64 + 1;
        }
        place.offset += common as u64;
        if common < n || common < m {
            return Ok(Some(place));
        }
        if n == 0 {
            return Ok(None);
        }
    }
}

/// Reads until the buffer is full or the stream ends.
fn fill(reader: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match reader.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(length) => filled += length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The rest of the line in its printable form; `None` at the end of the stream.
fn window(reader: &mut impl Read) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    reader.take(SHOWN.into()).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let line = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    Ok(Some(printable::one_line(line, SHOWN.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(made: &str, kept: &str) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), kept).unwrap();
        match with_file(&Captured::from_bytes(made.into()), file.path()).unwrap() {
            FileComparison::Differs(difference) => difference.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_first_different_line_is_reported() {
        let long = "x".repeat(200_000);
        let table = [
            ("a\nb\n", "a\nb\n", "Same"),
            ("", "", "Same"),
            ("a\nb\n", "a\nc\n", "line 2 is `c`, but `b` was generated"),
            ("a\nb\n", "a\n", "it ends before line 2, but `b` was generated"),
            ("a\n", "a\nb\n", "line 2 is `b`, but the generated text ends before it"),
            ("a", "a\n", "line 1 is `a`, but `a` was generated"),
        ];
        for (made, kept, expected) in table {
            assert_eq!(compared(made, kept), expected, "{made:?} {kept:?}");
        }
        let shown = compared(&format!("1\n{long}a\n"), &format!("1\n{long}b\n"));
        let x = "x".repeat(20);
        assert_eq!(shown, format!("line 2 is `{x}b`, but `{x}a` was generated"));
        let gone = with_file(&Captured::default(), Path::new("/nowhere/at/all")).unwrap();
        assert_eq!(gone, FileComparison::Missing);
    }
}
