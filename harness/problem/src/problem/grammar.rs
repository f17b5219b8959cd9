//! Programs of a package that are grammars of Checktestdata.

use std::path::Path;

use rejudge_checktestdata::{Grammar, GrammarError, LONGEST};

use super::Additions;
use crate::plain_file;

/// Whether the program of a package is a grammar of Checktestdata, and not a program.
pub fn is_grammar(program: &Path) -> bool {
    program.extension().is_some_and(|end| end == "ctd")
}

/// Why a file is not a grammar.
#[derive(Debug, thiserror::Error)]
pub enum GrammarFileError {
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[from] std::io::Error),
    /// Its text is no grammar.
    #[error(transparent)]
    Text(#[from] GrammarError),
}

/// The grammar in a file, in which the constants of the package are replaced.
pub fn open_grammar(path: &Path, additions: &Additions) -> Result<Grammar, GrammarFileError> {
    let text = plain_file::read_up_to(path, LONGEST as u64)?;
    if text.len() > LONGEST {
        return Err(GrammarError::TooLong.into());
    }
    Ok(Grammar::read(&additions.filled_in(text))?)
}
