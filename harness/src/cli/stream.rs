//! The two streams of the terminal: results on standard output, diagnostics on standard error.
//!
//! All text is made safe: neither the terminal nor a CI that reads the log executes anything in it.

use std::io::{self, Write};

use anstream::{AutoStream, ColorChoice};
use anyhow::{Context as _, Error, Result};

use super::exit::CommandExit;
use crate::diff::Look;
use crate::notice::{Notice, folded};
use crate::show::fit::fitted;
use crate::show::inert::{Inert, inert};
use crate::show::style::{BAD, BOLD, WARN};

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
    /// Applies this choice to everything that the process writes.
    pub(crate) fn apply(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Standard output, with styles if enabled.
pub(crate) fn stdout() -> Inert<AutoStream<io::Stdout>> {
    Inert::new(AutoStream::auto(io::stdout()))
}

/// Standard error, with styles if enabled.
pub(crate) fn stderr() -> Inert<AutoStream<io::Stderr>> {
    Inert::new(AutoStream::auto(io::stderr()))
}

/// The stream of a human-readable report.
pub(crate) struct ReportStream {
    /// Its name in messages.
    pub(crate) name: &'static str,
    pub(crate) out: Box<dyn Write>,
    /// Its columns, if it is a terminal.
    pub(crate) columns: Option<usize>,
}

/// The stream of a human-readable report: standard output, or standard error if `json_to_stdout`.
pub(crate) fn for_report(json_to_stdout: bool) -> ReportStream {
    let (name, out): (_, Box<dyn Write>) = if json_to_stdout {
        ("standard error", Box::new(stderr()))
    } else {
        ("standard output", Box::new(stdout()))
    };
    ReportStream { name, out, columns: columns(json_to_stdout) }
}

/// The columns of standard output, or of standard error, if that is a terminal.
pub(crate) fn columns(of_stderr: bool) -> Option<usize> {
    let size = if of_stderr {
        terminal_size::terminal_size_of(io::stderr())
    } else {
        terminal_size::terminal_size_of(io::stdout())
    };
    size.map(|(width, _)| usize::from(width.0)).filter(|columns| *columns > 0)
}

/// Whether any output is coloured.
pub(crate) fn colors() -> bool {
    let standard = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    standard || AutoStream::choice(&io::stderr()) != ColorChoice::Never
}

/// The width and colours of differences on standard output.
pub(crate) fn look() -> Look {
    const MARGIN: usize = 8;
    let columns = terminal_size::terminal_size().map_or(100, |(width, _)| usize::from(width.0));
    let colour = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
    Look { width: columns.saturating_sub(MARGIN).clamp(40, 160), colour }
}

/// Writes the result of a command, in lines that fit the terminal. A closed pipe is not an error.
pub(crate) fn print(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<CommandExit> {
    let Some(columns) = columns(false) else {
        return print_unfitted(write);
    };
    let mut text = Vec::new();
    written(write(&mut text))?;
    let text = fitted(&String::from_utf8_lossy(&text), columns);
    print_unfitted(|out| out.write_all(text.as_bytes()))
}

/// Like [`print`], but keeps the lines as they are, for machine-readable results.
pub(crate) fn print_unfitted(
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<CommandExit> {
    // Long lists have thousands of lines.
    let mut out = io::BufWriter::new(stdout());
    written(write(&mut out).and_then(|()| out.flush()))
}

fn written(result: io::Result<()>) -> Result<CommandExit> {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to standard output")
        }
        _ => Ok(CommandExit::Expected),
    }
}

/// Writes a line of a command's result to standard output.
pub(crate) fn print_line(text: impl std::fmt::Display) -> Result<()> {
    print(|out| writeln!(out, "{text}")).map(drop)
}

/// Writes machine-readable output unchanged: a completion script, a manual page.
pub(crate) fn print_as_is(bytes: &[u8]) -> Result<CommandExit> {
    written(io::stdout().write_all(bytes))
}

/// Writes a line to standard error.
pub(crate) fn eprint_line(text: impl std::fmt::Display) {
    // A closed pipe is not an error.
    let text = inert(&text.to_string());
    let text = match columns(true) {
        Some(columns) => fitted(&text, columns),
        None => text,
    };
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Writes an error about the arguments, which has its own words and styles, to standard error.
pub(crate) fn refuse(text: &str) {
    eprint_line(text.trim_end());
}

/// Writes `warning: …` to standard error.
pub(crate) fn warn(text: impl std::fmt::Display) {
    eprint_line(format_args!("{WARN}warning{WARN:#}: {text}"));
}

/// Writes warnings to standard error: of many of one kind the first few, and the number of the others.
pub(crate) fn warn_of_all(warnings: &[Notice]) {
    folded(warnings).iter().for_each(warn);
}

/// Writes `note: …` to standard error.
pub(crate) fn note(text: impl std::fmt::Display) {
    eprint_line(format_args!("{BOLD}note{BOLD:#}: {text}"));
}

/// Says how far a long work is, where no terminal shows it.
pub(crate) fn note_of_work(text: &str) {
    note(format_args!("working: {text}"));
}

/// Writes `error: …` to standard error.
pub(crate) fn error(text: impl std::fmt::Display) {
    eprint_line(format_args!("{BAD}error{BAD:#}: {text}"));
}

/// Writes `help: …` to standard error, after an error.
pub(crate) fn help(text: impl std::fmt::Display) {
    eprint_line(format_args!("help: {text}"));
}

/// Writes `error: …` to standard error, with each cause on a separate line.
pub(crate) fn report_error(error: &Error) {
    eprint_line(format_args!("{BAD}error{BAD:#}: {error}"));
    for cause in error.chain().skip(1) {
        eprint_line(format_args!("  caused by: {cause}"));
    }
}
