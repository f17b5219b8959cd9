//! The human-readable report of `rejudge strength`.

use std::fmt::Write as _;

use super::bounds::{BoundsReview, MissingExtreme};
use super::margin::MARGIN;
use super::mutant_text;
use super::review::StrengthReview;
use crate::notice::few;
use crate::show::columns::columns;
use crate::show::style::{BAD, GOOD, WARN};
use crate::show::words::{Count, Seconds};
use crate::verify::{CatchCounts, caught_words};

/// The report about one problem.
pub(crate) fn text_of(review: &StrengthReview) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", summary(review));
    table(&mut text, review);
    if review.matrix.wrong().next().is_some() {
        sets(&mut text, review);
    }
    close(&mut text, review);
    if let Some(found) = &review.bounds {
        bounds(&mut text, found);
    }
    if let Some(mutants) = &review.mutants {
        mutant_text::write(&mut text, mutants);
    }
    text
}

/// One line about the wrong submissions: `sum: 2 of 12 cases catch all 9 wrong submissions`.
fn summary(review: &StrengthReview) -> String {
    let id = &review.matrix.problem;
    let counts = review.counts();
    if counts.wrong == 0 {
        let cases = Count(counts.cases, "case");
        return format!("{id}: {cases}; no submission must be rejected");
    }
    let (style, word) = match counts {
        CatchCounts { uncaught: 1.., .. } => (BAD, "FAIL "),
        CatchCounts { wrong, caught, .. } if caught < wrong => (WARN, "?    "),
        _ => (GOOD, "ok   "),
    };
    format!("{style}{word}{style:#} {id}: {}", caught_words(&counts))
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

fn sets(text: &mut String, review: &StrengthReview) {
    let killing = &review.killing;
    let mut line = |what: &str| {
        let _ = writeln!(text, "  {what}");
    };
    if !killing.minimal.is_empty() {
        let names = review.names(&killing.minimal).join(", ");
        let kind = match (killing.is_exact, killing.is_complete) {
            (true, _) => "a smallest set of cases that catches as much",
            (false, true) => {
                "a small set of cases that catches as much (the search for a smaller one was ended)"
            }
            (false, false) => "a small set of cases that catches as much, as far as they were run",
        };
        line(&format!("{kind}: {names}"));
    }
    if !killing.essential.is_empty() {
        let names = review.names(&killing.essential);
        line(&format!("cases that alone catch a submission: {}", few(&names)));
    }
    if !killing.redundant.is_empty() {
        let names = review.names(&killing.redundant);
        line(&format!("catch nothing that another case does not catch: {}", few(&names)));
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
        let (name, cases) = (&catch.submission, few(&catch.cases));
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

/// Writes the extremes that no case reaches.
fn bounds(text: &mut String, review: &BoundsReview) {
    if review.missing.is_empty() && review.variables > 0 {
        let noun = if review.is_logged { "variable" } else { "number" };
        let count = Count(review.variables, noun);
        let _ = writeln!(text, "  the cases reach every extreme that is known, of {count}");
    }
    for missing in &review.missing {
        let MissingExtreme { variable, is_greatest, bound, accepted, reached } = missing;
        let end = if *is_greatest { "greatest" } else { "least" };
        let _ = match (reached, bound, accepted) {
            (Some(reached), Some(bound), _) => writeln!(
                text,
                "  {variable}: the {end} is {reached}, but the validator accepts {bound}"
            ),
            (Some(reached), None, accepted) => writeln!(
                text,
                "  {variable}: the {end} is {reached}, but the validator accepts {}, and no bound was found",
                accepted.as_deref().unwrap_or("others")
            ),
            (None, Some(bound), _) => {
                writeln!(text, "  `{variable}` never has its {end} value, {bound}")
            }
            (None, None, _) => writeln!(text, "  `{variable}` never has its {end} value"),
        };
    }
    for feature in &review.missing_features {
        let _ = writeln!(text, "  no case has the feature `{feature}`");
    }
}
