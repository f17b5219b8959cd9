//! The human-readable report: a table, a curve, and a line for each result.

use std::fmt::Write as _;

use rejudge_quantity::Bytes;
use rejudge_statistics::{median, quantile};

use super::chart::chart;
use super::{Growth, GrowthBound, Held, ScaleReport, SizeMeasurement};
use crate::show::style::BOLD;
use crate::show::words::LimitSeconds;

/// The whole report.
pub(crate) fn text(report: &ScaleReport) -> String {
    let mut text = String::new();
    table(&mut text, report);
    if let Some(cpu) = &report.cpu {
        let dots: Vec<(f64, f64)> = report
            .measured()
            .filter_map(|measured| Some((measured.n as f64, median(&measured.cpu).ok()?)))
            .collect();
        text.push('\n');
        text.push_str(&chart(&dots, cpu.best(), &seconds));
        text.push('\n');
    }
    lines(&mut text, fitted(report));
    if let Some(problem) = report.too_few() {
        let _ = writeln!(text, "inconclusive: {problem}");
    }
    let asserted = asserted(report).into_iter();
    lines(&mut text, asserted.map(|(result, _)| result).collect());
    if let Some(cpu) = &report.cpu {
        let _ = writeln!(text, "\n{BOLD}{}{BOLD:#}: {}", report.solution, in_short(report, cpu));
    }
    text
}

/// The sentence that people quote.
fn in_short(report: &ScaleReport, cpu: &Growth) -> String {
    format!("CPU time grows as {cpu}; {}", largest(report, cpu))
}

fn table(text: &mut String, report: &ScaleReport) {
    let _ = writeln!(text, "{}", report.solution);
    let _ = writeln!(
        text,
        "{:>12}  {:>10}  {:>10}  {:>19}  {:>10}",
        "n", "input", "cpu time", "quartiles", "memory"
    );
    for measured in &report.series {
        let _ = writeln!(text, "{}", row(measured));
    }
}

fn row(measured: &SizeMeasurement) -> String {
    let head = format!("{:>12}  {:>10}", measured.n, bytes(measured.input as f64));
    if let Some(over) = &measured.over {
        return format!("{head}  {over}");
    }
    let at = |fraction| quantile(&measured.cpu, fraction).map_or_else(|_| String::new(), seconds);
    let quartiles = format!("{} .. {}", at(0.25), at(0.75));
    let memory = median(&measured.memory).map_or_else(|_| String::new(), bytes);
    format!("{head}  {:>10}  {quartiles:>19}  {memory:>10}", at(0.5))
}

/// A result: what it is about, and what it is.
pub(super) type ScaleResult = (&'static str, String);

fn lines(text: &mut String, results: Vec<ScaleResult>) {
    for (what, result) in results {
        let _ = writeln!(text, "{what:<8}  {result}");
    }
}

/// What the curves say; nothing if none was fitted.
pub(super) fn fitted(report: &ScaleReport) -> Vec<ScaleResult> {
    let Some(cpu) = &report.cpu else {
        return Vec::new();
    };
    let memory = match &report.memory {
        Some(memory) => growth(memory, &bytes),
        None => "too few sizes use more memory than the smallest".to_owned(),
    };
    vec![("cpu time", growth(cpu, &seconds)), ("memory", memory), ("largest", largest(report, cpu))]
}

fn growth(growth: &Growth, unit: &dyn Fn(f64) -> String) -> String {
    let stray = growth.stray * 100.0;
    let start = unit(growth.best().start());
    format!("{growth}  (plus {start} to start; {stray:.0} % off the curve)")
}

fn largest(report: &ScaleReport, cpu: &Growth) -> String {
    let limit = LimitSeconds(report.limit);
    match cpu.largest(report.limit.as_secs_f64()) {
        (Some(least), Some(most)) if rounded(least) == rounded(most) => {
            format!("n of about {} within {limit}", rounded(least))
        }
        (Some(least), Some(most)) => {
            format!("n from {} to {} within {limit}", rounded(least), rounded(most))
        }
        (Some(least), None) => format!("n of at least {} within {limit}", rounded(least)),
        (None, _) => format!("every n is within {limit}"),
    }
}

/// The asserted bounds, each with whether it holds.
pub(super) fn asserted(report: &ScaleReport) -> Vec<(ScaleResult, Held)> {
    let cpu = report.at_most.map(|bound| ("cpu time", bound, &report.cpu));
    let memory = report.memory_at_most.map(|bound| ("memory", bound, &report.memory));
    let bounds = cpu.into_iter().chain(memory);
    bounds
        .map(|(what, bound, growth)| ((what, answer(bound, growth.as_ref())), bound.held))
        .collect()
}

fn answer(bound: GrowthBound, growth: Option<&Growth>) -> String {
    let answer = match (bound.held, growth) {
        (Held::Yes, _) => "yes".to_owned(),
        (Held::No, Some(growth)) => format!("no, {growth}"),
        (Held::Unknown, Some(growth)) if growth.is_flat() => {
            "inconclusive, nothing grows yet; use larger sizes".to_owned()
        }
        (Held::Unknown, Some(growth)) => {
            format!("inconclusive, {growth}; use a wider range of sizes")
        }
        (_, None) => "inconclusive, too few sizes".to_owned(),
    };
    format!("at most {}: {answer}", bound.family)
}

/// Two significant digits, because an extrapolation is not more precise.
pub(super) fn rounded(n: u64) -> String {
    if n < 100 {
        return n.to_string();
    }
    let text = format!("{:.1e}", n as f64);
    text.replace(".0e", "e")
}

/// A time with a suitable unit.
pub(super) fn seconds(value: f64) -> String {
    match value {
        _ if value >= 0.9995 => format!("{value:.2} s"),
        _ if value >= 0.09995 => format!("{:.0} ms", value * 1e3),
        _ if value >= 0.009_995 => format!("{:.1} ms", value * 1e3),
        _ => format!("{:.2} ms", value * 1e3),
    }
}

/// A number of bytes with a suitable unit.
pub(super) fn bytes(value: f64) -> String {
    Bytes(value as u64).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_two_or_three_significant_digits() {
        let times = [0.0, 0.001_234, 0.012_34, 0.1234, 0.9999, 12.345];
        let shown = ["0.00 ms", "1.23 ms", "12.3 ms", "123 ms", "1.00 s", "12.35 s"];
        assert_eq!(times.map(seconds), shown);
        let sizes = [0, 99, 100, 1234, 2_000_000, 9_960_000];
        assert_eq!(sizes.map(rounded), ["0", "99", "1e2", "1.2e3", "2e6", "1e7"]);
    }
}
