//! Shrinks a text as long as something holds for it, for example that a solution fails on it.
//!
//! Pure: this module knows only texts and a question about them. It knows no format either. It deletes lines, tokens
//! and characters, and repairs numbers that may count them; it drops labels and renumbers the others; it replaces
//! neighbouring numbers by their sum; it makes values smaller. The answer to the question says which of these made a
//! valid text. Every step makes the text smaller by one order ([`text::TextSize`]), so the search ends.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

mod characters;
mod items;
mod labels;
mod lines;
mod merge;
mod renumber;
mod repair;
mod text;
mod tokens;
mod values;

#[cfg(test)]
mod tests;

pub(super) use text::integer;
use text::{TextSize, TokenLines, WordPlace};

/// The search was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShrinkStopped;

/// Whether the text still has the property.
pub(crate) type StillHolds<'a> = dyn FnMut(&[u8]) -> Result<bool, ShrinkStopped> + 'a;

/// Asks about smaller and smaller texts. The last text for which `holds` returns true is the result; `text` itself is,
/// if there is none.
pub(crate) fn shrink(text: &[u8], holds: &mut StillHolds<'_>) -> Result<(), ShrinkStopped> {
    let Some(mut best) = TokenLines::parse(text) else {
        return Ok(());
    };
    let rendered = best.render();
    if rendered != text && !holds(&rendered)? {
        // Blanks matter: they stay as they are.
        let Some(lines) = TokenLines::parse_lines(text) else {
            return Ok(());
        };
        best = lines;
    }
    Shrinker {
        size: best.size(),
        best,
        tried: HashSet::new(),
        counter: None,
        plan: None,
        thorough: false,
        holds,
    }
    .run()
}

/// The search, and the smallest text so far.
struct Shrinker<'a, 'h> {
    best: TokenLines,
    size: TextSize,
    /// Hashes of the texts that were asked about.
    tried: HashSet<u64>,
    /// The number that was repaired last.
    counter: Option<WordPlace>,
    /// The way in which labels were dropped last.
    plan: Option<labels::LabelPlan>,
    /// Whether to try also what rarely helps.
    thorough: bool,
    holds: &'a mut StillHolds<'h>,
}

impl Shrinker<'_, '_> {
    fn run(mut self) -> Result<(), ShrinkStopped> {
        loop {
            let before = self.size.clone();
            self.delete_items()?;
            self.delete_lines()?;
            self.delete_tokens()?;
            self.merge_numbers()?;
            self.drop_labels()?;
            self.delete_characters()?;
            self.lower_values()?;
            if self.size < before {
                self.thorough = false;
            } else if self.thorough {
                return Ok(());
            } else {
                self.thorough = true;
            }
        }
    }

    /// Takes `candidate` if it is smaller and the property holds for it.
    fn accept(&mut self, candidate: TokenLines) -> Result<bool, ShrinkStopped> {
        let size = candidate.size();
        if size >= self.size {
            return Ok(false);
        }
        let mut hasher = DefaultHasher::new();
        candidate.hash(&mut hasher);
        if !self.tried.insert(hasher.finish()) || !(self.holds)(&candidate.render())? {
            return Ok(false);
        }
        self.best = candidate;
        self.size = size;
        Ok(true)
    }
}

/// The lengths of parts to delete from something of this length: a half, a quarter, and so on down to two and one. Halves
/// are rounded up, because two columns may only go together.
fn part_lengths(length: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(length.div_ceil(2)), |part| (*part > 1).then(|| part.div_ceil(2)))
        .filter(move |_| length > 0)
}
