//! The problems of a contest, one line each: cases, submissions by promise, the slowest accepted one, and what is missing.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::contest::ContestList;
use crate::discover::Found;
use crate::expectation::VerdictFolder;
use crate::notice::visible;
use crate::problem::{Problem, TestCase};
use crate::show::fit::padded;
use crate::shown_samples::shown_samples;
use crate::submission::{Submission, SubmissionsByProblem};
use crate::time_limit::is_inferred;

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

/// A problem of a contest.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ContestRow<'a> {
    /// `None`: the list of the contest has no such problem, or there is no list.
    label: Option<&'a str>,
    problem: &'a str,
    title: Option<&'a str>,
    samples: usize,
    secret: usize,
    accepted: usize,
    wrong_answer: usize,
    time_limit_exceeded: usize,
    run_time_error: usize,
    other: usize,
    /// The slowest accepted submission in the report.
    slowest_accepted_cpu_ms: Option<f64>,
    /// `None`: it is inferred or not set, and the report has none.
    cpu_limit_ms: Option<f64>,
    /// The limit in the report by the time of the slowest accepted submission.
    margin: Option<f64>,
    missing: Vec<&'static str>,
    #[serde(skip)]
    is_inferred: bool,
}

impl<'a> ContestRow<'a> {
    fn of(
        problem: &'a Problem,
        own: &[&Submission],
        list: &'a ContestList,
        slowest: Option<MeasuredAccepted>,
    ) -> Self {
        let is_sample = |case: &&TestCase| case.name().starts_with("sample/");
        let judged = problem.cases.iter().filter(is_sample).count();
        let secret = problem.cases.iter().filter(|case| !case.is_static()).count() - judged;
        let samples = judged + only_shown(problem);
        let of =
            |folder| own.iter().filter(|one| one.expected.one_folder() == Some(folder)).count();
        let counts = PROMISES.map(|(_, folder)| of(folder));
        let [accepted, wrong_answer, time_limit_exceeded, run_time_error] = counts;
        let milliseconds = |time: Duration| time.as_secs_f64() * 1000.0;
        let limit = problem.limits.cpu_time.or(slowest.map(|one| one.limit));
        Self {
            label: list.entry(&problem.id).map(|entry| entry.label.as_str()),
            problem: &problem.id,
            title: problem.title.as_deref(),
            samples,
            secret,
            accepted,
            wrong_answer,
            time_limit_exceeded,
            run_time_error,
            other: own.len() - counts.iter().sum::<usize>(),
            slowest_accepted_cpu_ms: slowest.map(|one| milliseconds(one.cpu)),
            cpu_limit_ms: limit.map(milliseconds),
            // Both are of the same machine.
            margin: slowest.map(|one| milliseconds(one.limit) / milliseconds(one.cpu).max(1.0)),
            missing: missing(problem, own.len(), accepted, samples),
            is_inferred: is_inferred(problem),
        }
    }

    /// The cells of the table.
    fn cells(&self) -> Vec<String> {
        let counts = [
            self.accepted,
            self.wrong_answer,
            self.time_limit_exceeded,
            self.run_time_error,
            self.other,
        ];
        let inferred = if self.is_inferred { "inferred" } else { "" };
        let time = self.slowest_accepted_cpu_ms.map(|time| format!("{:.3} s", time / 1000.0));
        let limit = self.cpu_limit_ms.map(|limit| format!("{} s", limit / 1000.0));
        let mut cells = vec![visible(self.label.unwrap_or_default()), visible(self.problem)];
        cells.extend([self.samples.to_string(), self.secret.to_string()]);
        cells.extend(counts.map(count_or_blank));
        cells.push(time.unwrap_or_default());
        cells.push(limit.unwrap_or_else(|| inferred.to_owned()));
        cells.push(self.margin.map(|margin| format!("{margin:.1}x")).unwrap_or_default());
        cells.push(self.missing.join(", "));
        cells
    }
}

/// The problems of a contest, in its order.
pub(super) fn contest_rows<'a>(
    found: &'a Found,
    times: &MeasuredTimes,
    list: &'a ContestList,
) -> Vec<ContestRow<'a>> {
    let by_problem = SubmissionsByProblem::of(&found.submissions);
    let mut problems: Vec<&Problem> = found.problems.iter().collect();
    list.sort(&mut problems, |one| &one.id);
    let row = |problem: &'a Problem| {
        let own = by_problem.of_problem(&problem.id);
        ContestRow::of(problem, own, list, times.get(&problem.id).copied())
    };
    problems.into_iter().map(row).collect()
}

/// Writes the table.
pub(crate) fn write_contest(
    out: &mut dyn Write,
    found: &Found,
    times: &MeasuredTimes,
    list: &ContestList,
) -> io::Result<()> {
    let mut rows = vec![heads()];
    rows.extend(contest_rows(found, times, list).iter().map(ContestRow::cells));
    write_rows(out, &rows)
}

fn heads() -> Vec<String> {
    let mut heads = vec!["", "problem", "samples", "secret"];
    heads.extend(PROMISES.iter().map(|(name, _)| *name));
    heads.extend(["other", "AC time", "limit", "margin", "missing"]);
    heads.into_iter().map(str::to_owned).collect()
}

fn count_or_blank(count: usize) -> String {
    if count == 0 { "-".to_owned() } else { count.to_string() }
}

/// The number of samples that are not judged.
fn only_shown(problem: &Problem) -> usize {
    let shown = if problem.is_package { shown_samples(&problem.dir.join("data")) } else { vec![] };
    let is_judged = |name: &String| problem.cases.iter().any(|case| case.name() == name);
    shown.iter().filter(|name| !is_judged(name)).count()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    #[test]
    fn every_problem_has_a_line_with_what_is_missing() {
        let folder = tempfile::tempdir().unwrap();
        let list = "- id: q\n  label: A\n- id: p\n  label: B\n";
        std::fs::write(folder.path().join("problems.yaml"), list).unwrap();
        let list = ContestList::of(&[folder.path().to_owned()], &[]).unwrap();
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
        write_contest(&mut out, &found, &times, &list).unwrap();
        let expected = "   problem  samples  secret  AC  WA  TLE  RTE  other  AC time  limit  margin  missing
A  q              0       2   -   -    -    -      -  0.300 s  1.5 s    5.0x  statement, samples, input validator, accepted submission, wrong submission
B  p              0       3   1   1    -    -      -                          statement, samples, input validator, time limit
";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
