//! The pairs that the files of a folder form.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

use super::pair::{ByFrame, Pair, Paired, joined, trim_task};
use super::{
    NameReading, ReadableName, Side, WORDS, in_lower_case, loose, read, read_named, reading, shared,
};

/// Inputs that show which answers are complete.
const ENOUGH: usize = 3;

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
    complete_first(&inputs, &mut answers);
    let mut used = BTreeSet::new();
    let twins = twins(inputs.iter().map(|(name, _)| name.to_lowercase()));
    for (name, reading) in &inputs {
        let same = answers.get(&reading.frame);
        let is_own = |same: &&Vec<(usize, &String)>| is_of_end(name, reading, same[0].1, &inputs);
        let answer = same.filter(is_own).map(|same| same[0].1.clone());
        let is_twin = twins.contains(&*in_lower_case(name));
        let answer = if is_twin { same.and_then(|same| spelled_like(name, same)) } else { answer };
        if answer.is_some() {
            used.insert(reading.frame);
        }
        paired.pairs.push(joined(name, answer, reading));
    }
    answers.retain(|frame, _| !used.contains(frame));
    let unread: Vec<&String> = files
        .iter()
        .zip(&readable)
        .filter(|(name, readable)| read(readable).is_none() && !is_document(name))
        .map(|(name, _)| name)
        .collect();
    loose::add_other_answers(&unread, &loose::readable_bodies(&unread), &mut paired);
    loose::add_answers_by_end(&mut answers, &mut paired);
    let unread = loose::add_alike(unread, &mut answers, &mut paired);
    shared::add_sharing(&mut answers, &mut paired);
    let unread = loose::add_only_pair(unread, &mut answers, &mut paired);
    loose::add_other_inputs(&unread, &loose::readable_bodies(&unread), answers, &mut paired);
    keep_the_best(&mut paired);
    add_examples(files, &mut paired);
    paired
}

/// Puts the answers first whose word stands beside every input, if others stand beside some: these are what a program printed.
fn complete_first<'a>(inputs: &[(&'a String, NameReading<'a>)], answers: &mut ByFrame<'a>) {
    let frames: BTreeSet<_> = inputs.iter().map(|(_, reading)| reading.frame).collect();
    let answered = || answers.iter().filter(|(frame, _)| frames.contains(*frame));
    let count = answered().count();
    let mut of_word: BTreeMap<usize, usize> = BTreeMap::new();
    for (word, _) in answered().flat_map(|(_, same)| same) {
        *of_word.entry(*word).or_default() += 1;
    }
    // With few inputs, a missing file says little.
    if count < ENOUGH || of_word.len() < 2 {
        return;
    }
    let Some((word, _)) = of_word.into_iter().find(|(_, own)| *own >= count) else { return };
    for same in answers.values_mut() {
        same.sort_by_key(|(own, _)| (*own != word, *own));
    }
}

/// The names that several inputs have but for upper and lower case: `a.in` and `A.in`.
fn twins(lower: impl Iterator<Item = String>) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    lower.filter(|name| !seen.insert(name.clone())).collect()
}

/// The answer with the name of an input, with regard to case.
fn spelled_like(input: &str, answers: &[(usize, &String)]) -> Option<String> {
    let stem = |name: &str| name.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let same = answers.iter().find(|(_, answer)| stem(answer) == stem(input));
    same.map(|(_, answer)| (*answer).clone())
}

/// Whether an answer belongs to this one of the inputs with its frame: `output.txt` to `input.txt`, not to `input`.
fn is_of_end(
    name: &str,
    reading: &NameReading<'_>,
    answer: &str,
    inputs: &[(&String, NameReading<'_>)],
) -> bool {
    let is_text = |name: &str| Path::new(name).extension().is_some_and(|end| end == "txt");
    let has_end = |other: &str| is_text(other) == is_text(answer);
    has_end(name) || !inputs.iter().any(|(other, own)| own.frame == reading.frame && has_end(other))
}

/// Whether a file is a document, a picture, an archive or a program's messages, and no file of a case.
pub(in super::super) fn is_document(name: &str) -> bool {
    const ENDS: [&str; 36] = [
        "md", "pdf", "png", "jpg", "jpeg", "gif", "svg", "eps", "ps", "html", "htm", "css", "tex",
        "sty", "doc", "docx", "odt", "rtf", "zip", "rar", "7z", "gz", "json", "yaml", "yml",
        "toml", "xml", "cfg", "ini", "exe", "o", "class", "bak", "log", "h", "hpp",
    ];
    let end = name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase());
    end.is_some_and(|end| ENDS.contains(&end.as_str())) || is_of_errors(name)
}

/// Whether a file holds what a program wrote to its standard error: `000-stderr.txt`.
fn is_of_errors(name: &str) -> bool {
    let lower = name.to_lowercase();
    lower.strip_suffix(".txt").unwrap_or(&lower).ends_with("stderr")
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

/// The inputs of Advent of Code that are called like their sources: `01.txt` beside `01.py`.
pub(in super::super) fn inputs_of(files: &[String], sources: &[String]) -> Vec<Rc<Pair>> {
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_lowercase();
    let stems: BTreeSet<String> = sources.iter().map(|name| stem(name)).collect();
    let is_text = |name: &str| name.rsplit_once('.').is_some_and(|(_, end)| end == "txt");
    let texts = files.iter().filter(|name| is_text(name) && stems.contains(&stem(name)));
    let pair = |name: &String| {
        let own = stem(name);
        joined(name, None, &reading(WORDS.len(), &own, ""))
    };
    texts.map(pair).collect()
}

/// A pair of files whose names say nothing.
pub(in super::super) fn pair_of(input: &str, answer: &str) -> Rc<Pair> {
    let lower = input.to_lowercase();
    let stem = lower.rsplit_once('.').map_or(lower.as_str(), |(stem, _)| stem);
    joined(input, Some(answer.to_owned()), &reading(WORDS.len(), stem, ""))
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
