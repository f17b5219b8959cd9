//! The history of benchmarks: reports of `rejudge bench --json`, one for each commit, as series of figures.

use std::collections::BTreeMap;
use std::io::{self, BufRead};
use std::path::Path;

use serde_json::{Value, json as value};

use crate::bench::git::GitError;
use crate::bench::report::{BenchReport, json};
use crate::notice::{Code, Notice};
use crate::printable::one_line;
use crate::report::html;
use crate::report::words::Count;

mod baselines;
mod change_points;

pub(crate) use baselines::BaselineHistory;
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
}

impl History {
    /// Adds the report `from`, which the page calls `label` and messages call `name`.
    pub(crate) fn add(
        &mut self,
        label: &str,
        name: &str,
        from: impl BufRead,
    ) -> Result<(), HistoryError> {
        let at = self.labels.len();
        self.labels.push(one_line(label.as_bytes(), 100));
        for (index, line) in from.lines().enumerate() {
            let bad = |why: String| {
                let (line, why) = (index + 1, one_line(why.as_bytes(), 200));
                let what =
                    format!("`{name}` is not a report of `rejudge bench`: line {line}: {why}");
                Code::InvalidReport
                    .says(what)
                    .help("name files that `rejudge bench --json FILE` wrote")
            };
            let line = line.map_err(|error| HistoryError::Io(name.to_owned(), error))?;
            let record: Value =
                serde_json::from_str(&line).map_err(|error| bad(error.to_string()))?;
            if record["schema"] != 1 {
                return Err(bad(format!("schema {}, expected 1", record["schema"])).into());
            }
            match record["type"].as_str() {
                Some("start") => self.start(name, &record)?,
                Some("measured") => self.measured(at, &record),
                _ => {}
            }
        }
        for series in self.series.values_mut() {
            series.resize(at + 1, None);
        }
        Ok(())
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
                Err(Code::InvalidReport
                    .says(what)
                    .help("draw reports of one quantity")
                    .into())
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
        let key = ["problem", "submission", "case"]
            .map(|key| one_line(record[key].as_str().unwrap_or_default().as_bytes(), 500));
        let series = self.series.entry(key).or_default();
        series.resize(at, None);
        series.push(Some((median, interval)));
    }

    /// The data of the page.
    fn data(&self) -> Value {
        let series = self
            .series
            .iter()
            .map(|([problem, submission, case], points)| {
                let point = |point: &Option<Point>| {
                    point.map(|(median, interval)| {
                        let (lower, upper) = interval.unzip();
                        value!([median, lower, upper])
                    })
                };
                value!({
                    "problem": problem,
                    "submission": submission,
                    "case": case,
                    "points": points.iter().map(point).collect::<Vec<_>>(),
                    "changes": changes(points),
                })
            });
        value!({
            "labels": self.labels,
            "unit": self.quantity.as_ref().map(|(_, unit)| unit),
            "series": series.collect::<Vec<_>>(),
            "conditions": self.conditions,
        })
    }

    /// Writes the page to `path`.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let (reports, cases) = (self.labels.len(), self.series.len());
        let headline = format!(
            "{} of {}",
            Count(reports, "benchmark"),
            Count(cases, "case")
        );
        html::write_history(path, &headline, &self.data())
    }
}

/// Writes a page of one report to `path`.
pub(crate) fn write_page(report: &BenchReport, path: &Path) -> io::Result<()> {
    let mut lines = Vec::new();
    json::write(report, &mut lines)?;
    let mut history = History::default();
    let added = history.add("this benchmark", "the report", &lines[..]);
    added.map_err(io::Error::other)?;
    history.write(path)
}

/// The reports with which a series shifts. Reports without a figure do not count.
fn changes(points: &[Option<Point>]) -> Vec<usize> {
    let known = points.iter().enumerate();
    let known: Vec<(usize, f64)> = known
        .filter_map(|(at, point)| Some((at, point.as_ref()?.0)))
        .collect();
    let figures: Vec<f64> = known.iter().map(|(_, median)| *median).collect();
    let found = change_points(&figures).into_iter();
    found.map(|index| known[index].0).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{History, changes};

    fn report(case: &str, median: f64) -> String {
        format!(
            "{{\"type\":\"start\",\"schema\":1,\"quantity\":\"cpu\",\"unit\":\"s\",\"meter\":\"clocks\"}}\n\
             {{\"type\":\"measured\",\"schema\":1,\"problem\":\"p\",\"submission\":\"a.rs\",\"case\":\"{case}\",\
             \"cpu_s\":{{\"median\":{median},\"interval\":[0.5,3.0]}}}}\n"
        )
    }

    #[test]
    fn each_case_is_a_series_over_the_reports_that_measure_it() {
        let mut history = History::default();
        for (label, case, median) in [("one", "1", 1.0), ("two", "2", 1.5), ("three", "1", 2.0)] {
            history
                .add(label, label, report(case, median).as_bytes())
                .unwrap();
        }
        let data = history.data();
        assert_eq!(data["labels"], json!(["one", "two", "three"]));
        assert_eq!(
            data["series"][0]["points"],
            json!([[1.0, 0.5, 3.0], null, [2.0, 0.5, 3.0]])
        );
        assert_eq!(
            data["series"][1]["points"],
            json!([null, [1.5, 0.5, 3.0], null])
        );
    }

    #[test]
    fn a_shift_is_at_its_report_even_if_others_have_no_figure() {
        let mut points = vec![Some((1.0, None)); 8];
        points.extend(vec![Some((2.0, None)); 8]);
        points.insert(3, None);
        assert_eq!(changes(&points), [9]);
    }

    #[test]
    fn what_is_not_a_report_of_bench_is_an_error() {
        let memory = report("1", 1.0).replace("\"cpu\"", "\"memory\"");
        for (text, shown) in [
            ("no\n", "line 1"),
            (
                "{\"type\":\"start\",\"schema\":2}\n",
                "schema 2, expected 1",
            ),
            (
                &memory,
                "measures memory, and the files before it measure cpu",
            ),
        ] {
            let mut history = History::default();
            history.add("a", "a", report("1", 1.0).as_bytes()).unwrap();
            let error = history
                .add("b", "b", text.as_bytes())
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(shown) && error.contains("\nhelp: "),
                "{error}"
            );
        }
    }
}
