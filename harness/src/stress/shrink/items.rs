//! Deletes items of several lines, such as the tests of an input that has many.

use std::ops::Range;

use super::lines::count;
use super::text::{TokenLines, WordPlace};
use super::{ShrinkStopped, Shrinker, part_lengths};

/// How the number of lines of an item follows from its first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ItemLength {
    /// The same for all items.
    Fixed(usize),
    /// The first line, and as many lines as the number in this column, plus some.
    Counted { column: usize, more: i64 },
    /// The first line, and as many lines as the sum of its numbers.
    Sum,
}

const LENGTHS: [ItemLength; 14] = [
    ItemLength::Fixed(1),
    ItemLength::Fixed(2),
    ItemLength::Fixed(3),
    ItemLength::Fixed(4),
    ItemLength::Fixed(5),
    ItemLength::Fixed(6),
    ItemLength::Counted { column: 0, more: 0 },
    ItemLength::Counted { column: 0, more: -1 },
    ItemLength::Counted { column: 0, more: 1 },
    ItemLength::Counted { column: 1, more: 0 },
    ItemLength::Counted { column: 1, more: 1 },
    ItemLength::Counted { column: 1, more: 2 },
    ItemLength::Counted { column: 2, more: 0 },
    ItemLength::Sum,
];

/// The largest number of lines before the first item.
const HEADER: usize = 3;

impl Shrinker<'_, '_> {
    /// Deletes items, for every way to split the text into items whose number stands before them.
    pub(super) fn delete_items(&mut self) -> Result<(), ShrinkStopped> {
        for start in 1..=HEADER {
            for length in LENGTHS {
                self.delete_items_of(start, length)?;
            }
        }
        Ok(())
    }

    fn delete_items_of(&mut self, start: usize, length: ItemLength) -> Result<(), ShrinkStopped> {
        let Some((items, _)) = self.counted_items(start, length) else {
            return Ok(());
        };
        for part in part_lengths(items.len()) {
            let mut end = usize::MAX;
            while let Some((items, counter)) = self.counted_items(start, length) {
                end = end.min(items.len());
                if end < part || items.len() == part {
                    break;
                }
                let gone = &items[end - part..end];
                let mut candidate = self.best.clone();
                candidate.0.drain(gone[0].start..gone[part - 1].end);
                candidate.set(counter, (items.len() - part).to_string());
                self.accept(candidate)?;
                end -= part;
            }
        }
        Ok(())
    }

    /// The items from the line `start` to the end, and the number before them that counts them.
    fn counted_items(
        &self,
        start: usize,
        length: ItemLength,
    ) -> Option<(Vec<Range<usize>>, WordPlace)> {
        let items = split(&self.best, start, length)?;
        let number = count(items.len());
        let mut before = self.best.integers().into_iter();
        let (counter, _) = before.find(|(place, value)| place.line < start && *value == number)?;
        (items.len() > 1).then_some((items, counter))
    }
}

/// The items, if they end exactly with the text.
fn split(text: &TokenLines, start: usize, length: ItemLength) -> Option<Vec<Range<usize>>> {
    let mut items = Vec::new();
    let mut line = start;
    while line < text.lines() {
        let number = |column| text.integer(WordPlace { line, column });
        let lines = match length {
            ItemLength::Fixed(lines) => lines,
            ItemLength::Counted { column, more } => {
                usize::try_from(number(column)?.checked_add(more + 1)?).ok()?
            }
            ItemLength::Sum => {
                let numbers = (0..text.width(line)).map(number);
                let sum = numbers.sum::<Option<i64>>()?;
                usize::try_from(sum.checked_add(1)?).ok()?
            }
        };
        let end = line.checked_add(lines.max(1))?;
        items.push(line..end);
        line = end;
    }
    (line == text.lines()).then_some(items)
}
