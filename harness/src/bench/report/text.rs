//! The human-readable report: a table for each solution, with a bar for each case.

use std::fmt::Write as _;

use rejudge_statistics::{Decision, Effect, Quantity};

use super::bars::{bar, change_bar};
use super::fastest;
use super::labels::{
    decision_label, detectable_line, padded, regression_label, signed_percent, subtraction_note,
    widest,
};
use super::{BenchReport, Compared, Comparison, Conclusion, LeftOutKind, MeasuredCase};
use crate::bench::run_measurement::{formatted, quantity_name};
use crate::show::style::{BAD, BOLD, DIM, GOOD, WARN};
use crate::show::words::Count;

/// The whole report; with `quiet`, only what is wrong.
pub(crate) fn report(report: &BenchReport, quiet: bool) -> String {
    let mut text = String::new();
    if !quiet {
        for table in report.measured.chunk_by(same_submission) {
            measured_table(&mut text, report.quantity, table);
        }
    }
    if let Some(comparison) = &report.comparison {
        compared_tables(&mut text, report.quantity, comparison, quiet);
    }
    left_out(&mut text, report, quiet);
    if !quiet || report.answer() != Conclusion::Pass {
        closing(&mut text, report);
    }
    text
}

fn same_submission(a: &MeasuredCase, b: &MeasuredCase) -> bool {
    a.case_id.submission == b.case_id.submission
}

fn measured_table(text: &mut String, quantity: Quantity, table: &[MeasuredCase]) {
    let runs = table[0].figures.first().map_or(0, |(_, sample, _)| sample.len());
    let _ = writeln!(
        text,
        "{BOLD}{}{BOLD:#}  {DIM}{} each{DIM:#}",
        table[0].case_id.submission,
        Count(runs, "run")
    );
    let width = widest(table.iter().map(|one| one.case_id.case.as_str()));
    let middle = |one: &MeasuredCase| {
        let mut figures = one.figures.iter();
        let found = figures.find(|(found, ..)| *found == quantity);
        found.map_or(0.0, |(_, _, summary)| summary.median)
    };
    let longest = table.iter().map(middle).fold(0.0, f64::max);
    for one in table {
        let _ = write!(text, "  {}", padded(&one.case_id.case, width));
        for (found, _, summary) in &one.figures {
            let figure = formatted(*found, summary.median);
            if *found == quantity {
                let _ = write!(text, "  {BOLD}{figure:>8}{BOLD:#}");
                if let Some(interval) = &summary.interval {
                    let (low, high) =
                        (formatted(*found, interval.lower), formatted(*found, interval.upper));
                    let _ = write!(text, " {DIM}[{low}, {high}]{DIM:#}");
                }
                let spread =
                    if summary.median > 0.0 { 100.0 * summary.mad / summary.median } else { 0.0 };
                let _ = write!(text, " ±{spread:.1} %");
            } else {
                let _ = write!(text, "  {} {figure}", quantity_name(*found));
            }
        }
        let _ = writeln!(text, "  {}", bar(middle(one), longest));
    }
}

fn compared_tables(text: &mut String, quantity: Quantity, comparison: &Comparison, quiet: bool) {
    let width = widest(comparison.cases.iter().map(|one| one.case_id.case.as_str()));
    for table in comparison.cases.chunk_by(|a, b| a.case_id.submission == b.case_id.submission) {
        let is_shown = |one: &&Compared| {
            let is_good = matches!(one.report.decision, Decision::Pass | Decision::Improvement);
            !quiet || !is_good
        };
        let rows: Vec<&Compared> = table.iter().filter(is_shown).collect();
        if rows.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{BOLD}{}{BOLD:#}", table[0].case_id.submission);
        for row in rows {
            compared_row(text, quantity, row, width);
        }
    }
}

fn compared_row(text: &mut String, quantity: Quantity, row: &Compared, width: usize) {
    let style = match &row.report.decision {
        Decision::Pass => DIM,
        Decision::Improvement => GOOD,
        Decision::Regression => BAD,
        Decision::Inconclusive(_) => WARN,
    };
    let label = decision_label(quantity, &row.report.decision);
    let _ = write!(text, "  {style}{label:<7}{style:#} {}", padded(&row.case_id.case, width));
    if let Some(effect) = row.report.effect() {
        let (base, new) = (formatted(quantity, effect.base), formatted(quantity, effect.new));
        let _ = write!(
            text,
            "  {base:>8} → {new:>8}  {style}{}{style:#}",
            signed_percent(effect.effect)
        );
        let _ = write!(text, "{}  {}", interval(effect), change_bar(effect.effect));
    }
    // The reason of an inconclusive decision contains this figure already.
    if let Some(subtracted) = row.report.subtracted()
        && !matches!(row.report.decision, Decision::Inconclusive(_))
    {
        let _ = write!(text, "  {DIM}{}{DIM:#}", subtraction_note(subtracted));
    }
    if let Decision::Inconclusive(reason) = &row.report.decision {
        let _ = write!(text, "  {reason}");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn interval(effect: &Effect) -> String {
    effect.interval.as_ref().map_or_else(String::new, |interval| {
        let (low, high) = (signed_percent(interval.lower), signed_percent(interval.upper));
        format!(" {DIM}[{low}, {high}]{DIM:#}")
    })
}

fn left_out(text: &mut String, report: &BenchReport, quiet: bool) {
    for one in &report.left_out {
        let (style, label) = match one.kind {
            LeftOutKind::Failed => (BAD, "FAIL"),
            LeftOutKind::NoBase => (WARN, "no base"),
            LeftOutKind::TooShort | LeftOutKind::Unsuitable if quiet => continue,
            LeftOutKind::TooShort => (DIM, "too short"),
            LeftOutKind::Unsuitable => (DIM, "skipped"),
            // There may be many: the last line has their number.
            LeftOutKind::Unchanged => continue,
        };
        let case = one.case.as_deref().map_or(String::new(), |case| format!(" {case}"));
        let _ = writeln!(text, "{style}{label}{style:#}  {}{case}: {}", one.submission, one.why);
    }
}

fn closing(text: &mut String, report: &BenchReport) {
    let unchanged = report.left_out(LeftOutKind::Unchanged).count();
    let Some(comparison) = &report.comparison else {
        let _ = writeln!(text, "\nmeasured with {}", report.meter);
        fastest::lines(text, report);
        return;
    };
    let count = |yes: &dyn Fn(&Decision) -> bool| {
        let cases = comparison.cases.iter();
        cases.filter(|one| yes(&one.report.decision)).count()
    };
    let (style, answer) = match report.answer() {
        Conclusion::Pass => (GOOD, "pass"),
        Conclusion::Regression => (BAD, "regression"),
        Conclusion::Inconclusive => (WARN, "inconclusive"),
        Conclusion::NoBase => (WARN, "nothing to compare"),
    };
    let _ = write!(
        text,
        "\n{style}{answer}{style:#}: {} against {}, {}",
        quantity_name(report.quantity),
        comparison.base,
        Count(comparison.cases.len(), "case")
    );
    for (number, label) in [
        (count(&|it| *it == Decision::Regression), regression_label(report.quantity)),
        (count(&|it| *it == Decision::Improvement), "better"),
        (count(&|it| matches!(it, Decision::Inconclusive(_))), "unclear"),
    ] {
        if number > 0 {
            let _ = write!(text, ", {number} {label}");
        }
    }
    if unchanged > 0 {
        let _ = write!(text, "; {} unchanged", Count(unchanged, "solution"));
    }
    text.push('\n');
    if let Some(detectable) = comparison.detectable {
        let _ = writeln!(text, "{}", detectable_line(report.quantity, detectable));
    }
    if let Decision::Inconclusive(reason) = &comparison.decision
        && !comparison.cases.is_empty()
    {
        let _ = writeln!(text, "{reason}");
    }
    if let Some(caution) = &comparison.caution {
        let _ = writeln!(text, "{WARN}caution{WARN:#}: {caution}");
    }
    let _ = writeln!(text, "{DIM}measured with {}{DIM:#}", report.meter);
    fastest::lines(text, report);
}
