//! Deletes tokens from a line, or columns from lines of equal length.

use std::ops::Range;

use super::lines::count;
use super::text::WordPlace;
use super::{ShrinkStopped, Shrinker, part_lengths};

impl Shrinker<'_, '_> {
    /// Deletes tokens, from every line alone and from all lines like it together.
    pub(super) fn delete_tokens(&mut self) -> Result<(), ShrinkStopped> {
        let mut line = self.best.lines();
        while line > 0 {
            line = (line - 1).min(self.best.lines().saturating_sub(1));
            let width = self.best.width(line);
            let run = self.best.run_of(line);
            if run.len() > 1 && run.end == line + 1 {
                self.delete_columns(&run, width)?;
            }
            self.delete_columns(&(line..line + 1), self.best.width(line))?;
        }
        self.delete_in_all_of_a_length()
    }

    /// Deletes the same columns from all lines of one length, wherever they are.
    fn delete_in_all_of_a_length(&mut self) -> Result<(), ShrinkStopped> {
        let mut widths: Vec<usize> = (0..self.best.lines())
            .map(|line| self.best.width(line))
            .filter(|width| *width > 1)
            .collect();
        widths.sort_unstable();
        widths.dedup();
        for width in widths.into_iter().rev() {
            let of_width = |line: &usize| self.best.width(*line) == width;
            let lines: Vec<usize> = (0..self.best.lines()).filter(of_width).collect();
            let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
                continue;
            };
            if lines.len() > 1 && last - first >= lines.len() {
                self.delete_columns(&(*first..last + 1), width)?;
            }
        }
        Ok(())
    }

    /// Deletes columns from those of `lines` that have `width` tokens.
    fn delete_columns(&mut self, lines: &Range<usize>, width: usize) -> Result<(), ShrinkStopped> {
        let mut width = width;
        for length in part_lengths(width) {
            let mut end = width;
            while end >= length && length > 0 {
                let gone = end - length..end;
                if self.delete_column(lines, width, &gone)? {
                    width -= length;
                }
                end = gone.start;
            }
        }
        Ok(())
    }

    fn delete_column(
        &mut self,
        lines: &Range<usize>,
        width: usize,
        gone: &Range<usize>,
    ) -> Result<bool, ShrinkStopped> {
        let mut base = self.best.clone();
        for line in base.0.get_mut(lines.clone()).into_iter().flatten() {
            if line.len() == width {
                line.drain(gone.clone());
            }
        }
        let amount = count(gone.len());
        let thorough = self.thorough;
        let about = count(width) - 1..=count(width) + 1;
        let is_before = |place: WordPlace| {
            place.line < lines.start || (place.line == lines.start && place.column < gone.start)
        };
        let repairs = self.repairs(&[amount], |place, value| {
            is_before(place) && (thorough || about.contains(&value))
        });
        self.accept_repaired(&base, &repairs)
    }
}
