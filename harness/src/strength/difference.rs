//! A mutant as the difference from its solution, with one line before and after.

use super::change::SourceChange;
use super::mutants::{Mutant, MutantParent};
use crate::show::style::{BAD, DIM, GOOD};

/// The lines around a change.
#[derive(Debug, PartialEq, Eq)]
struct ChangedLines {
    /// The number of the first line that is shown, from 1.
    first: usize,
    before: Vec<String>,
    removed: Vec<String>,
    added: Vec<String>,
    after: Vec<String>,
}

impl ChangedLines {
    fn of(source: &str, change: &SourceChange) -> Self {
        let start = source[..change.range.start].rfind('\n').map_or(0, |at| at + 1);
        let rest = source[change.range.end..].find('\n');
        let end = rest.map_or(source.len(), |at| change.range.end + at);
        let changed = change.apply(source);
        let new_end = changed.len() - (source.len() - end);
        let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
        let (mut removed, mut added) =
            (lines(&source[start..end]), lines(&changed[start..new_end]));
        let mut before: Vec<String> = lines(&source[..start]).pop().into_iter().collect();
        let mut after: Vec<String> = lines(&source[end..]).into_iter().skip(1).take(1).collect();
        let mut first = change.line(source) - before.len();
        // Lines at the edges may be the same, for example before an inserted one.
        while !removed.is_empty() && removed.first() == added.first() {
            first += before.len();
            before = vec![removed.remove(0)];
            added.remove(0);
        }
        while !removed.is_empty() && removed.last() == added.last() {
            after = removed.pop().into_iter().collect();
            added.pop();
        }
        Self { first, before, removed, added, after }
    }
}

/// A unified difference.
pub(super) fn plain(parent: &MutantParent, mutant: &Mutant) -> String {
    let name = &parent.submission.name;
    let lines = ChangedLines::of(&parent.text, &mutant.change);
    let around = lines.before.len() + lines.after.len();
    let (old, new) = (around + lines.removed.len(), around + lines.added.len());
    let (first, number) = (lines.first, mutant.number);
    let mut text =
        format!("--- {name}\n+++ {name} (mutant {number})\n@@ -{first},{old} +{first},{new} @@\n");
    let parts = [(' ', lines.before), ('-', lines.removed), ('+', lines.added), (' ', lines.after)];
    for (sign, lines) in parts {
        for line in lines {
            text.push(sign);
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// The changed lines and those around them, coloured.
pub(super) fn coloured(parent: &MutantParent, mutant: &Mutant) -> Vec<String> {
    let lines = ChangedLines::of(&parent.text, &mutant.change);
    let parts = [
        (DIM, ' ', lines.before),
        (BAD, '-', lines.removed),
        (GOOD, '+', lines.added),
        (DIM, ' ', lines.after),
    ];
    let mut shown = Vec::new();
    for (style, sign, lines) in parts {
        for line in lines {
            shown.push(format!("{style}{sign}{}{style:#}", line.trim_end()));
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::syntax::ChangeKind;

    fn of(source: &str, old: &str, new: &str) -> ChangedLines {
        let start = source.find(old).unwrap();
        let change = SourceChange {
            kind: ChangeKind::Relation,
            range: start..start + old.len(),
            replacement: new.to_owned(),
        };
        ChangedLines::of(source, &change)
    }

    #[test]
    fn the_changed_lines_are_shown_with_one_around_them() {
        let lines = |lines: &[&str]| -> Vec<String> {
            lines.iter().map(|line| (*line).to_owned()).collect()
        };
        let found = of("a\nb < c\nd\ne\n", "<", "<=");
        let expected = ChangedLines {
            first: 1,
            before: lines(&["a"]),
            removed: lines(&["b < c"]),
            added: lines(&["b <= c"]),
            after: lines(&["d"]),
        };
        assert_eq!(found, expected);
        let found = of("a < b", "<", ">");
        assert_eq!((found.first, found.before.len(), found.after.len()), (1, 0, 0));
        let found = of("for\n  a\nend\n", "\nend", "\n  break\nend");
        assert_eq!((found.first, found.before, found.removed), (2, lines(&["  a"]), vec![]));
        assert_eq!((found.added, found.after), (lines(&["  break"]), lines(&["end"])));
    }
}
