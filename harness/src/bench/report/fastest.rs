//! The last lines of the report: a bar for each program, and which is how many times faster than which, on which case.

use std::fmt::Write as _;

use rejudge_statistics::{Decision, Interval, Quantity};

use super::bars::bar;
use super::labels::{padded, widest};
use super::{BenchReport, Compared, Comparison, MeasuredCase};
use crate::bench::run_measurement::formatted;
use crate::show::style::{BOLD, DIM};

/// Adds a line for each pair of programs that the report compares, if it is about times.
pub(super) fn lines(text: &mut String, report: &BenchReport) {
    if !matches!(report.quantity, Quantity::CpuTime | Quantity::WallTime) {
        return;
    }
    match &report.comparison {
        Some(comparison) => against_base(text, report.quantity, comparison),
        None => among_measured(text, report),
    }
}

/// The slowest case on which a solution and its base differ. Only if there is one solution: the table has the others.
fn against_base(text: &mut String, quantity: Quantity, comparison: &Comparison) {
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
        Some((effect.base.max(effect.new), effect, one))
    });
    let Some((_, effect, one)) = effects.max_by(|(a, ..), (b, ..)| a.total_cmp(b)) else {
        return;
    };
    let base = comparison.base.as_str();
    bars(text, quantity, &[(base, effect.base), (solution.as_str(), effect.new)]);
    let ratio = 1.0 + effect.effect;
    let (fast, slow, times) = if ratio < 1.0 {
        (solution.as_str(), base, 1.0 / ratio)
    } else {
        (base, solution.as_str(), ratio)
    };
    let bound = |effect: f64| if ratio < 1.0 { 1.0 / (1.0 + effect) } else { 1.0 + effect };
    let spread = effect.interval.map(|found| (bound(found.upper) - bound(found.lower)).abs() / 2.0);
    line(text, (fast, slow), (times, spread), &one.case_id.case);
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
        let all: Vec<_> =
            rivals.iter().map(|one| (one.case_id.submission.as_str(), time(one))).collect();
        bars(text, report.quantity, &all);
        let (fastest, others) = rivals.split_first().expect("it has two or more");
        for other in others {
            let names = (fastest.case_id.submission.as_str(), other.case_id.submission.as_str());
            let (fast, slow) = names;
            if differ(fastest, other, report.quantity) {
                let times = time(other) / time(fastest);
                let relative = |one| relative_spread(one, report.quantity);
                let spread = relative(fastest).zip(relative(other));
                line(text, names, (times, spread.map(|(a, b)| times * a.hypot(b))), case);
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

/// The times of the rivals, each with a bar.
fn bars(text: &mut String, quantity: Quantity, rivals: &[(&str, f64)]) {
    let width = widest(rivals.iter().map(|(name, _)| *name));
    let longest = rivals.iter().map(|(_, time)| *time).fold(0.0, f64::max);
    text.push('\n');
    for (name, time) in rivals {
        let figure = formatted(quantity, *time);
        let _ = writeln!(text, "  {}  {figure:>8}  {}", padded(name, width), bar(*time, longest));
    }
}

/// The confidence interval of the median of this quantity.
fn interval_of(one: &MeasuredCase, quantity: Quantity) -> Option<Interval> {
    let (_, _, summary) = one.figures.iter().find(|(found, ..)| *found == quantity)?;
    summary.interval
}

/// Half of the confidence interval, as a part of the median.
fn relative_spread(one: &MeasuredCase, quantity: Quantity) -> Option<f64> {
    let interval = interval_of(one, quantity)?;
    Some((interval.upper - interval.lower) / 2.0 / time_of(one, quantity))
}

/// Whether the confidence intervals of two medians have nothing in common.
fn differ(fast: &MeasuredCase, slow: &MeasuredCase, quantity: Quantity) -> bool {
    match (interval_of(fast, quantity), interval_of(slow, quantity)) {
        (Some(fast), Some(slow)) => fast.upper < slow.lower,
        _ => false,
    }
}

/// The sentence that people quote: `times` is how many times, and half of its confidence interval.
fn line(
    text: &mut String,
    (fast, slow): (&str, &str),
    (times, spread): (f64, Option<f64>),
    case: &str,
) {
    if !times.is_finite() {
        return;
    }
    let spread = spread.filter(|spread| spread.is_finite());
    // Rounded up, because no measurement is exact.
    let spread = spread.map_or_else(String::new, |spread| {
        format!(" ± {:.2}", (spread * 100.0).ceil().max(1.0) / 100.0)
    });
    let _ = writeln!(
        text,
        "{BOLD}{fast}{BOLD:#} ran {BOLD}{times:.2}{spread}{BOLD:#} times faster than {slow} on {case}"
    );
}
