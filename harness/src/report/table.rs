//! The table of a problem: its submissions in rows, its groups or cases in columns. Nothing is printed here.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use crate::event::{CaseResult, SubmissionReport, with_case};
use crate::report::matrix::{MatrixRow, RunMatrix};
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
    matrix: RunMatrix<TableResult>,
}

/// A submission.
type TableRow = MatrixRow<TableResult>;

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
        Self { by, matrix: RunMatrix::default() }
    }

    /// Adds the result of a case.
    pub(crate) fn case(&mut self, result: &CaseResult) {
        let cell = TableResult {
            verdict: result.verdict,
            permitted: result.permitted,
            cpu: result.usage.cpu(),
            points: result.score,
        };
        self.matrix.case(result, |_| Some(cell).filter(|_| result.verdict != Verdict::Skipped));
    }

    /// Ends the row of a submission.
    pub(crate) fn submission(&mut self, report: &SubmissionReport) {
        self.matrix.submission(report);
    }

    /// The table in lines of at most `columns` columns, with styles. The next problem starts without rows.
    pub(crate) fn finish(&mut self, columns: Option<usize>) -> String {
        let done = std::mem::replace(self, Self::new(self.by));
        if done.matrix.rows.is_empty() {
            return String::new();
        }
        text::fitted_table(&done.matrix.rows, &done.columns(), columns)
    }

    fn columns(&self) -> Vec<TableColumn> {
        let folder =
            |case: &'_ str| case.rsplit_once('/').map_or(String::new(), |(f, _)| f.to_owned());
        let problems = self.matrix.problems.iter();
        let cases: Vec<&str> =
            problems.flat_map(|one| &one.cases).map(|case| case.name.as_str()).collect();
        let folders: BTreeSet<String> = cases.iter().map(|case| folder(case)).collect();
        if self.by == TableBy::Cases || folders.len() < 2 {
            let cases = cases.into_iter().enumerate();
            return cases
                .map(|(index, case)| TableColumn {
                    head: case.to_owned(),
                    members: vec![index],
                    groups: Vec::new(),
                })
                .collect();
        }
        let mut columns: Vec<TableColumn> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (index, case) in cases.into_iter().enumerate() {
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

impl TableCell {
    /// The sum of all cases of a submission.
    fn of_all(row: &TableRow) -> Self {
        let report = &row.report;
        Self {
            verdict: report.not_judged.is_none().then_some(report.verdict),
            good: report.met,
            cpu: report.slowest.as_ref().map(|(_, cpu)| *cpu),
            points: report.score.as_ref().map(|score| score.score),
        }
    }

    /// The sum of the cases of a column.
    fn of_column(row: &TableRow, column: &TableColumn) -> Self {
        let mut cell = Self { good: true, ..Self::default() };
        for result in column.members.iter().filter_map(|case| row.cell(*case)) {
            let before = cell.verdict.unwrap_or(result.verdict);
            cell.verdict = Some(with_case(before, result.verdict));
            cell.good &= result.permitted;
            cell.cpu = cell.cpu.max(Some(result.cpu));
            if column.groups.is_empty() {
                cell.points = sum(cell.points, result.points);
            }
        }
        let scored = row.report.score.iter().flat_map(|score| &score.groups);
        for group in scored.filter(|one| column.groups.contains(&one.group)) {
            cell.points = sum(cell.points, Some(group.score));
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
