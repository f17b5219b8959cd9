//! Deletes characters from words, or columns from a grid, and makes the characters that stay simpler.

use super::lines::count;
use super::text::{WordPlace, integer};
use super::{ShrinkStopped, Shrinker, part_lengths};

/// Characters to try in place of others, the simplest first.
const SIMPLE: [char; 5] = ['0', '1', 'a', 'A', '.'];

impl Shrinker<'_, '_> {
    /// Deletes characters from each word, and from all words of one length together.
    pub(super) fn delete_characters(&mut self) -> Result<(), ShrinkStopped> {
        let mut lengths: Vec<usize> =
            self.words().iter().map(|place| self.length(*place)).collect();
        lengths.sort_unstable();
        lengths.dedup();
        for length in lengths.into_iter().rev() {
            let same = |place: &WordPlace| self.length(*place) == length;
            let places: Vec<WordPlace> = self.words().into_iter().filter(same).collect();
            if places.len() > 1 {
                self.delete_in(&places)?;
            }
        }
        for place in self.words().into_iter().rev() {
            self.delete_in(&[place])?;
        }
        self.simplify_characters()
    }

    /// The places of tokens that are not numbers, and of numbers that stand in a grid.
    fn words(&self) -> Vec<WordPlace> {
        let is_word = |place: &WordPlace| {
            let token = self.best.token(*place).unwrap_or_default();
            let run = self.best.run_of(place.line);
            let in_grid = token.len() > 1
                && self.best.width(place.line) == 1
                && run.len() > 1
                && run.clone().all(|line| {
                    let other = WordPlace { line, column: 0 };
                    self.best.token(other).map(str::len) == Some(token.len())
                });
            token.is_ascii() && (integer(token).is_none() || in_grid)
        };
        self.best.places().into_iter().filter(is_word).collect()
    }

    fn length(&self, place: WordPlace) -> usize {
        self.best.token(place).map_or(0, str::len)
    }

    fn delete_in(&mut self, places: &[WordPlace]) -> Result<(), ShrinkStopped> {
        let Some(first) = places.first() else {
            return Ok(());
        };
        for part in part_lengths(self.length(*first)) {
            let mut end = self.length(*first);
            while end >= part && self.length(*first) > 1 {
                let gone = end - part..end;
                end = gone.start;
                let mut base = self.best.clone();
                for place in places {
                    let word = self.best.token(*place).unwrap_or_default();
                    let (head, tail) = (word.get(..gone.start), word.get(gone.end..));
                    let (Some(head), Some(tail)) = (head, tail) else {
                        continue;
                    };
                    base.set(*place, format!("{head}{tail}"));
                }
                if base.0.iter().flatten().any(String::is_empty) {
                    continue;
                }
                let length = count(self.length(*first));
                let thorough = self.thorough;
                let about = length - 1..=length + 1;
                let repairs = self.repairs(&[count(gone.len())], |place, value| {
                    place < *first && (thorough || about.contains(&value))
                });
                self.accept_repaired(&base, &repairs)?;
                end = end.min(self.length(*first));
            }
        }
        Ok(())
    }

    /// Replaces characters by simpler ones: all of a word, then each.
    fn simplify_characters(&mut self) -> Result<(), ShrinkStopped> {
        let mut simple: Vec<char> = SIMPLE.to_vec();
        let words = self.best.0.iter().flatten();
        let mut used: Vec<char> = words.flat_map(|word| word.chars()).collect();
        used.sort_unstable();
        used.dedup();
        simple.extend(used);
        for place in self.words() {
            for with in &simple {
                let word = self.best.token(place).unwrap_or_default();
                let all = with.to_string().repeat(word.len());
                self.replace(place, all)?;
            }
            for at in 0..self.length(place) {
                for with in &simple {
                    let mut word: Vec<char> =
                        self.best.token(place).unwrap_or_default().chars().collect();
                    if at < word.len() && *with < word[at] {
                        word[at] = *with;
                        self.replace(place, word.into_iter().collect())?;
                    }
                }
            }
        }
        Ok(())
    }

    fn replace(&mut self, place: WordPlace, word: String) -> Result<bool, ShrinkStopped> {
        let mut candidate = self.best.clone();
        candidate.set(place, word);
        self.accept(candidate)
    }
}
