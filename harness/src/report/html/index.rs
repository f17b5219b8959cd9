//! The index: names and figures of all submissions as JSON, then a column for each figure of the cells.
//!
//! The length of the JSON comes first, as four bytes, the least significant first. Cells are in the order of the
//! problems, then of their submissions, then of their cases. A figure of three bytes is three columns, the least
//! significant bytes first: equal bytes next to each other compress well.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::collected::{ABSENT, Collected, MatrixCell, MatrixProblem, NOT_PERMITTED, Row};
use crate::event::Outline;
use crate::killing::{Killing, Sight, killing};
use crate::report::json::start::shown_time;
use crate::show::page::clean;
use crate::verdict::Verdict;

/// Writes the index of `run`.
pub(super) fn write(out: &mut dyn Write, run: &Collected) -> io::Result<()> {
    let has_scores = run.rows.iter().any(|row| row.cells.iter().any(|cell| !cell.score.is_nan()));
    let header = serde_json::to_vec(&header(run, has_scores))?;
    let length = u32::try_from(header.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&header)?;
    let mut column = |value: &dyn Fn(&MatrixCell) -> u8| -> io::Result<()> {
        let mut bytes = Vec::new();
        for (problem, rows) in matrices(run) {
            for row in rows {
                let cells = row.cells.iter().chain(std::iter::repeat(&MatrixCell::NONE));
                bytes.extend(cells.take(problem.cases.len()).map(value));
            }
        }
        out.write_all(&bytes)
    };
    column(&|cell| cell.verdict)?;
    column(&|cell| cell.flags)?;
    for shift in [0, 8, 16] {
        column(&|cell| low_byte(cell.cpu >> shift))?;
    }
    for shift in [0, 8, 16] {
        column(&|cell| low_byte(cell.wall >> shift))?;
    }
    for shift in [0, 8, 16] {
        column(&|cell| low_byte(cell.memory >> shift))?;
    }
    for byte in (0..8).filter(|_| has_scores) {
        column(&|cell| cell.score.to_le_bytes()[byte])?;
    }
    Ok(())
}

fn low_byte(number: u32) -> u8 {
    number.to_le_bytes()[0]
}

/// The problems, each with its submissions.
fn matrices(run: &Collected) -> impl Iterator<Item = (&MatrixProblem, impl Iterator<Item = &Row>)> {
    let problems = run.problems.iter();
    problems.map(|problem| (problem, problem.rows.iter().map(|row| &run.rows[*row])))
}

fn header(run: &Collected, has_scores: bool) -> Value {
    let problems = matrices(run).map(|(problem, rows)| {
        let rows: Vec<&Row> = rows.collect();
        json!({
            "id": clean::name(&problem.id),
            "cases": problem.cases.iter().map(|case| clean::name(case)).collect::<Vec<_>>(),
            "inputs": paths(&problem.inputs, &problem.cases),
            "answers": paths(&problem.answers, &problem.cases),
            "rows": problem.rows,
            "killing": strength(&rows, problem.cases.len()),
        })
    });
    json!({
        "run": run.outline.as_ref().map(|outline| origin(run, outline)),
        "notes": run.missing().iter().map(|note| clean::name(note)).collect::<Vec<_>>(),
        "verdicts": Verdict::ALL.map(|verdict| [verdict.code(), verdict.words()]),
        "problems": problems.collect::<Vec<_>>(),
        "submissions": run.rows.iter().map(submission).collect::<Vec<_>>(),
        "has_scores": has_scores,
    })
}

fn origin(run: &Collected, outline: &Outline) -> Value {
    let (origin, summary) = (&outline.origin, run.summary.as_ref());
    let missing: Vec<&str> = outline.sandbox.missing().map(|(missing, _)| missing.name()).collect();
    json!({
        "version": clean::name(&origin.version),
        "time": origin.time.map(shown_time),
        "os": clean::name(&origin.machine.os),
        "arch": clean::name(&origin.machine.arch),
        "cpu": origin.machine.cpu.as_deref().map(clean::name),
        "cores": origin.machine.cores,
        "kernel": origin.machine.kernel.as_deref().map(clean::name),
        "back_end": outline.sandbox.back_end.name(),
        "missing": missing,
        "jobs": outline.jobs,
        "arguments": origin.arguments.iter().map(|word| clean::name(word)).collect::<Vec<_>>(),
        "wall_s": summary.map(|summary| summary.wall.as_secs_f64()),
    })
}

/// Paths: nothing, what comes before and after the names of the cases, or each of them.
fn paths(paths: &[Option<String>], cases: &[String]) -> Value {
    let ends = |path: &str, case: &str| {
        let at = path.rfind(case)?;
        Some((path[..at].to_owned(), path[at + case.len()..].to_owned()))
    };
    let Some((Some(path), case)) = paths.iter().zip(cases).next() else {
        return Value::Null;
    };
    let all = || paths.iter().zip(cases);
    match ends(path, case) {
        Some((before, after))
            if all().all(|(path, case)| {
                path.as_deref() == Some(format!("{before}{case}{after}").as_str())
            }) =>
        {
            json!([clean::name(&before), clean::name(&after)])
        }
        _ => {
            let cleaned = |path: &Option<String>| path.as_deref().map(clean::name);
            json!({ "each": paths.iter().map(cleaned).collect::<Vec<_>>() })
        }
    }
}

fn submission(row: &Row) -> Value {
    let report = &row.report;
    let score = report.score.as_ref();
    json!({
        "name": clean::name(&report.submission),
        "problem": row.problem,
        "language": clean::name(&report.language),
        "expected": clean::name(&report.expected),
        "must_fail": report.must_fail,
        "verdict": report.verdict.code(),
        "met": report.met,
        "complaint": report.complaint.as_deref().map(clean::text),
        "not_judged": report.not_judged.as_ref().map(|why| clean::text(&why.to_string())),
        "score": score.map(|score| score.score),
        "max_score": score.and_then(|score| score.max),
        "cases": report.cases,
        "run": report.run,
        "accepted": report.accepted,
        "cpu_limit_s": report.limits.cpu_time.as_secs_f64(),
        "wall_limit_s": report.limits.wall_time.as_secs_f64(),
        "memory_limit": report.limits.memory.get(),
        "time_factor": report.build.time_factor,
        "source": report.build.source_blake3.as_deref().map(clean::name),
        "has_details": row.details.is_some(),
    })
}

/// The killing matrix of the submissions that cases must reject: not of those that do not compile.
fn strength(rows: &[&Row], cases: usize) -> Value {
    let wrong: Vec<usize> = (0..rows.len())
        .filter(|row| {
            let report = &rows[*row].report;
            report.must_fail && report.verdict != Verdict::CompileError
        })
        .collect();
    let sights: Vec<Vec<Sight>> = wrong
        .iter()
        .map(|row| {
            let cells = rows[*row].cells.iter().chain(std::iter::repeat(&MatrixCell::NONE));
            cells.take(cases).map(sight).collect()
        })
        .collect();
    let Killing { uncaught, caught_once, essential, redundant, minimal, is_exact, is_complete } =
        killing(&sights);
    let row = |index: usize| wrong[index];
    json!({
        "wrong": wrong,
        "uncaught": uncaught.into_iter().map(row).collect::<Vec<_>>(),
        "caught_once": caught_once.iter().map(|(submission, case)| (row(*submission), case)).collect::<Vec<_>>(),
        "essential": essential,
        "redundant": redundant,
        "minimal": minimal,
        "is_exact": is_exact,
        "is_complete": is_complete,
    })
}

fn sight(cell: &MatrixCell) -> Sight {
    let verdict = Verdict::ALL.get(usize::from(cell.verdict));
    debug_assert!(cell.verdict == ABSENT || verdict.is_some());
    verdict.map_or(Sight::Unknown, |verdict| Sight::of(*verdict))
}

/// The number of cells whose verdict is not permitted.
pub(super) fn not_permitted(row: &Row) -> usize {
    let cells = row.cells.iter();
    cells.filter(|cell| cell.flags & NOT_PERMITTED != 0).count()
}
