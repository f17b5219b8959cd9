//! A text without the blanks and line ends that a rule ignores, with the place of every byte that is left.

use std::collections::VecDeque;
use std::io::{self, Read};

use super::window::{Window, is_blank};
use rejudge_problem::checker_spec::LineRule;

/// A text without the parts that the rule ignores.
pub(super) struct Normal<R> {
    window: Window<R>,
    rule: LineRule,
    /// The bytes that come next and are known to count, with their offsets.
    ready: VecDeque<(u8, u64)>,
    /// Line ends and blanks that count only if other text follows.
    newlines: PendingNewlines,
    blanks: PendingBlanks,
    /// Whether a word has been read: in the text, or in the line.
    begun: bool,
    /// The offset of the byte returned last; at the end, that of what is ignored there.
    pub(super) offset: u64,
}

/// Line ends, as runs that begin at an offset and have a number of them.
#[derive(Default)]
struct PendingNewlines(VecDeque<(u64, u64)>);

/// Blanks that follow each other, and the offset of the first one.
#[derive(Default)]
struct PendingBlanks {
    bytes: Vec<u8>,
    at: u64,
}

impl PendingNewlines {
    /// More runs are not kept apart, so that an output of line ends needs little memory.
    const RUNS: usize = 1024;

    fn push(&mut self, at: u64) {
        let is_full = self.0.len() >= Self::RUNS;
        match self.0.back_mut() {
            Some((start, count)) if is_full || *start + *count == at => *count += 1,
            _ => self.0.push_back((at, 1)),
        }
    }

    /// The offset of the first line end, which is removed.
    fn pop(&mut self) -> Option<u64> {
        let (start, count) = self.0.front_mut()?;
        let at = *start;
        (*start, *count) = (at + 1, *count - 1);
        if *count == 0 {
            self.0.pop_front();
        }
        Some(at)
    }

    fn first(&self) -> Option<u64> {
        self.0.front().map(|(start, _)| *start)
    }
}

impl PendingBlanks {
    fn push(&mut self, byte: u8, at: u64) {
        self.at = self.first().unwrap_or(at);
        self.bytes.push(byte);
    }

    fn first(&self) -> Option<u64> {
        (!self.bytes.is_empty()).then_some(self.at)
    }

    fn drain(&mut self) -> impl Iterator<Item = (u8, u64)> + '_ {
        self.bytes.drain(..).zip(self.at..)
    }
}

impl<R: Read> Normal<R> {
    pub(super) fn new(reader: R, rule: LineRule) -> Self {
        Self {
            window: Window::new(reader),
            rule,
            ready: VecDeque::new(),
            newlines: PendingNewlines::default(),
            blanks: PendingBlanks::default(),
            begun: false,
            offset: 0,
        }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        loop {
            if !self.ready.is_empty()
                && let Some(at) = self.newlines.pop()
            {
                self.offset = at;
                return Ok(Some(b'\n'));
            }
            if let Some((byte, at)) = self.ready.pop_front() {
                self.offset = at;
                return Ok(Some(byte));
            }
            let at = self.window.offset();
            let Some(byte) = self.window.peek()? else {
                let ignored = self.newlines.first().or_else(|| self.blanks.first());
                self.offset = ignored.unwrap_or(at);
                return Ok(None);
            };
            self.window.consume(1);
            match self.rule {
                LineRule::Whole => self.whole(byte, at)?,
                LineRule::Trimmed | LineRule::Blanks => self.trimmed(byte, at),
                // The other rules are for whole texts.
                _ => self.words(byte, at),
            }
        }
    }

    fn whole(&mut self, byte: u8, at: u64) -> io::Result<()> {
        match (byte, self.window.peek()?) {
            (b'\r', Some(b'\n')) => {}
            (b'\n', None) => self.newlines.push(at),
            _ => self.ready.push_back((byte, at)),
        }
        Ok(())
    }

    fn trimmed(&mut self, byte: u8, at: u64) {
        match byte {
            b'\n' => {
                // Blanks before it are ignored too, so the line ends where they begin.
                self.newlines.push(self.blanks.first().unwrap_or(at));
                self.blanks.bytes.clear();
                self.begun = false;
            }
            byte if is_blank(byte) && self.rule == LineRule::Trimmed => self.blanks.push(byte, at),
            byte if is_blank(byte) => {
                if self.begun && self.blanks.bytes.is_empty() {
                    self.blanks.push(b' ', at);
                }
            }
            byte => {
                self.begun = true;
                self.ready.extend(self.blanks.drain());
                self.ready.push_back((byte, at));
            }
        }
    }

    fn words(&mut self, byte: u8, at: u64) {
        if is_blank(byte) {
            let line = matches!(byte, b'\n' | b'\r') || self.blanks.bytes == [b'\n'];
            self.blanks.at = self.blanks.first().unwrap_or(at);
            self.blanks.bytes = vec![if line { b'\n' } else { b' ' }];
            return;
        }
        if self.begun {
            self.ready.extend(self.blanks.drain());
        }
        self.blanks.bytes.clear();
        self.begun = true;
        self.ready.push_back((byte, at));
    }
}
