//! The messages between a submission and an interactor, as data.

use std::fmt;
use std::time::Duration;

/// The messages between submission and interactor, as far as they are shown. `Display` writes them as lines of text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ShownTranscript {
    /// The lines, in the order of time.
    pub lines: Vec<ShownLine>,
}

/// A line of a transcript, without control characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShownLine {
    /// A program wrote a line, or ended.
    Message {
        /// The time since the start of the pass.
        at: Duration,
        /// The program.
        from: Speaker,
        /// The line, or how the program ended.
        text: String,
    },
    /// What stands between messages: the number of a pass, or of the lines that are not shown.
    Note(String),
}

/// One of two programs that talk to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The submission.
    Solution,
    /// The interactor.
    Interactor,
}

impl Speaker {
    /// The name in reports.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Solution => "solution",
            Self::Interactor => "interactor",
        }
    }
}

impl ShownTranscript {
    /// A transcript of which only the text is known.
    #[must_use]
    pub fn of_text(text: &str) -> Self {
        let lines = text.lines().map(|line| ShownLine::Note(line.to_owned()));
        Self { lines: lines.collect() }
    }

    /// This transcript below a note.
    #[must_use]
    pub fn after_note(mut self, note: String) -> Self {
        self.lines.insert(0, ShownLine::Note(note));
        self
    }

    /// This transcript, and then another one.
    #[must_use]
    pub fn followed_by(mut self, next: Self) -> Self {
        self.lines.extend(next.lines);
        self
    }
}

impl fmt::Display for ShownTranscript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            match line {
                // `   0.012 s  solution    ? 500`
                ShownLine::Message { at, from, text } => {
                    let (at, from) = (at.as_secs_f64(), from.word());
                    writeln!(f, "{at:8.3} s  {from:<10}  {text}")?;
                }
                ShownLine::Note(text) => writeln!(f, "{text}")?,
            }
        }
        Ok(())
    }
}
