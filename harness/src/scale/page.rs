//! The report as a page in HTML: the results, the curves, and the table of sizes.

use maud::{Markup, PreEscaped, html};
use rejudge_statistics::{median, quantile};

use super::svg::element;
use super::text::{ScaleResult, asserted, bytes, fitted, seconds};
use super::{Held, ScaleReport, SizeMeasurement};
use crate::show::words::INTERRUPTED;

/// The summary: the solution, and how its CPU time grows.
pub(crate) fn headline(report: &ScaleReport) -> String {
    match &report.cpu {
        Some(growth) => format!("{}: CPU time {growth}", report.solution),
        None => format!("{}: inconclusive", report.solution),
    }
}

/// The content of the page of a measurement that was interrupted, perhaps before it had any figures.
pub(crate) fn interrupted_page(report: Option<&ScaleReport>) -> Markup {
    html! {
        p.note role="alert" { (INTERRUPTED) }
        @if let Some(report) = report { (page(report)) }
    }
}

/// The content of the page.
pub(crate) fn page(report: &ScaleReport) -> Markup {
    html! {
        @if let Some(problem) = report.too_few() { p.note role="alert" { "Inconclusive: " (problem) "." } }
        section aria-labelledby="results-title" {
            h2 #results-title { "Growth" }
            dl.results {
                @for (what, result) in fitted(report) { (line(&(what, result), false)) }
                @for (result, held) in asserted(report) { (line(&result, held == Held::No)) }
            }
            @if let Some(svg) = element(report) {
                // The text in it is escaped.
                div.scroll tabindex="0" role="region" aria-label="Curves" { (PreEscaped(svg)) }
                p.soft {
                    "The axes are logarithmic. The solid curve fits best; dashed curves explain the figures too. A bar \
                     spans the middle half of the runs."
                }
            }
        }
        section aria-labelledby="sizes-title" {
            h2 #sizes-title { "Sizes" }
            div.scroll tabindex="0" role="region" aria-label="Table of sizes" {
                table {
                    thead { tr {
                        th.number scope="col" { "n" } th.number scope="col" { "input" } th.number scope="col" { "CPU time" }
                        th.number scope="col" { "quartiles" } th.number scope="col" { "memory" }
                    } }
                    tbody { @for measured in &report.series { (row(measured)) } }
                }
            }
        }
    }
}

fn line((what, result): &ScaleResult, is_bad: bool) -> Markup {
    html! { div { dt { (what) } dd.bad[is_bad] { (result) } } }
}

fn row(measured: &SizeMeasurement) -> Markup {
    let at = |fraction| quantile(&measured.cpu, fraction).map_or_else(|_| String::new(), seconds);
    html! {
        tr {
            th.number scope="row" { (measured.n) }
            td.number { (bytes(measured.input as f64)) }
            @if let Some(over) = &measured.over { td.bad colspan="3" { (over) } } @else {
                td.number { (at(0.5)) } td.number { (at(0.25)) " .. " (at(0.75)) }
                td.number { (median(&measured.memory).map_or_else(|_| String::new(), bytes)) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Asserted;
    use super::*;

    #[test]
    fn the_page_has_the_sizes_the_curves_and_the_results() {
        let measured = |size: u32| SizeMeasurement {
            n: 1000 << size,
            input: 1000 << size,
            cpu: vec![1e-3 * f64::from(1 << size); 3],
            memory: vec![1e6 * f64::from(1 << size); 3],
            over: (size == 9).then(|| "over <the> limit".to_owned()),
        };
        let series = (0..10).map(measured).collect();
        let asserted = Asserted {
            cpu: Some(super::super::Family::One),
            memory: Some(super::super::Family::Linear),
        };
        let report = ScaleReport::new("a<b>".to_owned(), series, Duration::from_secs(1), asserted);
        let page = page(&report).into_string();
        for text in [
            "<td class=\"bad\" colspan=\"3\">over &lt;the&gt; limit</td>",
            "<dt>largest</dt>",
            "<dd class=\"bad\">at most 1: no, ",
            // An assertion that holds is not red because another does not.
            "<dt>memory</dt><dd class=\"\">at most n: yes</dd>",
            "<svg class=\"curves\"",
            "peak memory: ",
        ] {
            assert!(page.contains(text), "{text}\n{page}");
        }
        assert!(!page.contains("style"), "the policy forbids styles in attributes: {page}");
        let interrupted = interrupted_page(Some(&report)).into_string();
        assert!(interrupted.ends_with(&page) && interrupted.contains("was interrupted"));
        let empty = interrupted_page(None).into_string();
        assert!(empty.starts_with("<p class=\"note\" role=\"alert\">"));
        assert!(headline(&report).starts_with("a<b>: CPU time "));
        let few = ScaleReport::new(String::new(), Vec::new(), Duration::from_secs(1), asserted);
        assert!(super::page(&few).into_string().contains("Inconclusive: only 0 sizes"));
    }
}
