//! An input and its answer, and what the names of both have in common.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::{NameFrame, NameReading, SEPARATORS, in_lower_case, is_number, trim};

/// An input, and its answer if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Pair {
    pub(in super::super) input: String,
    pub(in super::super) answer: Option<String>,
    /// The name without its side: the text before the word and the text after it, without separators at their ends.
    pub(super) key: String,
    /// The key in lower case, if it differs.
    pub(super) lower: Option<String>,
    /// The length of the text before the word.
    pub(super) before: usize,
    /// Whether a number follows the word directly: `a.in1`.
    pub(in super::super) glued: bool,
    pub(super) word: usize,
}

impl Pair {
    /// The name without its side: what a case is called, and what may begin with a source's name.
    pub(in super::super) fn key(&self) -> &str {
        &self.key
    }

    /// The key in lower case.
    pub(in super::super) fn lower_key(&self) -> &str {
        self.lower.as_deref().unwrap_or(&self.key)
    }

    /// The text before the word.
    pub(in super::super) fn before(&self) -> &str {
        &self.key[..self.before]
    }

    /// Whether the name is a word and nothing else, such as `input.txt`.
    pub(in super::super) fn is_bare(&self) -> bool {
        self.key.is_empty()
    }
}

/// The pairs of a folder, and the answers without an input.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Paired {
    pub(in super::super) pairs: Vec<Rc<Pair>>,
    pub(in super::super) stray: Vec<String>,
    /// Pairs that give way to better ones. Their files are stray too.
    pub(in super::super) yielded: Vec<Rc<Pair>>,
}

/// Files with their words, by their frames.
pub(super) type ByFrame<'a> = BTreeMap<NameFrame<'a>, Vec<(usize, &'a String)>>;

/// The number at the end of a name such as `task-01` or `test3`.
pub(super) fn trim_task(name: &str) -> &str {
    name.trim_start_matches(|c: char| c.is_ascii_alphabetic() || SEPARATORS.contains(&c))
}

pub(super) fn joined(input: &str, answer: Option<String>, reading: &NameReading<'_>) -> Rc<Pair> {
    let NameFrame { before, after } = reading.frame;
    let lower = in_lower_case(input);
    let first = original(input, &lower, trim(before));
    let second = original(input, &lower, trim(after));
    let key = match (first, second) {
        (key, "") | ("", key) => key.to_owned(),
        (first, second) => format!("{first}.{second}"),
    };
    let lower = in_lower_case(&key);
    Rc::new(Pair {
        before: first.len(),
        glued: !before.is_empty() && is_number(after),
        word: reading.word,
        input: input.to_owned(),
        answer,
        lower: match lower {
            Cow::Borrowed(_) => None,
            Cow::Owned(lower) => Some(lower),
        },
        key,
    })
}

/// The part of a name as it is written: words are compared without regard to case, names of cases
/// keep theirs.
fn original<'a>(name: &'a str, lower: &str, part: &'a str) -> &'a str {
    if lower != name
        && let Some(at) = lower.find(part)
        && let Some(found) = name.get(at..at + part.len())
    {
        return found;
    }
    part
}
