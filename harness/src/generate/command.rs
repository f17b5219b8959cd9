//! Command lines in `generators.yaml`: words, the case's name, and a reproducible seed.

use sha2::{Digest as _, Sha512};

use crate::braces::{Doubled, TemplatePart, parts};

/// Why a text is not a command.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CommandError {
    #[error("the command is empty")]
    Empty,
    #[error("unknown field `{0}` in the command")]
    UnknownField(String),
    #[error("`{{seed}}` occurs more than once in the command")]
    SecondSeed,
}

/// A command line split into words, with its fields not yet filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandTemplate {
    /// The first word: a source file.
    pub(super) program: String,
    /// The other words. Words are separated by whitespace only; there is no quoting.
    args: Vec<String>,
    /// The whole text without surrounding whitespace; the seed is computed from it.
    pub(super) text: String,
}

impl CommandTemplate {
    /// Splits `text`.
    pub(super) fn parse(text: &str) -> Result<Self, CommandError> {
        let text = text.trim();
        let mut words = text.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or(CommandError::Empty)?;
        let args: Vec<String> = words.collect();
        let mut seeds = 0;
        for part in args.iter().flat_map(|word| parts(word, Doubled::Counts)) {
            match part {
                TemplatePart::Text(_) => {}
                TemplatePart::Field(name) => match field(name) {
                    Some(CommandField::Name) => {}
                    Some(CommandField::Seed) => seeds += 1,
                    None => return Err(CommandError::UnknownField(format!("{{{name}}}"))),
                },
                TemplatePart::Unclosed(text) => {
                    return Err(CommandError::UnknownField(text.to_owned()));
                }
                TemplatePart::Unopened => return Err(CommandError::UnknownField("}".to_owned())),
            }
        }
        if seeds > 1 {
            return Err(CommandError::SecondSeed);
        }
        Ok(Self {
            program,
            args,
            text: text.to_owned(),
        })
    }

    /// The arguments for the case `name` (its last part), with the seed computed from `salt` and
    /// the command.
    pub(super) fn fill(&self, name: &str, salt: &str) -> Vec<String> {
        let seed = seed(salt, &self.text).to_string();
        let fill = |part: TemplatePart<'_>| match part {
            TemplatePart::Text(text) => text.to_owned(),
            TemplatePart::Field(text) => match field(text) {
                Some(CommandField::Seed) => seed.clone(),
                _ => name.to_owned(),
            },
            TemplatePart::Unclosed(_) | TemplatePart::Unopened => {
                unreachable!("`parse` has rejected it")
            }
        };
        let words = self.args.iter();
        words
            .map(|word| parts(word, Doubled::Counts).map(fill).collect())
            .collect()
    }
}

/// The value of `{seed}` as `BAPCtools` defines it: SHA-512 of the salt and the command, read as
/// one big-endian number, modulo 2³¹.
pub(super) fn seed(salt: &str, command: &str) -> u32 {
    let hash = Sha512::new()
        .chain_update(salt)
        .chain_update(command)
        .finalize();
    let last = hash.iter().rev().take(4).rev();
    last.fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff
}

/// A field of a command.
enum CommandField {
    Name,
    /// `{seed}` or `{seed:N}`; N only makes the command a different one.
    Seed,
}

/// The field with this text between its braces.
fn field(text: &str) -> Option<CommandField> {
    let number = text.strip_prefix("seed:").unwrap_or_default();
    match text {
        "name" => Some(CommandField::Name),
        "seed" => Some(CommandField::Seed),
        _ if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => {
            Some(CommandField::Seed)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_and_the_seed_are_filled_in() {
        let command =
            CommandTemplate::parse("  gen.rs  a={seed:2}b {name}.{name}\n\t\"x y\" ").unwrap();
        assert_eq!(command.program, "gen.rs");
        let seed = seed("", "gen.rs  a={seed:2}b {name}.{name}\n\t\"x y\"");
        let expected = [
            format!("a={seed}b"),
            "n.n".into(),
            "\"x".into(),
            "y\"".into(),
        ];
        assert_eq!(command.fill("n", ""), expected);
    }

    #[test]
    fn seeds_are_the_same_as_in_bapctools() {
        // int(hashlib.sha512(b"...").hexdigest(), 16) % 2**31, computed with Python.
        let table = [
            ("", "graph {seed}", 145_309_074),
            ("", "graph {seed:2}", 360_674_123),
            ("abcd", "graph {seed}", 611_036_640),
        ];
        for (salt, command, expected) in table {
            assert_eq!(seed(salt, command), expected, "{salt}{command}");
        }
    }

    #[test]
    fn unknown_fields_are_rejected() {
        let table = [
            ("", "the command is empty"),
            (
                "g.rs {seed} {seed:1}",
                "`{seed}` occurs more than once in the command",
            ),
            (
                "g.rs {seed}{seed}",
                "`{seed}` occurs more than once in the command",
            ),
            ("g.rs a{sed}", "unknown field `{sed}` in the command"),
            ("g.rs {seed:x}", "unknown field `{seed:x}` in the command"),
            ("g.rs {seed:}", "unknown field `{seed:}` in the command"),
            ("g.rs {", "unknown field `{` in the command"),
            ("g.rs a}b", "unknown field `}` in the command"),
        ];
        for (text, expected) in table {
            assert_eq!(
                CommandTemplate::parse(text).unwrap_err().to_string(),
                expected
            );
        }
    }
}
