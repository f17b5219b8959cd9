//! The human-readable report of `rejudge strength`.

use std::fmt::Write as _;

use super::margin::MARGIN;
use super::review::StrengthReview;
use crate::report::fit::padded;
use crate::report::style::{BAD, GOOD, WARN};
use crate::report::words::{Count, Seconds, few};

/// The report about one problem.
pub(crate) fn text_of(review: &StrengthReview) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", summary(review));
    table(&mut text, review);
    if review.matrix.wrong().next().is_some() {
        sets(&mut text, review);
    }
    close(&mut text, review);
    text
}

/// One line about the wrong submissions: `sum: 2 of 12 cases catch all 9 wrong submissions`.
fn summary(review: &StrengthReview) -> String {
    let (id, killing) = (&review.matrix.problem, &review.killing);
    let cases = Count(review.matrix.cases.len(), "case");
    let wrong = review.matrix.wrong().count();
    let open = killing.uncaught.len();
    if wrong == 0 {
        return format!("{id}: {cases}; no submission must be rejected");
    }
    let (style, word) = if open > 0 {
        (BAD, "FAIL ")
    } else {
        (GOOD, "ok   ")
    };
    format!(
        "{style}{word}{style:#} {id}: {}",
        caught_words(
            wrong,
            open,
            killing.minimal.len(),
            review.matrix.cases.len()
        )
    )
}

/// `2 of 12 cases catch all 9 wrong submissions`.
pub(crate) fn caught_words(wrong: usize, open: usize, minimal: usize, cases: usize) -> String {
    let cases = Count(cases, "case");
    let all = Count(wrong, "wrong submission");
    let catch = if minimal == 1 { "catches" } else { "catch" };
    let not = if open == 1 { "is not" } else { "are not" };
    match wrong - open {
        0 => format!("no case catches any of {all}"),
        caught if open > 0 => {
            format!("{minimal} of {cases} {catch} {caught} of {all}, and {open} {not} caught")
        }
        1 => format!("{minimal} of {cases} {catch} the wrong submission"),
        _ => format!("{minimal} of {cases} {catch} all {all}"),
    }
}

fn table(text: &mut String, review: &StrengthReview) {
    let all = review.matrix.cases.len();
    let rows: Vec<[String; 3]> = review
        .matrix
        .wrong()
        .map(|submission| {
            let (catching, unknown) = (review.catching(submission), review.unknown(submission));
            let mut caught = match catching.len() {
                0 => "no case".to_owned(),
                count => format!("{count} of {all}: {}", few(&catching)),
            };
            if !unknown.is_empty() {
                let _ = write!(caught, " ({} not judged)", Count(unknown.len(), "case"));
            }
            let code = submission.verdict.code().to_owned();
            [submission.name.clone(), code, caught]
        })
        .collect();
    if rows.is_empty() {
        return;
    }
    let head = ["submission", "verdict", "caught by"].map(str::to_owned);
    columns(text, &[vec![head], rows].concat());
}

/// Writes a table whose columns are as wide as their widest cell.
pub(super) fn columns<const N: usize>(text: &mut String, rows: &[[String; N]]) {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..N).map(width).collect();
    for row in rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            line.push(' ');
            line.push_str(&padded(cell, width + 1));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

fn sets(text: &mut String, review: &StrengthReview) {
    let killing = &review.killing;
    let mut line = |what: &str| {
        let _ = writeln!(text, "  {what}");
    };
    if !killing.minimal.is_empty() {
        let names = review.names(&killing.minimal).join(", ");
        let kind = if killing.is_exact {
            "a smallest set of cases that catches as much"
        } else {
            "a small set of cases that catches as much (the search for a smaller one was ended)"
        };
        line(&format!("{kind}: {names}"));
    }
    if !killing.essential.is_empty() {
        let names = review.names(&killing.essential);
        line(&format!(
            "cases that alone catch a submission: {}",
            few(&names)
        ));
    }
    if !killing.redundant.is_empty() {
        let names = review.names(&killing.redundant);
        line(&format!(
            "catch nothing that another case does not catch: {}",
            few(&names)
        ));
    }
    let idle = review.idle();
    if !idle.is_empty() {
        line(&format!("catch nothing: {}", few(&review.names(&idle))));
    }
    let order = &review.order;
    let best = &order.cases[..order.needed];
    if let Some((present, soonest)) = order.mean.filter(|(present, soonest)| soonest < present) {
        let names = review.names(best);
        line(&format!(
            "rejects soonest if these cases come first: {} ({} of CPU time instead of {})",
            few(&names),
            Seconds(soonest),
            Seconds(present)
        ));
    }
}

fn close(text: &mut String, review: &StrengthReview) {
    for catch in &review.close {
        let cases: Vec<&str> = catch.cases.iter().map(String::as_str).collect();
        let (name, cases) = (&catch.submission, few(&cases));
        let _ = if catch.is_certain {
            writeln!(
                text,
                "  {WARN}close to the time limit{WARN:#}: `{name}` is caught only by time ({cases}), and accepted with \
                 {MARGIN} times the limit"
            )
        } else {
            writeln!(
                text,
                "  `{name}` is caught only by time ({cases}); it was stopped, so the report does not show by how much"
            )
        };
    }
}
