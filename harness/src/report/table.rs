//! The table of a problem: its submissions in rows, its groups or cases in columns. Nothing is printed here.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use crate::event::{CaseResult, SubmissionReport, with_case};
use crate::verdict::Verdict;

mod text;

/// What the columns of a table are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TableBy {
    /// Groups; of a problem without groups, cases
    Groups,
    /// Cases
    Cases,
}

/// The results of the current problem.
pub(crate) struct VerdictTable {
    by: TableBy,
    /// The names of the cases, in order.
    cases: Vec<String>,
    by_name: HashMap<String, usize>,
    rows: Vec<TableRow>,
    /// The results of the submission that is judged now.
    open: Vec<Option<TableResult>>,
}

/// A submission.
struct TableRow {
    submission: String,
    met: bool,
    /// The cell of all cases together.
    whole: TableCell,
    /// Its results, in the order of the cases; later cases were not run.
    results: Vec<Option<TableResult>>,
    /// The points of its groups.
    points: HashMap<String, f64>,
}

/// A submission on a case.
#[derive(Clone, Copy)]
struct TableResult {
    verdict: Verdict,
    permitted: bool,
    cpu: Duration,
    points: Option<f64>,
}

/// A column: some of the cases.
#[derive(Clone)]
struct TableColumn {
    head: String,
    /// The indices of its cases.
    members: Vec<usize>,
    /// The groups whose points it shows; empty: it shows those of its cases.
    groups: Vec<String>,
}

/// The sum of some cases of a submission.
#[derive(Debug, Clone, PartialEq, Default)]
struct TableCell {
    /// `None`: no case was run.
    verdict: Option<Verdict>,
    good: bool,
    /// The slowest CPU time.
    cpu: Option<Duration>,
    points: Option<f64>,
}

impl VerdictTable {
    /// A table without rows.
    pub(crate) fn new(by: TableBy) -> Self {
        Self { by, cases: Vec::new(), by_name: HashMap::new(), rows: Vec::new(), open: Vec::new() }
    }

    /// Adds the result of a case.
    pub(crate) fn case(&mut self, result: &CaseResult) {
        let column = self.by_name.get(&result.case).copied().unwrap_or_else(|| {
            self.by_name.insert(result.case.clone(), self.cases.len());
            self.cases.push(result.case.clone());
            self.cases.len() - 1
        });
        if result.verdict == Verdict::Skipped {
            return;
        }
        if self.open.len() <= column {
            self.open.resize(column + 1, None);
        }
        self.open[column] = Some(TableResult {
            verdict: result.verdict,
            permitted: result.permitted,
            cpu: result.usage.cpu(),
            points: result.score,
        });
    }

    /// Ends the row of a submission.
    pub(crate) fn submission(&mut self, report: &SubmissionReport) {
        let score = report.score.as_ref();
        let groups = score.map_or(&[][..], |score| &score.groups);
        let points = groups.iter().map(|one| (one.group.clone(), one.score));
        self.rows.push(TableRow {
            submission: report.submission.clone(),
            met: report.met,
            whole: TableCell {
                verdict: report.not_judged.is_none().then_some(report.verdict),
                good: report.met,
                cpu: report.slowest.as_ref().map(|(_, cpu)| *cpu),
                points: score.map(|score| score.score),
            },
            results: std::mem::take(&mut self.open),
            points: points.collect(),
        });
    }

    /// The table in lines of at most `columns` columns, with styles. The next problem starts without rows.
    pub(crate) fn finish(&mut self, columns: Option<usize>) -> String {
        let done = std::mem::replace(self, Self::new(self.by));
        if done.rows.is_empty() {
            return String::new();
        }
        text::fitted_table(&done.rows, &done.columns(), columns)
    }

    fn columns(&self) -> Vec<TableColumn> {
        let folder =
            |case: &'_ str| case.rsplit_once('/').map_or(String::new(), |(f, _)| f.to_owned());
        let folders: BTreeSet<String> = self.cases.iter().map(|case| folder(case)).collect();
        if self.by == TableBy::Cases || folders.len() < 2 {
            let cases = self.cases.iter().enumerate();
            return cases
                .map(|(index, case)| TableColumn {
                    head: case.clone(),
                    members: vec![index],
                    groups: Vec::new(),
                })
                .collect();
        }
        let mut columns: Vec<TableColumn> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (index, case) in self.cases.iter().enumerate() {
            let head = folder(case);
            let place = *places.entry(head.clone()).or_insert_with(|| {
                columns.push(TableColumn { groups: vec![head.clone()], head, members: Vec::new() });
                columns.len() - 1
            });
            columns[place].members.push(index);
        }
        columns
    }
}

impl TableRow {
    /// The sum of the cases of a column.
    fn cell(&self, column: &TableColumn) -> TableCell {
        let result = |index: &usize| self.results.get(*index).copied().flatten();
        let mut cell = TableCell { good: true, ..TableCell::default() };
        for result in column.members.iter().filter_map(result) {
            let before = cell.verdict.unwrap_or(result.verdict);
            cell.verdict = Some(with_case(before, result.verdict));
            cell.good &= result.permitted;
            cell.cpu = cell.cpu.max(Some(result.cpu));
            if column.groups.is_empty() {
                cell.points = sum(cell.points, result.points);
            }
        }
        for group in &column.groups {
            cell.points = sum(cell.points, self.points.get(group).copied());
        }
        cell
    }
}

fn sum(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests;
