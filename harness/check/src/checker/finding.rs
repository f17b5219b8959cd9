//! The first difference that a comparison found, and the headline that describes it.

use std::io::{self, Read};

use super::place::{LocatedOffset, locate};
use super::{Difference, Mismatch};
use rejudge_problem::printable::{compared, quoted};

/// Tokens up to this many bytes are shown whole, and a difference in them is reported at their
/// start.
pub(super) const WHOLE: usize = 64;
/// The number of bytes shown of a longer token, from its start or from the difference on.
pub(super) const EXCERPT: usize = 40;

/// What differs, and at which byte offsets. Only [`FoundDifference::explain`] counts lines and tokens.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundDifference {
    pub(super) kind: DifferenceKind,
    pub(super) output_offset: u64,
    pub(super) answer_offset: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum DifferenceKind {
    /// Two tokens that do not match, each as it will be shown.
    Token {
        expected: String,
        got: String,
        /// Bytes of the token before the difference, if the difference is reported inside the
        /// token.
        inside: Option<u64>,
        why: TokenReason,
    },
    /// The output ends before this token of the answer.
    OutputEnds { expected: String },
    /// The answer ends before this token of the output.
    Extra { got: String },
    /// Blanks differ; described in words.
    Blanks { expected: &'static str, got: &'static str },
    /// Bytes differ; described in words.
    Bytes { expected: String, got: String },
}

/// Why two tokens do not match.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenReason {
    /// They are different texts.
    Text,
    /// The answer is a number, the output is not.
    NotANumber,
    /// Two numbers too far apart: the absolute and the relative error.
    TooFar(Option<(f64, f64)>),
}

impl FoundDifference {
    /// Counts lines and tokens by reading both texts again from their starts.
    pub fn explain(self, output: impl Read, answer: impl Read) -> io::Result<Mismatch> {
        let in_output = locate(output, self.output_offset)?;
        let in_answer = locate(answer, self.answer_offset)?;
        Ok(Mismatch {
            rest: None,
            headline: self.kind.headline(&in_output, &in_answer),
            at: Some(Difference { output: in_output.position, answer: in_answer.position }),
        })
    }
}

impl DifferenceKind {
    fn headline(self, output: &LocatedOffset, answer: &LocatedOffset) -> String {
        let before = answer.tokens_before;
        match self {
            Self::Token { expected, got, inside, why } => {
                let place = match inside {
                    None => format!("token {}", before + 1),
                    Some(bytes) => format!("token {before}, at its byte {}", bytes + 1),
                };
                let (expected, got) = (quoted(&expected), quoted(&got));
                match why {
                    TokenReason::Text => format!("{place}: expected {expected}, got {got}"),
                    TokenReason::NotANumber => {
                        format!("{place}: expected a number close to {expected}, got {got}")
                    }
                    TokenReason::TooFar(None) => {
                        format!("{place}: expected about {expected}, got {got}")
                    }
                    TokenReason::TooFar(Some((gap, relative))) => {
                        let relative = if relative.is_finite() {
                            format!(", relatively {relative:.2e}")
                        } else {
                            String::new()
                        };
                        format!(
                            "{place}: expected about {expected}, got {got} (off by {gap:.2e}{relative})"
                        )
                    }
                }
            }
            Self::OutputEnds { expected } if output.tokens_before == 0 => {
                format!("the output is empty; expected {}", quoted(&expected))
            }
            Self::OutputEnds { expected } => format!(
                "the output ends after token {}; expected {}",
                output.tokens_before,
                quoted(&expected)
            ),
            Self::Extra { got } if before == 0 => {
                format!("the answer is empty; got {}", quoted(&got))
            }
            Self::Extra { got } => {
                format!("extra output after the answer's end (token {before}): {}", quoted(&got))
            }
            Self::Blanks { expected, got } if before == 0 => {
                format!("at the start: expected {expected}, got {got}")
            }
            Self::Blanks { expected, got } => {
                format!("after token {before}: expected {expected}, got {got}")
            }
            Self::Bytes { expected, got } => format!(
                "byte {} (line {}, column {}): expected {expected}, got {got}",
                output.position.offset + 1,
                output.position.line,
                output.position.column
            ),
        }
    }
}

/// Describes the next byte of a text; `None` is the end of the text.
pub(super) fn byte_in_words(byte: Option<u8>, otherwise: &'static str) -> &'static str {
    match byte {
        None => "the end",
        Some(b' ') => "a space",
        Some(b'\t') => "a tab",
        Some(b'\n') => "a newline",
        Some(b'\r') => "a carriage return",
        Some(0x0b) => "a vertical tab",
        Some(0x0c) => "a form feed",
        Some(_) => otherwise,
    }
}

/// A token as it is shown: whole, its start, or the part from the difference on.
pub(super) fn excerpt(head: &[u8], length: u64, difference: u64, from_there: &[u8]) -> String {
    if length <= WHOLE as u64 {
        return compared(head, WHOLE);
    }
    if difference < EXCERPT as u64 / 2 {
        return compared(&head[..EXCERPT.min(head.len())], EXCERPT) + "…";
    }
    let more = difference + (from_there.len() as u64) < length;
    let text = compared(from_there, EXCERPT);
    format!("…{text}{}", if more { "…" } else { "" })
}
