//! The curve as a character drawing, on logarithmic axes.

use std::fmt::Write as _;

use super::fit::Fit;

/// A size and its figure, in the unit of the axis.
pub(super) type Dot = (f64, f64);

/// Rows of the drawing area.
const ROWS: usize = 12;

/// Columns of the drawing area.
const COLUMNS: usize = 60;

/// Draws the dots and the curve of the fit. `label` formats a figure for the vertical axis.
pub(super) fn chart(dots: &[Dot], fit: &Fit, label: &dyn Fn(f64) -> String) -> String {
    let (left, right) = bounds(dots.iter().map(|dot| dot.0));
    let curve = |column: usize| {
        let share = column as f64 / (COLUMNS - 1) as f64;
        fit.at(left * (right / left).powf(share))
    };
    let values = dots.iter().map(|dot| dot.1);
    let (bottom, top) = bounds(values.chain((0..COLUMNS).map(curve)));
    let row = |value: f64| position(value, (bottom, top), ROWS);
    let mut cells = vec![[' '; COLUMNS]; ROWS];
    for column in 0..COLUMNS {
        cells[row(curve(column))][column] = '·';
    }
    for (n, value) in dots {
        cells[row(*value)][position(*n, (left, right), COLUMNS)] = '●';
    }
    let labels = [label(top), label((bottom * top).sqrt()), label(bottom)];
    let width = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (index, cells) in cells.iter().rev().enumerate() {
        let label = match index {
            0 => labels[0].as_str(),
            _ if index == ROWS / 2 => labels[1].as_str(),
            _ if index == ROWS - 1 => labels[2].as_str(),
            _ => "",
        };
        let line: String = cells.iter().collect();
        let _ = writeln!(text, "{label:>width$} │{}", line.trim_end());
    }
    let (first, last) = (left.to_string(), right.to_string());
    let gap = COLUMNS.saturating_sub(first.len());
    let _ = writeln!(text, "{:>width$} └{}", "", "─".repeat(COLUMNS));
    let _ = writeln!(text, "{:>width$}  {first}{last:>gap$}", "");
    text
}

fn position(value: f64, (low, high): (f64, f64), cells: usize) -> usize {
    if high <= low {
        return 0;
    }
    let share = ((value / low).ln() / (high / low).ln()).clamp(0.0, 1.0);
    (share * (cells - 1) as f64).round() as usize
}

pub(super) fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(low, high), value| (low.min(value), high.max(value)))
}
