//! Folders of inputs and folders of answers.

use std::collections::BTreeMap;

use super::{NameReading, Paired, ReadableName, Side, WORDS, joined, read, reading, trim};

/// Folders whose files are all inputs, and folders whose files are all answers.
const INPUTS: [&str; 4] = ["in", "input", "inputs", "test_in"];
const ANSWERS: [&str; 8] =
    ["out", "output", "outputs", "test_out", "ans", "answer", "answers", "expected"];

/// Whether the files of a folder with this name are inputs whose answers are in another folder.
pub(in super::super) fn holds_inputs(folder: &str) -> bool {
    INPUTS.contains(&folder.to_lowercase().as_str())
}

/// Whether the files of a folder with this name are answers.
pub(in super::super) fn holds_answers(folder: &str) -> bool {
    ANSWERS.contains(&folder.to_lowercase().as_str())
}

/// Pairs the files of a folder of inputs with those of a folder of answers: by the whole name, or
/// by the name without its side.
pub(in super::super) fn pair_folders(inputs: &[String], answers: &[String]) -> Paired {
    let mut by_frame: BTreeMap<String, &String> = BTreeMap::new();
    for name in answers {
        by_frame.entry(frame_key(name)).or_insert(name);
    }
    let mut paired = Paired::default();
    let mut used: Vec<&String> = Vec::new();
    for name in inputs {
        let same = answers.binary_search(name).ok().map(|at| &answers[at]);
        let answer = same.or_else(|| by_frame.get(&frame_key(name)).copied());
        used.extend(answer);
        let readable = ReadableName::of(name);
        let read = read(&readable).filter(|reading| WORDS[reading.word].1 == Side::Input);
        let pair = match read {
            Some(reading) => joined(name, answer.cloned(), &reading),
            None => joined(name, answer.cloned(), &reading(WORDS.len(), name, "")),
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
