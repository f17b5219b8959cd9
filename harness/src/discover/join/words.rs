//! The names of inputs and answers: one table of words, and the pairs that the files of a folder
//! form.
//!
//! A name consists of a word for its side and of a frame, which is the text around the word. An
//! input and an answer are a pair if their frames are equal: `a1.in` and `a1.out`, `input2.txt`
//! and `expected2.txt`, `sum.in.3` and `sum.out.3`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

mod folders;

pub(super) use folders::{holds_answers, holds_inputs, pair_folders};

/// Whether paths of files are those of cases and of nothing else.
pub(in crate::discover) fn are_only_cases(paths: &[String]) -> bool {
    let is_of_case = |path: &String| {
        let mut parts = path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        let folder = parts.next().unwrap_or_default();
        read(name).is_some() || holds_inputs(folder) || holds_answers(folder)
    };
    !paths.is_empty() && paths.iter().all(is_of_case)
}

/// The side of a file in its pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Input,
    Answer,
}

/// Longer words come before the words that they contain. Among several answers of one input, the
/// earlier word wins: `.out` is often what a program printed.
const WORDS: [(&str, Side); 16] = [
    ("sample_output", Side::Answer),
    ("expected_output", Side::Answer),
    ("sample_input", Side::Input),
    ("expected", Side::Answer),
    ("answer", Side::Answer),
    ("ans", Side::Answer),
    ("sol", Side::Answer),
    ("ok", Side::Answer),
    ("a", Side::Answer),
    ("output", Side::Answer),
    ("out", Side::Answer),
    ("input", Side::Input),
    ("inp", Side::Input),
    ("in", Side::Input),
    ("i", Side::Input),
    ("o", Side::Answer),
];

/// A name without its side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct NameFrame {
    before: String,
    after: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct NameReading {
    word: usize,
    frame: NameFrame,
}

/// An input, and its answer if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) input: String,
    pub(super) answer: Option<String>,
    /// The text before the word and the text after it, without separators at their ends.
    pub(super) before: String,
    pub(super) after: String,
    /// Whether a number follows the word directly: `a.in1`.
    pub(super) glued: bool,
    word: usize,
}

impl Pair {
    /// The name without its side: what a case is called, and what may begin with a source's name.
    pub(super) fn key(&self) -> String {
        match (self.before.as_str(), self.after.as_str()) {
            (before, "") => before.to_owned(),
            ("", after) => after.to_owned(),
            (before, after) => format!("{before}.{after}"),
        }
    }

    /// Whether the name is a word and nothing else, such as `input.txt`.
    pub(super) fn is_bare(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }
}

/// The pairs of a folder, and the answers without an input.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Paired {
    pub(super) pairs: Vec<Pair>,
    pub(super) stray: Vec<String>,
    /// Pairs that give way to better ones. Their files are stray too.
    pub(super) yielded: Vec<Pair>,
}

const SEPARATORS: [char; 4] = ['.', '_', '-', ' '];

fn trim(text: &str) -> &str {
    text.trim_matches(SEPARATORS)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The word that `text` is; the number that may follow it directly is the second part.
fn word_and_number(text: &str) -> Option<(usize, &str)> {
    let end = text
        .find(|c: char| c.is_ascii_digit())
        .unwrap_or(text.len());
    let (word, number) = text.split_at(end);
    let known = WORDS.iter().position(|(known, _)| *known == word)?;
    (number.is_empty() || is_number(number)).then_some((known, number))
}

/// Words that are too short to be a side anywhere but in an extension.
fn is_short(word: usize) -> bool {
    WORDS[word].0.len() == 1
}

/// How a file's name can be read; `None`: it is not shaped like a file of a case.
fn read(name: &str) -> Option<NameReading> {
    let initial = name.strip_prefix("I.").or(name.strip_prefix("O."));
    if let Some(number) = initial.filter(|number| is_number(number)) {
        return read_initial(name, number);
    }
    read_words(&in_lower_case(name)).or_else(|| read_words(&apart(name)?))
}

/// The name in lower case, as most names are.
fn in_lower_case(name: &str) -> Cow<'_, str> {
    if name.is_ascii() && !name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.to_lowercase())
    }
}

/// The name of the case whose input a file is, if its name is that of an input.
pub(super) fn input_key(name: &str) -> Option<String> {
    let reading = read(name).filter(|reading| WORDS[reading.word].1 == Side::Input)?;
    Some(joined(name, None, &reading).key().to_lowercase())
}

/// `sampleInput` as `sample_input`; `None`: the name has no second word.
fn apart(name: &str) -> Option<String> {
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
fn read_words(lower: &str) -> Option<NameReading> {
    let body = lower.strip_suffix(".txt").unwrap_or(lower);
    if let Some((word, number)) = word_and_number(body)
        && !is_short(word)
    {
        return Some(reading(word, "", number));
    }
    read_extension(body)
        .or_else(|| read_end(body))
        .or_else(|| read_start(body))
}

/// `I.1` and `O.1`.
fn read_initial(name: &str, number: &str) -> Option<NameReading> {
    let word = if name.starts_with('I') { "i" } else { "o" };
    let word = WORDS.iter().position(|(known, _)| *known == word)?;
    Some(reading(word, "", number))
}

fn reading(word: usize, before: &str, after: &str) -> NameReading {
    NameReading {
        word,
        frame: NameFrame {
            before: before.to_owned(),
            after: after.to_owned(),
        },
    }
}

/// `1.in`, `a.in1`, `sum.in.1`.
fn read_extension(body: &str) -> Option<NameReading> {
    let (stem, last) = body.rsplit_once('.')?;
    if stem.is_empty() {
        return None;
    }
    if let Some((word, number)) = word_and_number(last) {
        let initial = matches!(WORDS[word].0, "i" | "o");
        return (!initial && (number.is_empty() || !is_short(word)))
            .then(|| reading(word, stem, number));
    }
    if !is_number(last) {
        return None;
    }
    let (stem, middle) = stem.rsplit_once('.')?;
    let (word, number) = word_and_number(middle)?;
    let fits = number.is_empty() && !is_short(word) && !stem.is_empty();
    fits.then(|| reading(word, &format!("{stem}."), &format!(".{last}")))
}

/// `1_in`, `a-input0`, `01output`: the word ends the name, or only a number follows it.
fn read_end(body: &str) -> Option<NameReading> {
    let digits = body.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &body[digits.len()..];
    let words = WORDS.iter().enumerate();
    words
        .filter(|(word, _)| !is_short(*word))
        .find_map(|(word, (text, _))| {
            let before = digits.strip_suffix(text)?;
            let last = before.chars().last()?;
            let bounded = SEPARATORS.contains(&last) || last.is_ascii_digit() && number.is_empty();
            (bounded && !trim(before).is_empty()).then(|| reading(word, before, number))
        })
}

/// `input`, `in1`, `input_small`, `output.2`.
fn read_start(body: &str) -> Option<NameReading> {
    let words = WORDS.iter().enumerate();
    words
        .filter(|(word, _)| !is_short(*word))
        .find_map(|(word, (text, _))| {
            let after = body.strip_prefix(text)?;
            let bounded = match after.chars().next() {
                None => true,
                Some('.') => is_number(&after[1..]),
                Some(first) => first.is_ascii_digit() || SEPARATORS.contains(&first),
            };
            let dotted = after.get(1..).is_some_and(|rest| rest.contains('.'));
            (bounded && !dotted).then(|| reading(word, "", after))
        })
}

/// Pairs the files of one folder, without its sources.
pub(super) fn pair(files: &[String]) -> Paired {
    let mut inputs: Vec<(&String, NameReading)> = Vec::new();
    let mut answers: BTreeMap<NameFrame, Vec<(usize, &String)>> = BTreeMap::new();
    let mut paired = Paired::default();
    for name in files {
        match read(name) {
            Some(_) if is_copy(name) => paired.stray.push(name.clone()),
            Some(reading) if WORDS[reading.word].1 == Side::Input => inputs.push((name, reading)),
            Some(reading) => {
                let same = answers.entry(reading.frame).or_default();
                same.push((reading.word, name));
                same.sort_unstable();
            }
            None => {}
        }
    }
    let mut used = BTreeSet::new();
    for (name, reading) in &inputs {
        let same = answers.get(&reading.frame);
        let answer = same.and_then(|same| {
            let fits = same.iter().find(|(word, _)| agree(reading.word, *word))?;
            Some(fits.1.clone())
        });
        if answer.is_some() {
            used.insert(&reading.frame);
        }
        paired.pairs.push(joined(name, answer, reading));
    }
    answers.retain(|frame, _| !used.contains(frame));
    for (frame, same) in answers {
        // `01` and `01.a`.
        let input = files.binary_search_by(|name| name.as_str().cmp(&frame.before));
        match input {
            Ok(at) if frame.after.is_empty() && is_number(trim_task(&frame.before)) => {
                let reading = reading(same[0].0, &frame.before, "");
                let answer = Some(same[0].1.clone());
                paired.pairs.push(joined(&files[at], answer, &reading));
            }
            _ => paired
                .stray
                .extend(same.into_iter().map(|(_, name)| name.clone())),
        }
    }
    keep_the_best(&mut paired);
    add_examples(files, &mut paired);
    paired
}

/// Whether a file manager made the file as a copy of another: `a (copy).in`, `a - Copy.txt`.
fn is_copy(name: &str) -> bool {
    let lower = name.to_lowercase();
    let mut parts = lower.split('.');
    parts.any(|part| part.ends_with(" (copy)") || part.ends_with(" - copy"))
}

/// Adds `example.txt` to an `input.txt` without an answer, as in Advent of Code.
fn add_examples(files: &[String], paired: &mut Paired) {
    let unanswered = |pair: &Pair| pair.answer.is_none();
    let is_advent = paired.pairs.iter().any(Pair::is_bare);
    if !is_advent || !paired.pairs.iter().all(unanswered) {
        return;
    }
    for name in files {
        let stem = name.strip_suffix(".txt").unwrap_or_default();
        if stem.starts_with("example") && read(name).is_none() {
            let reading = reading(WORDS.len(), stem, "");
            paired.pairs.push(joined(name, None, &reading));
        }
    }
}

/// Whether an answer's word fits an input's: `out` beside `sample_input` is what a program printed.
fn agree(input: usize, answer: usize) -> bool {
    WORDS[input].0 != "sample_input"
        || !matches!(WORDS[answer].0, "out" | "ans" | "sol" | "ok" | "a")
}

/// The number at the end of a name such as `task-01` or `test3`.
fn trim_task(name: &str) -> &str {
    name.trim_start_matches(|c: char| c.is_ascii_alphabetic() || SEPARATORS.contains(&c))
}

fn joined(input: &str, answer: Option<String>, reading: &NameReading) -> Pair {
    let NameFrame { before, after } = &reading.frame;
    Pair {
        before: original(input, trim(before)),
        after: original(input, trim(after)),
        glued: !before.is_empty() && is_number(after),
        word: reading.word,
        input: input.to_owned(),
        answer,
    }
}

/// The part of a name as it is written: words are compared without regard to case, names of cases
/// keep theirs.
fn original(name: &str, part: &str) -> String {
    let lower = in_lower_case(name);
    if let Cow::Borrowed(_) = lower {
        return part.to_owned();
    }
    let at = lower.find(part);
    let found = at.and_then(|at| name.get(at..at + part.len()));
    found.unwrap_or(part).to_owned()
}

/// What is answered and numbered wins over what is not.
fn keep_the_best(paired: &mut Paired) {
    let pairs = std::mem::take(&mut paired.pairs);
    if !pairs.iter().any(|pair| pair.answer.is_some()) {
        paired.pairs = pairs;
        return;
    }
    let answered: Vec<usize> = pairs
        .iter()
        .filter(|pair| pair.answer.is_some() && !pair.is_bare())
        .map(|pair| pair.word)
        .collect();
    // `input.txt` is the first case beside `input2.txt`.
    let first = |number: &str| matches!(trim_task(number).trim_start_matches('0'), "" | "1");
    let has_first = pairs
        .iter()
        .any(|pair| !pair.is_bare() && first(&pair.key()));
    let is_kept = |pair: &Pair| match (&pair.answer, pair.is_bare()) {
        (Some(_), false) => true,
        (Some(_), true) => answered.is_empty() || !has_first,
        (None, false) => answered.contains(&pair.word),
        (None, true) => false,
    };
    (paired.pairs, paired.yielded) = pairs.into_iter().partition(is_kept);
    for pair in &paired.yielded {
        paired.stray.push(pair.input.clone());
        paired.stray.extend(pair.answer.clone());
    }
}

#[cfg(test)]
mod tests;
