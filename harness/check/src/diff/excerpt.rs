//! Reads the few lines around a difference, whatever the size of the text.

use std::io::{self, Read};

use crate::checker::Position;

/// Bytes read before and after a difference.
const BEFORE: u64 = 8 << 10;
const AFTER: u64 = 24 << 10;
/// Whole lines kept before the one with the difference.
const LINES_BEFORE: usize = 3;
/// Lines kept from the one with the difference on: more than are shown, so that the diff can align
/// the texts again.
const LINES_AFTER: usize = 40;

/// Some lines of a text.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    pub(super) lines: Vec<TextLine>,
    /// How many of them come before the line with the difference.
    pub(super) before: usize,
    /// Whether the last line is the end of the text.
    pub(super) reaches_end: bool,
}

/// A line or, if it is long, the part around the difference.
#[derive(Debug, Clone, Default)]
pub(super) struct TextLine {
    pub(super) number: u64,
    /// Its bytes without the newline.
    pub(super) text: Vec<u8>,
    pub(super) cut_left: bool,
    pub(super) cut_right: bool,
    pub(super) newline: bool,
}

impl Excerpt {
    /// Reads the lines around `at`. `text` is read from its start, but only a window of it is kept.
    pub(super) fn read(mut text: impl Read, at: Position) -> io::Result<Self> {
        let skipped = at.offset.saturating_sub(BEFORE);
        io::copy(&mut text.by_ref().take(skipped), &mut io::sink())?;
        let wanted = at.offset - skipped + AFTER;
        let mut window = Vec::new();
        // One extra byte shows whether the text continues.
        text.take(wanted + 1).read_to_end(&mut window)?;
        let goes_on = window.len() as u64 > wanted;
        if goes_on {
            window.pop();
        }
        let into = usize::try_from(at.offset - skipped).unwrap_or(0).min(window.len());
        Ok(Self::of_window(&window, into, at, goes_on))
    }

    /// Splits a window; the difference is at `window[into]`.
    fn of_window(window: &[u8], into: usize, at: Position, goes_on: bool) -> Self {
        // How many bytes of the line with the difference come before the window.
        let from_start = at.offset - at.line_start;
        let left_out = from_start.saturating_sub(into as u64);
        let line_start =
            into.saturating_sub(usize::try_from(from_start - left_out).unwrap_or(into));
        let mut start = line_start;
        let mut before = 0;
        while before < LINES_BEFORE && start > 0 && left_out == 0 {
            match memchr::memrchr(b'\n', &window[..start - 1]) {
                Some(newline) => start = newline + 1,
                // The window's first line is complete only if the window starts where the text
                // starts.
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
            lines.push(TextLine {
                number: at.line - before as u64 + lines.len() as u64,
                text: rest[..end].to_vec(),
                cut_left: left_out > 0 && lines.len() == before,
                cut_right: newline.is_none() && goes_on,
                newline: newline.is_some(),
            });
            rest = &rest[newline.map_or(end, |newline| newline + 1)..];
        }
        Self { lines, before, reaches_end: rest.is_empty() && !goes_on }
    }
}
