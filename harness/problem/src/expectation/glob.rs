//! The globs of `submissions.yaml`: `*` does not match `/`, braces list alternatives, and a glob
//! that matches a folder covers everything in it.
//!
//! The globs of the 2025-09 format. The globs of `--case` on the command line are different.

/// The maximum number of alternatives that the braces of a glob may expand to.
const MOST: usize = 1000;

/// Why a text is not a glob.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GlobError {
    /// It has no characters.
    #[error("it is empty")]
    Empty,
    /// It has a sign of another kind of globs.
    #[error("`{sign}` is not supported, use `{instead}`")]
    Unsupported {
        /// The sign.
        sign: &'static str,
        /// What to write instead.
        instead: &'static str,
    },
    /// A brace is opened but not closed.
    #[error("a `{{` is not closed")]
    Unclosed,
    /// A brace is closed but not opened.
    #[error("a `}}` has no matching `{{`")]
    Unopened,
    /// The braces have too many alternatives.
    #[error("its braces expand to more than {MOST} paths")]
    TooMany,
}

/// A parsed glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    text: String,
    /// The alternatives. Each is a path whose components may contain `*`.
    alternatives: Vec<Vec<String>>,
}

impl Glob {
    /// Parses a glob.
    pub fn parse(text: &str) -> Result<Self, GlobError> {
        let path = text.trim_matches('/');
        if path.is_empty() {
            return Err(GlobError::Empty);
        }
        for (sign, instead) in [("**", "*"), ("[", "{a,b}")] {
            if path.contains(sign) {
                return Err(GlobError::Unsupported { sign, instead });
            }
        }
        let alternatives =
            expand(path)?.iter().map(|path| path.split('/').map(str::to_owned).collect()).collect();
        Ok(Self { text: path.to_owned(), alternatives })
    }

    /// The glob as written, without slashes at its ends.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it may cover something in the top-level folder called `name`.
    pub fn reaches_into(&self, name: &str) -> bool {
        self.alternatives.iter().any(|parts| part_matches(&parts[0], name))
    }

    /// Whether `path`, or a folder above it, matches.
    pub fn covers(&self, path: &str) -> bool {
        self.alternatives.iter().any(|parts| {
            let mut names = path.split('/');
            parts.iter().all(|part| names.next().is_some_and(|name| part_matches(part, name)))
        })
    }
}

/// Expands the braces of a text.
fn expand(text: &str) -> Result<Vec<String>, GlobError> {
    let mut done = Vec::new();
    let mut open = vec![text.to_owned()];
    while let Some(text) = open.pop() {
        let Some(start) = text.find('{') else {
            if text.contains('}') {
                return Err(GlobError::Unopened);
            }
            done.push(text);
            continue;
        };
        let (inside, end) = braces(&text[start + 1..])?;
        for choice in inside.iter().rev() {
            open.push(format!("{}{choice}{}", &text[..start], &text[start + 1 + end..]));
        }
        if open.len() + done.len() > MOST {
            return Err(GlobError::TooMany);
        }
    }
    Ok(done)
}

/// The alternatives of a brace, whose text starts here, and the length up to its end.
fn braces(text: &str) -> Result<(Vec<&str>, usize), GlobError> {
    let (mut depth, mut from, mut choices) = (0, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 0 => {
                choices.push(text[from..at].trim());
                from = at + 1;
            }
            b'}' if depth == 0 => {
                choices.push(text[from..at].trim());
                return Ok((choices, at + 1));
            }
            b'}' => depth -= 1,
            _ => {}
        }
    }
    Err(GlobError::Unclosed)
}

/// Whether a name matches a component that may contain `*`.
fn part_matches(part: &str, name: &str) -> bool {
    let mut pieces = part.split('*');
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let Some(last) = pieces.next_back() else {
        return rest.is_empty();
    };
    for piece in pieces {
        // The first match leaves the longest rest for the following pieces.
        let Some(at) = rest.find(piece) else {
            return false;
        };
        rest = &rest[at + piece.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_does_not_match_a_slash_and_a_match_covers_the_folder() {
        let table = [
            ("accepted", "accepted/a.py", true),
            ("accepted/", "accepted/dir/a.py", true),
            ("accepted/*", "accepted/a.py", true),
            ("accepted/*", "accepted", false),
            ("*", "accepted/a.py", true),
            ("*.py", "accepted/a.py", false),
            ("*/a.py", "accepted/a.py", true),
            ("*/*.py", "accepted/dir/a.py", false),
            ("accepted/d*", "accepted/dir/a.py", true),
            ("secret/*-easy", "secret/01-easy", true),
            ("secret/*-easy", "secret/01-easy/x", true),
            ("secret/*-easy", "secret/01-easyer", false),
            ("secret/a*a", "secret/a", false),
            ("secret/a*b*c", "secret/aXbYbZc", true),
            ("secret/{1,2}-*", "secret/2-x", true),
            ("secret/{1,2}-*", "secret/3-x", false),
            ("secret/{1, 2 }-*", "secret/2-x", true),
            ("author.{py,c{pp,}}", "author.c", true),
            ("author.{py,c{pp,}}", "author.cpp", true),
            ("{accepted/a,wrong_answer/b}.py", "wrong_answer/b.py", true),
            ("{accepted/a,wrong_answer/b}.py", "wrong_answer/a.py", false),
            ("a?c", "abc", false),
        ];
        for (glob, path, expected) in table {
            assert_eq!(Glob::parse(glob).unwrap().covers(path), expected, "{glob} {path}");
        }
    }

    #[test]
    fn unsupported_globs_are_refused() {
        let table = [
            ("a/**/b", "`**` is not supported, use `*`"),
            ("[ab].py", "`[` is not supported, use `{a,b}`"),
            ("{a,b", "a `{` is not closed"),
            ("a}b", "a `}` has no matching `{`"),
            ("/", "it is empty"),
            (
                "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
                "its braces expand to more than 1000 paths",
            ),
        ];
        for (glob, why) in table {
            assert_eq!(Glob::parse(glob).unwrap_err().to_string(), why, "{glob}");
        }
    }
}
