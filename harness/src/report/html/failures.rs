//! The failures as the page shows them without its script: the first of each submission in sight, the very first with its
//! difference, and each with its reason in its row.

use maud::{Markup, PreEscaped, html};

use super::collected::{Collected, Failure};
use super::place::fragment;
use crate::show::page::clean;

/// The most failures that are not folded away.
const IN_SIGHT: usize = 6;

/// The section of the failures; nothing if there are none.
pub(super) fn section(run: &Collected) -> Markup {
    let failures = &run.failures;
    if failures.is_empty() {
        return html! {};
    }
    let mut in_sight: Vec<&Failure> = failures.iter().collect();
    in_sight.dedup_by_key(|failure| (&failure.problem, &failure.submission));
    in_sight.truncate(IN_SIGHT);
    let is_folded =
        |failure: &&Failure| !in_sight.iter().any(|shown| std::ptr::eq(*shown, *failure));
    let folded: Vec<&Failure> = failures.iter().filter(is_folded).collect();
    html! {
        section #failures aria-labelledby="failures-title" {
            h2 #failures-title { "Not as expected" }
            @for (at, failure) in in_sight.iter().enumerate() { (entry(failure, at == 0)) }
            @if !folded.is_empty() {
                details.more {
                    summary { (folded.len()) " more" @if run.failed > failures.len() { " of " (run.failed) " in all" } }
                    @for failure in folded { (entry(failure, false)) }
                }
            }
        }
    }
}

fn entry(failure: &Failure, is_open: bool) -> Markup {
    let (problem, submission) = (failure.problem.as_str(), failure.submission.as_str());
    let mut parts = vec![("p", problem), ("s", submission)];
    if let Some(case) = &failure.case {
        parts.push(("c", case));
    }
    let reason = failure.reason.trim();
    html! {
        details.failure open[is_open] {
            summary {
                span class={ "verdict v-" (failure.verdict.code()) } { (failure.verdict.code()) } " "
                b { (clean::name(submission)) }
                @if let Some(case) = &failure.case { " on " code { (clean::name(case)) } }
                span.promise { "expected: " (clean::name(&failure.expected)) }
                @if !reason.is_empty() { span.why { (reason) } }
            }
            @if let Some(difference) = &failure.details.difference { (difference.markup()) }
            div.heads { @for (title, text) in &failure.details.texts {
                section { h3 { (title) } pre { (PreEscaped("\n")) (text) } }
            } }
            p.open { a href={ "#" (fragment(&parts)) } { "everything about this run" } }
        }
    }
}
