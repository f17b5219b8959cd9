//! What the inputs of a generator have in common, learned from a dozen of them. Without a validator, a smaller text counts
//! as valid only if it has this in common with them too.
//!
//! Pure: this module knows only texts. The layout says which lines follow each other, and which numbers count tokens or
//! lines ([`layout`], found by [`search`]). Facts say what else is the same: the ranges of numbers, the characters of words,
//! which numbers are never above others ([`tokens`]), permutations and sorted lines ([`series`]), and trees and other
//! graphs ([`edges`]).
//!
//! A fact is learned if it holds for all texts, and would hardly do so by accident.

mod edges;
mod layout;
mod search;
mod series;
#[cfg(test)]
mod tests;
mod tokens;

use std::collections::BTreeSet;

use edges::{EdgeFacts, EdgeLists};
use layout::{LayoutPart, LayoutWalk, TextLines, lines_of};
use series::{SeriesFacts, SeriesLists};
use tokens::{TokenFacts, TokenLists};

/// The smallest number of different texts from which something is learned.
const LEAST_TEXTS: usize = 6;

/// What texts have in common.
#[derive(Debug)]
pub(super) struct InputShape {
    layout: Vec<LayoutPart>,
    /// The lines whose first token says what the others mean.
    keyed: BTreeSet<usize>,
    tokens: TokenFacts,
    series: SeriesFacts,
    edges: EdgeFacts,
}

impl InputShape {
    /// What these texts have in common. `None`: they are too few, or no layout fits them.
    pub(super) fn learn(texts: &[Vec<u8>]) -> Option<Self> {
        let different: BTreeSet<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        let texts: Vec<TextLines<'_>> =
            different.into_iter().map(lines_of).collect::<Option<_>>()?;
        if texts.len() < LEAST_TEXTS {
            return None;
        }
        let layout = search::layout_of(&texts)?;
        let keyed = tokens::keyed(&layout, &texts);
        let mut samples = TokenLists::default();
        let (mut series, mut edges) = (Vec::new(), Vec::new());
        for lines in &texts {
            let (mut of_text, mut edges_of_text) = (SeriesLists::default(), EdgeLists::default());
            LayoutWalk::new(lines).along(&layout, None, &mut |visit| {
                samples.add(visit, &keyed);
                of_text.add(visit, &keyed);
                edges_of_text.add(visit, &keyed);
            })?;
            series.push(of_text);
            edges.push(edges_of_text);
        }
        let tokens = TokenFacts::learn(samples, &layout);
        Some(Self {
            series: SeriesFacts::learn(&series),
            edges: EdgeFacts::learn(&edges, &tokens),
            layout,
            keyed,
            tokens,
        })
    }

    /// Whether a text has all of this in common with the texts.
    pub(super) fn fits(&self, text: &[u8]) -> bool {
        let Some(lines) = lines_of(text) else {
            return false;
        };
        let (mut series, mut edges) = (SeriesLists::default(), EdgeLists::default());
        let mut holds = true;
        let mut walk = LayoutWalk::new(&lines);
        let end = walk.along(&self.layout, None, &mut |visit| {
            holds = holds && self.tokens.hold(visit, &self.keyed);
            series.add(visit, &self.keyed);
            edges.add(visit, &self.keyed);
        });
        let is_laid_out = end.is_some() && walk.is_at_end();
        is_laid_out && holds && self.series.hold(&series) && self.edges.hold(&edges)
    }
}
