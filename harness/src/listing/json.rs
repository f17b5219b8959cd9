//! The JSON lines of `rejudge list`.

use std::io::{self, Write};

use serde::Serialize;

use super::contest::{ContestRow, MeasuredTimes, contest_rows};
use super::{ListedGroup, checker, groups};
use crate::contest::ContestList;
use crate::discover::{CasesBy, Found, NotJudged};
use crate::limits::{self, LimitOverrides};
use crate::notice::shown;
use crate::problem::{Problem, TestCase};
use crate::show::json_line;
use crate::show::notice_line::NoticeLine;
use crate::submission::{Submission, SubmissionsByProblem};
use crate::time_limit::is_inferred;

/// The files of a case, by their whole paths.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct CaseEntry<'a> {
    name: &'a str,
    input: String,
    /// `None`: the case is only run.
    answer: Option<String>,
}

impl<'a> CaseEntry<'a> {
    fn of(case: &'a TestCase) -> Self {
        Self {
            name: case.name(),
            input: shown(&case.input(), None),
            answer: case.answer().map(|path| shown(&path, None)),
        }
    }
}

/// A line of `--json`.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
enum ListLine<'a> {
    Problem {
        problem: &'a str,
        title: Option<&'a str>,
        dir: String,
        package: bool,
        cpu_limit_ms: Option<u128>,
        wall_limit_ms: Option<u128>,
        memory_limit_bytes: u64,
        output_limit_bytes: u64,
        checker: String,
        groups: Vec<ListedGroup>,
        #[serde(skip_serializing_if = "Option::is_none")]
        cases: Option<Vec<&'a str>>,
        case_files: Vec<CaseEntry<'a>>,
    },
    Submission {
        submission: &'a str,
        path: String,
        problem: &'a str,
        language: &'a str,
        expected: &'a str,
        expected_by: &'static str,
        cases_by: Option<&'static str>,
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        input_files: &'a [String],
    },
    /// With `--contest`, in place of the other lines of problems and submissions.
    ContestProblem {
        #[serde(flatten)]
        row: ContestRow<'a>,
    },
    NotJudged {
        path: String,
        reason: &'static str,
    },
    Warning {
        #[serde(flatten)]
        notice: NoticeLine<'a>,
    },
    Error {
        #[serde(flatten)]
        notice: NoticeLine<'a>,
    },
}

pub(crate) fn write_json(out: &mut dyn Write, found: &Found, verbose: bool) -> io::Result<()> {
    let mut line = |line: &ListLine<'_>| json_line::write(&mut *out, line);
    let by_problem = SubmissionsByProblem::of(&found.submissions);
    for problem in &found.problems {
        line(&problem_line(problem, verbose))?;
        for one in by_problem.of_problem(&problem.id) {
            line(&submission_line(found, one))?;
        }
    }
    write_others(out, found)
}

/// Writes a line for each problem of a contest, in its order.
pub(crate) fn write_contest_json(
    out: &mut dyn Write,
    found: &Found,
    times: &MeasuredTimes,
    list: &ContestList,
) -> io::Result<()> {
    for row in contest_rows(found, times, list) {
        json_line::write(&mut *out, &ListLine::ContestProblem { row })?;
    }
    write_others(out, found)
}

/// Writes what is neither a problem nor a submission.
fn write_others(out: &mut dyn Write, found: &Found) -> io::Result<()> {
    let mut line = |line: &ListLine<'_>| json_line::write(&mut *out, line);
    for NotJudged { path, reason } in &found.not_judged {
        line(&ListLine::NotJudged { path: shown(path, None), reason: reason.word() })?;
    }
    for notice in &found.warnings {
        line(&ListLine::Warning { notice: notice.into() })?;
    }
    for notice in &found.errors {
        line(&ListLine::Error { notice: notice.into() })?;
    }
    Ok(())
}

fn submission_line<'a>(found: &Found, one: &'a Submission) -> ListLine<'a> {
    let reasons = found.reasons.get(&one.path).copied().unwrap_or_default();
    ListLine::Submission {
        submission: &one.name,
        path: shown(&one.path, None),
        problem: &one.problem,
        language: &one.language,
        expected: &one.expected.label,
        expected_by: reasons.expected.word(),
        cases_by: reasons.cases.map(CasesBy::word),
        input_files: &one.files.inputs,
    }
}

fn problem_line(problem: &Problem, verbose: bool) -> ListLine<'_> {
    let limits = limits::of_solution(Some(problem), None, &LimitOverrides::default());
    let known = !is_inferred(problem);
    ListLine::Problem {
        problem: &problem.id,
        title: problem.title.as_deref(),
        dir: shown(&problem.dir, None),
        package: problem.is_package,
        cpu_limit_ms: known.then_some(limits.cpu_time.as_millis()),
        wall_limit_ms: known.then_some(limits.wall_time.as_millis()),
        memory_limit_bytes: limits.memory.get(),
        output_limit_bytes: limits.output.get(),
        checker: checker(problem),
        groups: groups(problem),
        cases: verbose.then(|| problem.cases.iter().map(TestCase::name).collect()),
        case_files: problem.cases.iter().map(CaseEntry::of).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_list_is_up_to_date() {
        let kinds = schema::of_lines::<ListLine<'static>>();
        let later = ["case_files", "path", "expected_by", "cases_by"];
        schema::is_up_to_date("list", schema::later_than_0_1_0(kinds, &later));
    }
}
