//! The review of a time limit on the terminal.

use std::fmt::Write as _;

use super::{Review, ReviewRow};
use crate::expectation::Bound;
use crate::problem::Format;
use crate::show::columns::columns;
use crate::show::words::{LimitSeconds, Seconds};

/// The review of a problem.
pub(crate) fn text_of(review: &Review) -> String {
    let mut text = String::new();
    let head = match (review.given, &review.inferred) {
        (Some(given), Some(found)) => format!(
            "time limit {} (set); the submissions give {}",
            LimitSeconds(given),
            LimitSeconds(found.limit)
        ),
        (Some(given), None) => format!("time limit {} (set)", LimitSeconds(given)),
        (None, Some(found)) => format!("time limit {}", LimitSeconds(found.limit)),
        (None, None) => "no submission has to be in time, so no time limit follows".to_owned(),
    };
    let _ = writeln!(text, "{}: {head}", review.problem);
    if let Some(found) = &review.inferred {
        let _ = writeln!(text, "  {}", found.why);
    }
    table(&mut text, review);
    if let Some((least, most)) = review.interval().filter(|(least, most)| least != most) {
        let (least, most) = (LimitSeconds(least), LimitSeconds(most));
        let _ = writeln!(text, "  not certain: the repeated runs give {least} to {most}");
    }
    let limits = |all: Vec<String>| all.join(", ");
    let formats = review.by_format().into_iter().map(|(format, limit)| {
        let own = if format == review.format { " (used here)" } else { "" };
        format!("{} {}{own}", format_name(format), LimitSeconds(limit))
    });
    let formats = limits(formats.collect());
    if !formats.is_empty() {
        let _ = writeln!(text, "  limit by format: {formats}");
    }
    let machines = review.on_machines().into_iter();
    let machines =
        machines.map(|(factor, limit)| format!("{} (times × {factor})", LimitSeconds(limit)));
    let machines = limits(machines.collect());
    if !machines.is_empty() {
        let _ = writeln!(text, "  limit on faster and slower machines: {machines}");
    }
    slack(&mut text, review);
    if let Some(conflict) = &review.conflict {
        let _ = writeln!(text, "  no limit fits: {conflict}");
    }
    text
}

fn slack(text: &mut String, review: &Review) {
    let Some(limit) = review.limit() else { return };
    let limit = LimitSeconds(limit);
    let _ = match review.slack() {
        (Some(least), Some(most)) => writeln!(
            text,
            "  {limit} keeps both margins on machines that take {least:.2} to {most:.2} times as long"
        ),
        (None, Some(most)) => writeln!(
            text,
            "  {limit} keeps the margin on machines that take at most {most:.2} times as long"
        ),
        _ => Ok(()),
    };
}

/// A line for each submission.
fn table(text: &mut String, review: &Review) {
    let mut lines = vec![
        ["submission", "language", "slowest case", "time", "runs", "margin"].map(str::to_owned),
    ];
    for row in &review.rows {
        lines.push(cells(review, row));
    }
    if lines.len() == 1 {
        return;
    }
    columns(text, &lines);
}

fn cells(review: &Review, row: &ReviewRow) -> [String; 6] {
    let name = row.timed.submission.clone();
    let language = row.language.clone();
    if let Some(why) = &row.timed.unusable {
        let left_out = format!("cannot be run: {why}");
        return [name, language, left_out, String::new(), String::new(), String::new()];
    }
    let Some((time, stopped)) = row.time() else {
        let none = "no case counts".to_owned();
        return [name, language, none, String::new(), String::new(), String::new()];
    };
    let mark = if stopped { "> " } else { "" };
    let runs = row
        .spread
        .map(|spread| format!("{:.3} .. {}", spread.least.as_secs_f64(), Seconds(spread.greatest)));
    let margin = review.ratio(row).map(|ratio| {
        let (word, mark) = match (row.timed.side, stopped) {
            (Bound::Upper, true) => ("above", "> "),
            (Bound::Upper, false) => ("above", ""),
            (_, true) => ("below", "< "),
            (_, false) => ("below", ""),
        };
        let short = if review.is_short(row) { ", too small" } else { "" };
        format!("{mark}{ratio:.2} {word} (at least {}{short})", review.demanded(row))
    });
    [
        name,
        language,
        row.case().unwrap_or_default().to_owned(),
        format!("{mark}{}", Seconds(time)),
        runs.unwrap_or_default(),
        margin.unwrap_or_default(),
    ]
}

/// The name of a version of the format.
pub(super) fn format_name(format: Format) -> &'static str {
    match format {
        Format::Legacy => "legacy",
        Format::V2025 => "2025-09",
    }
}
