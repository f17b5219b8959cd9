//! Makes values smaller: each number, equal numbers together, columns, and pairs.

use super::text::{TokenLines, WordPlace};
use super::{ShrinkStopped, Shrinker};

/// Pairs of numbers are changed together only in a text of at most this many numbers.
const PAIRS: usize = 24;

impl Shrinker<'_, '_> {
    /// Lowers values in every way.
    pub(super) fn lower_values(&mut self) -> Result<(), ShrinkStopped> {
        self.lower_columns()?;
        for (_, value) in self.best.integers() {
            let same = self.places_of(value);
            if same.len() > 1 {
                self.lower(&same, value)?;
            }
        }
        for (place, _) in self.best.integers() {
            if let Some(value) = self.best.integer(place) {
                self.lower(&[place], value)?;
            }
        }
        self.shorten_decimals()?;
        if self.thorough && self.best.integers().len() <= PAIRS {
            self.lower_pairs()?;
        }
        Ok(())
    }

    fn places_of(&self, value: i64) -> Vec<WordPlace> {
        let numbers = self.best.integers().into_iter();
        numbers.filter(|(_, other)| *other == value).map(|(place, _)| place).collect()
    }

    fn set_all(&mut self, places: &[WordPlace], value: i64) -> Result<bool, ShrinkStopped> {
        let mut candidate = self.best.clone();
        for place in places {
            candidate.set(*place, value.to_string());
        }
        self.accept(candidate)
    }

    /// Looks for the smallest absolute value: the smallest ones first, then by bisection.
    fn lower(&mut self, places: &[WordPlace], value: i64) -> Result<(), ShrinkStopped> {
        for small in [0, 1] {
            if small < value.saturating_abs() && self.set_all(places, small)? {
                return Ok(());
            }
        }
        let mut sign = value.signum();
        if sign < 0 && value != i64::MIN && self.set_all(places, -value)? {
            sign = 1;
        }
        let (mut fails, mut holds) = (i64::from(sign > 0), value.saturating_abs());
        while holds - fails > 1 {
            let middle = fails + (holds - fails) / 2;
            if self.set_all(places, sign * middle)? {
                holds = middle;
            } else {
                fails = middle;
            }
        }
        if self.thorough {
            for small in 2..holds.min(10) {
                if self.set_all(places, small)? || self.set_all(places, -small)? {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Makes the numbers of a column or a line equal, shifts them down, or halves them.
    fn lower_columns(&mut self) -> Result<(), ShrinkStopped> {
        let mut line = 0;
        while line < self.best.lines() {
            let run = self.best.run_of(line);
            for column in 0..self.best.width(line) {
                let places: Vec<WordPlace> =
                    run.clone().map(|line| WordPlace { line, column }).collect();
                self.lower_together(&places)?;
            }
            if self.best.width(line) > 1 {
                let columns = 0..self.best.width(line);
                let places: Vec<WordPlace> =
                    columns.map(|column| WordPlace { line, column }).collect();
                self.lower_together(&places)?;
            }
            line = run.end;
        }
        Ok(())
    }

    fn lower_together(&mut self, places: &[WordPlace]) -> Result<(), ShrinkStopped> {
        if places.len() < 2 {
            return Ok(());
        }
        loop {
            let values: Option<Vec<i64>> =
                places.iter().map(|place| self.best.integer(*place)).collect();
            let Some(values) = values else { return Ok(()) };
            let least = values.iter().copied().min().unwrap_or(0);
            let shifted = |by: i64| values.iter().map(|value| value.saturating_sub(by)).collect();
            let halved = values.iter().map(|value| value / 2).collect();
            let equal = |value: i64| vec![value; values.len()];
            let ways: [Vec<i64>; 6] = [
                equal(0),
                equal(1),
                shifted(least),
                shifted(least.saturating_sub(1)),
                halved,
                shifted(1),
            ];
            let mut changed = false;
            for way in ways.iter().take(if self.thorough { 6 } else { 5 }) {
                let mut candidate = self.best.clone();
                for (place, value) in places.iter().zip(way) {
                    candidate.set(*place, value.to_string());
                }
                if self.accept(candidate)? {
                    changed = true;
                    break;
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// Removes digits of decimals from the end, and then lowers digits.
    fn shorten_decimals(&mut self) -> Result<(), ShrinkStopped> {
        for place in self.best.places() {
            let decimal = |text: &TokenLines| {
                text.token(place).filter(|token| is_decimal(token)).map(str::to_owned)
            };
            while let Some(token) = decimal(&self.best) {
                let mut shorter = vec!["0".to_owned(), "1".to_owned()];
                shorter.extend(token.split_once('.').map(|(whole, _)| whole.to_owned()));
                shorter.push(token[..token.len() - 1].trim_end_matches('.').to_owned());
                shorter.extend(token.strip_prefix('-').map(str::to_owned));
                shorter.push(token[1..].trim_start_matches('0').to_owned());
                let mut changed = false;
                for word in shorter {
                    let mut candidate = self.best.clone();
                    candidate.set(place, word);
                    changed = changed || self.accept(candidate)?;
                }
                if !changed {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Lowers two numbers by the same amount, whose difference may matter.
    fn lower_pairs(&mut self) -> Result<(), ShrinkStopped> {
        let places: Vec<WordPlace> =
            self.best.integers().into_iter().map(|(place, _)| place).collect();
        for (at, one) in places.iter().enumerate() {
            for two in &places[at + 1..] {
                self.lower_pair(*one, *two)?;
            }
        }
        Ok(())
    }

    fn lower_pair(&mut self, one: WordPlace, two: WordPlace) -> Result<(), ShrinkStopped> {
        let values = |text: &TokenLines| Some((text.integer(one)?, text.integer(two)?));
        while let Some((first, second)) = values(&self.best) {
            let least = first.min(second);
            let mut changed = false;
            for by in [least, least - 1, least / 2, 1] {
                let mut candidate = self.best.clone();
                candidate.set(one, first.saturating_sub(by).to_string());
                candidate.set(two, second.saturating_sub(by).to_string());
                if by > 0 && self.accept(candidate)? {
                    changed = true;
                    break;
                }
            }
            if !changed {
                break;
            }
        }
        Ok(())
    }
}

/// Whether a token is a decimal number with a point.
fn is_decimal(token: &str) -> bool {
    let digits = token.strip_prefix('-').unwrap_or(token);
    let all = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    digits.split_once('.').is_some_and(|(whole, rest)| all(whole) && all(rest))
}
