//! The last lines of the report: which program is how many times faster than which, on which case.

use std::fmt::Write as _;

use rejudge_statistics::{Decision, Quantity};

use super::{BenchReport, Compared, Comparison, MeasuredCase};
use crate::show::style::{BOLD, DIM};

/// Adds a line for each pair of programs that the report compares, if it is about times.
pub(super) fn lines(text: &mut String, report: &BenchReport) {
    if !matches!(report.quantity, Quantity::CpuTime | Quantity::WallTime) {
        return;
    }
    match &report.comparison {
        Some(comparison) => against_base(text, comparison),
        None => among_measured(text, report),
    }
}

/// The slowest case on which a solution and its base differ. Only if there is one solution: the table has the others.
fn against_base(text: &mut String, comparison: &Comparison) {
    let cases = &comparison.cases;
    let Some(solution) = cases.first().map(|one| &one.case_id.submission) else {
        return;
    };
    if cases.iter().any(|one| one.case_id.submission != *solution) {
        return;
    }
    let differs = |one: &&Compared| {
        matches!(one.report.decision, Decision::Improvement | Decision::Regression)
    };
    let effects = cases.iter().filter(differs).filter_map(|one| {
        let effect = one.report.effect()?;
        Some((effect.base.max(effect.new), 1.0 + effect.effect, one))
    });
    let Some((_, ratio, one)) = effects.max_by(|(a, ..), (b, ..)| a.total_cmp(b)) else {
        return;
    };
    let (fast, slow, times) = if ratio < 1.0 {
        (solution.as_str(), comparison.base.as_str(), 1.0 / ratio)
    } else {
        (comparison.base.as_str(), solution.as_str(), ratio)
    };
    line(text, fast, slow, times, &one.case_id.case);
}

/// For each problem of which several solutions were measured on one case, the fastest and the others on the slowest such
/// case.
fn among_measured(text: &mut String, report: &BenchReport) {
    let mut done: Vec<&str> = Vec::new();
    for one in &report.measured {
        let problem = one.case_id.problem.as_str();
        if done.contains(&problem) {
            continue;
        }
        done.push(problem);
        let own: Vec<_> =
            report.measured.iter().filter(|other| other.case_id.problem == problem).collect();
        let time = |one: &MeasuredCase| time_of(one, report.quantity);
        // Of the cases of the slowest run; a case that only one solution has compares nothing.
        let rivals = |case: &str| -> Vec<&&MeasuredCase> {
            own.iter().filter(|one| one.case_id.case == case).collect()
        };
        let shared = own.iter().filter(|one| rivals(&one.case_id.case).len() > 1);
        let Some(slowest) = shared.max_by(|a, b| time(a).total_cmp(&time(b))) else {
            continue;
        };
        let case = &slowest.case_id.case;
        let mut rivals = rivals(case);
        rivals.sort_by(|a, b| time(a).total_cmp(&time(b)));
        let (fastest, others) = rivals.split_first().expect("it has two or more");
        for other in others {
            let (fast, slow) = (&fastest.case_id.submission, &other.case_id.submission);
            if differ(fastest, other, report.quantity) {
                line(text, fast, slow, time(other) / time(fastest), case);
            } else {
                let _ = writeln!(
                    text,
                    "{DIM}no clear difference between {fast} and {slow} on {case}{DIM:#}"
                );
            }
        }
    }
}

fn time_of(one: &MeasuredCase, quantity: Quantity) -> f64 {
    let mut figures = one.figures.iter();
    let found = figures.find(|(found, ..)| *found == quantity);
    found.map_or(0.0, |(_, _, summary)| summary.median)
}

/// Whether the confidence intervals of two medians have nothing in common.
fn differ(fast: &MeasuredCase, slow: &MeasuredCase, quantity: Quantity) -> bool {
    let interval = |one: &MeasuredCase| {
        let mut figures = one.figures.iter();
        let (_, _, summary) = figures.find(|(found, ..)| *found == quantity)?;
        summary.interval
    };
    match (interval(fast), interval(slow)) {
        (Some(fast), Some(slow)) => fast.upper < slow.lower,
        _ => false,
    }
}

fn line(text: &mut String, fast: &str, slow: &str, times: f64, case: &str) {
    if times.is_finite() {
        let _ = writeln!(
            text,
            "{BOLD}{fast}{BOLD:#} ran {times:.2} times faster than {slow} on {case}"
        );
    }
}
