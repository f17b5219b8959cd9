//! The findings of `verify` about problems, next to the run that they come from.

use maud::{Markup, html};

use crate::show::page::clean;
use crate::show::words::Count;

/// The most findings that the page shows.
const SHOWN: usize = 2000;

/// A finding about a problem.
#[derive(Debug, Clone)]
pub(crate) struct PageFinding {
    /// The problem; empty if the finding is about none.
    pub(crate) problem: String,
    /// Whether it is an error; otherwise it is a warning.
    pub(crate) is_error: bool,
    /// The stable code.
    pub(crate) code: &'static str,
    /// The file.
    pub(crate) path: Option<String>,
    /// One or more lines.
    pub(crate) message: String,
    /// How to fix it.
    pub(crate) help: Option<String>,
}

/// The checks of a problem.
#[derive(Debug, Clone)]
pub(crate) struct PageCheck {
    pub(crate) problem: String,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    /// What was checked: `3 inputs, 2 answers`.
    pub(crate) checked: String,
}

/// Everything that `verify` found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// Whether warnings count as errors.
    pub(crate) is_strict: bool,
    pub(crate) list: Vec<PageFinding>,
    pub(crate) checks: Vec<PageCheck>,
}

impl Findings {
    fn count(&self, is_error: bool) -> usize {
        let findings = self.list.iter();
        findings.filter(|finding| finding.is_error == is_error).count()
    }

    /// Whether no finding counts.
    pub(super) fn is_good(&self) -> bool {
        self.count(true) == 0 && !(self.is_strict && self.count(false) > 0)
    }

    /// `2 errors, 1 warning`.
    pub(super) fn headline(&self) -> String {
        let (errors, warnings) = (self.count(true), self.count(false));
        format!("{}, {}", Count(errors, "error"), Count(warnings, "warning"))
    }

    /// The findings, errors first.
    pub(super) fn section(&self) -> Markup {
        html! {
            section #findings aria-labelledby="findings-title" {
                h2 #findings-title { "Findings" }
                @if self.list.is_empty() { p.good { "✓ nothing to fix" } }
                @if self.list.len() > SHOWN { p { "The page shows the first " (SHOWN) " of " (self.list.len()) " findings." } }
                (self.of_severity(true))
                (self.of_severity(false))
            }
        }
    }

    /// What was checked in each problem.
    pub(super) fn checks(&self) -> Markup {
        html! {
            section aria-labelledby="checks-title" {
                h2 #checks-title { "Checks" }
                div.scroll tabindex="0" role="region" aria-label="Table of checks" { (self.table()) }
            }
        }
    }

    /// The findings of one severity.
    fn of_severity(&self, is_error: bool) -> Markup {
        let count = self.count(is_error);
        let before = if is_error { 0 } else { self.count(true) };
        let findings = self.list.iter().filter(|finding| finding.is_error == is_error);
        html! {
            @if count > 0 {
                h3 { (Count(count, if is_error { "error" } else { "warning" })) }
                ul.findings { @for finding in findings.take(SHOWN.saturating_sub(before)) { (entry(finding)) } }
            }
        }
    }

    fn table(&self) -> Markup {
        html! {
            table {
                thead { tr {
                    th scope="col" { "problem" } th.number scope="col" { "errors" }
                    th.number scope="col" { "warnings" } th scope="col" { "checked" }
                } }
                tbody { @for check in &self.checks { tr {
                    th scope="row" { (clean::name(&check.problem)) }
                    td.number.bad[check.errors > 0] { (check.errors) }
                    td.number.bad[self.is_strict && check.warnings > 0] { (check.warnings) }
                    td { (clean::name(&check.checked)) }
                } } }
            }
        }
    }
}

fn entry(finding: &PageFinding) -> Markup {
    html! {
        li {
            p.message {
                @if let Some(path) = &finding.path { span.path { (clean::name(path)) } ": " }
                (clean::text(&finding.message))
            }
            @if let Some(help) = &finding.help { p.message { "help: " (clean::text(help)) } }
            p.soft { @if !finding.problem.is_empty() { (clean::name(&finding.problem)) " · " } (finding.code) }
        }
    }
}
