//! What is the same for tokens that follow each other: in the rest of a line, and in a column of a repetition.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{LayoutVariable, LineVisit};
use crate::stress::shrink::integer;

/// The smallest number of pairs of neighbours from which an order is learned.
const STEPS: usize = 8;

/// The series of a text: those in each place, by the repetition or the line in which they are.
#[derive(Default)]
pub(super) struct SeriesLists<'t> {
    tokens: BTreeMap<(LayoutVariable, usize), Vec<&'t str>>,
    rests: usize,
}

/// What holds for the series in each place.
#[derive(Debug)]
pub(super) struct SeriesFacts(BTreeMap<LayoutVariable, SeriesTraits>);

#[derive(Debug, Clone, Copy)]
struct SeriesTraits {
    is_distinct: bool,
    rises: bool,
    falls: bool,
}

impl<'t> SeriesLists<'t> {
    pub(super) fn add(&mut self, visit: &LineVisit<'_, 't>, keyed: &BTreeSet<usize>) {
        let (line, columns) = (visit.layout.number, visit.layout.columns());
        if keyed.contains(&line) {
            return;
        }
        if let Some((repetition, _)) = visit.turn {
            for (column, word) in visit.words.iter().take(columns).enumerate() {
                let at = LayoutVariable { line, column };
                self.tokens.entry((at, repetition)).or_default().push(word);
            }
        }
        if let Some(rest) = visit.words.get(columns..).filter(|rest| !rest.is_empty()) {
            self.rests += 1;
            let at = LayoutVariable { line, column: columns };
            self.tokens.insert((at, self.rests), rest.to_vec());
        }
    }
}

impl SeriesFacts {
    pub(super) fn learn(texts: &[SeriesLists<'_>]) -> Self {
        let mut places: BTreeMap<LayoutVariable, Vec<&[&str]>> = BTreeMap::new();
        for ((at, _), tokens) in texts.iter().flat_map(|text| &text.tokens) {
            places.entry(*at).or_default().push(tokens);
        }
        let facts = places.into_iter().map(|(at, series)| (at, SeriesTraits::of_all(&series)));
        Self(facts.collect())
    }

    pub(super) fn hold(&self, text: &SeriesLists<'_>) -> bool {
        text.tokens.iter().all(|((at, _), tokens)| {
            let Some(known) = self.0.get(at) else { return true };
            let own = SeriesTraits::of(tokens);
            (own.is_distinct || !known.is_distinct)
                && (own.rises || !known.rises)
                && (own.falls || !known.falls)
        })
    }
}

impl SeriesTraits {
    fn of(tokens: &[&str]) -> Self {
        let values: Option<Vec<i64>> = tokens.iter().map(|token| integer(token)).collect();
        let ordered = |holds: fn(&[i64]) -> bool| {
            values.as_ref().is_some_and(|values| values.windows(2).all(holds))
        };
        Self {
            is_distinct: tokens.iter().collect::<BTreeSet<_>>().len() == tokens.len(),
            rises: ordered(|pair| pair[0] <= pair[1]),
            falls: ordered(|pair| pair[0] >= pair[1]),
        }
    }

    /// What holds for all of these, and would hardly do so by accident.
    fn of_all(all: &[&[&str]]) -> Self {
        let traits: Vec<Self> = all.iter().map(|tokens| Self::of(tokens)).collect();
        let steps: usize = all.iter().map(|tokens| tokens.len().saturating_sub(1)).sum();
        let is_distinct = traits.iter().all(|one| one.is_distinct);
        Self {
            is_distinct: is_distinct
                && all.iter().map(|tokens| repetitions(tokens)).sum::<f64>() >= 1.0,
            rises: steps >= STEPS && traits.iter().all(|one| one.rises),
            falls: steps >= STEPS && traits.iter().all(|one| one.falls),
        }
    }
}

/// The number of pairs of equal tokens to expect if they were drawn independently of each other.
#[expect(
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "an estimate needs no precision"
)]
fn repetitions(tokens: &[&str]) -> f64 {
    let values: Option<Vec<i64>> = tokens.iter().map(|token| integer(token)).collect();
    let extremes = values.and_then(|all| Some((*all.iter().min()?, *all.iter().max()?)));
    let range = if let Some((least, most)) = extremes {
        most.abs_diff(least) as f64 + 1.0
    } else {
        let characters: BTreeSet<char> = tokens.iter().flat_map(|token| token.chars()).collect();
        let least = tokens.iter().map(|token| token.len()).min().unwrap_or(0);
        (characters.len() as f64).powi(least.min(64) as i32)
    };
    let number = tokens.len() as f64;
    number * (number - 1.0) / 2.0 / range
}
