//! The problems and submissions as text.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use super::{checker, groups};
use crate::discover::{CasesBy, Found};
use crate::limits::{self, LimitOverrides};
use crate::notice::visible;
use crate::problem::Problem;
use crate::show::fit::{ending_of, padded, start_of};
use crate::submission::{Submission, SubmissionsByProblem};
use crate::time_limit::is_inferred;

/// Writes the problems and submissions as text: a line for each problem and the totals, or the details of each if it is the
/// only one or `verbose`. `columns`: those of the terminal.
pub(crate) fn write_text(
    out: &mut dyn Write,
    found: &Found,
    verbose: bool,
    columns: Option<usize>,
) -> io::Result<()> {
    let by_problem = SubmissionsByProblem::of(&found.submissions);
    if found.problems.len() > 1 && !verbose {
        return write_overview(out, found, &by_problem, columns);
    }
    for (index, problem) in found.problems.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        write_problem(out, found, problem, by_problem.of_problem(&problem.id), verbose)?;
    }
    Ok(())
}

/// A row of the overview.
struct OverviewRow {
    problem: String,
    solutions: String,
    cases: String,
    /// Why the solutions are judged on these cases.
    why: String,
}

fn write_overview(
    out: &mut dyn Write,
    found: &Found,
    by_problem: &SubmissionsByProblem<'_>,
    columns: Option<usize>,
) -> io::Result<()> {
    const GAP: &str = "  ";
    let heads = OverviewRow {
        problem: "problem".to_owned(),
        solutions: "solutions".to_owned(),
        cases: "cases".to_owned(),
        why: "judged on".to_owned(),
    };
    let rows: Vec<OverviewRow> = found
        .problems
        .iter()
        .map(|problem| {
            let own = by_problem.of_problem(&problem.id);
            let why: Vec<&str> = match cases_by(found, own).as_slice() {
                [] if problem.is_package => vec!["the cases of the package"],
                reasons => reasons.iter().map(|reason| reason.sentence()).collect(),
            };
            OverviewRow {
                problem: visible(&problem.id),
                solutions: own.len().to_string(),
                cases: problem.cases.len().to_string(),
                why: why.join("; "),
            }
        })
        .collect();
    let all = || std::iter::once(&heads).chain(&rows);
    let width =
        |of: fn(&OverviewRow) -> &String| all().map(|row| of(row).width()).max().unwrap_or(0);
    let (solutions, cases) = (width(|row| &row.solutions), width(|row| &row.cases));
    let numbers = solutions + cases + 2 * GAP.len();
    let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(numbers).max(1));
    let names = width(|row| &row.problem).min(room);
    let room = room.saturating_sub(names + GAP.len());
    for row in all() {
        let name = padded(&ending_of(&row.problem, names), names);
        let numbers = format!("{GAP}{:>solutions$}{GAP}{:>cases$}", row.solutions, row.cases);
        let why = start_of(&row.why, room);
        writeln!(out, "{}", format!("{name}{numbers}{GAP}{why}").trim_end())?;
    }
    let count = |count: usize, one: &str, several: &str| {
        format!("{count} {}", if count == 1 { one } else { several })
    };
    let cases = found.problems.iter().map(|problem| problem.cases.len()).sum();
    writeln!(
        out,
        "\n{}, {}, {}; `rejudge list -v` shows the limits, checkers, solutions and cases",
        count(found.problems.len(), "problem", "problems"),
        count(found.submissions.len(), "solution", "solutions"),
        count(cases, "case", "cases"),
    )
}

/// A problem with its limits, checker, cases and submissions.
fn write_problem(
    out: &mut dyn Write,
    found: &Found,
    problem: &Problem,
    own: &[&Submission],
    verbose: bool,
) -> io::Result<()> {
    write!(out, "{}", visible(&problem.id))?;
    if let Some(title) = &problem.title {
        write!(out, "  {}", visible(title))?;
    }
    writeln!(out)?;
    let limits = limits::of_solution(Some(problem), None, &LimitOverrides::default());
    let time = if is_inferred(problem) {
        "CPU inferred when judged".to_owned()
    } else {
        let (cpu, wall) = (limits.cpu_time, limits.wall_time);
        format!("{} s CPU, {} s wall", cpu.as_secs_f64(), wall.as_secs_f64())
    };
    let (memory, output) = (limits.memory, limits.output);
    writeln!(out, "  limits: {time}, {memory} memory, {output} output")?;
    writeln!(out, "  checker: {}", visible(&checker(problem)))?;
    write_cases(out, problem, verbose)?;
    write_submissions(out, found, own)
}

/// A line for each submission: the expected verdict, the source, and where the verdict is stated.
fn write_submissions(out: &mut dyn Write, found: &Found, own: &[&Submission]) -> io::Result<()> {
    let common = cases_by(found, own);
    if let [only] = common.as_slice() {
        writeln!(out, "  judged on: {}", only.sentence())?;
    }
    let labels = own.iter().map(|one| one.expected.label.width());
    let width = labels.max().unwrap_or(0);
    for one in own {
        let reasons = found.reasons.get(&one.path).copied().unwrap_or_default();
        let mut notes = vec![reasons.expected.word()];
        notes.extend(reasons.cases.filter(|_| common.len() > 1).map(CasesBy::sentence));
        let expected = padded(&one.expected.label, width);
        writeln!(out, "  expected: {expected}  {} ({})", one.name, notes.join("; "))?;
    }
    Ok(())
}

/// The different reasons why cases belong to the submissions of a problem.
fn cases_by(found: &Found, own: &[&Submission]) -> Vec<CasesBy> {
    let mut all: Vec<CasesBy> = Vec::new();
    for one in own {
        let reason = found.reasons.get(&one.path).and_then(|known| known.cases);
        all.extend(reason.filter(|reason| !all.contains(reason)));
    }
    all
}

fn write_cases(out: &mut dyn Write, problem: &Problem, verbose: bool) -> io::Result<()> {
    let groups: Vec<String> = groups(problem)
        .iter()
        .map(|group| match group.name.as_str() {
            "" => group.cases.to_string(),
            name => format!("{} {}", visible(name), group.cases),
        })
        .collect();
    writeln!(out, "  cases: {}", groups.join(", "))?;
    let made: std::collections::BTreeSet<&str> =
        problem.on_demand.iter().map(|one| one.name.as_str()).collect();
    for case in problem.cases.iter().filter(|_| verbose) {
        let name = case.name();
        let note = match case.answer() {
            None if case.is_static() => " (static validation)",
            None => " (run only)",
            Some(_) if made.contains(name) => " (made on demand)",
            Some(_) => "",
        };
        writeln!(out, "    {}{note}", visible(name))?;
    }
    Ok(())
}
