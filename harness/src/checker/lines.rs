//! Line by line, as judges compare that keep lines but forgive blanks: nothing in the ICPC formats,
//! but what foreign packages ask for.

use std::collections::VecDeque;
use std::io::{self, Read};

use super::finding::{Finding, Kind, byte_in_words};
use super::printable::{one_line, quoted};
use super::window::{Window, is_blank};

/// What is forgiven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineRule {
    /// How lines end: `\r\n` for `\n`, and nothing for the last `\n`. As cargo-compete's `Lines`.
    #[default]
    Whole,
    /// Blanks at the ends of lines and empty lines at the end, besides. As Hydro's default.
    Trimmed,
    /// How many blanks lie between two words of a line or around them, besides. As CMS.
    Blanks,
    /// Empty lines too, anywhere, and how many blanks lie between two words, as long as a new line stays one. As DMOJ's `standard`.
    Words,
}

impl LineRule {
    /// The rules, by the words that choose them.
    pub const ALL: [(&'static str, Self); 4] = [
        ("lines", Self::Whole),
        ("lines:trimmed", Self::Trimmed),
        ("lines:blanks", Self::Blanks),
        ("lines:words", Self::Words),
    ];

    /// The word that chooses it.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, rule)| *rule == self);
        found.map_or("lines", |(word, _)| word)
    }
}

/// Compares two texts; `None` if they are the same to this rule.
pub fn compare(
    output: impl Read,
    answer: impl Read,
    rule: LineRule,
) -> io::Result<Option<Finding>> {
    let (mut output, mut answer) = (Normal::new(output, rule), Normal::new(answer, rule));
    loop {
        let (got, expected) = (output.next()?, answer.next()?);
        if got != expected {
            return Ok(Some(Finding {
                kind: Kind::Bytes {
                    expected: in_words(expected),
                    got: in_words(got),
                },
                output_offset: output.offset,
                answer_offset: answer.offset,
            }));
        }
        if got.is_none() {
            return Ok(None);
        }
    }
}

fn in_words(byte: Option<u8>) -> String {
    match (byte_in_words(byte, ""), byte) {
        ("", Some(byte)) => quoted(&one_line(&[byte], 1)),
        (words, _) => words.to_owned(),
    }
}

/// A text without what the rule forgives.
struct Normal<R> {
    window: Window<R>,
    rule: LineRule,
    /// What comes next, once it is known that it counts.
    ready: VecDeque<u8>,
    /// Line ends and blanks that count only if something follows.
    newlines: u64,
    blanks: Vec<u8>,
    /// A word came already: in the text, or in the line.
    begun: bool,
    /// Where the byte given last lies.
    offset: u64,
}

impl<R: Read> Normal<R> {
    fn new(reader: R, rule: LineRule) -> Self {
        Self {
            window: Window::new(reader),
            rule,
            ready: VecDeque::new(),
            newlines: 0,
            blanks: Vec::new(),
            begun: false,
            offset: 0,
        }
    }

    fn next(&mut self) -> io::Result<Option<u8>> {
        loop {
            if self.newlines > 0 && !self.ready.is_empty() {
                self.newlines -= 1;
                return Ok(Some(b'\n'));
            }
            if let Some(byte) = self.ready.pop_front() {
                return Ok(Some(byte));
            }
            self.offset = self.window.offset();
            let Some(byte) = self.window.peek()? else {
                return Ok(None);
            };
            self.window.consume(1);
            match self.rule {
                LineRule::Whole => self.whole(byte)?,
                LineRule::Trimmed | LineRule::Blanks => self.trimmed(byte),
                LineRule::Words => self.words(byte),
            }
        }
    }

    fn whole(&mut self, byte: u8) -> io::Result<()> {
        let next = self.window.peek()?;
        match (byte, next) {
            (b'\r', Some(b'\n')) | (b'\n', None) => {}
            _ => self.ready.push_back(byte),
        }
        Ok(())
    }

    fn trimmed(&mut self, byte: u8) {
        match byte {
            b'\n' => {
                self.newlines += 1;
                self.blanks.clear();
                self.begun = false;
            }
            byte if is_blank(byte) && self.rule == LineRule::Trimmed => self.blanks.push(byte),
            byte if is_blank(byte) => {
                if self.begun && self.blanks.is_empty() {
                    self.blanks.push(b' ');
                }
            }
            byte => {
                self.begun = true;
                self.ready.extend(self.blanks.drain(..));
                self.ready.push_back(byte);
            }
        }
    }

    fn words(&mut self, byte: u8) {
        if is_blank(byte) {
            let line = matches!(byte, b'\n' | b'\r') || self.blanks == [b'\n'];
            self.blanks = vec![if line { b'\n' } else { b' ' }];
            return;
        }
        if self.begun {
            self.ready.extend(self.blanks.drain(..));
        }
        self.blanks.clear();
        self.begun = true;
        self.ready.push_back(byte);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(output: &str, answer: &str, rule: LineRule) -> bool {
        compare(output.as_bytes(), answer.as_bytes(), rule)
            .unwrap()
            .is_none()
    }

    #[test]
    fn each_rule_forgives_what_it_says() {
        // Output, answer, and what `Whole`, `Trimmed`, `Blanks` and `Words` say.
        let (no, yes) = (false, true);
        let table = [
            ("a b\nc\n", "a b\nc\n", [yes, yes, yes, yes]),
            ("a b\nc", "a b\nc\n", [yes, yes, yes, yes]),
            ("a b\r\nc\r\n", "a b\nc\n", [yes, yes, yes, yes]),
            ("a b \nc\t\n", "a b\nc\n", [no, yes, yes, yes]),
            ("a b\nc\n\n \n", "a b\nc\n", [no, yes, yes, yes]),
            ("a  b\nc\n", "a b\nc\n", [no, no, yes, yes]),
            (" a b\nc\n", "a b\nc\n", [no, no, yes, yes]),
            ("a b\n\t c\n", "a b\nc\n", [no, no, yes, yes]),
            ("\na b\nc\n", "a b\nc\n", [no, no, no, yes]),
            ("a b\n\nc\n", "a b\nc\n", [no, no, no, yes]),
            ("a b c\n", "a b\nc\n", [no; 4]),
            ("a\nb\nc\n", "a b\nc\n", [no; 4]),
            ("A b\nc\n", "a b\nc\n", [no; 4]),
            ("a b\n", "a b\nc\n", [no; 4]),
            ("a b\nc\nd\n", "a b\nc\n", [no; 4]),
            ("ab\nc\n", "a b\nc\n", [no; 4]),
            ("", "", [yes; 4]),
            ("\n", "", [yes; 4]),
            (" \n\n", "", [no, yes, yes, yes]),
            ("", "a\n", [no; 4]),
        ];
        for (output, answer, expected) in table {
            for ((_, rule), expected) in LineRule::ALL.into_iter().zip(expected) {
                assert_eq!(same(output, answer, rule), expected, "{output:?} {rule:?}");
                assert_eq!(same(answer, output, rule), expected, "{output:?} {rule:?}");
            }
        }
    }

    #[test]
    fn says_where_it_differs() {
        let finding = compare(&b"a\nb x\n"[..], &b"a\nb y\n"[..], LineRule::Trimmed).unwrap();
        let mismatch = finding
            .unwrap()
            .explain(&b"a\nb x\n"[..], &b"a\nb y\n"[..])
            .unwrap();
        assert_eq!(
            mismatch.headline,
            "byte 5 (line 2, column 3): expected `y`, got `x`"
        );
    }
}
