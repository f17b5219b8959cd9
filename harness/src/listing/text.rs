//! The problems and submissions as text.

use std::io::{self, Write};

use unicode_width::UnicodeWidthStr as _;

use super::{checker, groups};
use crate::discover::{CasesBy, Found};
use crate::limits::{self, LimitOverrides};
use crate::notice::visible;
use crate::problem::Problem;
use crate::show::fit::padded;
use crate::submission::{Submission, SubmissionsByProblem};
use crate::time_limit::is_inferred;

/// Writes the problems and submissions as text.
pub(crate) fn write_text(out: &mut dyn Write, found: &Found, verbose: bool) -> io::Result<()> {
    let by_problem = SubmissionsByProblem::of(&found.submissions);
    for (index, problem) in found.problems.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
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
        write_submissions(out, found, by_problem.of_problem(&problem.id))?;
    }
    Ok(())
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
