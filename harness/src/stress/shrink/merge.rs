//! Replaces two neighbouring numbers by their sum: where a sum matters, no number can go alone.

use super::lines::count;
use super::repair::Repair;
use super::text::{TokenLines, WordPlace};
use super::{ShrinkStopped, Shrinker};

/// Longer lines, and more lines of one number, are left as they are.
const MOST: usize = 64;

impl Shrinker<'_, '_> {
    /// Merges neighbours in a line, and in lines of one number.
    pub(super) fn merge_numbers(&mut self) -> Result<(), ShrinkStopped> {
        if !self.thorough {
            return Ok(());
        }
        for line in (0..self.best.lines()).rev() {
            let width = self.best.width(line);
            for column in (1..width.min(MOST)).rev() {
                let left = WordPlace { line, column: column - 1 };
                self.merge(left, WordPlace { line, column })?;
            }
            if line > 0 && width == 1 && self.best.run_of(line).len() <= MOST {
                let above = WordPlace { line: line - 1, column: 0 };
                self.merge(above, WordPlace { line, column: 0 })?;
            }
        }
        Ok(())
    }

    fn merge(&mut self, into: WordPlace, gone: WordPlace) -> Result<bool, ShrinkStopped> {
        let Some(base) = merged(&self.best, into, gone) else {
            return Ok(false);
        };
        let repairs = self.repairs_of_merge(into, gone);
        self.accept_repaired(&base, &repairs)
    }

    /// A number counts what is merged if it is about their number.
    fn repairs_of_merge(&self, into: WordPlace, gone: WordPlace) -> Vec<Repair> {
        let number = if into.line == gone.line {
            self.best.width(gone.line)
        } else {
            self.best.run_of(gone.line).len()
        };
        let about = count(number) - 1..=count(number) + 1;
        self.repairs(&[1], |place, value| place < into && about.contains(&value))
    }
}

/// The text in which one number is added to another one. `None`: these are not two numbers.
fn merged(text: &TokenLines, into: WordPlace, gone: WordPlace) -> Option<TokenLines> {
    let sum = text.integer(into)?.checked_add(text.integer(gone)?)?;
    let mut merged = text.clone();
    merged.set(into, sum.to_string());
    merged.0[gone.line].remove(gone.column);
    if merged.0[gone.line].is_empty() {
        merged.0.remove(gone.line);
    }
    Some(merged)
}
