//! The pairs that the files of a folder form.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{
    NameFrame, NameReading, ReadableName, SEPARATORS, Side, WORDS, in_lower_case, is_number, read,
    read_named, reading, trim,
};

/// An input, and its answer if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Pair {
    pub(in super::super) input: String,
    pub(in super::super) answer: Option<String>,
    /// The name without its side: the text before the word and the text after it, without separators at their ends.
    key: String,
    /// The key in lower case, if it differs.
    lower: Option<String>,
    /// The length of the text before the word.
    before: usize,
    /// Whether a number follows the word directly: `a.in1`.
    pub(in super::super) glued: bool,
    word: usize,
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
type ByFrame<'a> = BTreeMap<NameFrame<'a>, Vec<(usize, &'a String)>>;

/// Pairs the files of one folder, without its sources.
pub(in super::super) fn pair(files: &[String]) -> Paired {
    let readable: Vec<ReadableName<'_>> = files.iter().map(|name| ReadableName::of(name)).collect();
    let mut inputs: Vec<(&String, NameReading<'_>)> = Vec::new();
    let mut answers = ByFrame::new();
    let mut named = ByFrame::new();
    let mut paired = Paired::default();
    for (name, readable) in files.iter().zip(&readable) {
        match read(readable) {
            Some(_) if is_copy(name) => paired.stray.push(name.clone()),
            Some(reading) if WORDS[reading.word].1 == Side::Input => inputs.push((name, reading)),
            Some(reading) => {
                let same = answers.entry(reading.frame).or_default();
                same.push((reading.word, name));
                same.sort_unstable();
            }
            None => {
                if let Some(reading) = read_named(readable) {
                    let same = named.entry(reading.frame).or_default();
                    same.push((reading.word, name));
                }
            }
        }
    }
    add_named(named, &mut inputs, &mut answers);
    let mut used = BTreeSet::new();
    for (name, reading) in &inputs {
        let same = answers.get(&reading.frame);
        let answer = same.and_then(|same| {
            let fits = same.iter().find(|(word, _)| agree(reading.word, *word))?;
            Some(fits.1.clone())
        });
        if answer.is_some() {
            used.insert(reading.frame);
        }
        paired.pairs.push(joined(name, answer, reading));
    }
    answers.retain(|frame, _| !used.contains(frame));
    for (frame, same) in answers {
        // `01` and `01.a`.
        let input = files.binary_search_by(|name| name.as_str().cmp(frame.before));
        match input {
            Ok(at) if frame.after.is_empty() && is_number(trim_task(frame.before)) => {
                let reading = reading(same[0].0, frame.before, "");
                let answer = Some(same[0].1.clone());
                paired.pairs.push(joined(&files[at], answer, &reading));
            }
            _ => paired.stray.extend(same.into_iter().map(|(_, name)| name.clone())),
        }
    }
    keep_the_best(&mut paired);
    add_examples(files, &mut paired);
    paired
}

/// Adds an input whose name has no number if it has an answer, and if numbered inputs begin with the same text.
fn add_named<'a>(
    named: ByFrame<'a>,
    inputs: &mut Vec<(&'a String, NameReading<'a>)>,
    answers: &mut ByFrame<'a>,
) {
    let numbered: BTreeSet<_> =
        inputs.iter().map(|(_, reading)| (reading.word, reading.frame.before)).collect();
    for (frame, same) in named {
        let (of_inputs, mut of_answers): (Vec<_>, Vec<_>) =
            same.into_iter().partition(|(word, _)| WORDS[*word].1 == Side::Input);
        if let [(word, name)] = of_inputs[..]
            && !of_answers.is_empty()
            && numbered.contains(&(word, frame.before))
        {
            inputs.push((name, NameReading { word, frame }));
            of_answers.sort_unstable();
            answers.insert(frame, of_answers);
        }
    }
}

/// Whether a file manager made the file as a copy of another: `a (copy).in`, `a - Copy.txt`.
fn is_copy(name: &str) -> bool {
    let is_word = |bytes: &[u8]| bytes.eq_ignore_ascii_case(b"copy");
    if !name.as_bytes().windows(4).any(is_word) {
        return false;
    }
    let lower = name.to_lowercase();
    let mut parts = lower.split('.');
    parts.any(|part| part.ends_with(" (copy)") || part.ends_with(" - copy"))
}

/// Adds `example.txt` to an `input.txt` without an answer, as in Advent of Code.
fn add_examples(files: &[String], paired: &mut Paired) {
    let unanswered = |pair: &Rc<Pair>| pair.answer.is_none();
    let is_advent = paired.pairs.iter().any(|pair| pair.is_bare());
    if !is_advent || !paired.pairs.iter().all(unanswered) {
        return;
    }
    for name in files {
        let stem = name.strip_suffix(".txt").unwrap_or_default();
        if stem.starts_with("example") && read(&ReadableName::of(name)).is_none() {
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
    let has_first = pairs.iter().any(|pair| !pair.is_bare() && first(pair.key()));
    let is_kept = |pair: &Rc<Pair>| match (&pair.answer, pair.is_bare()) {
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
