//! Errors in a table of languages.

use super::LARGEST_FACTOR;
use crate::notice::Notice;

/// An error in a table of languages.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LanguageError {
    /// A new language is missing a required key, an extension is one that no file can have, or two languages of
    /// `rejudge.toml` claim one extension.
    #[error(transparent)]
    Notice(#[from] Notice),
    /// A time factor outside the allowed range.
    #[error(
        "`time_factor` of language `{id}` must be above 0 and at most {LARGEST_FACTOR}, got `{factor}`"
    )]
    TimeFactor {
        /// The language.
        id: String,
        /// The value in the table.
        factor: f64,
    },
}
