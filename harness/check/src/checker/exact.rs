//! Compares byte for byte: every difference counts, even a missing newline at the end.

use std::io::{self, Read};

use super::finding::{DifferenceKind, FoundDifference, byte_in_words};
use super::window::{Window, skip_equal};
use rejudge_problem::printable::{one_line, quoted};

/// Compares two texts in constant memory; `None` if their bytes are the same.
pub fn compare(output: impl Read, answer: impl Read) -> io::Result<Option<FoundDifference>> {
    let (mut output, mut answer) = (Window::new(output), Window::new(answer));
    if skip_equal(&mut output, &mut answer, |_| {})? {
        return Ok(None);
    }
    let (expected, got) = (in_words(answer.peek()?), in_words(output.peek()?));
    Ok(Some(FoundDifference {
        kind: DifferenceKind::Bytes { expected, got },
        output_offset: output.offset(),
        answer_offset: answer.offset(),
    }))
}

fn in_words(byte: Option<u8>) -> String {
    match (byte_in_words(byte, ""), byte) {
        ("", Some(byte)) => quoted(&one_line(&[byte], 1)),
        (words, _) => words.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headline(output: &[u8], answer: &[u8]) -> Option<String> {
        let finding = compare(output, answer).unwrap()?;
        Some(finding.explain(output, answer).unwrap().headline)
    }

    #[test]
    fn every_byte_counts() {
        assert_eq!(headline(b"", b""), None);
        assert_eq!(headline(b"1\n2\n", b"1\n2\n"), None);
        for (output, answer, expected) in [
            (&b"1\n3\n"[..], &b"1\n2\n"[..], "byte 3 (line 2, column 1): expected `2`, got `3`"),
            (b"1", b"1\n", "byte 2 (line 1, column 2): expected a newline, got the end"),
            (
                b"1\r\n",
                b"1\n",
                "byte 2 (line 1, column 2): expected a newline, got a carriage return",
            ),
            (b"1\n\x1b", b"1\n", "byte 3 (line 2, column 1): expected the end, got `\\x1b`"),
        ] {
            assert_eq!(headline(output, answer).as_deref(), Some(expected));
        }
    }
}
