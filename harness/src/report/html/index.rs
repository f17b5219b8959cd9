//! The index: names and figures of all submissions as JSON, then a column for each figure of the cells.
//!
//! The length of the JSON comes first, as four bytes, the least significant first. Cells are in the order of the
//! problems, then of their submissions, then of their cases. A figure of three bytes is three columns, the least
//! significant bytes first: equal bytes next to each other compress well.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::collected::{Collected, PageCell};
use crate::event::Outline;
use crate::killing::{Catch, Killing, killing};
use crate::report::json::start::shown_time;
use crate::report::matrix::{MatrixCase, MatrixRow};
use crate::show::page::clean;
use crate::verdict::Verdict;

/// A submission.
type PageRow = MatrixRow<PageCell>;

/// The verdict of a case that was not run; others are indices in [`Verdict::ALL`].
const ABSENT: u8 = 255;

/// Writes the index of `run`.
pub(super) fn write(out: &mut dyn Write, run: &Collected) -> io::Result<()> {
    let matrix = &run.matrix;
    let cells = || {
        matrix.matrices().flat_map(|(problem, rows)| {
            let cases = problem.cases.len();
            rows.flat_map(move |row| (0..cases).map(move |case| row.cell(case)))
        })
    };
    let has_scores = cells().flatten().any(|cell| !cell.score.is_nan());
    let header = serde_json::to_vec(&header(run, has_scores))?;
    let length = u32::try_from(header.len()).map_err(io::Error::other)?;
    out.write_all(&length.to_le_bytes())?;
    out.write_all(&header)?;
    let mut column = |absent: u8, value: &dyn Fn(&PageCell) -> u8| -> io::Result<()> {
        let bytes = cells().map(|cell| cell.as_ref().map_or(absent, value));
        out.write_all(&bytes.collect::<Vec<_>>())
    };
    column(ABSENT, &|cell| index_of(cell.verdict))?;
    column(0, &|cell| cell.flags)?;
    for shift in [0, 8, 16] {
        column(0, &|cell| low_byte(cell.cpu >> shift))?;
    }
    for shift in [0, 8, 16] {
        column(0, &|cell| low_byte(cell.wall >> shift))?;
    }
    for shift in [0, 8, 16] {
        column(0, &|cell| low_byte(cell.memory >> shift))?;
    }
    for byte in (0..8).filter(|_| has_scores) {
        column(f64::NAN.to_le_bytes()[byte], &|cell| cell.score.to_le_bytes()[byte])?;
    }
    Ok(())
}

fn low_byte(number: u32) -> u8 {
    number.to_le_bytes()[0]
}

/// The index of a verdict in [`Verdict::ALL`].
fn index_of(verdict: Verdict) -> u8 {
    let index = Verdict::ALL.iter().position(|one| *one == verdict);
    index.and_then(|index| index.try_into().ok()).unwrap_or(ABSENT)
}

fn header(run: &Collected, has_scores: bool) -> Value {
    let problems = run.matrix.matrices().map(|(problem, rows)| {
        let rows: Vec<&PageRow> = rows.collect();
        json!({
            "id": clean::name(&problem.id),
            "cases": problem.cases.iter().map(|case| clean::name(&case.name)).collect::<Vec<_>>(),
            "inputs": paths(&problem.cases, |case| case.input.as_deref()),
            "answers": paths(&problem.cases, |case| case.answer.as_deref()),
            "rows": problem.rows,
            "killing": strength(&rows, problem.cases.len()),
        })
    });
    let rows = run.matrix.rows.iter().zip(&run.details);
    json!({
        "run": run.outline.as_ref().map(|outline| origin(run, outline)),
        "notes": run.missing().iter().map(|note| clean::name(note)).collect::<Vec<_>>(),
        "verdicts": Verdict::ALL.map(|verdict| [verdict.code(), verdict.words()]),
        "problems": problems.collect::<Vec<_>>(),
        "submissions": rows.map(|(row, details)| submission(row, details.is_some())).collect::<Vec<_>>(),
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

/// Paths of the cases: nothing, what comes before and after the names of the cases, or each of them.
fn paths(cases: &[MatrixCase], path: impl Fn(&MatrixCase) -> Option<&str>) -> Value {
    let Some((first, first_path)) = cases.first().and_then(|case| Some((case, path(case)?))) else {
        return Value::Null;
    };
    if let Some(at) = first_path.rfind(&first.name) {
        let (before, after) = (&first_path[..at], &first_path[at + first.name.len()..]);
        let fits = |case: &MatrixCase| {
            path(case) == Some(format!("{before}{}{after}", case.name).as_str())
        };
        if cases.iter().all(fits) {
            return json!([clean::name(before), clean::name(after)]);
        }
    }
    json!({ "each": cases.iter().map(|case| path(case).map(clean::name)).collect::<Vec<_>>() })
}

fn submission(row: &PageRow, has_details: bool) -> Value {
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
        "has_details": has_details,
    })
}

/// The killing matrix of the submissions that cases must reject: not of those that do not compile.
fn strength(rows: &[&PageRow], cases: usize) -> Value {
    let wrong: Vec<usize> = (0..rows.len())
        .filter(|row| {
            let report = &rows[*row].report;
            report.must_fail && report.verdict != Verdict::CompileError
        })
        .collect();
    let catch =
        |cell: Option<PageCell>| cell.map_or(Catch::Unknown, |cell| Catch::of(cell.verdict));
    let catches: Vec<Vec<Catch>> = wrong
        .iter()
        .map(|row| (0..cases).map(|case| catch(rows[*row].cell(case))).collect())
        .collect();
    let Killing { uncaught, caught_once, essential, redundant, minimal, is_exact, is_complete } =
        killing(&catches);
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
