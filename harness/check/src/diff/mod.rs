//! Shows the first difference between an output and its answer: a headline and a few lines.
//!
//! The cost is bounded for texts of any size: only a window of 32 KiB around the difference is kept
//! of each text, and the diff has half a second. The diff follows the checker's rule, so blanks are
//! shown only if they matter. No byte of either text reaches the terminal raw.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use similar::{DiffOp, DiffTag};

use crate::checker::{Checker, Mismatch};
use rejudge_sandbox::Captured;

mod excerpt;
mod paint;
mod words;

use excerpt::{Excerpt, TextLine};
use paint::{DiffCell, DiffSide, coloured, crop, plain, push_word};
use words::{WordRule, is_blank, touched};

/// The time limit of a diff; after it the diff only becomes coarser.
const DEADLINE: Duration = Duration::from_millis(500);
/// Unchanged rows shown before the first change and after the last, and the maximum number of rows.
const CONTEXT: usize = 2;
const ROWS: usize = 12;
/// The minimum width of a line's text next to its number, in columns: one character between two
/// `…`.
const LEAST_ROOM: usize = 3;
/// A changed word of at most this many bytes is marked whole.
const SHORT_WORD: usize = 24;

/// How a difference is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns to use.
    pub width: usize,
    /// Whether to use colours; without them, carets mark the differences.
    pub colour: bool,
}

/// A row: the side of its line, the line, and its cells.
struct DiffRow {
    side: DiffSide,
    number: u64,
    cells: Vec<DiffCell>,
}

/// The headline and, if the position of the first difference is known, the lines around it.
pub fn render(
    output: &Captured,
    answer: &Path,
    mismatch: &Mismatch,
    checker: &Checker,
    look: Look,
) -> io::Result<String> {
    let mut text = mismatch.headline.clone();
    text.push('\n');
    let Some(at) = mismatch.at else {
        return Ok(text);
    };
    let output = Excerpt::read(output.reader()?, at.output)?;
    let answer = Excerpt::read(File::open(answer)?, at.answer)?;
    let rows = DiffComparison {
        rule: WordRule::of(checker),
        until: Instant::now() + DEADLINE,
        answer: &answer,
        output: &output,
    }
    .rows();
    let line = at.output.line;
    // Writing to a `String` cannot fail.
    let _ = writeln!(
        text,
        "line {line}, column {} of the output (- expected, + got)",
        at.output.column
    );
    draw(rows, look, &mut text);
    Ok(text)
}

struct DiffComparison<'a> {
    rule: WordRule,
    until: Instant,
    answer: &'a Excerpt,
    output: &'a Excerpt,
}

impl DiffComparison<'_> {
    /// The rows to show: the first changes and a few lines around them.
    fn rows(&self) -> Vec<DiffRow> {
        let first = (self.answer.before, self.output.before);
        let (answer, output) = (&self.answer.lines, &self.output.lines);
        let mut ops = self.rule.diff_lines(answer, output, first, self.until);
        let truncated = !(self.answer.reaches_end && self.output.reaches_end);
        // At the end of the window, one side has lines that the other is missing only because of
        // the window.
        if truncated && ops.len() > 2 && ops.last().is_some_and(|op| op.tag() != DiffTag::Equal) {
            ops.pop();
        }
        let mut rows: Vec<_> = ops.iter().flat_map(|op| self.rows_of(op)).collect();
        let changed = |row: &DiffRow| row.side != DiffSide::Both;
        let begin = rows.iter().position(changed).unwrap_or(0);
        rows.drain(..begin.saturating_sub(CONTEXT));
        rows.truncate(ROWS);
        let last = rows.iter().rposition(changed).unwrap_or(rows.len());
        rows.truncate(last.saturating_add(1 + CONTEXT));
        rows
    }

    fn rows_of(&self, op: &DiffOp) -> Vec<DiffRow> {
        let (old, new) = (&self.answer.lines[op.old_range()], &self.output.lines[op.new_range()]);
        if op.tag() == DiffTag::Equal {
            return new.iter().map(|line| self.row(DiffSide::Both, line, None)).collect();
        }
        let pairs = old.len().min(new.len()).min(ROWS);
        let (mut removed, mut added) = (Vec::new(), Vec::new());
        for (expected, got) in old.iter().zip(new).take(pairs) {
            let (in_old, in_new) = self.marks(expected, got);
            removed.push(self.row(DiffSide::Answer, expected, Some(&in_old)));
            added.push(self.row(DiffSide::Output, got, Some(&in_new)));
        }
        let unpaired = |side, lines: &[TextLine]| -> Vec<DiffRow> {
            let lines = lines.iter().skip(pairs).take(ROWS);
            lines.map(|line| self.row(side, line, None)).collect()
        };
        let mut rows = interleave(removed, added);
        rows.extend(unpaired(DiffSide::Answer, old));
        rows.extend(unpaired(DiffSide::Output, new));
        rows
    }

    /// Which bytes of two lines differ.
    fn marks(&self, expected: &TextLine, got: &TextLine) -> (Vec<bool>, Vec<bool>) {
        let (old, new) = (self.rule.words(expected), self.rule.words(got));
        let ops = self.rule.diff_words(&old, &new, self.until);
        let (in_old, in_new) = touched(&ops, old.len(), new.len());
        let spread = |words: &[&[u8]], touched: &[bool]| -> Vec<bool> {
            let each = words.iter().zip(touched);
            each.flat_map(|(word, &mark)| std::iter::repeat_n(mark, word.len())).collect()
        };
        let (mut old_marks, mut new_marks) = (spread(&old, &in_old), spread(&new, &in_new));
        for op in ops.iter().filter(|op| op.tag() == DiffTag::Replace) {
            narrow(&old, &new, op, &mut old_marks, &mut new_marks);
        }
        (old_marks, new_marks)
    }

    fn row(&self, side: DiffSide, line: &TextLine, marks: Option<&[bool]>) -> DiffRow {
        let mut cells = Vec::new();
        if line.cut_left {
            cells.push(DiffCell::ellipsis());
        }
        let words = self.rule.words(line);
        let content = words.iter().rposition(|word| !is_blank(word[0]));
        let trailing = content.map_or(0, |last| last + 1);
        let mut at = 0;
        for (index, word) in words.iter().enumerate() {
            let marks = marks.map_or(&[][..], |marks| &marks[at..at + word.len()]);
            at += word.len();
            let mut rest = *word;
            for run in marks.chunk_by(|a, b| a == b) {
                let (part, tail) = rest.split_at(run.len());
                push_word(&mut cells, part, run[0], self.rule.blanks_matter() && run[0]);
                rest = tail;
            }
            // For a changed line without a counterpart, only blanks at its end need to be visible.
            let hidden = index >= trailing && word != b"\n";
            let visible = self.rule.blanks_matter() && side != DiffSide::Both && hidden;
            push_word(&mut cells, rest, false, visible);
        }
        if line.cut_right {
            cells.push(DiffCell::ellipsis());
        }
        let number = line.number;
        DiffRow { side, number, cells }
    }
}

/// Keeps the mark only on the differing middle of two long words, in whole UTF-8 characters.
fn narrow(
    old: &[&[u8]],
    new: &[&[u8]],
    op: &DiffOp,
    old_marks: &mut [bool],
    new_marks: &mut [bool],
) {
    let start_of =
        |words: &[&[u8]], index| words[..index].iter().map(|word| word.len()).sum::<usize>();
    let pairs = op.old_range().zip(op.new_range());
    for (in_old, in_new) in pairs {
        let (x, y) = (old[in_old], new[in_new]);
        if x.len().max(y.len()) <= SHORT_WORD {
            continue;
        }
        let (x_start, y_start) = (start_of(old, in_old), start_of(new, in_new));
        let inner = |byte: Option<&u8>| byte.is_some_and(|byte| byte & 0xc0 == 0x80);
        let mut head = x.iter().zip(y).take_while(|(p, q)| p == q).count();
        while head > 0 && (inner(x.get(head)) || inner(y.get(head))) {
            head -= 1;
        }
        let shared = x[head..].iter().rev().zip(y[head..].iter().rev());
        let mut tail = shared.take_while(|(p, q)| p == q).count();
        while tail > 0 && inner(x.get(x.len() - tail)) {
            tail -= 1;
        }
        for (marks, start, word) in [(&mut *old_marks, x_start, x), (&mut *new_marks, y_start, y)] {
            marks[start..start + head].fill(false);
            marks[start + word.len() - tail..start + word.len()].fill(false);
        }
    }
}

fn interleave(removed: Vec<DiffRow>, added: Vec<DiffRow>) -> Vec<DiffRow> {
    let pairs = removed.into_iter().zip(added);
    pairs.flat_map(|(old, new)| [old, new]).collect()
}

/// Draws rows with their line numbers.
fn draw(rows: Vec<DiffRow>, look: Look, text: &mut String) {
    let largest = rows.iter().map(|row| row.number).max().unwrap_or(1);
    let digits = largest.to_string().len();
    let room = look.width.saturating_sub(digits + 7).max(LEAST_ROOM);
    for DiffRow { side, number, cells } in rows {
        let cells = crop(cells, room);
        let (sign, style) = (side.sign(), side.style());
        let _ = if look.colour {
            let line = coloured(&cells, style);
            writeln!(text, "  {style}{sign}{style:#} {number:>digits$} | {line}")
        } else {
            let (line, carets) = plain(&cells);
            let line = format!("  {sign} {number:>digits$} | {line}");
            let _ = writeln!(text, "{}", line.trim_end());
            let gap = "";
            carets.map_or(Ok(()), |carets| writeln!(text, "    {gap:>digits$} | {carets}"))
        };
    }
}

#[cfg(test)]
mod tests;
