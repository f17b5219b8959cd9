//! The tokens of a source.

/// The sort of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenSort {
    Word,
    Number,
    /// A text or a character.
    Text,
    Sign,
    /// `<`, `>` or `>>` around arguments of a type.
    Bracket,
}

/// A token: its place in the source.
#[derive(Debug, Clone, Copy)]
pub(super) struct SourceToken {
    pub(super) sort: TokenSort,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl SourceToken {
    pub(super) fn text(self, source: &str) -> &str {
        &source[self.start..self.end]
    }
}
