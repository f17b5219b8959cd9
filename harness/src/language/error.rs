//! Errors in a table of languages.

use super::LARGEST_FACTOR;

/// An error in a table of languages.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LanguageError {
    /// A new language is missing a required key.
    #[error("language `{id}` has no `{key}`\nhelp: add `{key} = [...]` to `[languages.{id}]`")]
    Missing {
        /// The language.
        id: String,
        /// The key.
        key: &'static str,
    },
    /// An extension that no file can have.
    #[error(
        "invalid extension `{extension}` in language `{id}`\nhelp: write it without the dot, such as `cpp`"
    )]
    Extension {
        /// The language.
        id: String,
        /// The value in the table.
        extension: String,
    },
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
    /// Two languages of `rejudge.toml` claim one extension.
    #[error(
        "languages `{first}` and `{second}` both claim `.{extension}`\n\
         help: remove it from the `extensions` of one of them"
    )]
    Claimed {
        /// Without its dot.
        extension: String,
        /// One language.
        first: String,
        /// The other.
        second: String,
    },
}
