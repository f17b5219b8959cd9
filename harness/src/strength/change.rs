//! A change at one place of a source.

use std::ops::Range;

use super::syntax::ChangeKind;

/// A change at one place of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceChange {
    pub(crate) kind: ChangeKind,
    /// The bytes that are replaced.
    pub(crate) range: Range<usize>,
    pub(crate) replacement: String,
}

impl SourceChange {
    /// The changed source.
    pub(crate) fn apply(&self, source: &str) -> String {
        let (before, after) = (&source[..self.range.start], &source[self.range.end..]);
        [before, &self.replacement, after].concat()
    }

    /// The number of the line, from 1.
    pub(crate) fn line(&self, source: &str) -> usize {
        1 + source[..self.range.start].matches('\n').count()
    }

    /// The change without what stays the same at its start and end; `None`: nothing changes.
    pub(super) fn trimmed(mut self, source: &str) -> Option<Self> {
        let old = &source[self.range.clone()];
        let new = self.replacement.as_str();
        let same = |(a, b): &(char, char)| a == b;
        let front: usize =
            old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
        let (old, new) = (&old[front..], &new[front..]);
        let back = old.chars().rev().zip(new.chars().rev()).take_while(same);
        let back: usize = back.map(|(c, _)| c.len_utf8()).sum();
        self.range = self.range.start + front..self.range.end - back;
        let new = &new[..new.len() - back];
        if self.range.is_empty() && new.is_empty() {
            return None;
        }
        self.replacement = new.to_owned();
        Some(self)
    }
}
