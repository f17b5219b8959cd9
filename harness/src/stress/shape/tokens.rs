//! What is the same for the tokens in a place: their kind, their range, and how they compare with numbers before them.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{
    ItemCount, LayoutPart, LayoutVariable, LayoutWalk, LineVisit, LineWidth, TextLines,
};
use crate::stress::shrink::integer;

/// A line whose first token has at most so many values, each so many times, is read differently for each of them.
const KEYS: usize = 6;
const LINES_OF_KEY: usize = 12;

/// A smaller number of items that occurs is the smallest one. If all are larger, the generator was asked for large inputs.
const SMALL_COUNT: i64 = 3;
const SMALL_LENGTH: usize = 3;

/// A range probably begins at one if its smallest number is at most so many average gaps between its numbers away.
const GAPS: u64 = 3;

/// A place of tokens that are alike: a column of a line, or the tokens after the columns; with the first token, if
/// that says what the others mean.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TokenSlot {
    pub(super) at: LayoutVariable,
    key: Option<String>,
}

/// What a token is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ComparedWith {
    Number(LayoutVariable),
    /// Its own position: the turn of the repetition, or the place in the rest of the line.
    Position,
}

/// How a token compares with a number. The difference is their distance at least or at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotComparison {
    AtMost(i64),
    AtLeast(i64),
    Different,
}

/// What kind of token it is, and its range.
#[derive(Debug, Clone, PartialEq)]
enum TokenKind {
    Integer { least: i64, most: i64 },
    Decimal { digits: BTreeSet<usize>, least: f64, most: f64 },
    Word { characters: BTreeSet<char>, least: usize, most: usize },
}

/// The tokens of many texts, and the numbers with which they may be compared.
#[derive(Default)]
pub(super) struct TokenLists {
    tokens: BTreeMap<TokenSlot, Vec<String>>,
    pairs: BTreeMap<(TokenSlot, ComparedWith), Vec<(i64, i64)>>,
    lengths: BTreeMap<(TokenSlot, LayoutVariable), Vec<(i64, i64)>>,
}

/// What holds for the tokens of a place.
#[derive(Debug)]
struct PlaceFacts {
    kind: TokenKind,
    /// The number of tokens from which this was learned.
    number: u64,
    comparisons: Vec<(ComparedWith, SlotComparison)>,
    /// The numbers that say how long the token is.
    lengths: Vec<ItemCount>,
}

/// What holds for tokens.
#[derive(Debug)]
pub(super) struct TokenFacts(BTreeMap<TokenSlot, PlaceFacts>);

/// A token where it stands.
struct TokenVisit<'a, 't> {
    place: TokenSlot,
    word: &'t str,
    /// Its column, and its position among the tokens that are alike.
    column: usize,
    position: Option<i64>,
    visit: &'a LineVisit<'a, 't>,
}

/// The lines of a repetition whose first token has few values.
pub(super) fn keyed(layout: &[LayoutPart], texts: &[TextLines<'_>]) -> BTreeSet<usize> {
    let mut firsts: BTreeMap<usize, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut keyed = BTreeSet::new();
    for lines in texts {
        // The layout fits these texts.
        let _ = LayoutWalk::new(lines).along(layout, None, &mut |visit| {
            let number = visit.layout.number;
            match visit.layout.width {
                LineWidth::ByFirst(_) => {
                    keyed.insert(number);
                }
                LineWidth::Fixed(_) if visit.turn.is_some() && visit.layout.columns() > 1 => {
                    let of_line = firsts.entry(number).or_default();
                    *of_line.entry(visit.words[0]).or_default() += 1;
                }
                LineWidth::Fixed(_) | LineWidth::Counted { .. } => {}
            }
        });
    }
    for (number, firsts) in firsts {
        if firsts.len() <= KEYS && firsts.values().all(|lines| *lines >= LINES_OF_KEY) {
            keyed.insert(number);
        }
    }
    keyed
}

impl<'a, 't> TokenVisit<'a, 't> {
    fn all(
        visit: &'a LineVisit<'a, 't>,
        keyed: &'a BTreeSet<usize>,
    ) -> impl Iterator<Item = Self> + 'a {
        let (line, columns) = (visit.layout.number, visit.layout.columns());
        let key = visit.words.first().filter(|_| keyed.contains(&line));
        visit.words.iter().enumerate().map(move |(column, &word)| {
            let position = match column.checked_sub(columns) {
                Some(rest) => Some(rest + 1),
                None => visit.turn.map(|(_, turn)| turn),
            };
            Self {
                place: TokenSlot {
                    at: LayoutVariable { line, column: column.min(columns) },
                    key: key.filter(|_| column > 0).map(|key| (*key).to_owned()),
                },
                word,
                column,
                position: position.and_then(|position| i64::try_from(position).ok()),
                visit,
            }
        })
    }

    /// The numbers that stand before the token.
    fn before(&self) -> impl Iterator<Item = (LayoutVariable, i64)> + '_ {
        let is_before =
            |at: LayoutVariable| at.line < self.place.at.line || at.column < self.column;
        self.visit.scope.variables().filter(move |(variable, _)| is_before(*variable))
    }

    fn value(&self, compared: ComparedWith) -> Option<i64> {
        match compared {
            ComparedWith::Number(variable) => self.visit.scope.value(variable),
            ComparedWith::Position => self.position,
        }
    }
}

impl TokenLists {
    pub(super) fn add(&mut self, visit: &LineVisit<'_, '_>, keyed: &BTreeSet<usize>) {
        for token in TokenVisit::all(visit, keyed) {
            let length = i64::try_from(token.word.chars().count()).unwrap_or(i64::MAX);
            let own = integer(token.word);
            for (variable, value) in token.before() {
                let lengths = self.lengths.entry((token.place.clone(), variable)).or_default();
                lengths.push((length, value));
                if let Some(own) = own {
                    let with = (token.place.clone(), ComparedWith::Number(variable));
                    self.pairs.entry(with).or_default().push((own, value));
                }
            }
            if let Some((own, position)) = own.zip(token.position) {
                let with = (token.place.clone(), ComparedWith::Position);
                self.pairs.entry(with).or_default().push((own, position));
            }
            self.tokens.entry(token.place).or_default().push(token.word.to_owned());
        }
    }
}

impl TokenFacts {
    pub(super) fn learn(lists: TokenLists, layout: &[LayoutPart]) -> Self {
        let TokenLists { tokens, pairs, lengths } = lists;
        let mut counts: BTreeSet<LayoutVariable> =
            layout.iter().flat_map(LayoutPart::counts).map(|count| count.variable).collect();
        let mut facts: BTreeMap<TokenSlot, PlaceFacts> = BTreeMap::new();
        for (place, tokens) in tokens {
            let kind = TokenKind::of(&tokens);
            let number = u64::try_from(tokens.len()).unwrap_or(u64::MAX);
            let (comparisons, lengths) = (Vec::new(), Vec::new());
            facts.insert(place, PlaceFacts { kind, number, comparisons, lengths });
        }
        for ((place, compared), pairs) in pairs {
            let Some(of_place) = facts.get_mut(&place) else { continue };
            if matches!(of_place.kind, TokenKind::Integer { .. }) {
                let all = comparisons(&pairs).into_iter();
                of_place.comparisons.extend(all.map(|one| (compared, one)));
            }
        }
        for of_place in facts.values() {
            // The number of vertices is no number of lines or tokens, but it may be small too.
            counts.extend(of_place.bounds());
        }
        for ((place, variable), pairs) in lengths {
            let Some(of_place) = facts.get_mut(&place) else { continue };
            let plus = pairs.first().map_or(0, |(length, value)| length.saturating_sub(*value));
            let varies = pairs.iter().any(|pair| pair.0 != pairs[0].0);
            let is_all =
                pairs.iter().all(|(length, value)| value.checked_add(plus) == Some(*length));
            if varies && plus.abs() <= 1 && is_all {
                of_place.lengths.push(ItemCount { variable, times: 1, plus });
                counts.insert(variable);
            }
        }
        for (place, of_place) in &mut facts {
            of_place.allow_small(counts.contains(&place.at));
        }
        Self(facts)
    }

    /// Whether all tokens of a line are as these facts say.
    pub(super) fn hold(&self, visit: &LineVisit<'_, '_>, keyed: &BTreeSet<usize>) -> bool {
        TokenVisit::all(visit, keyed)
            .all(|token| self.0.get(&token.place).is_some_and(|facts| facts.hold(&token)))
    }

    /// The numbers that those in a column are never above.
    pub(super) fn bounds(&self, at: LayoutVariable) -> BTreeSet<LayoutVariable> {
        let facts = self.0.get(&TokenSlot { at, key: None });
        facts.into_iter().flat_map(PlaceFacts::bounds).collect()
    }

    /// The smallest number in a column.
    pub(super) fn least(&self, at: LayoutVariable) -> Option<i64> {
        match self.0.get(&TokenSlot { at, key: None })?.kind {
            TokenKind::Integer { least, .. } => Some(least),
            TokenKind::Decimal { .. } | TokenKind::Word { .. } => None,
        }
    }
}

impl PlaceFacts {
    /// The numbers that the tokens are never above.
    fn bounds(&self) -> impl Iterator<Item = LayoutVariable> + '_ {
        self.comparisons.iter().filter_map(|one| match one {
            (ComparedWith::Number(variable), SlotComparison::AtMost(_)) => Some(*variable),
            _ => None,
        })
    }

    /// Lets numbers of items, the lengths of words, and numbers that probably begin at one be smaller than those that
    /// occurred.
    fn allow_small(&mut self, is_count: bool) {
        match &mut self.kind {
            TokenKind::Integer { least, most } if *least > SMALL_COUNT => {
                let gap = most.abs_diff(*least) / self.number.max(1);
                if is_count || least.unsigned_abs() / GAPS <= gap {
                    *least = 1;
                }
            }
            TokenKind::Word { least, .. } if !self.lengths.is_empty() || *least > SMALL_LENGTH => {
                *least = 1;
            }
            TokenKind::Integer { .. } | TokenKind::Decimal { .. } | TokenKind::Word { .. } => {}
        }
    }

    fn hold(&self, token: &TokenVisit<'_, '_>) -> bool {
        let length = token.word.chars().count();
        let is_long = |count: &ItemCount| token.visit.scope.count(*count) == Some(length);
        let compares = |(compared, comparison): &(ComparedWith, SlotComparison)| {
            let pair = integer(token.word).zip(token.value(*compared));
            pair.is_some_and(|(own, other)| comparison.holds(own, other))
        };
        self.kind.has(token.word)
            && self.lengths.iter().all(is_long)
            && self.comparisons.iter().all(compares)
    }
}

impl TokenKind {
    fn of(tokens: &[String]) -> Self {
        let integers: Option<Vec<i64>> = tokens.iter().map(|token| integer(token)).collect();
        if let Some((least, most)) = integers.as_deref().and_then(extremes) {
            return Self::Integer { least, most };
        }
        let decimals: Option<Vec<(usize, f64)>> =
            tokens.iter().map(|token| decimal(token)).collect();
        if let Some(decimals) = decimals {
            let values = || decimals.iter().map(|(_, value)| *value);
            return Self::Decimal {
                digits: decimals.iter().map(|(digits, _)| *digits).collect(),
                least: values().fold(f64::INFINITY, f64::min),
                most: values().fold(f64::NEG_INFINITY, f64::max),
            };
        }
        let lengths = || tokens.iter().map(|token| token.chars().count());
        Self::Word {
            characters: tokens.iter().flat_map(|token| token.chars()).collect(),
            least: lengths().min().unwrap_or(0),
            most: lengths().max().unwrap_or(0),
        }
    }

    fn has(&self, word: &str) -> bool {
        match self {
            Self::Integer { least, most } => {
                integer(word).is_some_and(|value| (*least..=*most).contains(&value))
            }
            Self::Decimal { digits, least, most } => {
                decimal(word).is_some_and(|(number, value)| {
                    digits.contains(&number) && (*least..=*most).contains(&value)
                })
            }
            Self::Word { characters, least, most } => {
                (*least..=*most).contains(&word.chars().count())
                    && word.chars().all(|one| characters.contains(&one))
            }
        }
    }
}

fn extremes(values: &[i64]) -> Option<(i64, i64)> {
    Some((*values.iter().min()?, *values.iter().max()?))
}

/// The number of digits after the point, and the value, of a decimal in its usual form.
fn decimal(token: &str) -> Option<(usize, f64)> {
    let unsigned = token.strip_prefix('-').unwrap_or(token);
    let (whole, rest) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_usual = whole == "0" || !whole.starts_with('0');
    let is_decimal = !whole.is_empty() && is_usual && digits(whole) && digits(rest);
    let value = token.parse().ok().filter(|_| is_decimal && !token.ends_with('.'))?;
    Some((rest.len(), value))
}

impl SlotComparison {
    fn holds(self, own: i64, other: i64) -> bool {
        match self {
            Self::AtMost(plus) => own <= other.saturating_add(plus),
            Self::AtLeast(plus) => own >= other.saturating_add(plus),
            Self::Different => own != other,
        }
    }
}

/// How these numbers compare. A comparison counts if it would be expected to fail some times if the numbers were drawn
/// independently of each other.
fn comparisons(pairs: &[(i64, i64)]) -> Vec<SlotComparison> {
    let differences: Vec<i64> =
        pairs.iter().map(|(own, other)| own.saturating_sub(*other)).collect();
    let Some((least, most)) = extremes(&differences) else {
        return Vec::new();
    };
    let mut others: Vec<i64> = pairs.iter().map(|(_, other)| *other).collect();
    others.sort_unstable();
    let below = |value: i64| others.partition_point(|other| *other < value);
    let up_to = |value: i64| others.partition_point(|other| *other <= value);
    let fails_often = |times: usize, fails: &dyn Fn(i64) -> usize| {
        pairs.iter().map(|(own, _)| fails(*own)).sum::<usize>() >= times * pairs.len()
    };
    let mut found = Vec::new();
    if most <= 1 && fails_often(2, &|own| below(own)) {
        found.push(SlotComparison::AtMost(most.max(-1)));
    }
    if least >= -1 && fails_often(2, &|own| others.len() - up_to(own)) {
        found.push(SlotComparison::AtLeast(least.min(1)));
    }
    if !differences.contains(&0) && fails_often(3, &|own| up_to(own) - below(own)) {
        found.push(SlotComparison::Different);
    }
    found
}
