//! What two programs said to each other, line by line, for people: bounded, and safe to show.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::talk::Side;
use crate::checker::printable::one_line;
use crate::sandbox::{Exit, LimitKind};

/// How many lines are kept from the beginning, and how many from the end.
const HEAD: usize = 1000;
const TAIL: usize = 1000;
/// How much of a line is kept, in bytes, and shown, in characters.
const LINE: usize = 400;
const SHOWN: usize = 100;

/// A line that one of them wrote, or how it ended.
#[derive(Debug, Clone)]
struct Entry {
    at: Duration,
    side: Side,
    what: What,
}

#[derive(Debug, Clone)]
enum What {
    /// The beginning of a line; whether the line was ended.
    Said(Vec<u8>, bool),
    Ended(Exit),
}

/// A conversation that is over.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    head: Vec<Entry>,
    tail: VecDeque<Entry>,
    left_out: usize,
}

/// Takes down what is said.
#[derive(Debug)]
pub(super) struct Recorder {
    started: Instant,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    transcript: Transcript,
    /// The line that each has begun, and when.
    begun: [Option<(Duration, Vec<u8>)>; 2],
    /// How they ended; what one wrote last may be heard after that.
    ends: Vec<Entry>,
}

impl Recorder {
    pub(super) fn start() -> Self {
        Self {
            started: Instant::now(),
            state: Mutex::default(),
        }
    }

    /// `side` wrote `bytes`.
    pub(super) fn heard(&self, side: Side, bytes: &[u8]) {
        let at = self.started.elapsed();
        let mut state = self.lock();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ended) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            let (_, line) = state.begun[side as usize].get_or_insert_with(|| (at, Vec::new()));
            let room = LINE.saturating_sub(line.len()).min(text.len());
            line.extend_from_slice(&text[..room]);
            if ended {
                state.end_line(side, true);
            }
        }
    }

    /// `side` ended. What it wrote last may still come.
    pub(super) fn ended(&self, side: Side, exit: Exit) {
        let what = What::Ended(exit);
        let at = self.started.elapsed();
        self.lock().ends.push(Entry { at, side, what });
    }

    pub(super) fn finish(self) -> Transcript {
        let state = self.state.into_inner();
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        for side in [Side::Submission, Side::Interactor] {
            state.end_line(side, false);
        }
        for end in std::mem::take(&mut state.ends) {
            state.transcript.insert_end(end);
        }
        state.transcript
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn end_line(&mut self, side: Side, ended: bool) {
        if let Some((at, line)) = self.begun[side as usize].take() {
            let what = What::Said(line, ended);
            self.transcript.push(Entry { at, side, what });
        }
    }
}

impl Transcript {
    fn push(&mut self, entry: Entry) {
        if self.head.len() < HEAD {
            self.head.push(entry);
            return;
        }
        self.tail.push_back(entry);
        if self.tail.len() > TAIL {
            self.tail.pop_front();
            self.left_out += 1;
        }
    }

    /// Puts an end where it belongs: by its time, but after all that this side said.
    fn insert_end(&mut self, mut end: Entry) {
        let comes_before = |entry: &Entry| {
            let is_said = matches!(entry.what, What::Said(..));
            entry.at <= end.at || (is_said && entry.side == end.side)
        };
        if self.tail.is_empty() {
            let before = self.head.iter().rposition(comes_before);
            end.at = end
                .at
                .max(before.map_or(end.at, |index| self.head[index].at));
            self.head.insert(before.map_or(0, |index| index + 1), end);
        } else {
            let before = self.tail.iter().rposition(comes_before);
            end.at = end
                .at
                .max(before.map_or(end.at, |index| self.tail[index].at));
            self.tail.insert(before.map_or(0, |index| index + 1), end);
        }
    }

    /// All that was kept.
    pub(super) fn whole(&self) -> String {
        let mut text = String::new();
        for entry in &self.head {
            entry.push_to(&mut text);
        }
        push_left_out(&mut text, self.left_out);
        for entry in &self.tail {
            entry.push_to(&mut text);
        }
        text
    }

    /// The last `most` lines.
    pub(super) fn last(&self, most: usize) -> String {
        let kept = self.head.len() + self.tail.len();
        let skipped = kept.saturating_sub(most);
        let mut text = String::new();
        push_left_out(&mut text, skipped + self.left_out);
        for entry in self.head.iter().chain(&self.tail).skip(skipped) {
            entry.push_to(&mut text);
        }
        text
    }
}

fn push_left_out(text: &mut String, lines: usize) {
    if lines > 0 {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "… {lines} more lines …");
    }
}

impl Entry {
    /// `   0.012 s  solution    ? 500`
    fn push_to(&self, text: &mut String) {
        let who = match self.side {
            Side::Submission => "solution",
            Side::Interactor => "interactor",
        };
        let what = match &self.what {
            What::Said(line, true) => one_line(line, SHOWN),
            What::Said(line, false) => format!("{} (no newline)", one_line(line, SHOWN)),
            What::Ended(exit) => format!("({})", ending(*exit)),
        };
        let _ = writeln!(text, "{:8.3} s  {who:<10}  {what}", self.at.as_secs_f64());
    }
}

fn ending(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("ended with exit code {code}"),
        Exit::Signal(signal) => format!("ended by signal {signal}"),
        Exit::Killed(limit) => {
            let limit = match limit {
                LimitKind::Cpu => "CPU time",
                LimitKind::Wall => "wall time",
                LimitKind::Memory => "memory",
                LimitKind::Output => "output",
                LimitKind::Processes => "processes",
                LimitKind::Files => "files",
            };
            format!("stopped: over its limit of {limit}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the times.
    fn lines(text: &str) -> Vec<&str> {
        text.lines()
            .map(|line| line.split_once(" s  ").map_or(line, |(_, rest)| rest))
            .collect()
    }

    #[test]
    fn what_is_heard_after_an_end_stands_before_it() {
        let recorder = Recorder::start();
        recorder.heard(Side::Submission, b"1\n");
        recorder.ended(Side::Interactor, Exit::Code(42));
        recorder.heard(Side::Interactor, b"right\n");
        recorder.ended(Side::Submission, Exit::Code(0));
        let text = recorder.finish().whole();
        let order = ["1", "right", "code 42", "code 0"].map(|word| text.find(word).unwrap());
        assert!(order.is_sorted(), "{text}");
    }

    #[test]
    fn lines_are_put_together_and_made_safe() {
        let recorder = Recorder::start();
        recorder.heard(Side::Interactor, b"10\n20");
        recorder.heard(Side::Submission, b"? \x1b[2J\n");
        recorder.heard(Side::Interactor, b"30\n\n");
        recorder.heard(Side::Submission, b"!");
        recorder.ended(Side::Interactor, Exit::Code(43));
        recorder.ended(Side::Submission, Exit::Killed(LimitKind::Wall));
        let text = recorder.finish().whole();
        assert_eq!(
            lines(&text),
            [
                "interactor  10",
                "solution    ? \\x1b[2J",
                "interactor  2030",
                "interactor  ",
                "solution    ! (no newline)",
                "interactor  (ended with exit code 43)",
                "solution    (stopped: over its limit of wall time)",
            ]
        );
    }

    #[test]
    fn a_flood_leaves_its_beginning_and_its_end() {
        let recorder = Recorder::start();
        for n in 0..10_000 {
            recorder.heard(Side::Submission, format!("{n}\n").as_bytes());
        }
        recorder.heard(Side::Submission, &vec![b'x'; 10 << 20]);
        let transcript = recorder.finish();
        let text = transcript.whole();
        let all = lines(&text);
        assert_eq!(all.len(), HEAD + 1 + TAIL);
        assert_eq!(all[HEAD - 1], "solution    999");
        assert_eq!(all[HEAD], "… 8001 more lines …");
        assert_eq!(all[HEAD + TAIL - 1], "solution    9999");
        assert!(all[HEAD + TAIL].ends_with("xx… (no newline)"));
        let last = transcript.last(2);
        assert_eq!(
            lines(&last)[..2],
            ["… 9999 more lines …", "solution    9999"]
        );
    }
}
