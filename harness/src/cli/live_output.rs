//! Standard output of a program, passed on to ours.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read, Write as _};
use std::os::fd::AsFd as _;
use std::sync::{Arc, Mutex, PoisonError};

use crate::printable::{self, PrintablePiece};
use crate::sandbox::Runner;

/// Standard output of a program, shown as soon as it is written.
#[derive(Debug)]
pub(super) struct LiveOutput(Arc<Mutex<OutputView>>);

/// Our standard output, and what happened to it.
#[derive(Debug)]
struct OutputView {
    /// `None`: unchanged.
    visible: Option<VisibleText>,
    /// The first error; nothing is written after it.
    failed: io::Result<()>,
}

impl LiveOutput {
    /// Shows the output of the next runs; `None` if our standard output is a regular file. Nobody reads that while it is
    /// written, and the program gets a file too, as from judges.
    pub(super) fn start(runner: &mut Runner) -> io::Result<Option<Self>> {
        let stdout = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        if stdout.metadata()?.is_file() {
            return Ok(None);
        }
        let view = Arc::new(Mutex::new(OutputView::new()));
        let shown = Arc::clone(&view);
        runner.show_output(move |bytes| {
            let mut view = shown.lock().unwrap_or_else(PoisonError::into_inner);
            view.show(bytes);
        });
        Ok(Some(Self(view)))
    }

    /// Shows the rest, and returns the first error.
    pub(super) fn end(&self) -> io::Result<()> {
        let mut view = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        view.end()
    }
}

/// Shows everything that `from` has.
pub(super) fn show_all(from: &mut impl Read) -> io::Result<()> {
    let mut view = OutputView::new();
    let mut buffer = vec![0; 64 << 10];
    loop {
        match from.read(&mut buffer)? {
            0 => return view.end(),
            length => view.show(&buffer[..length]),
        }
    }
}

impl OutputView {
    fn new() -> Self {
        Self { visible: io::stdout().is_terminal().then(VisibleText::default), failed: Ok(()) }
    }

    fn show(&mut self, bytes: &[u8]) {
        match &mut self.visible {
            Some(visible) => {
                let text = visible.after(bytes);
                self.write(text.as_bytes());
            }
            None => self.write(bytes),
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        if self.failed.is_ok() {
            let mut out = io::stdout().lock();
            self.failed = out.write_all(bytes).and_then(|()| out.flush());
        }
    }

    fn end(&mut self) -> io::Result<()> {
        let rest = self.visible.as_mut().map(VisibleText::end);
        self.write(rest.unwrap_or_default().as_bytes());
        std::mem::replace(&mut self.failed, Ok(()))
    }
}

/// Text with control characters as escapes, so that a terminal executes nothing.
#[derive(Debug, Default)]
struct VisibleText {
    /// The start of a character whose other bytes have not come.
    begun: Vec<u8>,
}

impl VisibleText {
    /// The text of the next bytes.
    fn after(&mut self, bytes: &[u8]) -> String {
        self.begun.extend_from_slice(bytes);
        let last = self.begun.utf8_chunks().last();
        let open = last.map_or(0, |chunk| match str::from_utf8(chunk.invalid()) {
            Err(error) if error.error_len().is_none() => chunk.invalid().len(),
            _ => 0,
        });
        let rest = self.begun.split_off(self.begun.len() - open);
        escaped(&std::mem::replace(&mut self.begun, rest))
    }

    /// The text of what is left.
    fn end(&mut self) -> String {
        escaped(&std::mem::take(&mut self.begun))
    }
}

fn escaped(text: &[u8]) -> String {
    let mut shown = String::new();
    printable::pieces(text).for_each(|piece| match piece {
        PrintablePiece::Escaped(c @ ('\t' | '\n')) => shown.push(c),
        piece => piece.push_to(&mut shown),
    });
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text that is shown of these pieces.
    fn shown(pieces: &[&[u8]]) -> String {
        let mut visible = VisibleText::default();
        let mut all: String = pieces.iter().map(|piece| visible.after(piece)).collect();
        all += &visible.end();
        all
    }

    #[test]
    fn a_terminal_executes_nothing_that_a_program_prints() {
        let text = b"a\tb\n\x1b[2J\xff\nend\xe2\x82";
        let expected = "a\tb\n\\x1b[2J\\xff\nend\\xe2\\x82";
        assert_eq!(shown(&[text]), expected);
        for place in 0..text.len() {
            let (one, two) = text.split_at(place);
            assert_eq!(shown(&[one, two]), expected, "{place}");
        }
    }

    #[test]
    fn a_character_that_comes_in_pieces_stays_one() {
        for text in ["10 \u{20ac}\n", "\u{1f980}", "\u{e9}t\u{e9}"] {
            let bytes = text.as_bytes();
            let pieces: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(shown(&pieces), text);
        }
    }

    #[test]
    fn a_line_without_an_end_is_shown_at_once() {
        assert_eq!(VisibleText::default().after(b"name? "), "name? ");
    }
}
