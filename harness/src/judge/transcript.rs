//! The messages of two programs to each other, line by line and human-readable: bounded in size, and safe to print.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::end_order::Partner;
use crate::decide::signal_words;
use crate::event::{ShownLine, ShownTranscript, Speaker};
use crate::printable::one_line;
use crate::sandbox::Exit;

/// Maximum number of lines that are kept from the start, and from the end.
const HEAD: usize = 1000;
const TAIL: usize = 1000;
/// Maximum length of a line: kept (in bytes), and shown (in characters).
const LINE: usize = 400;
const SHOWN: usize = 100;

/// A line that one program wrote, or its end.
#[derive(Debug, Clone)]
struct TranscriptLine {
    at: Duration,
    partner: Partner,
    content: Content,
}

#[derive(Debug, Clone)]
enum Content {
    /// The start of a line, and whether the line has a newline.
    Line(Vec<u8>, bool),
    Ended(Exit),
}

/// The transcript of a finished interaction.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    head: Vec<TranscriptLine>,
    tail: VecDeque<TranscriptLine>,
    omitted: usize,
}

/// Records the messages of both programs.
#[derive(Debug)]
pub(super) struct Recorder {
    started: Instant,
    state: Mutex<Recording>,
}

#[derive(Debug, Default)]
struct Recording {
    transcript: Transcript,
    /// For each program: the unfinished line, and the time of its start.
    unfinished: [Option<(Duration, Vec<u8>)>; 2],
    /// The ends of the programs. The last output of a program may arrive after its end.
    ends: Vec<TranscriptLine>,
}

impl Recorder {
    pub(super) fn start() -> Self {
        Self { started: Instant::now(), state: Mutex::default() }
    }

    /// Records that `partner` wrote `bytes`.
    pub(super) fn record(&self, partner: Partner, bytes: &[u8]) {
        let at = self.started.elapsed();
        let mut state = self.lock();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            let (text, ended) = match piece.strip_suffix(b"\n") {
                Some(text) => (text, true),
                None => (piece, false),
            };
            let (_, line) =
                state.unfinished[partner as usize].get_or_insert_with(|| (at, Vec::new()));
            let length = LINE.saturating_sub(line.len()).min(text.len());
            line.extend_from_slice(&text[..length]);
            if ended {
                state.end_line(partner, true);
            }
        }
    }

    /// Records that `partner` ended. Its last output may still arrive.
    pub(super) fn ended(&self, partner: Partner, exit: Exit) {
        let content = Content::Ended(exit);
        let at = self.started.elapsed();
        self.lock().ends.push(TranscriptLine { at, partner, content });
    }

    pub(super) fn finish(self) -> Transcript {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        for partner in [Partner::Submission, Partner::Interactor] {
            state.end_line(partner, false);
        }
        for end in std::mem::take(&mut state.ends) {
            state.transcript.insert_end(end);
        }
        state.transcript
    }

    fn lock(&self) -> MutexGuard<'_, Recording> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recording {
    fn end_line(&mut self, partner: Partner, ended: bool) {
        if let Some((at, line)) = self.unfinished[partner as usize].take() {
            let content = Content::Line(line, ended);
            self.transcript.push(TranscriptLine { at, partner, content });
        }
    }
}

impl Transcript {
    fn push(&mut self, line: TranscriptLine) {
        if self.head.len() < HEAD {
            self.head.push(line);
            return;
        }
        self.tail.push_back(line);
        if self.tail.len() > TAIL {
            self.tail.pop_front();
            self.omitted += 1;
        }
    }

    /// Inserts the end of a program in the order of time, but after all output of that program. A program that was killed
    /// because the other one had ended comes last.
    fn insert_end(&mut self, mut end: TranscriptLine) {
        let is_last = matches!(end.content, Content::Ended(Exit::Stopped));
        let comes_before = |line: &TranscriptLine| {
            let is_line = matches!(line.content, Content::Line(..));
            is_last || line.at <= end.at || (is_line && line.partner == end.partner)
        };
        if self.tail.is_empty() {
            let before = self.head.iter().rposition(comes_before);
            end.at = end.at.max(before.map_or(end.at, |index| self.head[index].at));
            self.head.insert(before.map_or(0, |index| index + 1), end);
        } else {
            let before = self.tail.iter().rposition(comes_before);
            end.at = end.at.max(before.map_or(end.at, |index| self.tail[index].at));
            self.tail.insert(before.map_or(0, |index| index + 1), end);
        }
    }

    /// All kept lines.
    pub(super) fn whole(&self) -> ShownTranscript {
        let head = self.head.iter().map(TranscriptLine::shown);
        let tail = self.tail.iter().map(TranscriptLine::shown);
        ShownTranscript { lines: head.chain(omitted(self.omitted)).chain(tail).collect() }
    }

    /// The last `most` lines.
    pub(super) fn last(&self, most: usize) -> ShownTranscript {
        let kept = self.head.len() + self.tail.len();
        let skipped = kept.saturating_sub(most);
        let last = self.head.iter().chain(&self.tail).skip(skipped);
        let omitted = omitted(skipped + self.omitted).into_iter();
        ShownTranscript { lines: omitted.chain(last.map(TranscriptLine::shown)).collect() }
    }
}

/// What stands for lines that are not shown.
fn omitted(lines: usize) -> Option<ShownLine> {
    (lines > 0).then(|| ShownLine::Note(format!("… {lines} lines omitted …")))
}

impl TranscriptLine {
    fn shown(&self) -> ShownLine {
        let from = match self.partner {
            Partner::Submission => Speaker::Solution,
            Partner::Interactor => Speaker::Interactor,
        };
        let text = match &self.content {
            Content::Line(line, true) => one_line(line, SHOWN),
            Content::Line(line, false) => format!("{} (no newline)", one_line(line, SHOWN)),
            Content::Ended(exit) => format!("({})", end_text(*exit)),
        };
        ShownLine::Message { at: self.at, from, text }
    }
}

fn end_text(exit: Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exited with code {code}"),
        Exit::Signal(signal) => format!("killed by {}", signal_words(signal)),
        Exit::Killed(limit) => format!("killed: {limit} exceeded"),
        Exit::Stopped => "killed: the other program had ended".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::LimitKind;

    /// The lines without their times.
    fn lines(text: &str) -> Vec<&str> {
        text.lines().map(|line| line.split_once(" s  ").map_or(line, |(_, rest)| rest)).collect()
    }

    #[test]
    fn output_that_arrives_after_the_end_is_inserted_before_it() {
        let recorder = Recorder::start();
        recorder.record(Partner::Submission, b"1\n");
        recorder.ended(Partner::Interactor, Exit::Code(42));
        recorder.record(Partner::Interactor, b"right\n");
        recorder.ended(Partner::Submission, Exit::Code(0));
        let text = recorder.finish().whole().to_string();
        let order = ["1", "right", "code 42", "code 0"].map(|word| text.find(word).unwrap());
        assert!(order.is_sorted(), "{text}");
    }

    #[test]
    fn a_program_that_was_killed_after_the_other_one_comes_last() {
        let recorder = Recorder::start();
        recorder.record(Partner::Submission, b"1\n");
        recorder.ended(Partner::Interactor, Exit::Code(43));
        recorder.ended(Partner::Submission, Exit::Stopped);
        // On a busy machine, the last output arrives late.
        recorder.record(Partner::Interactor, b"wrong\n");
        let text = recorder.finish().whole().to_string();
        let order = ["1", "wrong", "code 43", "killed"].map(|word| text.find(word).unwrap());
        assert!(order.is_sorted(), "{text}");
    }

    #[test]
    fn lines_are_joined_and_escaped() {
        let recorder = Recorder::start();
        recorder.record(Partner::Interactor, b"10\n20");
        recorder.record(Partner::Submission, b"? \x1b[2J\n");
        recorder.record(Partner::Interactor, b"30\n\n");
        recorder.record(Partner::Submission, b"!");
        recorder.ended(Partner::Interactor, Exit::Code(43));
        recorder.ended(Partner::Submission, Exit::Killed(LimitKind::Wall));
        let text = recorder.finish().whole().to_string();
        assert_eq!(
            lines(&text),
            [
                "interactor  10",
                "solution    ? \\x1b[2J",
                "interactor  2030",
                "interactor  ",
                "solution    ! (no newline)",
                "interactor  (exited with code 43)",
                "solution    (killed: wall time limit exceeded)",
            ]
        );
    }

    #[test]
    fn of_a_flood_the_start_and_the_end_are_kept() {
        let recorder = Recorder::start();
        for n in 0..10_000 {
            recorder.record(Partner::Submission, format!("{n}\n").as_bytes());
        }
        recorder.record(Partner::Submission, &vec![b'x'; 10 << 20]);
        let transcript = recorder.finish();
        let text = transcript.whole().to_string();
        let all = lines(&text);
        assert_eq!(all.len(), HEAD + 1 + TAIL);
        assert_eq!(all[HEAD - 1], "solution    999");
        assert_eq!(all[HEAD], "… 8001 lines omitted …");
        assert_eq!(all[HEAD + TAIL - 1], "solution    9999");
        assert!(all[HEAD + TAIL].ends_with("xx… (no newline)"));
        let last = transcript.last(2).to_string();
        assert_eq!(lines(&last)[..2], ["… 9999 lines omitted …", "solution    9999"]);
    }
}
