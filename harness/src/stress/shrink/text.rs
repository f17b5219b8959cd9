//! A text as lines of tokens, and the order that says which of two texts is smaller.

use std::fmt::Write as _;
use std::ops::Range;

/// A text: its lines, and the tokens of each line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct TokenLines(pub(super) Vec<Vec<String>>);

/// The place of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct WordPlace {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// The size of a text. Fewer tokens are smaller, then fewer lines, fewer characters, and smaller values.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TextSize {
    tokens: usize,
    lines: usize,
    characters: usize,
    values: Vec<(usize, String)>,
}

impl TokenLines {
    /// Splits a text. `None`: it is not UTF-8.
    pub(super) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
        Some(Self(text.lines().map(words).collect()))
    }

    /// Splits a text into lines whose blanks stay as they are.
    pub(super) fn parse_lines(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let whole = |line: &str| vec![line.to_owned()];
        Some(Self(text.split_terminator('\n').map(whole).collect()))
    }

    /// The text, with one blank between tokens, and a newline after every line.
    pub(super) fn render(&self) -> Vec<u8> {
        let mut text = String::new();
        for line in &self.0 {
            // Writing to a `String` cannot fail.
            let _ = writeln!(text, "{}", line.join(" "));
        }
        text.into_bytes()
    }

    pub(super) fn size(&self) -> TextSize {
        let tokens = || self.0.iter().flatten();
        TextSize {
            tokens: tokens().count(),
            lines: self.0.len(),
            characters: tokens().map(String::len).sum(),
            values: tokens().map(|word| (word.len(), word.clone())).collect(),
        }
    }

    pub(super) fn lines(&self) -> usize {
        self.0.len()
    }

    /// The number of tokens in a line.
    pub(super) fn width(&self, line: usize) -> usize {
        self.0.get(line).map_or(0, Vec::len)
    }

    pub(super) fn token(&self, place: WordPlace) -> Option<&str> {
        Some(self.0.get(place.line)?.get(place.column)?.as_str())
    }

    /// The integer at this place.
    pub(super) fn integer(&self, place: WordPlace) -> Option<i64> {
        integer(self.token(place)?)
    }

    pub(super) fn set(&mut self, place: WordPlace, value: impl Into<String>) {
        if let Some(token) = self.0.get_mut(place.line).and_then(|line| line.get_mut(place.column))
        {
            *token = value.into();
        }
    }

    /// The places of all tokens, in order.
    pub(super) fn places(&self) -> Vec<WordPlace> {
        let lines = self.0.iter().enumerate();
        lines
            .flat_map(|(line, words)| {
                (0..words.len()).map(move |column| WordPlace { line, column })
            })
            .collect()
    }

    /// The places and values of all integers, in order.
    pub(super) fn integers(&self) -> Vec<(WordPlace, i64)> {
        let places = self.places().into_iter();
        places.filter_map(|place| Some((place, self.integer(place)?))).collect()
    }

    /// The consecutive lines around `line` that have the same number of tokens.
    pub(super) fn run_of(&self, line: usize) -> Range<usize> {
        let width = self.width(line);
        let before = (0..line).rev().take_while(|at| self.width(*at) == width);
        let after = (line..self.lines()).take_while(|at| self.width(*at) == width);
        line - before.count()..line + after.count()
    }
}

/// The value of a token that is an integer in its shortest form.
pub(in crate::stress) fn integer(token: &str) -> Option<i64> {
    let value: i64 = token.parse().ok()?;
    (value.to_string() == token).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_tokens_are_smaller_then_lines_then_characters_then_values() {
        let size = |text: &str| TokenLines::parse(text.as_bytes()).unwrap().size();
        let rising = ["0\n", "1\n", "-1\n", "10\n", "a b\n", "10 1\n", "1\n1\n", "0 0 0\n"];
        for pair in rising.windows(2) {
            assert!(size(pair[0]) < size(pair[1]), "{pair:?}");
        }
    }

    #[test]
    fn only_an_integer_in_its_shortest_form_is_one() {
        for (token, expected) in [
            ("7", Some(7)),
            ("-7", Some(-7)),
            ("07", None),
            ("+7", None),
            ("-0", None),
            ("7.0", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(integer(token), expected, "{token}");
        }
    }
}
