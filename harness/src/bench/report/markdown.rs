//! A summary in Markdown, for example for the job page of a hosted CI.

use std::fmt::Write as _;

use rejudge_statistics::{Decision, Quantity};

use super::labels::{decision_label, detectable_line, percent, signed_percent};
use super::{BenchReport, Comparison, Conclusion, LeftOutKind};
use crate::bench::run_measurement::{formatted, quantity_name};
use crate::show::markdown::cell;

/// The whole summary, with a heading.
pub(crate) fn report(report: &BenchReport) -> String {
    let mut text = String::new();
    match &report.comparison {
        Some(comparison) => compared(&mut text, report, comparison),
        None => measured(&mut text, report),
    }
    let mut rest =
        report.left_out.iter().filter(|one| one.kind != LeftOutKind::Unchanged).peekable();
    if rest.peek().is_some() {
        text.push('\n');
    }
    for one in rest {
        let case = one.case.as_deref().map_or(String::new(), |case| format!(" {case}"));
        let _ = writeln!(text, "- {}{}: {}", cell(&one.submission), cell(&case), cell(&one.why));
    }
    text.push('\n');
    text
}

fn compared(text: &mut String, report: &BenchReport, comparison: &Comparison) {
    let answer = match report.answer() {
        Conclusion::Pass => "✅ no regression",
        Conclusion::Regression => "❌ regression",
        Conclusion::Inconclusive => "⚠️ inconclusive",
        Conclusion::NoBase => "⚠️ nothing to compare with",
    };
    let quantity = report.quantity;
    let _ = writeln!(
        text,
        "### rejudge bench: {answer}\n\n{} against {}, measured with {}.",
        quantity_name(quantity),
        cell(&comparison.base),
        cell(&report.meter)
    );
    if let Some(detectable) = comparison.detectable {
        let _ = writeln!(text, "{}.", detectable_line(quantity, detectable));
    }
    if let Decision::Inconclusive(reason) = &comparison.decision
        && !comparison.cases.is_empty()
    {
        let _ = writeln!(text, "{}.", cell(&reason.to_string()));
    }
    if let Some(caution) = &comparison.caution {
        let _ = writeln!(text, "**Caution:** {}.", cell(caution));
    }
    let unchanged = report.left_out(LeftOutKind::Unchanged).count();
    if unchanged > 0 {
        let _ = writeln!(text, "Unchanged, and not measured: {unchanged}.");
    }
    if comparison.cases.is_empty() {
        return;
    }
    text.push_str(
        "\n| | solution | case | base | new | change | interval | subtracted |\n|---|---|---|--:|--:|--:|---|--:|\n",
    );
    for one in &comparison.cases {
        let label = decision_label(quantity, &one.report.decision);
        let (submission, case) = (cell(&one.case_id.submission), cell(&one.case_id.case));
        let _ = write!(text, "| {label} | {submission} | {case} |");
        let Some(effect) = one.report.effect() else {
            text.push_str(" | | | | |\n");
            continue;
        };
        let interval = effect.interval.as_ref().map_or(String::new(), |interval| {
            format!("{} to {}", signed_percent(interval.lower), signed_percent(interval.upper))
        });
        let subtracted = one.report.subtracted().map_or(String::new(), percent);
        let _ = writeln!(
            text,
            " {} | {} | {} | {interval} | {subtracted} |",
            formatted(quantity, effect.base),
            formatted(quantity, effect.new),
            signed_percent(effect.effect)
        );
    }
}

fn measured(text: &mut String, report: &BenchReport) {
    let _ = writeln!(text, "### rejudge bench\n\nMeasured with {}.\n", cell(&report.meter));
    let Some(first) = report.measured.first() else {
        return;
    };
    let quantities: Vec<Quantity> = first.figures.iter().map(|(quantity, ..)| *quantity).collect();
    text.push_str("| solution | case |");
    for quantity in &quantities {
        let _ = write!(text, " {} |", quantity_name(*quantity));
    }
    text.push_str("\n|---|---|");
    text.push_str(&"--:|".repeat(quantities.len()));
    for one in &report.measured {
        let _ =
            write!(text, "\n| {} | {} |", cell(&one.case_id.submission), cell(&one.case_id.case));
        for (quantity, _, summary) in &one.figures {
            let _ = write!(text, " {} |", formatted(*quantity, summary.median));
        }
    }
    text.push('\n');
}
