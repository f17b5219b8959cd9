//! Reads the part of an input, output or answer that is shown with a failing verdict.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use rejudge_quantity::Bytes;

use crate::event::ShownText;
use crate::printable;

/// The number of lines up to which a text is shown as a whole, if they are short.
const SHORT: usize = 10;

/// The number of lines shown of a longer text.
const HEAD: usize = 5;

/// The number of bytes read unless the whole text is shown.
const READ: u64 = 16 << 10;

/// The file, or its first lines cut to `width` characters. `None` if it cannot be read.
pub(super) fn read(path: &Path, width: usize, whole: bool) -> Option<ShownText> {
    let file = File::open(path).ok()?;
    let data = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
    of(file, data.len(), width, whole).ok()
}

/// What `from` contains, or its first lines cut to `width` characters. It has `size` bytes.
pub(super) fn of(from: impl Read, size: u64, width: usize, whole: bool) -> io::Result<ShownText> {
    let mut bytes = Vec::new();
    let limit = if whole { u64::MAX } else { READ };
    from.take(limit).read_to_end(&mut bytes)?;
    let size = Bytes(size.max(bytes.len() as u64));
    let lines = || bytes.strip_suffix(b"\n").unwrap_or(&bytes).split(|byte| *byte == b'\n');
    let is_short = bytes.len() as u64 == size.get()
        && lines().count() <= SHORT
        && lines().all(|line| line.len() <= width);
    if whole || is_short {
        return Ok(ShownText { text: printable::paragraph(&bytes, usize::MAX), size, cut: false });
    }
    let head: Vec<String> = lines()
        .take(HEAD)
        .map(|line| {
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            printable::one_line(line, width.saturating_sub(2))
        })
        .collect();
    Ok(ShownText { text: head.join("\n"), size, cut: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_input_is_shown_whole_and_of_a_long_one_the_first_lines() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("1.in");
        let many = "7\n".repeat(11);
        let long = format!("3\n{}\n", "1 ".repeat(40_000));
        let table = [
            ("", "", false),
            ("1 2\n", "1 2", false),
            ("1 2\r\n\x1b[2J", "1 2\n\\x1b[2J", false),
            (&many, "7\n7\n7\n7\n7", true),
            (&long, "3\n1 1 1 1 1 1 1 1 1 …", true),
        ];
        for (input, expected, cut) in table {
            std::fs::write(&file, input).unwrap();
            let shown = read(&file, 20, false).unwrap();
            assert_eq!((shown.text.as_str(), shown.cut), (expected, cut), "{input:?}");
            assert_eq!(shown.size, Bytes(input.len() as u64));
            let whole = read(&file, 20, true).unwrap();
            assert!(!whole.cut);
            assert_eq!(whole.text.lines().count(), input.lines().count());
        }
        assert_eq!(read(folder.path(), 20, false), None);
    }
}
