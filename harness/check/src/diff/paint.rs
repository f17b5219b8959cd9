//! Turns marked words into one line of limited width that is safe on any terminal.

use anstyle::{AnsiColor, Style};
use unicode_width::UnicodeWidthChar;

use rejudge_problem::printable::{PrintablePiece, pieces};

/// The side that a row comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DiffSide {
    Both,
    Answer,
    Output,
}

impl DiffSide {
    pub(super) fn sign(self) -> char {
        match self {
            Self::Both => ' ',
            Self::Answer => '-',
            Self::Output => '+',
        }
    }

    pub(super) fn style(self) -> Style {
        match self {
            Self::Both => Style::new(),
            Self::Answer => AnsiColor::Red.on_default(),
            Self::Output => AnsiColor::Green.on_default(),
        }
    }
}

/// The smallest unit that is shown or cut: a character or an escape.
#[derive(Debug, Clone)]
pub(super) struct DiffCell {
    text: String,
    width: usize,
    marked: bool,
}

impl DiffCell {
    fn new(text: String, marked: bool) -> Self {
        let width = text.chars().map(|c| c.width().unwrap_or(0)).sum();
        Self { text, width, marked }
    }

    pub(super) fn ellipsis() -> Self {
        Self::new("…".to_owned(), false)
    }
}

/// Appends a word's cells. If `visible`, a blank is drawn as a visible sign.
pub(super) fn push_word(cells: &mut Vec<DiffCell>, word: &[u8], marked: bool, visible: bool) {
    for piece in pieces(word) {
        let mut text = String::new();
        match piece {
            PrintablePiece::Plain(' ') if visible => text.push('·'),
            PrintablePiece::Escaped('\t') if visible => text.push('→'),
            PrintablePiece::Escaped('\t') => text.push(' '),
            PrintablePiece::Escaped('\n') if visible => text.push('↵'),
            PrintablePiece::Escaped('\n') => continue,
            other if visible => other.with_blanks().push_to(&mut text),
            other => other.push_to(&mut text),
        }
        cells.push(DiffCell::new(text, marked));
    }
}

/// Cuts cells to `width` columns, around the first marked one, with `…` where something is cut.
pub(super) fn crop(cells: Vec<DiffCell>, width: usize) -> Vec<DiffCell> {
    let whole: usize = cells.iter().map(|cell| cell.width).sum();
    if whole <= width {
        return cells;
    }
    let width = width.max(3) - 2;
    let focus = cells.iter().position(|cell| cell.marked).unwrap_or(0);
    // A third of the width is for the text before the mark.
    let mut start = focus;
    let mut lead = 0;
    while start > 0 && lead + cells[start - 1].width <= width / 3 {
        start -= 1;
        lead += cells[start].width;
    }
    let mut end = start;
    let mut taken = 0;
    while end < cells.len() && taken + cells[end].width <= width {
        taken += cells[end].width;
        end += 1;
    }
    // Columns that are not needed at the end go to the start.
    while end == cells.len() && start > 0 && taken + cells[start - 1].width <= width {
        start -= 1;
        taken += cells[start].width;
    }
    let mut cropped = Vec::with_capacity(end - start + 2);
    cropped.extend((start > 0).then(DiffCell::ellipsis));
    cropped.extend_from_slice(&cells[start..end]);
    cropped.extend((end < cells.len()).then(DiffCell::ellipsis));
    cropped
}

/// The cells as text, with marked ones inverted.
pub(super) fn coloured(cells: &[DiffCell], style: Style) -> String {
    let mut text = String::new();
    for run in cells.chunk_by(|a, b| a.marked == b.marked) {
        let style = if run[0].marked { style.invert() } else { style };
        text += &style.render().to_string();
        text.extend(run.iter().map(|cell| cell.text.as_str()));
        text += &style.render_reset().to_string();
    }
    text
}

/// The cells as plain text, and a line of carets under the marked ones, if any.
pub(super) fn plain(cells: &[DiffCell]) -> (String, Option<String>) {
    let text: String = cells.iter().map(|cell| cell.text.as_str()).collect();
    let carets: String =
        cells.iter().map(|cell| if cell.marked { "^" } else { " " }.repeat(cell.width)).collect();
    let carets = carets.trim_end();
    let text = text.trim_end_matches(' ').to_owned();
    (text, (!carets.is_empty()).then(|| carets.to_owned()))
}
