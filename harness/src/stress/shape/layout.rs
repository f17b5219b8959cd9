//! How a text is laid out: which lines follow each other, and which numbers say how many tokens or lines come.

use std::collections::BTreeMap;

use crate::stress::shrink::integer;

/// The first columns of a line are variables, up to this number.
const MOST_VARIABLES: usize = 8;

/// The lines of a text, as tokens.
pub(super) type TextLines<'t> = Vec<Vec<&'t str>>;

/// A text as tokens. `None`: it is not UTF-8.
pub(super) fn lines_of(text: &[u8]) -> Option<TextLines<'_>> {
    let text = std::str::from_utf8(text).ok()?;
    Some(text.lines().map(|line| line.split_whitespace().collect()).collect())
}

/// A number that stands in a column of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LayoutVariable {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// A number of tokens or lines: that of a variable, or a multiple, plus some.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ItemCount {
    pub(super) variable: LayoutVariable,
    pub(super) times: i64,
    pub(super) plus: i64,
}

impl ItemCount {
    /// The number for a value of the variable.
    pub(super) fn of(self, value: i64) -> Option<usize> {
        usize::try_from(value.checked_mul(self.times)?.checked_add(self.plus)?).ok()
    }
}

/// The number of tokens of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LineWidth {
    Fixed(usize),
    /// Some columns, and then as many tokens as a variable says, which may be one of these columns.
    Counted {
        columns: usize,
        rest: ItemCount,
    },
    /// It depends on the first token, as that of a query.
    ByFirst(BTreeMap<String, usize>),
}

/// A line. Each line of a layout has its own number, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LineLayout {
    pub(super) number: usize,
    pub(super) width: LineWidth,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum LayoutPart {
    Line(LineLayout),
    /// Parts that repeat; without a number, to the end of the text.
    Repeat {
        count: Option<ItemCount>,
        body: Vec<LayoutPart>,
    },
}

/// The values of the variables in scope, by the number of their line.
#[derive(Debug, Clone, Default)]
pub(super) struct VariableScope(Vec<Vec<Option<i64>>>);

/// A line of a text where it is laid out.
pub(super) struct LineVisit<'a, 't> {
    pub(super) layout: &'a LineLayout,
    pub(super) words: &'a [&'t str],
    /// The variables, with those of this line.
    pub(super) scope: &'a VariableScope,
    /// Which repetition the line is a direct part of, and its turn there from one; `None`: of none.
    pub(super) turn: Option<(usize, usize)>,
}

impl LineLayout {
    /// The number of columns that stand for themselves. The tokens after them are alike.
    pub(super) fn columns(&self) -> usize {
        match &self.width {
            LineWidth::Fixed(width) if *width > MOST_VARIABLES => 0,
            LineWidth::Fixed(width) => *width,
            LineWidth::Counted { columns, .. } => *columns,
            LineWidth::ByFirst(widths) => widths.values().copied().max().unwrap_or(0),
        }
    }

    /// Whether a line fits that stands after these variables.
    pub(super) fn fits_after(&self, words: &[&str], before: &VariableScope) -> bool {
        let mut scope = before.clone();
        scope.enter(self, words);
        self.fits(words, &scope)
    }

    fn fits(&self, words: &[&str], scope: &VariableScope) -> bool {
        match &self.width {
            LineWidth::Fixed(width) => words.len() == *width,
            LineWidth::Counted { columns, rest } => {
                let rest = scope.count(*rest);
                rest.and_then(|rest| rest.checked_add(*columns)) == Some(words.len())
            }
            LineWidth::ByFirst(widths) => {
                words.first().and_then(|first| widths.get(*first)) == Some(&words.len())
            }
        }
    }
}

impl LayoutPart {
    /// The numbers of tokens and lines in this part.
    pub(super) fn counts(&self) -> Vec<ItemCount> {
        match self {
            Self::Line(LineLayout { width: LineWidth::Counted { rest, .. }, .. }) => vec![*rest],
            Self::Line(_) => Vec::new(),
            Self::Repeat { count, body } => {
                count.iter().copied().chain(body.iter().flat_map(Self::counts)).collect()
            }
        }
    }

    /// The number of lines of the layout.
    pub(super) fn lines(&self) -> usize {
        match self {
            Self::Line(_) => 1,
            Self::Repeat { body, .. } => body.iter().map(Self::lines).sum(),
        }
    }
}

impl VariableScope {
    pub(super) fn value(&self, variable: LayoutVariable) -> Option<i64> {
        *self.0.get(variable.line)?.get(variable.column)?
    }

    pub(super) fn count(&self, count: ItemCount) -> Option<usize> {
        count.of(self.value(count.variable)?)
    }

    /// The variables that are integers, the first ones first.
    pub(super) fn variables(&self) -> impl DoubleEndedIterator<Item = (LayoutVariable, i64)> + '_ {
        self.0.iter().enumerate().flat_map(|(line, values)| {
            let values = values.iter().enumerate();
            values.filter_map(move |(column, value)| {
                Some((LayoutVariable { line, column }, (*value)?))
            })
        })
    }

    fn enter(&mut self, line: &LineLayout, words: &[&str]) {
        self.leave(line.number);
        self.0.resize(line.number, Vec::new());
        self.0.push(words.iter().take(line.columns()).map(|word| integer(word)).collect());
    }

    /// Forgets the variables of this line and of later ones.
    fn leave(&mut self, line: usize) {
        self.0.truncate(line);
    }
}

/// A walk along the lines of a text by a layout.
pub(super) struct LayoutWalk<'a, 't> {
    pub(super) lines: &'a [Vec<&'t str>],
    pub(super) at: usize,
    pub(super) scope: VariableScope,
    /// The number of repetitions so far.
    pub(super) repetitions: usize,
}

impl<'a, 't> LayoutWalk<'a, 't> {
    pub(super) fn new(lines: &'a [Vec<&'t str>]) -> Self {
        Self { lines, at: 0, scope: VariableScope::default(), repetitions: 0 }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.lines.len()
    }

    /// Goes along these parts. `None`: the lines do not fit.
    pub(super) fn along(
        &mut self,
        parts: &[LayoutPart],
        turn: Option<(usize, usize)>,
        visit: &mut dyn FnMut(&LineVisit<'_, 't>),
    ) -> Option<()> {
        for part in parts {
            match part {
                LayoutPart::Line(layout) => {
                    let words = self.lines.get(self.at)?;
                    self.scope.enter(layout, words);
                    if !layout.fits(words, &self.scope) {
                        return None;
                    }
                    visit(&LineVisit { layout, words, scope: &self.scope, turn });
                    self.at += 1;
                }
                LayoutPart::Repeat { count, body } => self.repeat(*count, body, visit)?,
            }
        }
        Some(())
    }

    fn repeat(
        &mut self,
        count: Option<ItemCount>,
        body: &[LayoutPart],
        visit: &mut dyn FnMut(&LineVisit<'_, 't>),
    ) -> Option<()> {
        let count = match count {
            Some(count) => self.scope.count(count)?,
            None => usize::MAX,
        };
        let variables = self.scope.0.len();
        self.repetitions += 1;
        let repetition = self.repetitions;
        for turn in 1..=count {
            if count == usize::MAX && self.is_at_end() {
                break;
            }
            let before = self.at;
            self.along(body, Some((repetition, turn)), visit)?;
            self.scope.leave(variables);
            if self.at == before {
                return None;
            }
        }
        Some(())
    }
}
