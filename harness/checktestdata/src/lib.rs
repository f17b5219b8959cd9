//! The language Checktestdata, in which packages describe their inputs.
//!
//! It follows the public specification of `DOMjudge`'s `checktestdata`. Where the specification is silent, it follows the
//! program of this name on `PyPI`, which `BAPCtools` and problemtools run: `!` binds most strongly, then `&&`, then `||`,
//! and an array without values has no equal values. Integers and floating-point numbers are exact.
//!
//! A grammar is untrusted, and runs in this process: the interpreter bounds its time, its variables, the size of its
//! numbers, and the size of its regular expressions.
//!
//! The crate takes text and opens nothing: it must never know where a grammar or an input lies.
//!
//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. A test in the harness holds this.
//!
//! ```text
//! stages    run parser
//! parts     arithmetic arrays patterns lexer scanner
//! base      syntax value
//! ```

#![forbid(unsafe_code)]

mod arithmetic;
mod arrays;
mod lexer;
mod parser;
mod patterns;
mod run;
mod scanner;
mod syntax;
#[cfg(test)]
mod tests;
mod value;

use std::time::Duration;

use syntax::GrammarCommand;

/// The longest grammar, in bytes.
pub const LONGEST: usize = 1 << 20;

/// Why a text is not a grammar.
#[derive(Debug, thiserror::Error)]
pub enum GrammarError {
    /// The text is longer than [`LONGEST`].
    #[error("is longer than {LONGEST} bytes")]
    TooLong,
    /// A line is not in the language.
    #[error("line {line}: {what}")]
    Syntax {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong in it.
        what: String,
    },
}

/// What a grammar decides about an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ruling {
    /// The input follows the grammar.
    Valid,
    /// The input differs from the grammar. Holds the place and the reason.
    Invalid(String),
    /// The grammar itself is at fault, for example because it reads a variable without a value.
    Failed(String),
    /// The grammar takes longer than allowed.
    TimedOut,
}

/// A grammar that was read.
#[derive(Debug)]
pub struct Grammar {
    commands: Vec<GrammarCommand>,
    /// The names of the variables, by their numbers.
    variables: Vec<String>,
}

impl Grammar {
    /// Reads a grammar.
    pub fn read(text: &[u8]) -> Result<Self, GrammarError> {
        if text.len() > LONGEST {
            return Err(GrammarError::TooLong);
        }
        parser::read(text)
    }

    /// Compares an input with the grammar, for at most `time`.
    pub fn check(&self, input: &[u8], time: Duration) -> Ruling {
        run::check(self, input, time)
    }
}
