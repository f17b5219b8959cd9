//! Command lines in `generators.yaml`: words, the name of the files, and a reproducible seed.

use sha2::{Digest as _, Sha512};

use crate::shell::split_words;

/// The name, without an ending, of the files that a generator may write.
pub(super) const FILES: &str = "testcase";

/// Why a text is not a command.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum CommandError {
    #[error("the command is empty")]
    Empty,
    #[error("`{{seed}}` occurs more than once in the command")]
    SecondSeed,
    #[error("a quote in the command is not closed")]
    OpenQuote,
}

/// A command line split into words, with its fields not yet filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandTemplate {
    /// The first word: a program.
    pub(super) program: String,
    /// The other words.
    args: Vec<String>,
    /// The whole text without surrounding whitespace; the seed is computed from it.
    pub(super) text: String,
}

impl CommandTemplate {
    /// Splits `text` as a shell does, without expanding anything.
    pub(super) fn parse(text: &str) -> Result<Self, CommandError> {
        let text = text.trim();
        let mut words = split(text)?.into_iter();
        let program = words.next().ok_or(CommandError::Empty)?;
        let args: Vec<String> = words.collect();
        let all = args.iter().flat_map(|word| fields(word));
        if all.filter(|part| *part == CommandPart::Seed).count() > 1 {
            return Err(CommandError::SecondSeed);
        }
        Ok(Self { program, args, text: text.to_owned() })
    }

    /// Whether the arguments contain the seed.
    pub(super) fn has_seed(&self) -> bool {
        let mut all = self.args.iter().flat_map(|word| fields(word));
        all.any(|part| part == CommandPart::Seed)
    }

    /// Words in braces that are no fields. They stay as they are.
    pub(super) fn unknown_fields(&self) -> Vec<&str> {
        let named = |word| !str::is_empty(word) && word.bytes().all(|b| b.is_ascii_lowercase());
        let inside = self.texts().flat_map(|text| {
            let braces = text.match_indices('{');
            let single = braces.filter(|(at, _)| !text[..*at].ends_with('{'));
            single.map(|(at, _)| &text[at + 1..])
        });
        let words = inside.filter_map(|rest| Some(rest.split_once('}')?.0));
        words.filter(|word| named(word)).collect()
    }

    /// Names in double braces, which are no constants, because those have been replaced. They stay as they are.
    pub(super) fn unknown_constants(&self) -> Vec<&str> {
        let is_name = |word: &str| {
            let right = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            !word.is_empty() && !word.as_bytes()[0].is_ascii_digit() && word.bytes().all(right)
        };
        let inside = self.texts().flat_map(|text| text.split("{{").skip(1));
        let words = inside.filter_map(|rest| Some(rest.split_once("}}")?.0));
        words.filter(|word| word.splitn(2, '.').all(is_name)).collect()
    }

    /// The parts of the arguments that are no fields.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let all = self.args.iter().flat_map(|word| fields(word));
        all.filter_map(|part| match part {
            CommandPart::Text(text) => Some(text),
            _ => None,
        })
    }

    /// The arguments with this seed.
    pub(super) fn fill(&self, seed: u32) -> Vec<String> {
        let fill = |part| match part {
            CommandPart::Text(text) => text.to_owned(),
            CommandPart::Name => FILES.to_owned(),
            CommandPart::Seed => seed.to_string(),
        };
        let words = self.args.iter();
        words.map(|word| fields(word).map(fill).collect()).collect()
    }
}

/// The value of `{seed}` as `BAPCtools` defines it: SHA-512 of the salt, the number of the case in its `count` unless
/// that is 1, and the command, read as one big-endian number, modulo 2³¹.
pub(super) fn seed(salt: &str, count: i64, command: &str) -> u32 {
    let mut hash = Sha512::new().chain_update(salt);
    if count != 1 {
        hash.update(format!(":{}", count.saturating_sub(1)));
    }
    let hash = hash.chain_update(command).finalize();
    let last = hash.iter().rev().take(4).rev();
    last.fold(0_u32, |number, byte| number << 8 | u32::from(*byte)) & 0x7fff_ffff
}

/// Splits a text into words as a POSIX shell does.
pub(super) fn split(text: &str) -> Result<Vec<String>, CommandError> {
    split_words(text).ok_or(CommandError::OpenQuote)
}

/// A part of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CommandPart<'a> {
    Text(&'a str),
    /// `{name}`.
    Name,
    /// `{seed}` or `{seed:N}`; N only makes the command a different one.
    Seed,
}

/// The parts of a word.
fn fields(word: &str) -> impl Iterator<Item = CommandPart<'_>> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let starts = rest.match_indices('{').map(|(at, _)| at);
        let found = starts.into_iter().find_map(|at| {
            let (part, length) = field(&rest[at..])?;
            Some((at, part, length))
        });
        let (part, length) = match found {
            Some((0, part, length)) => (part, length),
            Some((at, ..)) => (CommandPart::Text(&rest[..at]), at),
            None => (CommandPart::Text(rest), rest.len()),
        };
        rest = &rest[length..];
        Some(part)
    })
}

/// The field at the start of a text, and its length.
fn field(text: &str) -> Option<(CommandPart<'static>, usize)> {
    let inside = text.strip_prefix('{')?.split_once('}')?.0;
    let number = inside.strip_prefix("seed:").unwrap_or_default();
    let part = match inside {
        "name" => CommandPart::Name,
        "seed" => CommandPart::Seed,
        _ if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => CommandPart::Seed,
        _ => return None,
    };
    Some((part, inside.len() + 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_and_the_seed_are_filled_in() {
        let command =
            CommandTemplate::parse("  gen.rs  a={seed:2}b {name}.{name}\n\t\"x y\" ").unwrap();
        assert_eq!(command.program, "gen.rs");
        assert_eq!(command.text, "gen.rs  a={seed:2}b {name}.{name}\n\t\"x y\"");
        let expected = ["a=7b", "testcase.testcase", "x y"].map(str::to_owned);
        assert_eq!(command.fill(7), expected);
    }

    #[test]
    fn words_are_split_as_by_a_shell() {
        let table = [
            (r"g 'a b' c", Ok(vec!["a b", "c"])),
            (r#"g "a\ b" "\"\\""#, Ok(vec![r"a\ b", r#""\"#])),
            (r"g \ a\ b ''", Ok(vec![" a b", ""])),
            ("g a#b é", Ok(vec!["a#b", "é"])),
            ("g 'a", Err(CommandError::OpenQuote)),
            ("g a\\", Err(CommandError::OpenQuote)),
            (" ", Err(CommandError::Empty)),
            ("g {seed} {seed:1}", Err(CommandError::SecondSeed)),
            ("g {seed}{seed}", Err(CommandError::SecondSeed)),
            ("g {x}{_} {seed:} {{name}}", Ok(vec!["{x}{_}", "{seed:}", "{testcase}"])),
        ];
        for (text, expected) in table {
            let found = CommandTemplate::parse(text).map(|command| command.fill(0));
            let expected = expected.map(|all| all.into_iter().map(str::to_owned).collect());
            assert_eq!(found, expected, "{text}");
        }
        let command = CommandTemplate::parse("g {sed} {x y} {seed} a{b}c").unwrap();
        assert_eq!(command.unknown_fields(), ["sed", "b"]);
        let command =
            CommandTemplate::parse("g {{n}} -{{N.min}}{{{x}}} {{1}} {{a.b.c}} {{name}}").unwrap();
        assert_eq!(command.unknown_constants(), ["n", "N.min"]);
        assert_eq!(command.unknown_fields(), Vec::<&str>::new());
    }

    #[test]
    fn seeds_are_the_same_as_in_bapctools() {
        // int(hashlib.sha512(b"...").hexdigest(), 16) % 2**31, computed with Python.
        let table = [
            ("", 1, "graph {seed}", 145_309_074),
            ("", 1, "graph {seed:2}", 360_674_123),
            ("abcd", 1, "graph {seed}", 611_036_640),
        ];
        for (salt, count, command, expected) in table {
            assert_eq!(seed(salt, count, command), expected, "{salt}{command}");
        }
        assert_eq!(seed("a", 3, "b"), seed("a:2b", 1, ""));
        assert_eq!(seed("a", -1, "b"), seed("a:-2b", 1, ""));
    }
}
