//! Compares what was made with a file, and names the first line that differs; in constant memory.

use std::fmt;
use std::io::{self, Read, Seek as _, SeekFrom};
use std::path::Path;

use crate::checker::printable;
use crate::plain_file;
use crate::sandbox::Captured;

/// What a comparison found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Every byte is the same.
    Same,
    /// There is no such file.
    Missing,
    /// Some bytes are not.
    Differs(Difference),
}

/// The first line that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Difference {
    line: u64,
    /// The file's text there, `None` at its end.
    kept: Option<String>,
    /// What was made instead, `None` at its end.
    made: Option<String>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = self.line;
        match (&self.kept, &self.made) {
            (Some(kept), Some(made)) => write!(f, "line {line} is `{kept}`, made was `{made}`"),
            (None, Some(made)) => write!(f, "it ends before line {line}, made was `{made}`"),
            (Some(kept), None) => {
                write!(f, "line {line} is `{kept}`, what was made ends before it")
            }
            (None, None) => write!(f, "line {line}"),
        }
    }
}

/// How many bytes of a line are shown, and how many of them before the difference.
const SHOWN: u16 = 60;
const BEFORE: u64 = 20;

/// Compares `made` with the file at `path`.
pub(super) fn with_file(made: &Captured, path: &Path) -> io::Result<Outcome> {
    let mut file = match plain_file::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Outcome::Missing),
        Err(error) => return Err(error),
    };
    let Some(at) = first_difference(&mut made.reader()?, &mut file)? else {
        return Ok(Outcome::Same);
    };
    // Both lines begin alike: what comes long before the difference only hides it.
    let start = at.line_start.max(at.offset.saturating_sub(BEFORE));
    let mut reader = made.reader()?;
    io::copy(&mut reader.by_ref().take(start), &mut io::sink())?;
    let made = window(&mut reader)?;
    file.seek(SeekFrom::Start(start))?;
    Ok(Outcome::Differs(Difference {
        line: at.line,
        kept: window(&mut file)?,
        made,
    }))
}

/// Where two streams differ first: the byte, and the line that it lies in.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    offset: u64,
    line: u64,
    line_start: u64,
}

fn first_difference(a: &mut impl Read, b: &mut impl Read) -> io::Result<Option<Place>> {
    let (mut left, mut right) = (vec![0; 64 << 10], vec![0; 64 << 10]);
    let mut place = Place {
        offset: 0,
        line: 1,
        line_start: 0,
    };
    loop {
        let (n, m) = (fill(a, &mut left)?, fill(b, &mut right)?);
        let common = left[..n]
            .iter()
            .zip(&right[..m])
            .take_while(|(x, y)| x == y)
            .count();
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

/// The rest of the line, as it may be shown; `None` at the end of the stream.
fn window(reader: &mut impl Read) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    reader.take(SHOWN.into()).read_to_end(&mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    let line = bytes
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    Ok(Some(printable::one_line(line, SHOWN.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(made: &str, kept: &str) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), kept).unwrap();
        match with_file(&Captured::from_bytes(made.into()), file.path()).unwrap() {
            Outcome::Differs(difference) => difference.to_string(),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn names_the_first_line_that_differs() {
        let long = "x".repeat(200_000);
        let table = [
            ("a\nb\n", "a\nb\n", "Same"),
            ("", "", "Same"),
            ("a\nb\n", "a\nc\n", "line 2 is `c`, made was `b`"),
            ("a\nb\n", "a\n", "it ends before line 2, made was `b`"),
            (
                "a\n",
                "a\nb\n",
                "line 2 is `b`, what was made ends before it",
            ),
            ("a", "a\n", "line 1 is `a`, made was `a`"),
        ];
        for (made, kept, expected) in table {
            assert_eq!(compared(made, kept), expected, "{made:?} {kept:?}");
        }
        let shown = compared(&format!("1\n{long}a\n"), &format!("1\n{long}b\n"));
        let x = "x".repeat(20);
        assert_eq!(shown, format!("line 2 is `{x}b`, made was `{x}a`"));
        let gone = with_file(&Captured::default(), Path::new("/nowhere/at/all")).unwrap();
        assert_eq!(gone, Outcome::Missing);
    }
}
