//! Deletes blocks of lines.

use super::repair::Repair;
use super::text::TokenLines;
use super::{ShrinkStopped, Shrinker, part_lengths};

impl Shrinker<'_, '_> {
    /// Deletes blocks of lines, the longest first and from the end.
    pub(super) fn delete_lines(&mut self) -> Result<(), ShrinkStopped> {
        for length in part_lengths(self.best.lines()) {
            let step = if self.thorough && length < 5 { 1 } else { length };
            let mut end = self.best.lines();
            while end >= length {
                let start = end - length;
                if self.delete_block(start, length)? {
                    end = start.min(self.best.lines());
                } else {
                    end = end.saturating_sub(step);
                }
            }
        }
        Ok(())
    }

    fn delete_block(&mut self, start: usize, length: usize) -> Result<bool, ShrinkStopped> {
        let mut base = self.best.clone();
        base.0.drain(start..start + length);
        let repairs = self.repairs_of_lines(start, length);
        self.accept_repaired(&base, &repairs)
    }

    /// The repairs for a deleted block of lines. A number counts lines if about as many are left after it, or if about as
    /// many equal ones stand there.
    fn repairs_of_lines(&self, start: usize, length: usize) -> Vec<Repair> {
        let amount = i64::try_from(length).unwrap_or(i64::MAX);
        let mut amounts = vec![amount];
        for parts in [2, 3, amount] {
            if amount > 1 && amount % parts == 0 && !amounts.contains(&(amount / parts)) {
                amounts.push(amount / parts);
            }
        }
        let thorough = self.thorough;
        let text = &self.best;
        self.repairs(&amounts, |place, value| {
            place.line < start
                && (if thorough {
                    value <= count(text.lines() - place.line)
                } else {
                    counts_lines(text, place.line, start, value)
                })
        })
    }
}

/// Whether `value`, a number in the line `header`, may be the number of lines in a group with the line `line`.
fn counts_lines(text: &TokenLines, header: usize, line: usize, value: i64) -> bool {
    let total = text.lines();
    let to_the_end = count(total - line) - 1..=count(total - header);
    let run = text.run_of(line);
    let group = count(run.end - run.start.max(header + 1));
    let is_group = |size: i64| (size - 1..=size + 1).contains(&value);
    to_the_end.contains(&value)
        || [1, 2, 3].iter().any(|part| is_group(group / part))
        || is_group(count(run.len()))
}

pub(super) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
