//! The problems of a contest, one line each: cases, submissions by promise, the slowest accepted one, and what is missing.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use unicode_width::UnicodeWidthStr as _;

use crate::discover::Found;
use crate::expectation::VerdictFolder;
use crate::notice::{Notices, visible};
use crate::problem::yaml::{Node, Value};
use crate::problem::{Problem, read_yaml};
use crate::show::fit::padded;
use crate::submission::{Submission, SubmissionsByProblem};
use crate::time_limit::is_inferred;

/// The list of a contest's problems, as `DOMjudge` and `BAPCtools` have it.
const PROBLEMS: &str = "problems.yaml";

/// The columns of submissions, and the folders that they count.
const PROMISES: [(&str, VerdictFolder); 4] = [
    ("AC", VerdictFolder::Accepted),
    ("WA", VerdictFolder::WrongAnswer),
    ("TLE", VerdictFolder::TimeLimit),
    ("RTE", VerdictFolder::RunTimeError),
];

/// The statements that systems show.
const STATEMENTS: [&str; 4] = ["statement", "problem_statement", "problem.pdf", "problem.html"];

/// The folders of input validators.
const VALIDATORS: [&str; 2] = ["input_validators", "input_format_validators"];

/// The slowest accepted submission of a problem in an earlier run, and the limit that it had.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct MeasuredAccepted {
    pub(crate) cpu: Duration,
    pub(crate) limit: Duration,
}

/// What an earlier run measured, by problem.
pub(crate) type MeasuredTimes = BTreeMap<String, MeasuredAccepted>;

/// Writes the table. `folder` may have a list of the problems, which gives their order and labels.
pub(crate) fn write_contest(
    out: &mut dyn Write,
    found: &Found,
    times: &MeasuredTimes,
    folder: &Path,
) -> io::Result<()> {
    let by_problem = SubmissionsByProblem::of(&found.submissions);
    let labels = labels(folder);
    let mut problems: Vec<&Problem> = found.problems.iter().collect();
    problems.sort_by_key(|one| labels.get(&one.id).map_or(usize::MAX, |(place, _)| *place));
    let mut rows = vec![heads()];
    for problem in problems {
        let label = labels.get(&problem.id).map_or("", |(_, label)| label.as_str());
        let own = by_problem.of_problem(&problem.id);
        rows.push(row(label, problem, own, times.get(&problem.id).copied()));
    }
    write_rows(out, &rows)?;
    for (id, _) in labels.iter().filter(|(id, _)| !found.problems.iter().any(|one| one.id == **id))
    {
        writeln!(out, "{PROBLEMS} names `{}`, which is not here", visible(id))?;
    }
    Ok(())
}

fn heads() -> Vec<String> {
    let mut heads = vec!["", "problem", "samples", "secret"];
    heads.extend(PROMISES.iter().map(|(name, _)| *name));
    heads.extend(["other", "AC time", "limit", "margin", "missing"]);
    heads.into_iter().map(str::to_owned).collect()
}

/// The cells of a problem.
fn row(
    label: &str,
    problem: &Problem,
    own: &[&Submission],
    slowest: Option<MeasuredAccepted>,
) -> Vec<String> {
    let is_sample = |name: &str| name.starts_with("sample/");
    let samples = problem.cases.iter().filter(|case| is_sample(case.name())).count();
    let secret = problem.cases.iter().filter(|case| !case.is_static()).count() - samples;
    let of = |folder| own.iter().filter(|one| one.expected.one_folder() == Some(folder)).count();
    let counts: Vec<usize> = PROMISES.iter().map(|(_, folder)| of(*folder)).collect();
    let others = own.len() - counts.iter().sum::<usize>();
    let mut cells =
        vec![visible(label), visible(&problem.id), samples.to_string(), secret.to_string()];
    cells.extend(counts.iter().chain([&others]).map(|&count| count_or_blank(count)));
    let limit = problem.limits.cpu_time.or(slowest.map(|one| one.limit));
    let seconds = |time: Duration| format!("{} s", time.as_secs_f64());
    let inferred = if is_inferred(problem) { "inferred" } else { "" };
    cells.push(slowest.map_or_else(String::new, |one| format!("{:.3} s", one.cpu.as_secs_f64())));
    cells.push(limit.map_or_else(|| inferred.to_owned(), seconds));
    // Both are of the same machine.
    let margin = slowest
        .map(|one| format!("{:.1}x", one.limit.as_secs_f64() / one.cpu.as_secs_f64().max(1e-3)));
    cells.push(margin.unwrap_or_default());
    cells.push(missing(problem, own.len(), counts[0], samples).join(", "));
    cells
}

fn count_or_blank(count: usize) -> String {
    if count == 0 { "-".to_owned() } else { count.to_string() }
}

/// What a jury would still write.
fn missing(problem: &Problem, all: usize, accepted: usize, samples: usize) -> Vec<&'static str> {
    let has = |names: &[&str]| names.iter().any(|name| problem.dir.join(name).exists());
    let lacks = [
        (problem.is_package && !has(&STATEMENTS), "statement"),
        (problem.is_package && samples == 0, "samples"),
        (!has(&VALIDATORS) && problem.validators.is_empty(), "input validator"),
        (accepted == 0, "accepted submission"),
        (all == accepted, "wrong submission"),
        (problem.limits.cpu_time.is_none() && !is_inferred(problem), "time limit"),
    ];
    lacks.into_iter().filter(|(lacks, _)| *lacks).map(|(_, what)| what).collect()
}

fn write_rows(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate().filter(|(column, _)| widths[*column] > 0) {
            // Names are on the left, and numbers on the right.
            let is_text = column < 2 || column + 1 == columns;
            let blanks = " ".repeat(widths[column].saturating_sub(cell.width()));
            let cell = if is_text { padded(cell, widths[column]) } else { blanks + cell };
            line += &cell;
            line += "  ";
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The place and the label of each problem in the list of the contest.
fn labels(folder: &Path) -> BTreeMap<String, (usize, String)> {
    let file = folder.join(PROBLEMS);
    if !file.is_file() {
        return BTreeMap::new();
    }
    let root = read_yaml(&file, &mut Notices::default()).map(|node| node.value);
    let items = match root {
        Some(Value::List(items)) => items,
        Some(Value::Map(entries)) => entries.into_iter().map(|(_, node)| node).collect(),
        _ => Vec::new(),
    };
    let text = |node: &Node, keys: &[&str]| match &node.value {
        Value::Text(text) => Some(text.clone()),
        Value::Map(entries) => entries.iter().find_map(|(key, node)| match &node.value {
            Value::Text(text) if keys.contains(&key.name.as_str()) => Some(text.clone()),
            _ => None,
        }),
        _ => None,
    };
    let of = |(place, node): (usize, &Node)| {
        let id = text(node, &["id", "short-name", "short_name", "externalid"])?;
        let label = match &node.value {
            Value::Map(_) => text(node, &["label"]).unwrap_or_default(),
            _ => String::new(),
        };
        Some((id, (place, label)))
    };
    items.iter().enumerate().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    #[test]
    fn every_problem_has_a_line_with_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let list = "- id: q\n  label: A\n- id: p\n  label: B\n- id: gone\n";
        std::fs::write(folder.path().join(PROBLEMS), list).unwrap();
        let mut second = specimen::problem(2);
        second.id = "q".to_owned();
        second.limits.cpu_time = Some(Duration::from_millis(1500));
        let wrong = Expectation::of_folder("wrong_answer").unwrap();
        let found = Found {
            problems: vec![specimen::problem(3), second],
            submissions: vec![
                specimen::submission("solutions/p/p.rs", Expectation::accepted()),
                specimen::submission("solutions/p/wrong_answer/w.rs", wrong),
            ],
            ..Found::default()
        };
        let slowest = MeasuredAccepted {
            cpu: Duration::from_millis(300),
            limit: Duration::from_millis(1500),
        };
        let times = MeasuredTimes::from([("q".to_owned(), slowest)]);
        let mut out = Vec::new();
        write_contest(&mut out, &found, &times, folder.path()).unwrap();
        let expected = "   problem  samples  secret  AC  WA  TLE  RTE  other  AC time  limit  margin  missing
A  q              0       2   -   -    -    -      -  0.300 s  1.5 s    5.0x  statement, samples, input validator, accepted submission, wrong submission
B  p              0       3   1   1    -    -      -                          statement, samples, input validator, time limit
problems.yaml names `gone`, which is not here
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
