//! POSIX extended regular expressions, of which the longest match counts.

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

/// The largest size of a compiled expression, in bytes.
const LARGEST: usize = 8 << 20;

/// Why an expression cannot be used.
#[derive(Debug, thiserror::Error)]
pub(super) enum PatternError {
    #[error("the regular expression has a `[` without `]`")]
    Bracket,
    #[error("the regular expression has an unknown class `{0}`")]
    Class(String),
    #[error("the regular expression ends with a backslash")]
    Backslash,
    #[error("the regular expression is invalid or too large: {0}")]
    Invalid(String),
}

pub(super) struct Pattern {
    automaton: DFA,
    cache: Cache,
}

impl Pattern {
    pub(super) fn new(expression: &[u8]) -> Result<Self, PatternError> {
        let translated = translated(expression)?;
        let automaton = DFA::builder()
            .configure(DFA::config().match_kind(MatchKind::All).skip_cache_capacity_check(true))
            .syntax(syntax::Config::new().unicode(false).utf8(false).dot_matches_new_line(true))
            .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(LARGEST)))
            .build(&translated)
            .map_err(|error| PatternError::Invalid(error.to_string()))?;
        let cache = automaton.create_cache();
        Ok(Self { automaton, cache })
    }

    /// The length of the longest match at the start of `text`.
    pub(super) fn longest(&mut self, text: &[u8]) -> Result<Option<usize>, PatternError> {
        let input = Input::new(text).anchored(Anchored::Yes);
        let found = self.automaton.try_search_fwd(&mut self.cache, &input);
        let found = found.map_err(|error| PatternError::Invalid(error.to_string()))?;
        Ok(found.map(|end| end.offset()))
    }
}

/// The expression in the notation of the library.
fn translated(expression: &[u8]) -> Result<String, PatternError> {
    let mut output = String::new();
    let mut at = 0;
    while let Some(&byte) = expression.get(at) {
        at += 1;
        match byte {
            b'\\' => {
                let escaped = expression.get(at).ok_or(PatternError::Backslash)?;
                at += 1;
                push(&mut output, *escaped);
            }
            b'[' => at = bracket(expression, at, &mut output)?,
            b'(' => output.push_str("(?:"),
            b')' | b'|' | b'*' | b'+' | b'?' | b'{' | b'}' | b'.' | b'^' | b'$' => {
                output.push(char::from(byte));
            }
            b'0'..=b'9' | b',' => output.push(char::from(byte)),
            _ => push(&mut output, byte),
        }
    }
    Ok(output)
}

/// Adds a byte that stands for itself.
fn push(output: &mut String, byte: u8) {
    use std::fmt::Write as _;
    let _ = write!(output, "\\x{byte:02X}");
}

/// Translates a set of bytes, of which `at` is the first, and returns what follows it. A backslash stands for itself.
fn bracket(expression: &[u8], mut at: usize, output: &mut String) -> Result<usize, PatternError> {
    output.push('[');
    if expression.get(at) == Some(&b'^') {
        output.push('^');
        at += 1;
    }
    let start = at;
    loop {
        let byte = *expression.get(at).ok_or(PatternError::Bracket)?;
        if byte == b']' && at > start {
            output.push(']');
            return Ok(at + 1);
        }
        if byte == b'[' && expression.get(at + 1) == Some(&b':') {
            let rest = &expression[at + 2..];
            let end =
                rest.windows(2).position(|pair| pair == b":]").ok_or(PatternError::Bracket)?;
            let name = String::from_utf8_lossy(&rest[..end]).into_owned();
            if !CLASSES.contains(&name.as_str()) {
                return Err(PatternError::Class(name));
            }
            output.extend(["[:", &name, ":]"]);
            at += end + 4;
            continue;
        }
        push(output, byte);
        at += 1;
        let is_range = expression.get(at) == Some(&b'-');
        if let Some(&last) = expression.get(at + 1).filter(|last| is_range && **last != b']') {
            output.push('-');
            push(output, last);
            at += 2;
        }
    }
}

/// The classes of POSIX.
const CLASSES: [&str; 12] = [
    "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space",
    "upper", "xdigit",
];
