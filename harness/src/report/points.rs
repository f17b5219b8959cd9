//! A table of points in CSV (RFC 4180), as courses keep it: a row for each person, a column for each problem.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Component, Path};

use crate::event::{Event, SubmissionReport};
use crate::report::Reporter;

/// The points of a solution whose problem has no scores, if all cases are accepted.
const ALL: f64 = 100.0;

/// What stands in place of points if a solution could not be judged.
const NOT_JUDGED: &str = "?";

/// The table, written at the end of the run.
pub(crate) struct PointsTable {
    file: File,
    rows: Vec<PointsRow>,
}

/// What one solution got.
struct PointsRow {
    problem: String,
    /// The parts of its path that are not the name of the problem.
    name: Vec<String>,
    /// `None`: it was not judged.
    points: Option<f64>,
}

impl PointsTable {
    /// A table in `path`, which is emptied.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { file: File::create(path)?, rows: Vec::new() })
    }

    fn add(&mut self, report: &SubmissionReport) {
        self.rows.push(PointsRow {
            problem: report.problem.clone(),
            name: name_parts(Path::new(&report.submission), &report.problem),
            points: report.not_judged.is_none().then(|| points_of(report)),
        });
    }

    fn text(&mut self) -> String {
        strip_common(&mut self.rows);
        let problems: BTreeSet<&str> = self.rows.iter().map(|row| row.problem.as_str()).collect();
        let mut best: BTreeMap<String, BTreeMap<&str, Option<f64>>> = BTreeMap::new();
        for row in &self.rows {
            let cells = best.entry(row.name.join("/")).or_default();
            let cell = cells.entry(&row.problem).or_default();
            *cell = match (*cell, row.points) {
                (Some(one), Some(other)) => Some(one.max(other)),
                (one, other) => one.or(other),
            };
        }
        let header = ["name"].into_iter().chain(problems.iter().copied()).chain(["total"]);
        let mut text = line(header.map(field));
        for (name, cells) in &best {
            let points = problems.iter().map(|problem| match cells.get(problem) {
                None => String::new(),
                Some(None) => NOT_JUDGED.to_owned(),
                Some(Some(points)) => number(*points),
            });
            let total = number(cells.values().flatten().fold(0.0, |sum, points| sum + points));
            text.push_str(&line(std::iter::once(field(name)).chain(points).chain([total])));
        }
        text
    }
}

impl Reporter for PointsTable {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Submission(report) => self.add(report),
            Event::Finished(_) => {
                let text = self.text();
                self.file.write_all(text.as_bytes())?;
            }
            _ => {}
        }
        Ok(())
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of cases")]
fn points_of(report: &SubmissionReport) -> f64 {
    match &report.score {
        Some(score) => score.score,
        None => ALL * report.accepted as f64 / report.cases.max(1) as f64,
    }
}

/// The parts of a path without its extension, and without those that are the name of the problem; at least one.
fn name_parts(path: &Path, problem: &str) -> Vec<String> {
    let whole = path.with_extension("");
    let parts = whole.components().filter_map(|part| match part {
        Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
        _ => None,
    });
    let parts: Vec<String> = parts.collect();
    let is_problem = |part: &String| problem.split('/').any(|name| name.eq_ignore_ascii_case(part));
    let mut named: Vec<String> = parts.iter().filter(|part| !is_problem(part)).cloned().collect();
    if named.is_empty() {
        named.extend(parts.last().cloned());
    }
    named
}

/// Removes the first and the last parts that all names share: `solutions` and `main`.
fn strip_common(rows: &mut [PointsRow]) {
    let has_common = |rows: &[PointsRow], part: fn(&[String]) -> Option<&String>| {
        let first = rows.first().and_then(|row| part(&row.name)).cloned();
        rows.len() > 1
            && rows.iter().all(|row| row.name.len() > 1 && part(&row.name) == first.as_ref())
    };
    while has_common(rows, <[String]>::first) {
        for row in &mut *rows {
            row.name.remove(0);
        }
    }
    while has_common(rows, <[String]>::last) {
        for row in &mut *rows {
            row.name.pop();
        }
    }
}

/// At most two decimal places.
fn number(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text as a field. A spreadsheet must not take it for a formula: students choose the names of their files.
fn field(text: &str) -> String {
    let shown: String = text.chars().filter(|one| !one.is_control()).collect();
    let is_formula = shown.starts_with(['=', '+', '-', '@']);
    let shown = if is_formula { format!("'{shown}") } else { shown };
    if shown.contains(['"', ',']) { format!("\"{}\"", shown.replace('"', "\"\"")) } else { shown }
}

fn line(fields: impl Iterator<Item = String>) -> String {
    fields.collect::<Vec<_>>().join(",") + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[(&str, &str, Option<f64>)]) -> String {
        let row = |(path, problem, points): &(&str, &str, Option<f64>)| PointsRow {
            problem: (*problem).to_owned(),
            name: name_parts(Path::new(path), problem),
            points: *points,
        };
        let file = tempfile::tempfile().unwrap();
        PointsTable { file, rows: rows.iter().map(row).collect() }.text()
    }

    #[test]
    fn a_row_has_the_best_points_of_a_person_by_problem() {
        let all = [
            ("submissions/ada/sum.py", "sum", Some(100.0)),
            ("submissions/ada/max.cpp", "max", Some(100.0 / 3.0)),
            ("submissions/bo/sum.py", "sum", Some(40.0)),
            ("submissions/bo/sum.cpp", "sum", Some(70.5)),
            ("submissions/cy/sum.py", "sum", None),
        ];
        assert_eq!(
            table(&all),
            "name,max,sum,total\r\nada,33.33,100,133.33\r\nbo,,70.5,70.5\r\ncy,,?,0\r\n"
        );
    }

    #[test]
    fn persons_are_folders_or_files_and_what_all_share_is_left_out() {
        let names = |paths: &[&str]| {
            let rows: Vec<_> = paths.iter().map(|path| (*path, "hw/sum", Some(1.0))).collect();
            let lines: Vec<String> = table(&rows).lines().skip(1).map(str::to_owned).collect();
            lines.join(" ")
        };
        assert_eq!(names(&["sum/ada.py", "sum/bo.py"]), "ada,1,1 bo,1,1");
        assert_eq!(names(&["in/ada/main.py", "in/bo/main.c"]), "ada,1,1 bo,1,1");
        assert_eq!(names(&["a/ada/1/sum.py", "a/ada/2/sum.py"]), "1,1,1 2,1,1");
        assert_eq!(names(&["sum.py"]), "sum,1,1");
        assert_eq!(names(&["x/sum.py", "sum.py"]), "sum,1,1 x,1,1");
    }

    #[test]
    fn no_name_is_a_formula_or_breaks_a_line() {
        assert_eq!(field("=1+1"), "'=1+1");
        assert_eq!(field("-x"), "'-x");
        assert_eq!(field("a,\"b\"\n"), "\"a,\"\"b\"\"\"");
    }
}
