//! Drops labels, such as the vertices of a graph, and renumbers the others.

use super::lines::count;
use super::renumber::{Renumbering, kept, merged};
use super::repair::lowered;
use super::text::{TokenLines, WordPlace};
use super::{ShrinkStopped, Shrinker, part_lengths};

/// More labels are not dropped one by one.
const MOST: i64 = 4000;

/// If there are more labels than this many for each token, hardly any is used, and they are not dropped one by one.
const SPARSE: usize = 4;

/// The largest number of labels that share a line with a label, to try in its place.
const PARTNERS: usize = 6;

/// The tokens of a line that are labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LabelColumns {
    All,
    FirstTwo,
    AllButFirst,
    AllButLast,
    First,
    Last,
    /// None: only lines with a value for each label.
    None,
}

/// What happens to a line with a label that is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineChange {
    /// It is deleted.
    Delete,
    /// The label becomes its neighbour in number.
    Keep,
    /// The label becomes the other label of the first line with it, and that line is deleted.
    Merge,
}

/// What happens to a line with one token for each label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArrayChange {
    /// Its tokens are treated as those of other lines.
    None,
    /// It loses the token at the place of the label.
    Place,
    /// It loses the token that is the label, and the others are renumbered.
    Value,
    /// Both: the token at the place of the label goes, and the values are renumbered.
    Both,
}

/// Where labels are, and how one is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LabelPlan {
    /// The place of the number of labels.
    counter: WordPlace,
    /// The number of lines after that line which may have labels; `None`: all.
    lines: Option<usize>,
    columns: LabelColumns,
    change: LineChange,
    array: ArrayChange,
    /// The smallest label.
    base: i64,
}

impl Shrinker<'_, '_> {
    /// Drops labels in every way that the text permits.
    pub(super) fn drop_labels(&mut self) -> Result<(), ShrinkStopped> {
        if let Some(plan) = self.plan {
            self.drop_by(plan)?;
        }
        for counter in self.label_counters() {
            for plan in self.plans(counter) {
                self.drop_by(plan)?;
            }
        }
        Ok(())
    }

    /// The numbers that may count labels.
    fn label_counters(&self) -> Vec<WordPlace> {
        let first = usize::from(self.best.width(0) == 1);
        let is_header = |place: WordPlace| place.line <= first || self.thorough;
        let numbers = self.best.integers().into_iter();
        numbers
            .filter(|(place, value)| (2..=MOST).contains(value) && is_header(*place))
            .map(|(place, _)| place)
            .take(if self.thorough { 12 } else { 6 })
            .collect()
    }

    fn plans(&self, counter: WordPlace) -> Vec<LabelPlan> {
        use ArrayChange as A;
        use LabelColumns as C;
        use LineChange as L;
        let mut scopes = vec![None];
        for column in 0..self.best.width(counter.line) {
            let place = WordPlace { column, ..counter };
            let lines = self.best.integer(place);
            let lines = lines.and_then(|lines| usize::try_from(lines).ok());
            for lines in
                lines.into_iter().flat_map(|lines| [lines, lines.saturating_sub(1), lines + 1])
            {
                if self.thorough && lines > 0 && counter.line + 1 + lines < self.best.lines() {
                    scopes.push(Some(lines));
                }
            }
        }
        scopes.dedup();
        let columns: &[C] = if self.thorough {
            &[C::All, C::FirstTwo, C::AllButFirst, C::AllButLast, C::First, C::Last, C::None]
        } else {
            &[C::All, C::FirstTwo, C::AllButFirst, C::None]
        };
        let mut plans = Vec::new();
        for lines in scopes {
            for columns in columns {
                for change in [L::Delete, L::Merge, L::Keep] {
                    for array in [A::None, A::Place, A::Value, A::Both] {
                        for base in [1, 0] {
                            plans.push(LabelPlan {
                                counter,
                                lines,
                                columns: *columns,
                                change,
                                array,
                                base,
                            });
                        }
                    }
                }
            }
        }
        plans
    }

    fn drop_by(&mut self, plan: LabelPlan) -> Result<(), ShrinkStopped> {
        let Some(number) = self.labels_of(plan) else {
            return Ok(());
        };
        if let Some(used) = used(&self.best, &plan, number)
            && self.renumber(plan, &kept(&used))?
        {
            self.plan = Some(plan);
        }
        for part in part_lengths(number) {
            let is_tiny = part < number / (SPARSE * self.best.places().len().max(1));
            if is_tiny || (part > 1 && plan.change != LineChange::Delete) {
                continue;
            }
            let mut end = number;
            loop {
                let Some(number) = self.labels_of(plan) else {
                    return Ok(());
                };
                end = end.min(number);
                if end < part || number <= part {
                    break;
                }
                let labels: Vec<bool> =
                    (0..number).map(|label| !(end - part..end).contains(&label)).collect();
                let ways = match plan.change {
                    LineChange::Delete => vec![kept(&labels)],
                    LineChange::Keep => {
                        vec![merged(number, end - 1, end.checked_sub(2).unwrap_or(1), None)]
                    }
                    LineChange::Merge => self.merges(&plan, number, end - 1),
                };
                if self.renumber_by_first(plan, &ways)? {
                    self.plan = Some(plan);
                } else if !self.thorough
                    && part == 1
                    && self.plan != Some(plan)
                    && end + 3 < number
                    && !ways.is_empty()
                {
                    // This way has not helped for the last labels.
                    break;
                }
                end -= part;
            }
        }
        Ok(())
    }

    fn labels_of(&self, plan: LabelPlan) -> Option<usize> {
        let number = self.best.integer(plan.counter)?;
        usize::try_from(number).ok().filter(|_| (2..=MOST).contains(&number))
    }

    /// The ways in which a label becomes one that shares a line with it: the first one, in a thorough search several.
    fn merges(&self, plan: &LabelPlan, number: usize, label: usize) -> Vec<Renumbering> {
        let partners = partners(&self.best, plan, label).filter(|(_, other)| *other < number);
        partners
            .take(if self.thorough { PARTNERS } else { 1 })
            .map(|(line, other)| merged(number, label, other, Some(line)))
            .collect()
    }

    /// Applies the first renumbering with which the property holds.
    fn renumber_by_first(
        &mut self,
        plan: LabelPlan,
        ways: &[Renumbering],
    ) -> Result<bool, ShrinkStopped> {
        for way in ways {
            if self.renumber(plan, way)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Applies a renumbering, and lowers the number that counts deleted lines.
    fn renumber(
        &mut self,
        plan: LabelPlan,
        renumbering: &Renumbering,
    ) -> Result<bool, ShrinkStopped> {
        let Some((base, deleted)) = renumbered(&self.best, &plan, renumbering) else {
            return Ok(false);
        };
        if deleted == 0 {
            return self.accept(base);
        }
        let amount = count(deleted);
        let near = |place: WordPlace| place.line <= plan.counter.line && place != plan.counter;
        let repairs = self.repairs(&[amount], |place, value| near(place) && value >= amount);
        for repair in repairs {
            if self.accept(lowered(&base, &repair))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl LabelPlan {
    fn covers(&self, column: usize, width: usize) -> bool {
        match self.columns {
            LabelColumns::All => true,
            LabelColumns::FirstTwo => column < 2,
            LabelColumns::AllButFirst => column > 0,
            LabelColumns::AllButLast => column + 1 < width,
            LabelColumns::First => column == 0,
            LabelColumns::Last => column + 1 == width,
            LabelColumns::None => false,
        }
    }

    /// The lines that may have labels.
    fn scope(&self, text: &TokenLines) -> std::ops::Range<usize> {
        let start = self.counter.line + 1;
        let end = self.lines.map_or(text.lines(), |lines| start + lines);
        start..end.min(text.lines())
    }

    /// The label in this place, counted from zero.
    fn label(&self, text: &TokenLines, place: WordPlace) -> Option<usize> {
        usize::try_from(text.integer(place)?.checked_sub(self.base)?).ok()
    }

    /// Whether a line has one token for each label.
    fn is_array(&self, text: &TokenLines, line: usize, number: usize) -> bool {
        self.array != ArrayChange::None && text.width(line) == number
    }
}

/// The labels that occur in columns of labels. `None`: a token there is not a label.
fn used(text: &TokenLines, plan: &LabelPlan, number: usize) -> Option<Vec<bool>> {
    let mut used = vec![false; number];
    for line in plan.scope(text).filter(|line| !plan.is_array(text, *line, number)) {
        let width = text.width(line);
        for column in (0..width).filter(|column| plan.covers(*column, width)) {
            let label = plan.label(text, WordPlace { line, column })?;
            *used.get_mut(label)? = true;
        }
    }
    (plan.columns != LabelColumns::None && used.contains(&true)).then_some(used)
}

/// The lines with this label and another one, and that other label.
fn partners(
    text: &TokenLines,
    plan: &LabelPlan,
    label: usize,
) -> impl Iterator<Item = (usize, usize)> {
    plan.scope(text).filter_map(move |line| {
        let width = text.width(line);
        let columns = (0..width).filter(|column| plan.covers(*column, width));
        let labels: Vec<usize> =
            columns.filter_map(|column| plan.label(text, WordPlace { line, column })).collect();
        let other = labels.iter().find(|other| **other != label)?;
        labels.contains(&label).then_some((line, *other))
    })
}

/// The text with these labels, and the number of lines that were deleted. `None`: a token in a column of labels is not one.
fn renumbered(
    text: &TokenLines,
    plan: &LabelPlan,
    by: &Renumbering,
) -> Option<(TokenLines, usize)> {
    let number = by.new.len();
    let scope = plan.scope(text);
    let mut lines = Vec::with_capacity(text.lines());
    let mut deleted = 0;
    for (line, words) in text.0.iter().enumerate() {
        if Some(line) == by.without {
            deleted += 1;
            continue;
        }
        if !scope.contains(&line) {
            lines.push(words.clone());
            continue;
        }
        let new_of = |column: usize| {
            let label = plan.label(text, WordPlace { line, column })?;
            by.new.get(label).copied()
        };
        let shown = |label: i64| (label + plan.base).to_string();
        if plan.is_array(text, line, number) {
            lines.push(array(words, plan, by, &new_of)?);
            continue;
        }
        let mut changed = words.clone();
        let mut stays = true;
        for column in (0..words.len()).filter(|column| plan.covers(*column, words.len())) {
            match new_of(column)? {
                Some(label) => changed[column] = shown(label),
                None => stays = false,
            }
        }
        if stays {
            lines.push(changed);
        } else {
            deleted += 1;
        }
    }
    let mut changed = TokenLines(lines);
    changed.set(plan.counter, by.left.to_string());
    Some((changed, deleted))
}

/// A line with one token for each label.
fn array(
    words: &[String],
    plan: &LabelPlan,
    by: &Renumbering,
    new_of: &dyn Fn(usize) -> Option<Option<i64>>,
) -> Option<Vec<String>> {
    // The first label that became another one is dropped here too: there is one token for each label.
    let mut seen = vec![false; by.left];
    let mut left = Vec::new();
    for (column, word) in words.iter().enumerate() {
        let place = by.new[column].and_then(|new| usize::try_from(new).ok());
        let stays_by_place = place.is_some_and(|new| !std::mem::replace(&mut seen[new], true));
        match plan.array {
            ArrayChange::Place if stays_by_place => left.push(word.clone()),
            ArrayChange::Both if stays_by_place => {
                left.push((new_of(column)?.unwrap_or(0) + plan.base).to_string());
            }
            ArrayChange::None | ArrayChange::Place | ArrayChange::Both => {}
            ArrayChange::Value => {
                if let Some(label) = new_of(column)? {
                    left.push((label + plan.base).to_string());
                }
            }
        }
    }
    Some(left)
}
