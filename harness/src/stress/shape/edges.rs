//! What is the same for lines that repeat: whether they differ, and whether they are the edges of a tree or of another
//! kind of graph.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{LayoutVariable, LineVisit};
use super::tokens::TokenFacts;
use crate::stress::shrink::integer;

/// The smallest number of lines from which something is learned.
const LINES: usize = 10;

/// The lines of a repetition.
#[derive(Debug, Default)]
struct EdgeList {
    lines: Vec<String>,
    edges: Vec<(i64, i64)>,
    /// The numbers that stand before it.
    before: BTreeMap<LayoutVariable, i64>,
}

/// The repetitions of a text, by the number of their line, and their own number.
#[derive(Debug, Default)]
pub(super) struct EdgeLists(BTreeMap<(usize, usize), EdgeList>);

/// What may hold for a repetition. All but the first one are traits of a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum EdgeTrait {
    /// No two lines are equal.
    Distinct,
    /// No two edges have the same ends.
    Simple,
    Acyclic,
    /// No directed edges form a cycle.
    Ordered,
    Connected,
}

/// What holds for the repetitions of a line, and their vertices, if they are those of graphs.
#[derive(Debug)]
pub(super) struct EdgeFacts(BTreeMap<usize, (BTreeSet<EdgeTrait>, Option<Vertices>)>);

/// Where the number of vertices stands, and the smallest vertex.
#[derive(Debug, Clone, Copy)]
struct Vertices {
    count: LayoutVariable,
    least: i64,
}

impl EdgeLists {
    pub(super) fn add(&mut self, visit: &LineVisit<'_, '_>, keyed: &BTreeSet<usize>) {
        let line = visit.layout.number;
        let Some((repetition, _)) = visit.turn else { return };
        if visit.layout.columns() < 2 || keyed.contains(&line) {
            return;
        }
        let list = self.0.entry((line, repetition)).or_insert_with(|| EdgeList {
            before: visit.scope.variables().filter(|(variable, _)| variable.line < line).collect(),
            ..EdgeList::default()
        });
        list.lines.push(visit.words.join(" "));
        let ends = integer(visit.words[0]).zip(integer(visit.words[1]));
        list.edges.extend(ends);
    }
}

impl EdgeFacts {
    pub(super) fn learn(texts: &[EdgeLists], tokens: &TokenFacts) -> Self {
        let mut of_line: BTreeMap<usize, Vec<&EdgeList>> = BTreeMap::new();
        for ((line, _), list) in texts.iter().flat_map(|text| &text.0) {
            of_line.entry(*line).or_default().push(list);
        }
        let mut facts = BTreeMap::new();
        for (line, lists) in of_line {
            if lists.iter().map(|list| list.lines.len()).sum::<usize>() < LINES {
                continue;
            }
            let vertices = vertices(line, tokens);
            let all = lists.iter().map(|list| list.traits(vertices));
            if let Some(traits) = all.reduce(|known, own| &known & &own) {
                facts.insert(line, (traits, vertices));
            }
        }
        Self(facts)
    }

    pub(super) fn hold(&self, text: &EdgeLists) -> bool {
        text.0.iter().all(|((line, _), list)| {
            let known = self.0.get(line);
            known.is_none_or(|(known, vertices)| known.is_subset(&list.traits(*vertices)))
        })
    }
}

/// The vertices, if the first two columns of a line have numbers that are never above the same number.
fn vertices(line: usize, tokens: &TokenFacts) -> Option<Vertices> {
    let ends = [0, 1].map(|column| LayoutVariable { line, column });
    let bounds = ends.map(|end| tokens.bounds(end));
    let count = *bounds[0].intersection(&bounds[1]).find(|variable| variable.line < line)?;
    let least = ends.iter().filter_map(|end| tokens.least(*end)).min()?;
    Some(Vertices { count, least })
}

impl EdgeList {
    fn traits(&self, vertices: Option<Vertices>) -> BTreeSet<EdgeTrait> {
        let mut all = BTreeSet::new();
        let mut add = |one, holds| {
            if holds {
                all.insert(one);
            }
        };
        let lines: BTreeSet<&String> = self.lines.iter().collect();
        add(EdgeTrait::Distinct, lines.len() == self.lines.len());
        if let Some(vertices) = vertices {
            let ends = self.edges.iter().map(|(one, other)| (one.min(other), one.max(other)));
            let ends: BTreeSet<(&i64, &i64)> = ends.collect();
            add(EdgeTrait::Simple, ends.len() == self.edges.len());
            let joins = joins(&self.edges);
            add(EdgeTrait::Acyclic, joins == self.edges.len());
            add(EdgeTrait::Ordered, has_order(&self.edges));
            // The smallest vertex is 0 or 1, so their number is the variable.
            let count = self.before.get(&vertices.count).copied().unwrap_or(0);
            let joins = i64::try_from(joins).unwrap_or(i64::MAX);
            add(EdgeTrait::Connected, vertices.least <= 1 && joins >= count.saturating_sub(1));
        }
        all
    }
}

/// The number of edges that join what no edge before them joins.
fn joins(edges: &[(i64, i64)]) -> usize {
    let mut parent: BTreeMap<i64, i64> = BTreeMap::new();
    let mut joins = 0;
    for (one, other) in edges {
        let ends = [*one, *other].map(|mut vertex| {
            while let Some(above) = parent.get(&vertex).copied() {
                if let Some(next) = parent.get(&above).copied() {
                    parent.insert(vertex, next);
                }
                vertex = above;
            }
            vertex
        });
        if ends[0] != ends[1] {
            parent.insert(ends[0], ends[1]);
            joins += 1;
        }
    }
    joins
}

/// Whether no path along directed edges returns to where it began.
fn has_order(edges: &[(i64, i64)]) -> bool {
    let mut next: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    let mut waiting: BTreeMap<i64, usize> = BTreeMap::new();
    for (from, to) in edges {
        next.entry(*from).or_default().push(*to);
        waiting.entry(*from).or_default();
        *waiting.entry(*to).or_default() += 1;
    }
    let mut free: Vec<i64> =
        waiting.iter().filter(|(_, edges)| **edges == 0).map(|(vertex, _)| *vertex).collect();
    let mut done = 0;
    while let Some(vertex) = free.pop() {
        done += 1;
        for to in next.get(&vertex).into_iter().flatten() {
            let left = waiting.entry(*to).or_default();
            *left = left.saturating_sub(1);
            if *left == 0 {
                free.push(*to);
            }
        }
    }
    done == waiting.len()
}
