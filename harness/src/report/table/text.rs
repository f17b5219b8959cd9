//! The text of a table: how wide its columns are, and which of them fit.

use std::fmt::Write as _;

use anstyle::Style;
use unicode_width::UnicodeWidthStr as _;

use super::{TableCell, TableColumn, TableRow};
use crate::printable;
use crate::show::fit::{ending_of, padded};
use crate::show::style::{BAD, BOLD, DIM, GOOD};
use crate::show::words::{Seconds, ShownPoints};

/// The columns before the names: `ok    `.
const MARK: usize = 6;

/// The blanks between two columns.
const GAP: usize = 2;

/// The columns that a narrow terminal has at least.
const NARROWEST: usize = 20;

/// The words of a cell.
struct CellWords {
    verdict: String,
    style: Style,
    time: String,
    points: String,
}

impl CellWords {
    fn of(cell: &TableCell, with_time: bool) -> Self {
        let style = match (cell.verdict, cell.good) {
            (None, _) => DIM,
            (Some(_), true) => GOOD,
            (Some(_), false) => BAD,
        };
        let time = cell.cpu.filter(|_| with_time);
        Self {
            verdict: cell.verdict.map_or("-", |verdict| verdict.code()).to_owned(),
            style,
            time: time.map(|cpu| Seconds(cpu).to_string()).unwrap_or_default(),
            points: cell.points.map(|points| ShownPoints(points).to_string()).unwrap_or_default(),
        }
    }
}

/// A column, ready to print.
struct PrintedColumn {
    head: String,
    cells: Vec<CellWords>,
    /// The widths of verdict, time and points, with the blank before them.
    widths: [usize; 3],
}

impl PrintedColumn {
    fn new(head: &str, cells: Vec<CellWords>) -> Self {
        let widest = |of: fn(&CellWords) -> &str| {
            let widths = cells.iter().map(|cell| of(cell).width());
            widths.max().unwrap_or(0)
        };
        let blank = |width: usize| if width == 0 { 0 } else { width + 1 };
        let widths = [
            widest(|cell| &cell.verdict),
            blank(widest(|cell| &cell.time)),
            blank(widest(|cell| &cell.points)),
        ];
        Self { head: name(head), cells, widths }
    }

    fn width(&self) -> usize {
        self.widths.iter().sum::<usize>().max(self.head.width())
    }

    fn push_cell(&self, row: usize, line: &mut String) {
        let cell = &self.cells[row];
        let [verdict, time, points] = self.widths;
        let style = cell.style;
        let _ = write!(line, "{style}{}{style:#}", cell.verdict);
        let blanks = verdict - cell.verdict.width();
        let text = format!("{:blanks$}{:>time$}{:>points$}", "", cell.time, cell.points);
        line.push_str(&padded(&text, self.width() - cell.verdict.width()));
    }
}

/// The table in lines of at most `columns` columns: without the times of the groups if they do not fit, and with the
/// last groups in one column if that is not enough.
pub(super) fn fitted_table(
    rows: &[TableRow],
    table: &[TableColumn],
    columns: Option<usize>,
) -> String {
    let names = names_of(rows, columns);
    let whole = rows.iter().map(|row| CellWords::of(&TableCell::of_all(row), true));
    let whole = PrintedColumn::new("all", whole.collect());
    let used = MARK + width_of(&names) + GAP + whole.width();
    let free = columns.map_or(usize::MAX, |columns| columns.max(NARROWEST).saturating_sub(used));
    let mut printed = fitting(rows, table, free);
    printed.insert(0, whole);
    printed_table(rows, &names, &printed)
}

/// The columns that fit.
fn fitting(rows: &[TableRow], table: &[TableColumn], free: usize) -> Vec<PrintedColumn> {
    // No column is narrower than a verdict of two letters.
    let most = table.len().min(free / (GAP + 2));
    let all = [(true, table.len()), (false, table.len())].into_iter();
    let fewer = (0..=most).rev().map(|shown| (false, shown));
    let trials = all.filter(|(_, shown)| *shown <= most).chain(fewer);
    for (with_time, shown) in trials {
        let printed = printed_columns(rows, &folded(table, shown), with_time);
        let width: usize = printed.iter().map(|column| GAP + column.width()).sum();
        if width <= free {
            return printed;
        }
    }
    Vec::new()
}

/// The first columns, and one that sums up the others.
fn folded(table: &[TableColumn], shown: usize) -> Vec<TableColumn> {
    let (first, rest) = table.split_at(shown);
    let mut columns = first.to_vec();
    if !rest.is_empty() {
        columns.push(TableColumn {
            head: format!("+{}", rest.len()),
            members: rest.iter().flat_map(|one| one.members.clone()).collect(),
            groups: rest.iter().flat_map(|one| one.groups.clone()).collect(),
        });
    }
    columns
}

fn printed_columns(
    rows: &[TableRow],
    table: &[TableColumn],
    with_time: bool,
) -> Vec<PrintedColumn> {
    let printed = table.iter().map(|column| {
        let cells =
            rows.iter().map(|row| CellWords::of(&TableCell::of_column(row, column), with_time));
        let head = column.head.strip_prefix("secret/").unwrap_or(&column.head);
        PrintedColumn::new(head, cells.collect())
    });
    printed.collect()
}

/// The names of the submissions, without the folders that all share. The end of a name is kept if it is too long.
fn names_of(rows: &[TableRow], columns: Option<usize>) -> Vec<String> {
    let full: Vec<String> = rows.iter().map(|row| name(&row.report.submission)).collect();
    let common = common_folders(&full);
    let most = columns.map_or(usize::MAX, |columns| (columns / 3).max(8));
    full.iter().map(|name| ending_of(&name[common..], most)).collect()
}

/// The length of the folders that all names start with.
fn common_folders(names: &[String]) -> usize {
    let Some((first, others)) = names.split_first() else {
        return 0;
    };
    let ends = first.match_indices('/').map(|(at, _)| at + 1);
    let shared = ends.take_while(|end| others.iter().all(|name| name.starts_with(&first[..*end])));
    shared.last().unwrap_or(0)
}

/// A name on one line: a name of several lines could imitate rows.
fn name(text: &str) -> String {
    printable::one_line(text.as_bytes(), usize::MAX)
}

fn width_of(names: &[String]) -> usize {
    names.iter().map(|name| name.width()).max().unwrap_or(0)
}

fn printed_table(rows: &[TableRow], names: &[String], columns: &[PrintedColumn]) -> String {
    let width = width_of(names);
    let mut head = " ".repeat(MARK + width);
    for column in columns {
        head.push_str(&" ".repeat(GAP));
        head.push_str(&padded(&column.head, column.width()));
    }
    let mut text = format!("{DIM}{}{DIM:#}\n", head.trim_end());
    for (index, row) in rows.iter().enumerate() {
        let (style, mark) = if row.report.met { (GOOD, "ok  ") } else { (BAD, "FAIL") };
        let mut line =
            format!("{style}{mark}{style:#}  {BOLD}{}{BOLD:#}", padded(&names[index], width));
        for column in columns {
            line.push_str(&" ".repeat(GAP));
            column.push_cell(index, &mut line);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
