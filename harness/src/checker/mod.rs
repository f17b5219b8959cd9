//! Says whether an output answers a case.
//!
//! Fourth in the flow: it sees files and bytes, never the program that wrote them.

use std::path::PathBuf;

/// Which checker a problem asks for, before anything is compiled.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckerSpec {
    /// Byte for byte.
    Exact,
    /// The ICPC default output validator.
    Tokens(TokenOptions),
    /// A program of the problem's own: ICPC output validator, source file or folder.
    Validator {
        /// Its source.
        source: PathBuf,
        /// Its arguments.
        args: Vec<String>,
    },
}

impl Default for CheckerSpec {
    fn default() -> Self {
        Self::Tokens(TokenOptions::default())
    }
}

/// The flags of the ICPC default output validator.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TokenOptions {
    /// `case_sensitive`.
    pub case_sensitive: bool,
    /// `space_change_sensitive`.
    pub space_change_sensitive: bool,
    /// `float_absolute_tolerance E`.
    pub float_absolute: Option<f64>,
    /// `float_relative_tolerance E`.
    pub float_relative: Option<f64>,
}

/// What a checker says of one output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It is right.
    Accepted,
    /// It is wrong, and why.
    Wrong(Mismatch),
    /// There was no answer to compare with.
    Unchecked,
    /// The checker itself failed; its own words.
    Fault(String),
}

/// Why an output is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mismatch {
    /// One line: `token 3: expected `4`, got `5``, or the validator's own message.
    pub headline: String,
    /// Where in the output and in the answer the first difference lies, where it is known.
    pub at: Option<Difference>,
}

/// The first place where an output and its answer differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// In the output.
    pub output: Position,
    /// In the answer.
    pub answer: Position,
}

/// A place in a text: line and column from 1, columns in bytes; offset in bytes from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u64,
    /// Column in bytes, from 1.
    pub column: u64,
    /// Offset in bytes, from 0.
    pub offset: u64,
}
