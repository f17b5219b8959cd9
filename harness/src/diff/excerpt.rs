//! Reads the few lines around a difference, whatever the size of the text they stand in.

use std::io::{self, Read};

use crate::checker::Position;

/// Bytes looked at before and after a difference.
const BEFORE: u64 = 8 << 10;
const AFTER: u64 = 24 << 10;
/// Whole lines kept before the one with the difference.
const LINES_BEFORE: usize = 3;
/// Lines kept from the one with the difference on: more than are shown, so that the texts can
/// fall into step again.
const LINES_AFTER: usize = 40;

/// Some lines of a text.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    pub(super) lines: Vec<Line>,
    /// How many of them stand before the one with the difference.
    pub(super) before: usize,
    /// Whether the text ends with the last of them.
    pub(super) reaches_end: bool,
}

/// A line or, of a long one, the part near the difference.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    pub(super) number: u64,
    /// Its bytes without the newline.
    pub(super) text: Vec<u8>,
    pub(super) cut_left: bool,
    pub(super) cut_right: bool,
    pub(super) newline: bool,
}

impl Excerpt {
    /// The lines around `at`; `text` is read from its start, and never kept but for a window.
    pub(super) fn read(mut text: impl Read, at: Position) -> io::Result<Self> {
        let skipped = at.offset.saturating_sub(BEFORE);
        io::copy(&mut text.by_ref().take(skipped), &mut io::sink())?;
        let wanted = at.offset - skipped + AFTER;
        let mut window = Vec::new();
        // One byte more tells whether the text goes on.
        text.take(wanted + 1).read_to_end(&mut window)?;
        let goes_on = window.len() as u64 > wanted;
        if goes_on {
            window.pop();
        }
        let into = usize::try_from(at.offset - skipped)
            .unwrap_or(0)
            .min(window.len());
        Ok(Self::of_window(&window, into, at, goes_on))
    }

    /// `window[into]` is where the difference lies.
    fn of_window(window: &[u8], into: usize, at: Position, goes_on: bool) -> Self {
        // How much of the line with the difference lies before the window.
        let left_out = (at.column - 1).saturating_sub(into as u64);
        let line_start =
            into.saturating_sub(usize::try_from(at.column - 1 - left_out).unwrap_or(into));
        let mut start = line_start;
        let mut before = 0;
        while before < LINES_BEFORE && start > 0 && left_out == 0 {
            match memchr::memrchr(b'\n', &window[..start - 1]) {
                Some(newline) => start = newline + 1,
                // The window's first line is whole only where the text begins.
                None if at.offset == into as u64 => start = 0,
                None => break,
            }
            before += 1;
        }
        let mut lines = Vec::new();
        let mut rest = &window[start..];
        while !rest.is_empty() && lines.len() < before + LINES_AFTER {
            let newline = memchr::memchr(b'\n', rest);
            let end = newline.unwrap_or(rest.len());
            lines.push(Line {
                number: at.line - before as u64 + lines.len() as u64,
                text: rest[..end].to_vec(),
                cut_left: left_out > 0 && lines.len() == before,
                cut_right: newline.is_none() && goes_on,
                newline: newline.is_some(),
            });
            rest = &rest[newline.map_or(end, |newline| newline + 1)..];
        }
        Self {
            lines,
            before,
            reaches_end: rest.is_empty() && !goes_on,
        }
    }
}
