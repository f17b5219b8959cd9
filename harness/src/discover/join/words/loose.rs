//! Pairs of files in whose names only one side is a known word, or in which the word for the side is joined to other letters.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::pair::{ByFrame, Pair, Paired, joined, trim_task};
use super::{
    NameFrame, NameReading, ReadableName, SEPARATORS, Side, WORDS, first_words, is_number,
    is_short, last_words, read, reading, trim,
};

/// The names without `.txt`, in lower case.
pub(super) fn readable_bodies(files: &[&String]) -> Vec<String> {
    let body = |name: &&String| {
        let lower = name.to_lowercase();
        lower.strip_suffix(".txt").unwrap_or(&lower).to_owned()
    };
    files.iter().map(body).collect()
}

/// How a name may be read if any of its words is a side: the frames, each with the word.
fn frames_of(body: &str) -> Vec<(NameFrame<'_>, &str)> {
    let is_word = |text: &str| !text.is_empty() && text.chars().all(char::is_alphabetic);
    let mut frames = Vec::new();
    if let Some((stem, end)) = body.rsplit_once('.')
        && is_word(end)
    {
        frames.push((NameFrame { before: stem, after: "" }, end));
    }
    if let Some(at) = body.rfind(['_', '-', ' '])
        && is_word(&body[at + 1..])
    {
        frames.push((NameFrame { before: &body[..=at], after: "" }, &body[at + 1..]));
    }
    let end = body.find(|c: char| !c.is_alphabetic()).unwrap_or(body.len());
    if 0 < end && end < body.len() {
        frames.push((NameFrame { before: "", after: &body[end..] }, &body[..end]));
    }
    frames
}

/// The only word that stands where others have a known side, in most files and at least in two.
fn common_word<'a>(words: impl Iterator<Item = &'a str>, most: usize) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for word in words {
        *counts.entry(word).or_default() += 1;
    }
    let (word, count) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (count >= 2 && count * 3 >= most * 2).then(|| word.to_owned())
}

/// Gives inputs without answers those with another word, if no input has an answer: `1.in` and `1.hint`.
pub(super) fn add_other_answers(unread: &[&String], bodies: &[String], paired: &mut Paired) {
    if unread.is_empty() || paired.pairs.iter().any(|pair| pair.answer.is_some()) {
        return;
    }
    let mut frames: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (at, pair) in paired.pairs.iter().enumerate() {
        let readable = ReadableName::of(&pair.input);
        if let Some(NameReading { frame, .. }) = read(&readable) {
            frames.insert((frame.before.to_owned(), frame.after.to_owned()), at);
        }
    }
    let own = |frame: &NameFrame<'_>| {
        frames.get(&(frame.before.to_owned(), frame.after.to_owned())).copied()
    };
    let fitting: Vec<(usize, usize, &str)> = bodies
        .iter()
        .enumerate()
        .flat_map(|(file, body)| {
            frames_of(body).into_iter().map(move |(frame, word)| (file, frame, word))
        })
        .filter_map(|(file, frame, word)| Some((file, own(&frame)?, word)))
        .collect();
    let Some(word) = common_word(fitting.iter().map(|(_, _, word)| *word), paired.pairs.len())
    else {
        return;
    };
    for (file, at, _) in fitting.iter().filter(|(_, _, other)| *other == word) {
        let pair = Rc::make_mut(&mut paired.pairs[*at]);
        pair.answer = Some(unread[*file].clone());
    }
}

/// Gives an input the answer that is called like it, whatever its side (`entrada1.txt` and `entrada1.ans`), or whose name has
/// only its end (`alchemy_validation_input` and `validation_output`).
pub(super) fn add_answers_by_end(answers: &mut ByFrame<'_>, paired: &mut Paired) {
    if paired.pairs.iter().any(|pair| pair.answer.is_some()) {
        return;
    }
    answers.retain(|frame, same| {
        // `entrada1.txt` and `entrada1.ans`.
        let has_stem = |pair: &&mut Rc<Pair>| {
            let lower = pair.input.to_lowercase();
            let stem = lower.rsplit_once('.').map(|(stem, _)| stem);
            pair.answer.is_none() && frame.after.is_empty() && stem == Some(frame.before)
        };
        if let Some(pair) = paired.pairs.iter_mut().find(has_stem) {
            Rc::make_mut(pair).answer = Some(same[0].1.clone());
            return false;
        }
        let end = trim(frame.before);
        let fits = |pair: &&mut Rc<Pair>| {
            let name = pair.before().to_lowercase();
            let rest = name.strip_suffix(end).unwrap_or_default();
            pair.answer.is_none() && !end.is_empty() && rest.ends_with(SEPARATORS)
        };
        let mut fitting = paired.pairs.iter_mut().filter(fits);
        let (Some(pair), None) = (fitting.next(), fitting.next()) else {
            return true;
        };
        Rc::make_mut(pair).answer = Some(same[0].1.clone());
        false
    });
}

/// The letters and digits of a text in lower case.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Whether a word is long enough to be a side where other letters are joined to it.
fn is_joined(word: usize) -> bool {
    WORDS[word].0.len() > 1 && !is_short(word)
}

/// What a name says if a word for a side may be joined to other letters: `ina1`, `diet.sin`.
fn unbounded(body: &str) -> Vec<(Side, usize, String)> {
    let rest = |word: usize, rest: Option<&str>| Some((WORDS[word].1, word, letters(rest?)));
    let first = first_words(body).map(|word| (word, body.strip_prefix(WORDS[word].0)));
    let last = last_words(body).map(|word| (word, body.strip_suffix(WORDS[word].0)));
    let mut found: Vec<(Side, usize, String)> = first
        .chain(last)
        .filter(|(word, _)| is_joined(*word))
        .filter_map(|(word, other)| rest(word, other))
        .filter(|(_, _, rest)| !rest.is_empty())
        .collect();
    // `a.inex` and `a.outex`.
    if let Some((stem, end)) = body.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) {
        let longer = first_words(end).filter(|word| is_joined(*word)).filter_map(|word| {
            let tail = end.strip_prefix(WORDS[word].0).filter(|tail| !tail.is_empty())?;
            Some((WORDS[word].1, word, format!("{stem}.{tail}")))
        });
        found.extend(longer);
    }
    found
}

/// Pairs files whose names are alike but for their sides, however these are joined to the rest: `level1_1.in` and
/// `outputLevel1_1.txt`, `ina1` and `outa1`. Returns the files that are in no pair.
pub(super) fn add_alike<'a>(
    unread: Vec<&'a String>,
    answers: &mut ByFrame<'_>,
    paired: &mut Paired,
) -> Vec<&'a String> {
    let bodies = readable_bodies(&unread);
    let mut inputs: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut outputs: BTreeMap<String, String> = BTreeMap::new();
    for (file, body) in bodies.iter().enumerate() {
        for (side, word, rest) in unbounded(body) {
            match side {
                Side::Input => drop(inputs.entry(rest).or_insert((file, word))),
                Side::Answer => drop(outputs.entry(rest).or_insert_with(|| unread[file].clone())),
            }
        }
    }
    for (frame, same) in answers.iter() {
        let rest = letters(&format!("{}{}", frame.before, frame.after));
        if !rest.is_empty() {
            outputs.insert(rest, same[0].1.clone());
        }
    }
    let mut used: BTreeSet<String> = BTreeSet::new();
    for pair in paired.pairs.iter_mut().filter(|pair| pair.answer.is_none()) {
        if let Some(answer) = outputs.get(&letters(pair.key())) {
            used.insert(answer.clone());
            Rc::make_mut(pair).answer = Some(answer.clone());
        }
    }
    // `A-small-attempt0.in` and `Asmall.out`.
    let wanted: Vec<(usize, String)> = paired
        .pairs
        .iter()
        .enumerate()
        .filter(|(_, pair)| pair.answer.is_none())
        .filter_map(|(at, pair)| {
            let own = letters(pair.key());
            let free = outputs
                .iter()
                .filter(|(rest, answer)| own.starts_with(rest.as_str()) && !used.contains(*answer));
            Some((at, free.max_by_key(|(rest, _)| rest.len())?.1.clone()))
        })
        .collect();
    for (at, answer) in &wanted {
        if wanted.iter().filter(|(_, other)| other == answer).count() == 1 {
            used.insert(answer.clone());
            Rc::make_mut(&mut paired.pairs[*at]).answer = Some(answer.clone());
        }
    }
    for (rest, (file, word)) in inputs {
        let Some(answer) = outputs.get(&rest).filter(|answer| !used.contains(*answer)) else {
            continue;
        };
        let reading = reading(word, &rest, "");
        used.extend([answer.clone(), unread[file].clone()]);
        paired.pairs.push(joined(unread[file], Some(answer.clone()), &reading));
    }
    answers.retain(|_, same| !used.contains(same[0].1));
    unread.into_iter().filter(|name| !used.contains(*name)).collect()
}

/// Pairs the only answer with the only input (`input.txt` and `cowsOUT.txt`), or with the only other file, if the answer is
/// called by its side alone (`rosalind_dna.txt` and `output.txt`). Returns the files that are in no pair.
pub(super) fn add_only_pair<'a>(
    unread: Vec<&'a String>,
    answers: &mut ByFrame<'_>,
    paired: &mut Paired,
) -> Vec<&'a String> {
    let Some((frame, same)) = answers.first_key_value().filter(|_| answers.len() == 1) else {
        return unread;
    };
    let answer = Some(same[0].1.clone());
    let is_bare = frame.before.is_empty() && frame.after.is_empty();
    // A file that is called like the answer is its input.
    let is_like = |name: &&String| {
        name.to_lowercase().rsplit_once('.').is_some_and(|(stem, _)| stem == frame.before)
    };
    if !is_bare && frame.after.is_empty() && unread.iter().any(is_like) {
        return unread;
    }
    match (&mut paired.pairs[..], &unread[..]) {
        ([only], _) if only.answer.is_none() => Rc::make_mut(only).answer = answer,
        // `sol` without an ending is a program.
        ([], [input]) if is_bare && same[0].1.contains('.') && !is_prose(input) => {
            let lower = input.to_lowercase();
            let stem = lower.rsplit_once('.').map_or(lower.as_str(), |(stem, _)| stem);
            paired.pairs.push(joined(input, answer, &reading(WORDS.len(), stem, "")));
            answers.clear();
            return Vec::new();
        }
        _ => return unread,
    }
    answers.clear();
    unread
}

/// Whether a file is a text for people.
fn is_prose(name: &str) -> bool {
    const PROSE: [&str; 10] = [
        "readme",
        "license",
        "notes",
        "note",
        "todo",
        "requirements",
        "statement",
        "problem",
        "description",
        "task",
    ];
    let lower = name.to_lowercase();
    let stem = lower.split('.').next().unwrap_or_default();
    PROSE.contains(&stem)
}

/// Gives answers without inputs those with another word or none: `1.txt` and `1.ans`, `01` and `01.a`. The rest is stray.
pub(super) fn add_other_inputs(
    unread: &[&String],
    bodies: &[String],
    answers: ByFrame<'_>,
    paired: &mut Paired,
) {
    let mut by_body: BTreeMap<&str, usize> = BTreeMap::new();
    let mut by_frame: BTreeMap<NameFrame<'_>, Vec<(usize, &str)>> = BTreeMap::new();
    for (file, body) in bodies.iter().enumerate() {
        by_body.insert(body, file);
        for (frame, word) in frames_of(body) {
            by_frame.entry(frame).or_default().push((file, word));
        }
    }
    let is_any_input = !paired.pairs.is_empty();
    let fitting = answers.keys().filter_map(|frame| by_frame.get(frame)).flatten();
    let word = common_word(fitting.map(|(_, word)| *word), answers.len()).filter(|_| !is_any_input);
    for (frame, same) in answers {
        let bare = by_body.get(trim(frame.before)).filter(|_| frame.after.is_empty());
        let bare = bare.filter(|file| {
            is_number(trim_task(trim(frame.before))) || unread[**file].len() > bodies[**file].len()
        });
        let mut others = by_frame.get(&frame).into_iter().flatten();
        let other = others.find(|(_, other)| Some(*other) == word.as_deref()).map(|(file, _)| file);
        match bare.or(other) {
            Some(file) => {
                let reading = reading(same[0].0, frame.before, frame.after);
                let pair = joined(unread[*file], Some(same[0].1.clone()), &reading);
                paired.pairs.push(pair);
            }
            None => paired.stray.extend(same.into_iter().map(|(_, name)| name.clone())),
        }
    }
}
