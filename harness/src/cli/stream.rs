//! The two streams of the terminal: results on standard output, diagnostics on standard error.
//!
//! Whatever the text, neither the terminal nor a CI that reads the log obeys it.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context as _, Error, Result};

use super::exit::Exit;
use crate::diff::Look;
use crate::report::inert::{Inert, inert};
use crate::report::style::{BAD, BOLD, WARN};

/// When to colour.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Makes this choice hold for everything that the process writes.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Standard output, with styles where they are wanted.
pub(crate) fn stdout() -> Inert<AutoStream<io::Stdout>> {
    Inert::new(AutoStream::auto(io::stdout()))
}

/// Standard error, in the same way.
pub(crate) fn stderr() -> Inert<AutoStream<io::Stderr>> {
    Inert::new(AutoStream::auto(io::stderr()))
}

/// How differences are drawn on standard output.
pub(crate) fn look() -> Look {
    const MARGIN: usize = 8;
    let columns = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0));
    let colour = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    Look {
        width: columns.saturating_sub(MARGIN).clamp(40, 160),
        colour,
    }
}

/// Writes a command's result; a reader that has gone away is no error.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Exit> {
    let mut out = stdout();
    written(write(&mut out).and_then(|()| out.flush()))
}

fn written(result: io::Result<()>) -> Result<Exit> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(Exit::Expected),
    }
}

/// A line of a command's result.
pub(crate) fn say(text: impl std::fmt::Display) -> Result<()> {
    print(|out| writeln!(out, "{text}")).map(drop)
}

/// Writes what is not text for people, as it is: a completion script, a manual page.
pub(crate) fn print_as_is(bytes: &[u8]) -> Result<Exit> {
    written(io::stdout().write_all(bytes))
}

/// A line on standard error.
pub(crate) fn tell(text: impl std::fmt::Display) {
    // A reader that has gone away is no error.
    let _ = writeln!(anstream::stderr(), "{}", inert(&text.to_string()));
}

/// `warning: …` on standard error.
pub(crate) fn warn(text: impl std::fmt::Display) {
    tell(format_args!("{WARN}warning{WARN:#}: {text}"));
}

/// `note: …` on standard error.
pub(crate) fn note(text: impl std::fmt::Display) {
    tell(format_args!("{BOLD}note{BOLD:#}: {text}"));
}

/// `error: …` on standard error.
pub(crate) fn error(text: impl std::fmt::Display) {
    tell(format_args!("{BAD}error{BAD:#}: {text}"));
}

/// `help: …` on standard error, after an error.
pub(crate) fn help(text: impl std::fmt::Display) {
    tell(format_args!("help: {text}"));
}

/// `error: …` on standard error, with its causes on lines of their own.
pub(crate) fn report_error(error: &Error) {
    tell(format_args!("{BAD}error{BAD:#}: {error}"));
    for cause in error.chain().skip(1) {
        tell(format_args!("  caused by: {cause}"));
    }
}
