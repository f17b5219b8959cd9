//! What can be wrong with a table of languages.

use crate::limits::LARGEST_FACTOR;

/// What is wrong with a table of languages.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LanguageError {
    /// A new language lacks a key that it must have.
    #[error("language `{id}` has no `{key}`\nhelp: add `{key} = [...]` to `[languages.{id}]`")]
    Missing {
        /// The language.
        id: String,
        /// The key.
        key: &'static str,
    },
    /// An extension that no file can have.
    #[error(
        "`{extension}` is no extension, in language `{id}`\nhelp: write it without its dot: `cpp`"
    )]
    Extension {
        /// The language.
        id: String,
        /// What was written.
        extension: String,
    },
    /// A time factor that cannot be meant.
    #[error(
        "`time_factor` of language `{id}` must be above 0 and at most {LARGEST_FACTOR}, got `{factor}`"
    )]
    TimeFactor {
        /// The language.
        id: String,
        /// What was written.
        factor: f64,
    },
    /// Two languages of `rejudge.toml` claim one extension.
    #[error(
        "languages `{first}` and `{second}` both claim `.{extension}`\n\
         help: leave it out of the `extensions` of one of them"
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
