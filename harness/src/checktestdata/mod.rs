//! The language Checktestdata, in which packages describe their inputs.
//!
//! It follows the public specification of `DOMjudge`'s `checktestdata`. Where the specification is silent, it follows the
//! program of this name on `PyPI`, which `BAPCtools` and problemtools run: `!` binds most strongly, then `&&`, then `||`,
//! and an array without values has no equal values. Integers and floating-point numbers are exact.
//!
//! A grammar is untrusted, and runs in this process: the interpreter bounds its time, its variables, the size of its
//! numbers, and the size of its regular expressions.

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

use std::path::Path;
use std::time::Duration;

use crate::plain_file;
use syntax::GrammarCommand;

/// Whether the program of a package is a grammar of Checktestdata, and not a program.
pub(crate) fn is_grammar(program: &Path) -> bool {
    program.extension().is_some_and(|end| end == "ctd")
}

/// The longest file that is read as a grammar, in bytes.
const LONGEST: u64 = 1 << 20;

/// Why a file is not a grammar.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GrammarError {
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    #[error("is longer than {LONGEST} bytes")]
    TooLong,
    /// A line, counted from 1, is not in the language.
    #[error("line {line}: {what}")]
    Syntax { line: usize, what: String },
}

/// What a grammar decides about an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ruling {
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
pub(crate) struct Grammar {
    commands: Vec<GrammarCommand>,
    /// The names of the variables, by their numbers.
    variables: Vec<String>,
}

impl Grammar {
    /// Reads the grammar in a file, in which `fill_in` replaces the constants of the package.
    pub(crate) fn open(
        path: &Path,
        fill_in: impl FnOnce(Vec<u8>) -> Vec<u8>,
    ) -> Result<Self, GrammarError> {
        let file = plain_file::open(path)?;
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut std::io::Read::take(file, LONGEST + 1), &mut text)?;
        if text.len() as u64 > LONGEST {
            return Err(GrammarError::TooLong);
        }
        Self::read(&fill_in(text))
    }

    /// Reads a grammar.
    pub(crate) fn read(text: &[u8]) -> Result<Self, GrammarError> {
        parser::read(text)
    }

    /// Compares an input with the grammar, for at most `time`.
    pub(crate) fn check(&self, input: &[u8], time: Duration) -> Ruling {
        run::check(self, input, time)
    }
}
