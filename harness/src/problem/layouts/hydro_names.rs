//! The case names that Hydro recognises without a configuration, and the subtasks that follow from
//! them.

use std::collections::BTreeSet;
use std::path::Path;

use crate::name_text;
use crate::problem::natural_order;

/// A case `SUBTASK/NAME` and its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct HydroCase {
    pub(super) name: String,
    pub(super) input: String,
    pub(super) answer: String,
}

/// The cases in a folder, by subtask. Without subtasks, all cases are in subtask 1.
pub(super) fn find(folder: &Path) -> Vec<HydroCase> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names: BTreeSet<String> = entries
        .map(|entry| name_text::text(&entry.file_name()).into_owned())
        .collect();
    pair(&names)
}

fn pair(names: &BTreeSet<String>) -> Vec<HydroCase> {
    let mut found: Vec<(u64, HydroCase)> = names
        .iter()
        .filter_map(|input| {
            let (stem, extension) = split(input)?;
            let (subtask, number) = numbers(stem)?;
            let answer = answers(stem, extension)
                .into_iter()
                .find(|answer| answer != input && names.contains(answer))?;
            let case = HydroCase {
                name: number.to_owned(),
                input: input.clone(),
                answer,
            };
            Some((subtask, case))
        })
        .collect();
    found.sort_by(|(a, x), (b, y)| a.cmp(b).then_with(|| natural_order(&x.input, &y.input)));
    let several = found.first().map(|(a, _)| *a) != found.last().map(|(b, _)| *b);
    let cases = found.into_iter().map(|(subtask, case)| HydroCase {
        name: if several {
            format!("{subtask}/{}", case.name)
        } else {
            case.name
        },
        ..case
    });
    cases.collect()
}

/// An input's name without its extension.
fn split(name: &str) -> Option<(&str, &str)> {
    ["in.txt", "IN.TXT", "in", "IN", "txt", "TXT"]
        .into_iter()
        .find_map(|end| Some((name.strip_suffix(end)?.strip_suffix('.')?, end)))
}

/// The subtask (1 if there is none) and the number of a case: `a1-2` is case 2 of subtask 1.
fn numbers(stem: &str) -> Option<(u64, &str)> {
    let digits =
        |text: &str| text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (head, number) = stem.split_at(stem.len() - digits(stem));
    if number.is_empty() {
        return None;
    }
    let Some(before) = head.strip_suffix(['-', '_']) else {
        return Some((1, number));
    };
    let subtask = &before[before.len() - digits(before)..];
    Some((subtask.parse().unwrap_or(1), number))
}

/// The possible names of the answer to an input.
fn answers(stem: &str, extension: &str) -> Vec<String> {
    let other = stem.replace("input", "output").replace("INPUT", "OUTPUT");
    let mut names = Vec::new();
    for end in [
        "out", "OUT", "ans", "ANS", "out.txt", "OUT.TXT", "ans.txt", "ANS.TXT",
    ] {
        names.push(format!("{stem}.{end}"));
        names.push(format!("{other}.{end}"));
    }
    if other != stem {
        names.push(format!("{other}.{extension}"));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_the_same_files_as_hydro() {
        let names = |files: &[&str]| files.iter().map(|&name| name.to_owned()).collect();
        let found = |files: &[&str]| {
            let cases = pair(&names(files)).into_iter();
            cases
                .map(|case| format!("{} {} {}", case.name, case.input, case.answer))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            found(&["sum10.in", "sum2.in", "sum2.out", "sum10.ans", "readme.txt"]),
            ["2 sum2.in sum2.out", "10 sum10.in sum10.ans"]
        );
        assert_eq!(
            found(&["a1-1.in", "a1-1.out", "a2-1.in", "a2-1.out"]),
            ["1/1 a1-1.in a1-1.out", "2/1 a2-1.in a2-1.out"]
        );
        assert_eq!(
            found(&["input1.txt", "output1.txt", "x.in", "x.out"]),
            ["1 input1.txt output1.txt"]
        );
    }
}
