//! The page of a history: what it shows without its script.

use std::io;
use std::path::Path;

use maud::{Markup, html};
use rejudge_statistics::Quantity;

use super::{History, Series};
use crate::bench::report::signed_percent;
use crate::bench::run_measurement::formatted;
use crate::report::html;
use crate::show::words::Count;

impl History {
    /// Writes the page to `path`.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let ranked = self.ranked();
        let (reports, cases) = (self.labels.len(), ranked.len());
        let headline = format!("{} of {}", Count(reports, "benchmark"), Count(cases, "case"));
        let data = self.data(&ranked);
        html::write_history(path, &headline, &self.missing, &self.content(&ranked), &data)
    }

    /// The table of the series, which the script makes links to their lines, and the changed conditions.
    fn content(&self, ranked: &[Series<'_>]) -> Markup {
        html! {
            section.history aria-labelledby="history-title" {
                h2 #history-title { "History of " (Count(self.labels.len(), "benchmark")) }
                p.soft {
                    "A change point is where a series shifted for good and not by noise: E-divisive (Matteson and James \
                     2014), p ≤ 0.01."
                }
                div.scroll tabindex="0" role="region" aria-label="What moved most" {
                    table {
                        thead { tr {
                            th scope="col" { "case" } th scope="col" { "submission" }
                            th.number scope="col" { "newest" } th.number scope="col" { "change" }
                            th scope="col" { "since" }
                        } }
                        tbody { @for series in ranked { (self.row(series)) } }
                    }
                }
                @if !self.conditions.is_empty() {
                    section {
                        h3 { "Changed conditions" }
                        ul { @for (at, text) in &self.conditions { li { (self.labels[*at]) ": " (text) } } }
                    }
                }
            }
        }
    }

    fn row(&self, series: &Series<'_>) -> Markup {
        let [problem, submission, case] = series.key;
        let newest = series.points.iter().rev().flatten().next();
        let since: Vec<&str> = series.changes.iter().map(|at| self.labels[*at].as_str()).collect();
        html! {
            tr {
                th scope="row" { @if !problem.is_empty() { (problem) ": " } (case) }
                td { (submission) }
                td.number { @if let Some((median, _)) = newest { (formatted(self.figure(), *median)) } }
                td.number { (signed_percent(series.moved - 1.0)) }
                td { @if since.is_empty() { "none" } @else { (since.join(", ")) } }
            }
        }
    }

    /// The quantity whose unit the figures have.
    fn figure(&self) -> Quantity {
        match self.quantity.as_ref().map(|(_, unit)| unit.as_str()) {
            Some("s") => Quantity::CpuTime,
            Some("bytes") => Quantity::Memory,
            _ => Quantity::Instructions,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_script_the_page_has_the_table_and_the_conditions() {
        let mut history = History::default();
        for at in 0..16 {
            let median = if at < 8 { 1.0 } else { 2.0 };
            let report = format!(
                "{{\"type\":\"start\",\"schema\":1,\"quantity\":\"cpu\",\"unit\":\"s\"}}\n\
                 {{\"type\":\"measured\",\"schema\":1,\"problem\":\"p\",\"submission\":\"<b>\",\"case\":\"1\",\
                 \"cpu_s\":{{\"median\":{median}}}}}\n{{\"type\":\"summary\",\"schema\":1}}\n"
            );
            let name = format!("r{at}");
            history.add(&name, &name, report.as_bytes()).unwrap();
        }
        history.conditions.push((3, "<i>".to_owned()));
        let page = history.content(&history.ranked()).into_string();
        for text in [
            "<h2 id=\"history-title\">History of 16 benchmarks</h2>",
            "<th scope=\"row\">p: 1</th><td>&lt;b&gt;</td><td class=\"number\">2.00 s</td>\
             <td class=\"number\">+100.0 %</td><td>r8</td>",
            "<li>r3: &lt;i&gt;</li>",
        ] {
            assert!(page.contains(text), "{text}\n{page}");
        }
    }
}
