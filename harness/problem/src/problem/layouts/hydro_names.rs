//! The case names that Hydro recognises without a configuration, and the subtasks that follow from them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::hydro_cases::{HydroCase, SubtaskEntry, SubtaskKind};
use crate::name_text;
use crate::problem::{ProblemLimits, natural_order};

/// The subtasks of the cases in a folder.
pub(super) fn find(folder: &Path) -> Vec<SubtaskEntry> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| name_text::text(&entry.file_name()).into_owned());
    subtasks(&names.collect())
}

fn subtasks(names: &BTreeSet<String>) -> Vec<SubtaskEntry> {
    let mut inputs: Vec<&String> = names.iter().collect();
    inputs.sort_by(|a, b| natural_order(a, b));
    let mut found: BTreeMap<u64, SubtaskEntry> = BTreeMap::new();
    for input in inputs {
        let mut readings = RULES.iter().filter_map(|rule| rule(input));
        let matched = readings.find_map(|reading| {
            let is_there = |answer: &String| answer != input && names.contains(answer);
            let answer = reading.answers.iter().find(|answer| is_there(answer))?;
            Some((answer.clone(), reading))
        });
        let Some((answer, reading)) = matched else {
            continue;
        };
        // The first case decides the kind.
        let subtask = found.entry(reading.subtask).or_insert_with(|| SubtaskEntry {
            id: reading.subtask.to_string(),
            kind: reading.kind,
            score: None,
            requires: Vec::new(),
            cases: Vec::new(),
        });
        subtask.cases.push(HydroCase {
            name: reading.case,
            input: input.clone(),
            answer: Some(answer),
            score: None,
            limits: ProblemLimits::default(),
        });
    }
    let mut subtasks: Vec<SubtaskEntry> = found.into_values().collect();
    for subtask in &mut subtasks {
        (subtask.cases).sort_by(|a, b| natural_order(&a.name, &b.name));
    }
    subtasks
}

/// How a rule reads the name of an input.
struct HydroReading {
    subtask: u64,
    case: String,
    kind: SubtaskKind,
    /// The names that its answer may have.
    answers: Vec<String>,
}

/// Hydro's rules, in their order. The first that finds an answer counts.
const RULES: [fn(&str) -> Option<HydroReading>; 3] = [numbered, number_last, number_first];

/// `sum1.in`, `input1.txt`, and `sum2-1.in`, which is case 1 of subtask 2.
fn numbered(name: &str) -> Option<HydroReading> {
    const ENDS: [&str; 6] = ["in.txt", "IN.TXT", "in", "IN", "txt", "TXT"];
    let mut ends = ENDS.into_iter();
    let (stem, end) =
        ends.find_map(|end| Some((name.strip_suffix(end)?.strip_suffix('.')?, end)))?;
    let (head, case) = stem.split_at(stem.trim_end_matches(|c: char| c.is_ascii_digit()).len());
    if case.is_empty() {
        return None;
    }
    let subtask = head.strip_suffix(['-', '_']).map(|before| {
        let start = before.trim_end_matches(|c: char| c.is_ascii_digit());
        &before[start.len()..]
    });
    let subtask = subtask.filter(|number| !number.is_empty());
    let other = stem.replace("input", "output").replace("INPUT", "OUTPUT");
    let mut answers = Vec::new();
    for end in ["out", "OUT", "out.txt", "OUT.TXT", "ans", "ANS", "ans.txt", "ANS.TXT"] {
        answers.extend([format!("{stem}.{end}"), format!("{other}.{end}")]);
    }
    if other != stem {
        answers.push(format!("{other}.{end}"));
    }
    Some(HydroReading {
        subtask: subtask.and_then(|number| number.parse().ok()).unwrap_or(1),
        case: case.to_owned(),
        kind: match subtask {
            Some(_) => SubtaskKind::Min,
            None => SubtaskKind::Sum,
        },
        answers,
    })
}

/// `b.in4` with `b.ou4` or `b.out4`.
fn number_last(name: &str) -> Option<HydroReading> {
    let (stem, end) = name.rsplit_once('.')?;
    let ends = [("in", ["ou", "out"]), ("IN", ["OU", "OUT"])];
    let (number, ends) =
        (ends.iter()).find_map(|(word, ends)| Some((end.strip_prefix(word)?, ends)))?;
    let is_digit = |c: char| c.is_ascii_digit();
    if number.is_empty() || !number.chars().all(is_digit) || stem.contains(is_digit) {
        return None;
    }
    let answers = ends.iter().flat_map(|end| {
        let own = format!("{stem}.{end}{number}");
        let other = own.replace("input", "output").replace("INPUT", "OUTPUT");
        [own, other]
    });
    Some(HydroReading {
        subtask: 1,
        case: number.to_owned(),
        kind: SubtaskKind::Sum,
        answers: answers.collect(),
    })
}

/// `3-big.in` and `3_big.in`.
fn number_first(name: &str) -> Option<HydroReading> {
    let stem = name.strip_suffix(".in").or_else(|| name.strip_suffix(".IN"))?;
    let rest = stem.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() == stem.len() || !rest.starts_with(['-', '_']) {
        return None;
    }
    let ends = ["out", "ans", "OUT", "ANS"];
    Some(HydroReading {
        subtask: 1,
        case: stem.to_owned(),
        kind: SubtaskKind::Sum,
        answers: ends.map(|end| format!("{stem}.{end}")).into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_the_same_files_as_hydro() {
        let table: [(&[&str], &[&str]); 7] = [
            (
                &["sum10.in", "sum2.in", "sum2.out", "sum10.ans", "readme.txt"],
                &["Sum 1/2 sum2.in sum2.out", "Sum 1/10 sum10.in sum10.ans"],
            ),
            (
                &["a2-1.in", "a2-1.out", "a1-1.in", "a1-1.out"],
                &["Min 1/1 a1-1.in a1-1.out", "Min 2/1 a2-1.in a2-1.out"],
            ),
            (&["input1.txt", "output1.txt", "x.in", "x.out"], &["Sum 1/1 input1.txt output1.txt"]),
            (
                &["3-big.in", "3-big.out", "1.in", "1.out", "4big.in", "4big.out"],
                &["Sum 1/1 1.in 1.out", "Sum 1/3-big 3-big.in 3-big.out"],
            ),
            (
                &["b.in4", "b.ou4", "b.in5", "b.out5", "B.IN6", "B.OUT6", "c1.in1", "c1.out1"],
                &["Sum 1/4 b.in4 b.ou4", "Sum 1/5 b.in5 b.out5", "Sum 1/6 B.IN6 B.OUT6"],
            ),
            // With an answer for the input of either, the first case decides the kind.
            (
                &["2-1.in", "2-1.out", "2_2.in", "2_2.ans"],
                &["Min 2/1 2-1.in 2-1.out", "Min 2/2 2_2.in 2_2.ans"],
            ),
            (&["_1.in", "_1.out"], &["Sum 1/1 _1.in _1.out"]),
        ];
        for (files, expected) in table {
            let names = files.iter().map(|&name| name.to_owned()).collect();
            let found = subtasks(&names);
            let shown: Vec<String> = found
                .iter()
                .flat_map(|subtask| {
                    subtask.cases.iter().map(move |case| {
                        let answer = case.answer.as_deref().unwrap_or_default();
                        let (id, kind) = (&subtask.id, subtask.kind);
                        format!("{kind:?} {id}/{} {} {answer}", case.name, case.input)
                    })
                })
                .collect();
            assert_eq!(shown, expected, "{files:?}");
        }
    }
}
