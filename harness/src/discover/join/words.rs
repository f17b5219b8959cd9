//! The names of inputs and answers: one table of words, and the pairs that the files of a folder
//! form.
//!
//! A name consists of a word for its side and of a frame, which is the text around the word. An
//! input and an answer are a pair if their frames are equal: `a1.in` and `a1.out`, `input2.txt`
//! and `expected2.txt`, `sum.in.3` and `sum.out.3`.

use std::borrow::Cow;
use std::sync::LazyLock;

mod folders;
mod loose;
mod pair;
mod pairs;
mod shared;
mod table;

pub(super) use folders::{FolderSide, folder_side, holds_answers, holds_inputs, pair_folders};
use pair::joined;
pub(super) use pair::{Pair, Paired};
pub(super) use pairs::{inputs_of, is_document, pair, pair_of};
use table::{Side, WORDS};

/// Whether paths of files are those of cases and of nothing else.
pub(in crate::discover) fn are_only_cases(paths: &[String]) -> bool {
    let is_of_case = |path: &String| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        let folder = parts.next().unwrap_or_default();
        read(&ReadableName::of(name)).is_some() || holds_inputs(folder) || holds_answers(folder)
    };
    !paths.is_empty() && paths.iter().all(is_of_case)
}

/// A name without its side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct NameFrame<'a> {
    before: &'a str,
    after: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NameReading<'a> {
    word: usize,
    frame: NameFrame<'a>,
}

const SEPARATORS: [char; 4] = ['.', '_', '-', ' '];

fn trim(text: &str) -> &str {
    text.trim_matches(SEPARATORS)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// By byte: the words that begin or end with it. Names are many, and words in most languages of contests are, too.
static BY_FIRST: LazyLock<ByByte> = LazyLock::new(|| by_byte(|word| word.as_bytes().first()));
static BY_LAST: LazyLock<ByByte> = LazyLock::new(|| by_byte(|word| word.as_bytes().last()));

type ByByte = Vec<Vec<usize>>;

fn by_byte(byte_of: impl Fn(&str) -> Option<&u8>) -> ByByte {
    let mut words = vec![Vec::new(); 256];
    for (at, (word, _)) in WORDS.iter().enumerate() {
        if let Some(byte) = byte_of(word) {
            words[usize::from(*byte)].push(at);
        }
    }
    words
}

/// The words that a text may begin with.
fn first_words(text: &str) -> impl Iterator<Item = usize> {
    let byte = text.as_bytes().first().copied().unwrap_or_default();
    BY_FIRST[usize::from(byte)].iter().copied()
}

/// The words that a text may end with.
fn last_words(text: &str) -> impl Iterator<Item = usize> {
    let byte = text.as_bytes().last().copied().unwrap_or_default();
    BY_LAST[usize::from(byte)].iter().copied()
}

/// The index of a word.
fn position(text: &str) -> Option<usize> {
    first_words(text).find(|at| WORDS[*at].0 == text)
}

/// The word that `text` is; the number that may follow it directly is the second part.
fn word_and_number(text: &str) -> Option<(usize, &str)> {
    let end = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
    let (word, number) = text.split_at(end);
    let known = position(word)?;
    (number.is_empty() || is_number(number)).then_some((known, number))
}

/// Words that are too short to be a side anywhere but in an extension.
fn is_short(word: usize) -> bool {
    matches!(WORDS[word].0, "a" | "i" | "o" | "be" | "ki" | "ref" | "exp" | "res")
}

/// How a file's name can be read, if it is shaped like a file of a case.
fn read<'a>(name: &'a ReadableName<'_>) -> Option<NameReading<'a>> {
    if initial(&name.0).is_some() {
        return read_initial(&name.0);
    }
    read_words(&name.0)
}

/// The name of a file as it is read: in lower case, perhaps with its words apart.
struct ReadableName<'a>(Cow<'a, str>);

impl<'a> ReadableName<'a> {
    fn of(name: &'a str) -> Self {
        if initial(name).is_some() {
            return Self(Cow::Borrowed(name));
        }
        let lower = in_lower_case(name);
        if matches!(lower, Cow::Owned(_)) && read_words(&lower).is_none() {
            return Self(apart(name).map_or(lower, Cow::Owned));
        }
        Self(lower)
    }
}

/// The number of `I.1` and `O.1a`.
fn initial(name: &str) -> Option<&str> {
    let number = name.strip_prefix("I.").or(name.strip_prefix("O."));
    number.filter(|number| is_case_number(number))
}

/// Whether the text numbers a case, perhaps within its group: `1`, `1a`, `3ab`, `4-1`, `5.1`.
fn is_case_number(text: &str) -> bool {
    let is_part =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.starts_with(|c: char| c.is_ascii_digit()) && text.split(SEPARATORS).all(is_part)
}

/// The name of the case whose input a file is, if its name is that of an input.
pub(super) fn input_key(name: &str) -> Option<String> {
    let readable = ReadableName::of(name);
    let reading = read(&readable).filter(|reading| WORDS[reading.word].1 == Side::Input)?;
    Some(joined(name, None, &reading).lower_key().to_owned())
}

/// Whether a file's name is that of an answer.
pub(super) fn is_answer(name: &str) -> bool {
    let readable = ReadableName::of(name);
    read(&readable).is_some_and(|reading| WORDS[reading.word].1 != Side::Input)
}

/// The name in lower case, as most names are.
pub(super) fn in_lower_case(name: &str) -> Cow<'_, str> {
    if name.is_ascii() && !name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    }
}

/// `sampleInput` as `sample_input`; `None`: the name has no second word.
pub(super) fn apart(name: &str) -> Option<String> {
    let mut text = String::with_capacity(name.len() + 2);
    let mut has_words = false;
    let mut was_small = false;
    for c in name.chars() {
        if was_small && c.is_uppercase() {
            text.push('_');
            has_words = true;
        }
        was_small = c.is_lowercase();
        text.extend(c.to_lowercase());
    }
    has_words.then_some(text)
}

/// How a name in lower case can be read.
fn read_words(lower: &str) -> Option<NameReading<'_>> {
    let body = lower.strip_suffix(".txt").unwrap_or(lower);
    if let Some((word, number)) = word_and_number(body)
        && !is_short(word)
    {
        return Some(reading(word, "", number));
    }
    read_extension(body).or_else(|| read_end(body)).or_else(|| read_start(body))
}

/// `I.1` and `O.1`, or any text in place of the number.
fn read_initial(name: &str) -> Option<NameReading<'_>> {
    let (word, number) = name.split_once('.')?;
    let word = WORDS.iter().position(|(known, _)| known.eq_ignore_ascii_case(word))?;
    let is_initial = matches!(WORDS[word].0, "i" | "o");
    is_initial.then(|| reading(word, "", number))
}

/// `sum.in.sample` and `I.sample`. Without a number, only other files show that this is the name of a case.
fn read_named<'a>(name: &'a ReadableName<'_>) -> Option<NameReading<'a>> {
    let name: &str = &name.0;
    read_initial(name).or_else(|| {
        let mut dots = name.match_indices('.');
        dots.find_map(|(at, _)| read_middle(name, at))
    })
}

fn reading<'a>(word: usize, before: &'a str, after: &'a str) -> NameReading<'a> {
    NameReading { word, frame: NameFrame { before, after } }
}

/// `1.in`, `a.in1`, `sum.in.1`, `sum.in.1a`, `sum.in.4-1`.
fn read_extension(body: &str) -> Option<NameReading<'_>> {
    let (stem, last) = body.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    if let Some((word, number)) = word_and_number(last) {
        // `input.in`.
        if let Some((same, number)) = word_and_number(stem)
            && !is_short(same)
            && WORDS[same].1 == WORDS[word].1
        {
            return Some(reading(word, "", number));
        }
        let initial = matches!(WORDS[word].0, "i" | "o");
        return (!initial && (number.is_empty() || !is_short(word)))
            .then(|| reading(word, stem, number));
    }
    // The number of the case comes last.
    let mut dots = body.match_indices('.');
    dots.find_map(|(at, _)| {
        let reading = read_middle(body, at);
        reading.filter(|_| is_case_number(&body[at + 1..]))
    })
}

/// `sum.in.1`, of which the text from `at` on numbers the case or names it.
fn read_middle(body: &str, at: usize) -> Option<NameReading<'_>> {
    let (start, middle) = body[..at].rsplit_once('.')?;
    let (word, number) = word_and_number(middle)?;
    let fits = number.is_empty() && !is_short(word) && !start.is_empty();
    // With their dots.
    fits.then(|| reading(word, &body[..=start.len()], &body[at..]))
}

/// Whether a character without upper and lower case separates a word from the rest, as in `in样例2`.
fn is_of_another_script(c: char) -> bool {
    !c.is_ascii() && !c.is_lowercase() && !c.is_uppercase()
}

/// `1_in`, `a-input0`, `a_input_0`, `01output`: the word ends the name, or only a number follows it.
fn read_end(body: &str) -> Option<NameReading<'_>> {
    let unnumbered = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let has_number = unnumbered.len() < body.len();
    let digits = if has_number { unnumbered.trim_end_matches(SEPARATORS) } else { unnumbered };
    let number = &body[digits.len()..];
    last_words(digits).filter(|word| !is_short(*word)).find_map(|word| {
        let before = digits.strip_suffix(WORDS[word].0)?;
        let last = before.chars().last()?;
        let bounded = SEPARATORS.contains(&last)
            || is_of_another_script(last)
            || last.is_ascii_digit() && number.is_empty();
        (bounded && !trim(before).is_empty()).then(|| reading(word, before, number))
    })
}

/// `input`, `in1`, `input_small`, `output.2`.
fn read_start(body: &str) -> Option<NameReading<'_>> {
    first_words(body).filter(|word| !is_short(*word)).find_map(|word| {
        let after = body.strip_prefix(WORDS[word].0)?;
        let bounded = match after.chars().next() {
            None => true,
            Some('.') => is_number(&after[1..]),
            Some(first) => {
                first.is_ascii_digit() || SEPARATORS.contains(&first) || is_of_another_script(first)
            }
        };
        let dotted = after.get(1..).is_some_and(|rest| rest.contains('.'));
        (bounded && !dotted).then(|| reading(word, "", after))
    })
}

#[cfg(test)]
mod tests;
