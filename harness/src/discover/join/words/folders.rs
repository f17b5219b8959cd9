//! Folders of inputs and folders of answers.

use std::collections::BTreeMap;

use super::pairs::is_document;
use super::{
    NameReading, Paired, ReadableName, SEPARATORS, Side, WORDS, apart, is_short, joined, position,
    read, reading, trim,
};

/// What a folder's name says about its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct FolderSide {
    pub(in super::super) is_input: bool,
    /// The rest of the name.
    pub(in super::super) frame: String,
    /// The better answers have a lower one.
    pub(in super::super) rank: usize,
}

/// The side of a folder's files, if its name is a word for a side, alone or as its first or last word.
pub(in super::super) fn folder_side(folder: &str) -> Option<FolderSide> {
    let lower = folder.to_lowercase();
    let side = |word: &str, frame: &str| {
        let rank = position(word).or_else(|| position(word.strip_suffix('s')?));
        let rank = rank.filter(|rank| !is_short(*rank))?;
        let is_input = WORDS[rank].1 == Side::Input;
        Some(FolderSide { is_input, frame: trim(frame).to_owned(), rank })
    };
    let is_end = |c: char| SEPARATORS.contains(&c);
    let of_ends = |name: &str| {
        let last = name.rsplit_once(is_end).and_then(|(rest, word)| side(word, rest));
        last.or_else(|| name.split_once(is_end).and_then(|(word, rest)| side(word, rest)))
    };
    side(&lower, "").or_else(|| of_ends(&lower)).or_else(|| of_ends(&apart(folder)?))
}

/// Whether the files of a folder with this name are inputs whose answers are in another folder.
pub(in super::super) fn holds_inputs(folder: &str) -> bool {
    folder_side(folder).is_some_and(|side| side.is_input && side.frame.is_empty())
}

/// Whether the files of a folder with this name are answers.
pub(in super::super) fn holds_answers(folder: &str) -> bool {
    folder_side(folder).is_some_and(|side| !side.is_input && side.frame.is_empty())
}

/// Pairs the files of a folder of inputs with those of a folder of answers: by the whole name, by
/// the name without its side, or, if that pairs none, by the name without the word with which all names of its folder begin.
pub(in super::super) fn pair_folders(inputs: &[String], answers: &[String]) -> Paired {
    let paired = pair_by_rest(inputs, answers, ["", ""]);
    let (first, second) = (common_head(inputs), common_head(answers));
    let is_any = paired.pairs.iter().any(|pair| pair.answer.is_some());
    if is_any || first.is_empty() && second.is_empty() {
        return paired;
    }
    let shortened = pair_by_rest(inputs, answers, [first, second]);
    let is_any = shortened.pairs.iter().any(|pair| pair.answer.is_some());
    if is_any { shortened } else { paired }
}

/// The word before the first separator and the separator, with which all names begin: the `prob_` of `prob_a.txt` and `prob_b.txt`.
fn common_head(names: &[String]) -> &str {
    const ENOUGH: usize = 2;
    let Some(first) = names.first().filter(|_| names.len() >= ENOUGH) else { return "" };
    let head = first.find(['_', '-', ' ']).map_or("", |at| &first[..=at]);
    let has_head = |name: &String| name.len() > head.len() && name.starts_with(head);
    if names.iter().all(has_head) { head } else { "" }
}

/// Pairs files by their names without the texts with which all names of their folder begin.
fn pair_by_rest(inputs: &[String], answers: &[String], heads: [&str; 2]) -> Paired {
    let mut by_frame: BTreeMap<String, &String> = BTreeMap::new();
    let is_part = |name: &&String| !is_document(name);
    for name in answers.iter().filter(is_part) {
        by_frame.entry(frame_key(&name[heads[1].len()..])).or_insert(name);
    }
    let mut paired = Paired::default();
    let mut used: Vec<&String> = Vec::new();
    for name in inputs.iter().filter(is_part) {
        let same = answers.binary_search(name).ok().map(|at| &answers[at]);
        let rest = &name[heads[0].len()..];
        let answer = same.or_else(|| by_frame.get(&frame_key(rest)).copied());
        used.extend(answer);
        let readable = ReadableName::of(rest);
        let read = read(&readable).filter(|reading| WORDS[reading.word].1 == Side::Input);
        let pair = match read {
            Some(reading) => joined(name, answer.cloned(), &reading),
            None => joined(name, answer.cloned(), &reading(WORDS.len(), rest, "")),
        };
        paired.pairs.push(pair);
    }
    used.sort_unstable();
    let stray = answers.iter().filter(|name| used.binary_search(name).is_err());
    paired.stray = stray.cloned().collect();
    paired
}

/// The frame of a name in a folder of inputs or answers, where the side may be missing.
fn frame_key(name: &str) -> String {
    if let Some(NameReading { frame, .. }) = read(&ReadableName::of(name)) {
        return format!("{}\0{}", trim(frame.before), trim(frame.after));
    }
    let lower = name.to_lowercase();
    let body = lower.strip_suffix(".txt").unwrap_or(&lower);
    format!("{}\0", trim(body))
}
