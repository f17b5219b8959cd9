//! The page of a run: what it shows without its script, and the data.

use std::fmt::Write as _;
use std::io::{self, Write};

use maud::{Markup, PreEscaped, html};

use super::collected::{Collected, Failure};
use super::findings::Findings;
use super::{SCRIPT, index};
use crate::event::{Origin, Summary};
use crate::report::json::start::shown_time;
use crate::report::matrix::ProblemColumns;
use crate::show::page::{Frame, clean, packed};
use crate::show::words::{Count, Seconds};

/// Writes the page of `run`, compared with `old`, and with the findings about its problems.
pub(super) fn write(
    out: &mut dyn Write,
    run: &Collected,
    old: Option<&Collected>,
    findings: Option<&Findings>,
) -> io::Result<()> {
    let headline = headline(run, findings);
    let is_good = is_good(run) && findings.is_none_or(Findings::is_good);
    let frame =
        Frame { title: &format!("rejudge: {headline}"), script: SCRIPT, images: "data: blob:" };
    frame.write(out, |out| {
        let body = html! {
            header #top {
                h1 { "rejudge" span.headline.bad[!is_good] { (headline) } }
                p.origin { (origin(run)) }
            }
            (notes(run))
            @if let Some(old) = old { (notes_of_earlier(old)) }
            main #main tabindex="-1" {
                @if let Some(findings) = findings { (findings.section()) }
                @if findings.is_none() || !run.matrix.rows.is_empty() { (overview(run)) (failures(run)) }
            }
        };
        out.write_all(body.into_string().as_bytes())?;
        data(out, "index", |out| index::write(out, run))?;
        if let Some(old) = old {
            data(out, "old", |out| index::write(out, old))?;
        }
        for (number, details) in run.details.iter().enumerate() {
            if let Some(details) = details {
                open(out, &format!("details-{number}"))?;
                out.write_all(details)?;
                out.write_all(b"</script>\n")?;
            }
        }
        for (row, column, drawing) in &run.drawings {
            open(out, &format!("drawing-{row}-{column}"))?;
            out.write_all(drawing)?;
            out.write_all(b"</script>\n")?;
        }
        Ok(())
    })
}

/// Writes the page of a history of benchmarks.
pub(super) fn write_history(
    out: &mut dyn Write,
    headline: &str,
    missing: &[String],
    content: &Markup,
    history: &serde_json::Value,
) -> io::Result<()> {
    let headline = clean::name(headline);
    let frame =
        Frame { title: &format!("rejudge: {headline}"), script: SCRIPT, images: "data: blob:" };
    frame.write(out, |out| {
        let body = html! {
            header #top { h1 { "rejudge" span.headline.bad[!missing.is_empty()] { (headline) } } }
            @for missing in missing { (note(missing)) }
            main #main tabindex="-1" { (content) }
        };
        out.write_all(body.into_string().as_bytes())?;
        data(out, "history", |out| Ok(serde_json::to_writer(out, history)?))
    })
}

/// Writes packed data. Browsers do not execute a script of this type, and base64 cannot end it.
fn data(
    out: &mut dyn Write,
    id: &str,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    open(out, id)?;
    packed::write(out, write)?;
    out.write_all(b"</script>\n")
}

fn open(out: &mut dyn Write, id: &str) -> io::Result<()> {
    write!(out, "<script type=\"application/octet-stream\" id=\"{id}\">")
}

fn is_good(run: &Collected) -> bool {
    let met = run.matrix.rows.iter().all(|row| row.report.met);
    met && run.summary.as_ref().is_some_and(Summary::is_complete)
}

/// `49 of 49 submissions as expected`, after the number of findings.
fn headline(run: &Collected, findings: Option<&Findings>) -> String {
    let rows = &run.matrix.rows;
    let met = rows.iter().filter(|row| row.report.met).count();
    let submissions = format!("{met} of {} as expected", Count(rows.len(), "submission"));
    match findings {
        None => submissions,
        Some(findings) if rows.is_empty() => findings.headline(),
        Some(findings) => format!("{} · {submissions}", findings.headline()),
    }
}

/// When and where it ran.
fn origin(run: &Collected) -> Markup {
    let Some(outline) = &run.outline else {
        return html! {};
    };
    let mut words = origin_words(&outline.origin, Some(outline.jobs));
    if let Some(summary) = &run.summary {
        words.push(Seconds(summary.wall).to_string());
    }
    html! { (words.join(" · ")) }
}

/// The time of day, the processor, the number of workers, and the version.
pub(super) fn origin_words(origin: &Origin, jobs: Option<usize>) -> Vec<String> {
    let cpu = origin.machine.cpu.as_deref().unwrap_or("unknown processor");
    let time = origin.time.map(shown_time);
    time.into_iter()
        .chain([clean::name(cpu)])
        .chain(jobs.map(|jobs| Count(jobs, "worker").to_string()))
        .chain([format!("rejudge {}", clean::name(&origin.version))])
        .collect()
}

/// A sentence in red: what is missing.
pub(super) fn note(text: &str) -> Markup {
    html! { p.note role="alert" { (clean::text(text)) } }
}

/// What is missing.
fn notes(run: &Collected) -> Markup {
    html! {
        @for text in run.missing() { (note(text)) }
        @for text in run.remarks() { p.remark { (clean::text(text)) } }
        @if is_interrupted(run) && run.missing().is_empty() {
            (note("The run was interrupted: these are the results up to the interruption."))
        }
    }
}

/// What is missing in the run that the page compares with.
fn notes_of_earlier(old: &Collected) -> Markup {
    html! {
        @for text in old.missing() { (note(&format!("The earlier run: {text}"))) }
        @if is_interrupted(old) && old.missing().is_empty() {
            (note("The earlier run was interrupted: it is compared up to the interruption."))
        }
    }
}

fn is_interrupted(run: &Collected) -> bool {
    let summary = run.summary.as_ref();
    summary.is_some_and(|summary| summary.interrupted)
}

fn overview(run: &Collected) -> Markup {
    html! {
        section #overview aria-labelledby="overview-title" {
            h2 #overview-title { "Problems" }
            div.scroll tabindex="0" role="region" aria-label="Table of problems" {
                table {
                    thead { tr {
                        th scope="col" { "problem" } th scope="col" { "as expected" } th.number scope="col" { "cases" }
                        th.number scope="col" { "cells" } th.number scope="col" { "not permitted" }
                        th.number scope="col" { "slowest AC" } th.number scope="col" { "limit" }
                    } }
                    tbody { @for problem in &run.matrix.problems { (problem_row(problem)) } }
                }
            }
        }
    }
}

fn problem_row(problem: &ProblemColumns) -> Markup {
    let totals = &problem.totals;
    html! {
        tr {
            th scope="row" { a href={ "#" (fragment(&[("p", &problem.id)])) } { (clean::name(&problem.id)) } }
            td.bad[totals.met < totals.submissions] { (totals.met) " of " (totals.submissions) }
            td.number { (problem.cases.len()) } td.number { (totals.run) }
            td.number.bad[totals.failed > 0] { (totals.failed) }
            td.number { @if let Some(slowest) = &totals.slowest { (Seconds(slowest.cpu)) } }
            td.number { @if let Some(slowest) = &totals.slowest { (Seconds(slowest.limit)) } }
        }
    }
}

fn failures(run: &Collected) -> Markup {
    if run.failures.is_empty() {
        return html! {};
    }
    html! {
        section #failures aria-labelledby="failures-title" {
            h2 #failures-title { "Not as expected" }
            @if run.failed > run.failures.len() {
                p { "The first " (run.failures.len()) " of " (run.failed) " failures are listed here." }
            }
            @for failure in &run.failures { (failure_entry(failure)) }
        }
    }
}

fn failure_entry(failure: &Failure) -> Markup {
    let (problem, submission) = (failure.problem.as_str(), failure.submission.as_str());
    let mut parts = vec![("p", problem), ("s", submission)];
    if let Some(case) = &failure.case {
        parts.push(("c", case));
    }
    html! {
        details.failure {
            summary {
                span class={ "verdict v-" (failure.verdict.code()) } { (failure.verdict.code()) } " "
                b { (clean::name(submission)) }
                " on " code { (failure.case.as_deref().map_or_else(|| "the submission as a whole".to_owned(), clean::name)) }
                span.promise { "promised: " (clean::name(&failure.expected)) }
            }
            p { (failure.reason) }
            p.open { a href={ "#" (fragment(&parts)) } { "everything about this run" } }
            @for (title, text) in &failure.details.0 { h3 { (title) } pre { (PreEscaped("\n")) (text) } }
        }
    }
}

/// The part of an address that names a place in the page: `p=klotski&s=solutions/a.rs`.
fn fragment(parts: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (key, value) in parts {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(key);
        text.push('=');
        // The script finds names as it shows them.
        for byte in clean::name(value).bytes() {
            if byte.is_ascii_alphanumeric() || b"/._-~".contains(&byte) {
                text.push(char::from(byte));
            } else {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}
