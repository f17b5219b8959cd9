//! `--rounds`: a number of rounds, or the first and the last one.

use std::num::ParseIntError;
use std::str::FromStr;

/// The rounds to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rounds {
    pub(super) first: u64,
    /// `None`: until the budget ends.
    pub(super) last: Option<u64>,
}

/// Why a text does not name rounds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum RoundsError {
    #[error("expected a number, or two numbers as in `10..20`")]
    Number(#[from] ParseIntError),
    #[error("rounds are numbered from 1, and the last one must not be before the first")]
    Empty,
}

impl Default for Rounds {
    fn default() -> Self {
        Self { first: 1, last: None }
    }
}

impl FromStr for Rounds {
    type Err = RoundsError;

    fn from_str(text: &str) -> Result<Self, RoundsError> {
        let (first, last) = text.split_once("..").unwrap_or(("1", text));
        let (first, last) = (first.trim().parse()?, last.trim().parse()?);
        if first == 0 || last < first {
            return Err(RoundsError::Empty);
        }
        Ok(Self { first, last: Some(last) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_a_number_or_a_range() {
        let rounds = |first, last| Ok(Rounds { first, last: Some(last) });
        assert_eq!("7".parse(), rounds(1, 7));
        assert_eq!("5..7".parse(), rounds(5, 7));
        for text in ["0", "0..5", "7..5"] {
            assert_eq!(text.parse::<Rounds>(), Err(RoundsError::Empty), "{text}");
        }
        for text in ["", "x", "..5", "5..", "-1"] {
            let error = text.parse::<Rounds>().unwrap_err();
            assert!(matches!(error, RoundsError::Number(_)), "{text}");
        }
    }
}
