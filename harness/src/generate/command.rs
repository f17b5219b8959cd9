//! Command lines in `generators.yaml`: words, the case's name, and a reproducible seed.

use sha2::{Digest as _, Sha512};

/// A command line split into words, with its fields not yet filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Command {
    /// The first word: a source file.
    pub(super) program: String,
    /// The other words. Words are separated by whitespace only; there is no quoting.
    args: Vec<String>,
    /// The whole text without surrounding whitespace; the seed is computed from it.
    pub(super) text: String,
}

impl Command {
    /// Splits `text`. The error is a message that describes the fault.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let mut words = text.split_whitespace().map(str::to_owned);
        let program = words.next().ok_or("the command is empty")?;
        let args: Vec<String> = words.collect();
        let mut seeds = 0;
        for field in args.iter().flat_map(|word| pieces(word)) {
            match field {
                Piece::Seed => seeds += 1,
                Piece::Unknown(name) => {
                    return Err(format!("unknown field `{name}` in the command"));
                }
                Piece::Text(_) | Piece::Name => {}
            }
        }
        if seeds > 1 {
            return Err("`{seed}` occurs more than once in the command".to_owned());
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
        let fill = |piece: Piece<'_>| match piece {
            Piece::Text(text) | Piece::Unknown(text) => text.to_owned(),
            Piece::Name => name.to_owned(),
            Piece::Seed => seed.clone(),
        };
        let words = self.args.iter();
        words.map(|word| pieces(word).map(fill).collect()).collect()
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

/// A part of a word.
enum Piece<'a> {
    Text(&'a str),
    Name,
    /// `{seed}` or `{seed:N}`; N only makes the command a different one.
    Seed,
    Unknown(&'a str),
}

fn pieces(word: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = word;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let length = match rest.find(['{', '}']) {
            Some(0) => rest.find('}').map_or(rest.len(), |end| end + 1),
            Some(start) => start,
            None => rest.len(),
        };
        let (piece, tail) = rest.split_at(length);
        rest = tail;
        Some(classify(piece))
    })
}

fn classify(piece: &str) -> Piece<'_> {
    let Some(field) = piece
        .strip_prefix('{')
        .and_then(|tail| tail.strip_suffix('}'))
    else {
        return match piece.as_bytes()[0] {
            b'{' | b'}' => Piece::Unknown(piece),
            _ => Piece::Text(piece),
        };
    };
    let number = field.strip_prefix("seed:").unwrap_or_default();
    match field {
        "name" => Piece::Name,
        "seed" => Piece::Seed,
        _ if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) => Piece::Seed,
        _ => Piece::Unknown(piece),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_and_the_seed_are_filled_in() {
        let command = Command::parse("  gen.rs  a={seed:2}b {name}.{name}\n\t\"x y\" ").unwrap();
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
            assert_eq!(Command::parse(text).unwrap_err(), expected);
        }
    }
}
