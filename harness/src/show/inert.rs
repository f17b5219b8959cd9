//! Makes text safe for terminals and logs: neither executes anything in it.
//!
//! Hosted CI reads the log of a job for commands: `::error::` and `##[error]` (GitHub), `##vso[…]` (Azure),
//! `##teamcity[…]`, `section_start:` (GitLab). A container hides which CI runs it, so these texts are never printed as they
//! are. At the start of a line, Buildkite reads `---`, `+++`, `~~~` and `^^^` as headings. These only fold the log, and the
//! messages of programs contain them, so they pass where Buildkite does not run. A terminal executes control characters, and
//! characters that reorder text deceive readers. Everything that rejudge prints passes through here, its own text and
//! foreign text. A command of a CI gets one backslash, which hardly disturbs readers; every other hazardous character
//! becomes an escape.
//!
//! Only the styles of our own palette pass. They cannot hide a command: the search for commands ignores them.

use std::collections::VecDeque;
use std::io::{self, Write};

use crate::printable::{self, PrintablePiece};

/// The text that GitHub looks for at the start of a line, after blanks. The backslash comes before the last character.
const COMMAND: &str = "::";

/// The texts that Buildkite looks for there.
const HEADINGS: [&str; 4] = ["---", "+++", "~~~", "^^^"];

/// Texts that a CI looks for anywhere in a line.
const ANYWHERE: [&str; 4] = ["section_start:", "section_end:", "travis_fold:", "travis_time:"];

/// At least the length of the texts above and of a name between `##` and `[`, in characters.
const LOOK_BACK: usize = 32;

/// The state of the current line: what was read of it.
#[derive(Debug, Default)]
pub(crate) struct LineState {
    /// The last characters, without the blanks at the start.
    recent: VecDeque<char>,
    /// The number of characters from the first non-blank one on.
    length: usize,
    /// Whether Buildkite reads the line.
    has_headings: bool,
}

impl LineState {
    /// The start of a log, with or without Buildkite as its reader.
    fn new(has_headings: bool) -> Self {
        Self { has_headings, ..Self::default() }
    }

    fn push(&mut self, c: char, out: &mut String) {
        if c == '\n' {
            *self = Self::new(self.has_headings);
            out.push(c);
            return;
        }
        if self.length == 0 && c.is_whitespace() {
            out.push(c);
            return;
        }
        if self.would_command(c) {
            self.note('\\');
            out.push('\\');
        }
        self.note(c);
        out.push(c);
    }

    fn note(&mut self, c: char) {
        if self.recent.len() == LOOK_BACK {
            self.recent.pop_front();
        }
        self.recent.push_back(c);
        self.length += 1;
    }

    /// Whether `c` would complete a command.
    fn would_command(&self, c: char) -> bool {
        let completes = |text: &str| {
            let mut back = text.chars().rev();
            back.next() == Some(c)
                && back.eq(self.recent.iter().rev().take(text.len() - 1).copied())
        };
        let at_start = |text: &str| self.length == text.len() - 1 && completes(text);
        match c {
            ':' | '-' | '+' | '~' | '^' => {
                at_start(COMMAND)
                    || (self.has_headings && HEADINGS.into_iter().any(at_start))
                    || ANYWHERE.into_iter().any(completes)
            }
            '[' => self.ends_in_a_marked_name(),
            _ => false,
        }
    }

    /// Whether the line so far ends in `##` and any number of letters or digits: `##`, `##vso`, `##teamcity`.
    fn ends_in_a_marked_name(&self) -> bool {
        let mut back = self.recent.iter().rev();
        let before = back.by_ref().find(|c| !c.is_ascii_alphanumeric());
        before == Some(&'#') && back.next() == Some(&'#')
    }
}

/// Appends `text` to `out` in a safe form; `line` is the state of the current line between calls.
fn push(text: &[u8], line: &mut LineState, out: &mut String) {
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(length) = style(rest) {
            let (codes, after) = rest.split_at(length);
            out.extend(codes.iter().map(|byte| char::from(*byte)));
            rest = after;
            continue;
        }
        // Up to the next escape character, which may start a style.
        let next = memchr::memchr(0x1b, &rest[1..]).map_or(rest.len(), |at| at + 1);
        let (part, after) = rest.split_at(next);
        for piece in printable::pieces(part) {
            match piece {
                PrintablePiece::Plain(c) | PrintablePiece::Escaped(c @ ('\n' | '\t')) => {
                    line.push(c, out);
                }
                hazardous => {
                    let mut shown = String::new();
                    hazardous.push_to(&mut shown);
                    shown.chars().for_each(|c| line.push(c, out));
                }
            }
        }
        rest = after;
    }
}

/// The length of the style at the start of `text`, if it is in our palette: bold, dim, underlined, inverted, reset, the
/// eight colours. No other style is legitimate: concealed text is a command for one CI.
fn style(text: &[u8]) -> Option<usize> {
    let codes = text.strip_prefix(b"\x1b[")?;
    let end = codes.iter().take(12).position(|byte| *byte == b'm')?;
    let ours = |code: &[u8]| {
        matches!(code, b"" | b"0" | b"1" | b"2" | b"4" | b"7" | b"39" | [b'3' | b'9', b'0'..=b'7'])
    };
    codes[..end].split(|byte| *byte == b';').all(ours).then_some(end + 3)
}

/// The text in a form in which neither a terminal nor a CI executes anything.
pub(crate) fn inert(text: &str) -> String {
    inert_on(text, is_buildkite())
}

fn inert_on(text: &str, has_headings: bool) -> String {
    let mut out = String::with_capacity(text.len());
    push(text.as_bytes(), &mut LineState::new(has_headings), &mut out);
    out
}

/// Whether Buildkite runs this process.
fn is_buildkite() -> bool {
    std::env::var_os("BUILDKITE").is_some_and(|value| value == "true")
}

/// A stream to a terminal or a log. Text is shown, never executed.
pub(crate) struct Inert<W> {
    out: W,
    line: LineState,
    /// The start of a character or of a style whose end has not been written yet.
    begun: Vec<u8>,
}

impl<W: Write> Inert<W> {
    /// A stream to `out`, which must be at the start of a line.
    pub(crate) fn new(out: W) -> Self {
        Self::on(out, is_buildkite())
    }

    fn on(out: W, has_headings: bool) -> Self {
        Self { out, line: LineState::new(has_headings), begun: Vec::new() }
    }
}

impl<W: Write> Write for Inert<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        let whole = self.begun.len() - unfinished(&self.begun);
        let mut shown = String::new();
        push(&self.begun[..whole], &mut self.line, &mut shown);
        self.begun.drain(..whole);
        self.out.write_all(shown.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut shown = String::new();
        push(&self.begun, &mut self.line, &mut shown);
        self.begun.clear();
        self.out.write_all(shown.as_bytes())?;
        self.out.flush()
    }
}

/// The number of bytes at the end that may be the start of a character or style which continues in the next write.
fn unfinished(bytes: &[u8]) -> usize {
    let tail = &bytes[bytes.len().saturating_sub(16)..];
    if let Some(at) = memchr::memrchr(0x1b, tail) {
        let started = &tail[at + 1..];
        let open = started
            .iter()
            .enumerate()
            .all(|(index, byte)| matches!((index, byte), (0, b'[') | (1.., b'0'..=b'9' | b';')));
        if open {
            return tail.len() - at;
        }
    }
    let last = bytes.utf8_chunks().last();
    let torn = last.map_or(&[][..], |chunk| chunk.invalid());
    match std::str::from_utf8(torn) {
        // With an `error_len` the bytes are invalid whatever follows.
        Err(error) if error.error_len().is_none() => torn.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
