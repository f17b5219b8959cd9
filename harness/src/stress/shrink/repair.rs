//! Finds the numbers that may count what is deleted.

use super::text::{TokenLines, WordPlace};
use super::{ShrinkStopped, Shrinker};

/// The largest number of counters to try for one deletion.
const FEW: usize = 8;
const MANY: usize = 48;

/// Numbers to lower, and by how much.
pub(super) type Repair = Vec<(WordPlace, i64)>;

impl Shrinker<'_, '_> {
    /// The repairs to try after a deletion before which these numbers stood: that of the last success first, then none,
    /// then each number that `may_count`, lowered by each of `amounts`, and in a thorough search two of them.
    pub(super) fn repairs(
        &self,
        amounts: &[i64],
        mut may_count: impl FnMut(WordPlace, i64) -> bool,
    ) -> Vec<Repair> {
        let numbers = self.best.integers().into_iter();
        let mut counters: Vec<(WordPlace, i64)> =
            numbers.filter(|(place, value)| *value > 0 && may_count(*place, *value)).collect();
        // The numbers of a header stand first, or close to what they count.
        let most = if self.thorough { MANY } else { FEW };
        if counters.len() > most {
            let last = counters.split_off(counters.len() - most / 2);
            counters.truncate(most - most / 2);
            counters.extend(last);
        }
        counters.sort_by_key(|(place, _)| (Some(*place) != self.counter, *place));
        let mut repairs = Vec::new();
        for (place, value) in &counters {
            for amount in amounts.iter().filter(|amount| **amount <= *value) {
                repairs.push(vec![(*place, *amount)]);
            }
        }
        let is_known = counters.first().is_some_and(|(place, _)| Some(*place) == self.counter);
        repairs.insert(usize::from(is_known).min(repairs.len()), Vec::new());
        if self.thorough {
            for (at, (one, _)) in counters.iter().take(6).enumerate() {
                for (two, _) in counters.iter().take(6).skip(at + 1) {
                    repairs.push(vec![(*one, amounts[0]), (*two, amounts[0])]);
                }
            }
        }
        repairs
    }

    /// Takes the first repaired form of `base` that holds.
    pub(super) fn accept_repaired(
        &mut self,
        base: &TokenLines,
        repairs: &[Repair],
    ) -> Result<bool, ShrinkStopped> {
        for repair in repairs {
            if self.accept(lowered(base, repair))? {
                if let [(place, _), ..] = repair.as_slice() {
                    self.counter = Some(*place);
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The text with these numbers lowered.
pub(super) fn lowered(base: &TokenLines, repair: &Repair) -> TokenLines {
    let mut text = base.clone();
    for (place, amount) in repair {
        if let Some(value) = text.integer(*place) {
            text.set(*place, (value - amount).to_string());
        }
    }
    text
}
