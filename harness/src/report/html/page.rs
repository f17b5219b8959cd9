//! The page of a run: what it shows without its script, and the data.

use std::io::{self, Write};
use std::time::Duration;

use maud::{Markup, html};

use super::collected::Collected;
use super::findings::Findings;
use super::place::fragment;
use super::{SCRIPT, failures, index};
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
                @if findings.is_none() || !run.matrix.rows.is_empty() { (failures::section(run)) (overview(run)) }
                @if let Some(findings) = findings { (findings.checks()) }
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
    let wall = run.summary.as_ref().map(|summary| summary.wall);
    origin_words(&outline.origin, Some(outline.jobs), wall)
}

/// The time of day, which the script shows in the zone of the reader, the processor, the number of workers, the version,
/// and how long it took.
pub(super) fn origin_words(origin: &Origin, jobs: Option<usize>, wall: Option<Duration>) -> Markup {
    let cpu = origin.machine.cpu.as_deref().unwrap_or("unknown processor");
    let words: Vec<String> = [clean::name(cpu)]
        .into_iter()
        .chain(jobs.map(|jobs| Count(jobs, "worker").to_string()))
        .chain([format!("rejudge {}", clean::name(&origin.version))])
        .chain(wall.map(|wall| format!("took {}", Seconds(wall))))
        .collect();
    html! {
        @if let Some(time) = origin.time.map(shown_time) {
            time datetime=(time) { (time.get(..16).unwrap_or(&time).replace('T', " ")) " UTC" } " · "
        }
        (words.join(" · "))
    }
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
            div #pictures {}
            div.scroll.summary-table tabindex="0" role="region" aria-label="Table of problems" {
                table {
                    thead { tr {
                        th scope="col" { "problem" } th scope="col" { "as expected" } th.number scope="col" { "cases" }
                        th.number scope="col" { "runs" } th.number scope="col" { "not as expected" }
                        th.number scope="col" { "slowest accepted" } th.number scope="col" { "limit" }
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
