//! Looks for the layout of some texts: the first one, in the order of what juries write, that fits all of them.

use std::collections::BTreeMap;

use super::layout::{
    ItemCount, LayoutPart, LayoutVariable, LayoutWalk, LineLayout, LineWidth, TextLines,
    VariableScope,
};

/// The largest number of parts of a layout, and of a repeated part.
const PARTS: usize = 12;
const REPEATED: usize = 3;

/// The largest number of sequences of parts to try in a repetition.
const BODIES: usize = 16;

/// The largest number of columns before tokens that are counted.
const COLUMNS: usize = 2;

/// The largest number of first tokens on which the width of a line depends.
const FIRSTS: usize = 8;

/// The largest number of layouts to try.
const STEPS: usize = 20_000;

/// What a number of items may be: so many times a variable, plus so many.
const COUNTS: [(i64, i64); 4] = [(1, 0), (1, -1), (1, 1), (2, 0)];

/// Where a text is laid out up to now.
#[derive(Clone)]
struct TextPlace<'a, 't> {
    lines: &'a [Vec<&'t str>],
    at: usize,
    scope: VariableScope,
}

/// The search for a layout.
struct LayoutSearch {
    steps: usize,
    /// The largest number of parts.
    most: usize,
    /// Whether the last part may be a repetition that nothing counts.
    goes_on: bool,
}

/// What a repeated part must fit: all turns of a repetition at these places.
struct BodyGoal<'p, 'a, 't> {
    count: ItemCount,
    places: &'p [TextPlace<'a, 't>],
    /// Whether a part of it may be a repetition itself, which a number in it counts.
    nests: bool,
    /// The number of its first line.
    first: usize,
}

/// The layout of all of these texts.
pub(super) fn layout_of(texts: &[TextLines<'_>]) -> Option<Vec<LayoutPart>> {
    let places = texts.iter();
    let places =
        places.map(|lines| TextPlace { lines, at: 0, scope: VariableScope::default() }).collect();
    let places: Vec<TextPlace<'_, '_>> = places;
    // What is counted explains more than what goes on to the end.
    for goes_on in [false, true] {
        for most in 1..=PARTS {
            let mut search = LayoutSearch { steps: 0, most, goes_on };
            let mut parts = Vec::new();
            if search.complete(&mut parts, &places) {
                return Some(parts);
            }
        }
    }
    None
}

impl LayoutSearch {
    /// Adds parts until all texts are laid out.
    fn complete(&mut self, parts: &mut Vec<LayoutPart>, places: &[TextPlace<'_, '_>]) -> bool {
        if places.iter().all(|place| place.at == place.lines.len()) {
            return true;
        }
        if parts.len() == self.most {
            return false;
        }
        let number = parts.iter().map(LayoutPart::lines).sum();
        for part in self.repetitions(places, number, None) {
            if self.complete_with(parts, part, places) {
                return true;
            }
        }
        for line in lines_at(places, number) {
            if self.complete_with(parts, LayoutPart::Line(line), places) {
                return true;
            }
        }
        let lines = if self.goes_on { lines_at(places, number) } else { Vec::new() };
        lines.into_iter().any(|line| {
            let body = vec![LayoutPart::Line(line)];
            self.complete_with(parts, LayoutPart::Repeat { count: None, body }, places)
        })
    }

    fn complete_with(
        &mut self,
        parts: &mut Vec<LayoutPart>,
        part: LayoutPart,
        places: &[TextPlace<'_, '_>],
    ) -> bool {
        let Some(next) = self.after(&part, places) else {
            return false;
        };
        parts.push(part);
        let is_complete = self.complete(parts, &next);
        if !is_complete {
            parts.pop();
        }
        is_complete
    }

    /// The places after this part, if it fits all texts.
    fn after<'a, 't>(
        &mut self,
        part: &LayoutPart,
        places: &[TextPlace<'a, 't>],
    ) -> Option<Vec<TextPlace<'a, 't>>> {
        self.steps += 1;
        if self.steps > STEPS {
            return None;
        }
        let parts = std::slice::from_ref(part);
        let after = places.iter().map(|place| {
            let TextPlace { lines, at, scope } = place.clone();
            let mut walk = LayoutWalk { lines, at, scope, repetitions: 0 };
            walk.along(parts, None, &mut |_| {})?;
            Some(TextPlace { lines, at: walk.at, scope: walk.scope })
        });
        after.collect()
    }

    /// The repetitions that fit at these places, with a number before them from this line on.
    fn repetitions(
        &mut self,
        places: &[TextPlace<'_, '_>],
        number: usize,
        from: Option<usize>,
    ) -> Vec<LayoutPart> {
        let (mut found, mut known) = (Vec::new(), Vec::new());
        for count in counts(places).filter(|count| count.variable.line >= from.unwrap_or(0)) {
            let numbers = places.iter().map(|place| {
                let left = place.lines.len() - place.at;
                place.scope.count(count).filter(|number| *number <= left)
            });
            let Some(numbers) = numbers.collect::<Option<Vec<usize>>>() else { continue };
            if known.contains(&numbers) || numbers.iter().all(|number| *number < 2) {
                continue;
            }
            let goal = BodyGoal { count, places, nests: from.is_none(), first: number };
            let with_turns = places.iter().zip(&numbers).filter(|(_, number)| **number > 0);
            let firsts: Vec<_> = with_turns.map(|(place, _)| place.clone()).collect();
            let mut bodies = Vec::new();
            for length in 1..=REPEATED {
                self.bodies(&mut Vec::new(), &firsts, (number, length), &goal, &mut bodies);
            }
            bodies.extend(by_first(places, &numbers, number));
            let parts = bodies.into_iter();
            found.extend(parts.map(|body| LayoutPart::Repeat { count: Some(count), body }));
            known.push(numbers);
        }
        found
    }

    /// The sequences of so many parts that fit all turns. `number` is that of the next line.
    fn bodies(
        &mut self,
        body: &mut Vec<LayoutPart>,
        places: &[TextPlace<'_, '_>],
        (number, length): (usize, usize),
        goal: &BodyGoal<'_, '_, '_>,
        found: &mut Vec<Vec<LayoutPart>>,
    ) {
        if body.len() == length {
            let part = LayoutPart::Repeat { count: Some(goal.count), body: body.clone() };
            if self.after(&part, goal.places).is_some() {
                found.push(body.clone());
            }
            return;
        }
        let lines = lines_at(places, number).into_iter().map(LayoutPart::Line);
        let nested = if goal.nests {
            self.repetitions(places, number, Some(goal.first))
        } else {
            Vec::new()
        };
        for part in nested.into_iter().chain(lines) {
            if found.len() < BODIES
                && let Some(next) = self.after(&part, places)
            {
                let number = number + part.lines();
                body.push(part);
                self.bodies(body, &next, (number, length), goal, found);
                body.pop();
            }
        }
    }
}

/// The numbers in scope that may count items, the closest first.
fn counts(places: &[TextPlace<'_, '_>]) -> impl Iterator<Item = ItemCount> {
    let variables = places.first().into_iter().flat_map(|place| place.scope.variables());
    let mut variables: Vec<LayoutVariable> = variables.map(|(variable, _)| variable).collect();
    variables.reverse();
    counts_of(variables)
}

fn counts_of(variables: Vec<LayoutVariable>) -> impl Iterator<Item = ItemCount> {
    COUNTS.into_iter().flat_map(move |(times, plus)| {
        let variables = variables.clone().into_iter();
        variables.map(move |variable| ItemCount { variable, times, plus })
    })
}

/// The layouts of the next line of all texts.
fn lines_at(places: &[TextPlace<'_, '_>], number: usize) -> Vec<LineLayout> {
    let next: Option<Vec<&[&str]>> =
        places.iter().map(|place| place.lines.get(place.at).map(Vec::as_slice)).collect();
    let Some(next) = next else {
        return Vec::new();
    };
    let width = next.first().map_or(0, |words| words.len());
    let is_fixed = next.iter().all(|words| words.len() == width);
    let mut widths = Vec::new();
    // A line that is always as long as a number before it says may be so by chance only if it is short.
    let most = if !is_fixed {
        COLUMNS
    } else if width > 2 {
        0
    } else {
        return vec![LineLayout { number, width: LineWidth::Fixed(width) }];
    };
    let fits = |line: &LineLayout| {
        next.iter().zip(places).all(|(words, place)| line.fits_after(words, &place.scope))
    };
    for columns in 0..=most {
        let own = (0..columns).map(|column| LayoutVariable { line: number, column });
        for rest in counts_of(own.collect()).chain(counts(places)) {
            let line = LineLayout { number, width: LineWidth::Counted { columns, rest } };
            if (!is_fixed || rest.plus == 0) && fits(&line) {
                widths.push(line);
            }
        }
    }
    if is_fixed {
        widths.push(LineLayout { number, width: LineWidth::Fixed(width) });
    }
    widths
}

/// Lines whose width depends on their first token, as that of queries.
fn by_first(
    places: &[TextPlace<'_, '_>],
    numbers: &[usize],
    number: usize,
) -> Option<Vec<LayoutPart>> {
    let mut widths: BTreeMap<String, usize> = BTreeMap::new();
    for (place, lines) in places.iter().zip(numbers) {
        for words in place.lines.get(place.at..place.at + lines)? {
            let first = *words.first()?;
            let width = *widths.entry(first.to_owned()).or_insert(words.len());
            if width != words.len() || widths.len() > FIRSTS {
                return None;
            }
        }
    }
    Some(vec![LayoutPart::Line(LineLayout { number, width: LineWidth::ByFirst(widths) })])
}
