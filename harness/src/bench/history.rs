//! The history of benchmarks: reports of `rejudge bench --json`, one for each commit, as series of figures.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, BufRead};
use std::path::Path;

use rejudge_statistics::median;
use serde_json::{Value, json as value};

use crate::bench::git::GitError;
use crate::bench::report::{BenchReport, Comparison, json};
use crate::notice::{Code, Notice};
use crate::printable::one_line;
use crate::show::words::INTERRUPTED;

mod baselines;
mod change_points;
mod page;

use change_points::change_points;

/// Why there is no history.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HistoryError {
    /// It cannot be read.
    #[error("cannot read `{0}`")]
    Io(String, #[source] std::io::Error),
    /// A line is not a line of such a report, two files have figures of different kinds, or no commit has a baseline at
    /// this path.
    #[error(transparent)]
    Notice(#[from] Notice),
    /// The history of a path cannot be read.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// Problem, submission and case.
type FigureKey = [String; 3];

/// A median with its interval, if that is known.
type Point = (f64, Option<(f64, f64)>);

/// The figures of many commits.
#[derive(Debug, Default)]
pub(crate) struct History {
    labels: Vec<String>,
    quantity: Option<(String, String)>,
    series: BTreeMap<FigureKey, Vec<Option<Point>>>,
    /// Changes of compilers and the like, each with the index of its label.
    conditions: Vec<(usize, String)>,
    /// What is missing, a sentence for each gap.
    missing: Vec<String>,
}

impl History {
    /// Adds the report `from`, which the page calls `label` and messages call `name`. Of a report that ends early, what is
    /// whole counts.
    pub(crate) fn add(
        &mut self,
        label: &str,
        name: &str,
        mut from: impl BufRead,
    ) -> Result<(), HistoryError> {
        let at = self.label(label);
        let mut line = Vec::new();
        let (mut number, mut is_whole) = (0, false);
        loop {
            line.clear();
            let read = from.read_until(b'\n', &mut line);
            if read.map_err(|error| HistoryError::Io(name.to_owned(), error))? == 0 {
                break;
            }
            number += 1;
            match serde_json::from_slice(&line) {
                Ok(record) => is_whole |= self.line(at, name, number, &record)?,
                // The line was not written to its end.
                Err(_) if number > 1 && line.last() != Some(&b'\n') => break,
                Err(error) => return Err(bad(name, number, &error).into()),
            }
        }
        if number == 0 {
            return Err(bad(name, 1, &"the file is empty").into());
        }
        if !is_whole {
            let what = "ends before its summary, so some of its cases may be missing";
            self.missing.push(format!("`{name}` {what}"));
        }
        self.pad();
        Ok(())
    }

    /// Adds a label. Returns its index.
    fn label(&mut self, label: &str) -> usize {
        self.labels.push(one_line(label.as_bytes(), 100));
        self.labels.len() - 1
    }

    /// Makes all series as long as the labels.
    fn pad(&mut self) {
        for series in self.series.values_mut() {
            series.resize(self.labels.len(), None);
        }
    }

    /// Adds a line of a report. Returns whether it is the last line of a whole report.
    fn line(
        &mut self,
        at: usize,
        name: &str,
        number: usize,
        record: &Value,
    ) -> Result<bool, HistoryError> {
        if number == 1 && record["type"] != "start" {
            let why = format!("the first line has the type {}, not `start`", record["type"]);
            return Err(bad(name, number, &why).into());
        }
        if record["schema"] != 1 {
            let why = format!("schema {}, expected 1", record["schema"]);
            return Err(bad(name, number, &why).into());
        }
        match record["type"].as_str() {
            Some("start") => self.start(name, record)?,
            Some("measured") => self.measured(at, record),
            Some("compared") => self.compared(at, record),
            Some("summary") => return Ok(true),
            _ => {}
        }
        Ok(false)
    }

    fn start(&mut self, name: &str, record: &Value) -> Result<(), HistoryError> {
        let word = |key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let new = (word("quantity"), word("unit"));
        match &self.quantity {
            Some(known) if *known != new => {
                let (other, quantity) = (one_line(new.0.as_bytes(), 40), &known.0);
                let what = format!(
                    "`{name}` measures {other}, and the files before it measure {quantity}"
                );
                Err(Code::InvalidReport.says(what).help("draw reports of one quantity").into())
            }
            _ => {
                self.quantity = Some(new);
                Ok(())
            }
        }
    }

    fn measured(&mut self, at: usize, record: &Value) {
        let Some((quantity, unit)) = &self.quantity else {
            return;
        };
        let figures = [quantity.clone(), format!("{quantity}_{unit}")];
        let mut figures = figures.iter().map(|key| &record[key.as_str()]);
        let Some((figures, median)) =
            figures.find_map(|figures| Some((figures, figures["median"].as_f64()?)))
        else {
            return;
        };
        let interval = &figures["interval"];
        let interval = interval[0].as_f64().zip(interval[1].as_f64());
        self.point(at, key(record), (median, interval));
    }

    /// Adds the figure of the new version.
    fn compared(&mut self, at: usize, record: &Value) {
        if let Some(median) = record["first"]["new"].as_f64() {
            self.point(at, key(record), (median, None));
        }
    }

    fn point(&mut self, at: usize, key: FigureKey, point: Point) {
        let series = self.series.entry(key).or_default();
        series.resize(at, None);
        series.push(Some(point));
    }

    /// Adds the figures of the base of a comparison.
    fn base(&mut self, comparison: &Comparison) {
        let at = self.label(&comparison.base);
        for one in &comparison.cases {
            if let Some(effect) = &one.report.first {
                let names = [&one.case_id.problem, &one.case_id.submission, &one.case_id.case];
                let key = names.map(|name| one_line(name.as_bytes(), 500));
                self.point(at, key, (effect.base, None));
            }
        }
        self.pad();
    }

    /// What is missing, a sentence for each gap.
    pub(crate) fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Notes that the measurement was interrupted.
    pub(crate) fn interrupted(&mut self) {
        self.missing.push(INTERRUPTED.to_owned());
    }

    /// The series, those that moved most first.
    fn ranked(&self) -> Vec<Series<'_>> {
        let series = self.series.iter();
        let mut ranked: Vec<Series<'_>> = series
            .map(|(key, points)| {
                let changes = changes(points);
                Series { moved: moved(points, &changes), key, points, changes }
            })
            .collect();
        ranked.sort_by(|a, b| b.moved.ln().abs().total_cmp(&a.moved.ln().abs()));
        ranked
    }

    /// The data of the page.
    fn data(&self, ranked: &[Series<'_>]) -> Value {
        let series = ranked.iter().map(|one| {
            let point = |point: &Option<Point>| {
                point.map(|(median, interval)| {
                    let (lower, upper) = interval.unzip();
                    value!([median, lower, upper])
                })
            };
            let [problem, submission, case] = one.key;
            value!({
                "problem": problem,
                "submission": submission,
                "case": case,
                "points": one.points.iter().map(point).collect::<Vec<_>>(),
                "changes": one.changes,
            })
        });
        value!({
            "labels": self.labels,
            "unit": self.quantity.as_ref().map(|(_, unit)| unit),
            "series": series.collect::<Vec<_>>(),
        })
    }
}

/// The figures of a solution on a case.
struct Series<'a> {
    key: &'a FigureKey,
    points: &'a [Option<Point>],
    /// The labels with which it shifts.
    changes: Vec<usize>,
    /// See [`moved`].
    moved: f64,
}

fn key(record: &Value) -> FigureKey {
    ["problem", "submission", "case"]
        .map(|key| one_line(record[key].as_str().unwrap_or_default().as_bytes(), 500))
}

fn bad(name: &str, line: usize, why: &dyn Display) -> Notice {
    let why = one_line(why.to_string().as_bytes(), 200);
    Code::InvalidReport
        .says(format!("`{name}` is not a report of `rejudge bench`: line {line}: {why}"))
        .help("name files that `rejudge bench --json FILE` wrote")
}

/// Writes a page of one report to `path`; without a report, of a measurement that ended before it had any.
pub(crate) fn write_page(
    report: Option<&BenchReport>,
    is_interrupted: bool,
    path: &Path,
) -> io::Result<()> {
    let mut history = History::default();
    if let Some(report) = report {
        if let Some(comparison) = &report.comparison {
            history.base(comparison);
        }
        let mut lines = Vec::new();
        json::write(report, &mut lines)?;
        let added = history.add("this benchmark", "the report", &lines[..]);
        added.map_err(io::Error::other)?;
    }
    if is_interrupted {
        history.interrupted();
    }
    history.write(path)
}

/// The change of a series from its first segment to its last, as a ratio. Two figures, which are too few for a change point,
/// are compared as they are.
fn moved(points: &[Option<Point>], changes: &[usize]) -> f64 {
    let level = |segment: &[Option<Point>]| {
        let medians = segment.iter().flatten().map(|(median, _)| *median);
        median(&medians.collect::<Vec<f64>>()).unwrap_or(f64::NAN)
    };
    let (first, last) = match (points, changes) {
        ([Some((base, _)), Some((new, _))], _) => (*base, *new),
        (_, [first, ..]) => {
            let last = changes.last().unwrap_or(first);
            (level(&points[..*first]), level(&points[*last..]))
        }
        _ => (1.0, 1.0),
    };
    let ratio = last / first;
    if ratio.is_finite() && ratio > 0.0 { ratio } else { 1.0 }
}

/// The reports with which a series shifts. Reports without a figure do not count.
fn changes(points: &[Option<Point>]) -> Vec<usize> {
    let known = points.iter().enumerate();
    let known: Vec<(usize, f64)> =
        known.filter_map(|(at, point)| Some((at, point.as_ref()?.0))).collect();
    let figures: Vec<f64> = known.iter().map(|(_, median)| *median).collect();
    let found = change_points(&figures).into_iter();
    found.map(|index| known[index].0).collect()
}

#[cfg(test)]
mod tests;
