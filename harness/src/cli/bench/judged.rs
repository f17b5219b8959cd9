//! What is measured at all: solutions that the judge accepts, on the cases that are worth it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;

use super::{BenchStage, canonical};
use crate::bench::report::{CaseId, LeftOut, LeftOutKind};
use crate::bench::sampling::ProgramCase;
use crate::bench::selection;
use crate::cli::project::Selected;
use crate::event::{CaseResult, Event, SubmissionReport};
use crate::judge::{self, Options};
use crate::problem::{Problem, ProblemsById, TestCase};
use crate::sequence::SubmissionEntry;
use crate::submission::{Expectation, Submission, SubmissionsByProblem};
use crate::verdict::Verdict;

/// Keeps the solutions that must be accepted, and those that the command line names by their own path.
pub(super) fn keep_default_and_named(selected: &mut Selected, paths: &[PathBuf]) {
    let named: Vec<PathBuf> = paths.iter().map(|path| canonical(path)).collect();
    selected.submissions.retain(|submission| {
        selection::is_measured_by_default(submission)
            || named.contains(&canonical(&submission.path))
    });
}

/// Removes the solutions that cannot be measured, and returns them with the reasons.
pub(super) fn remove_unmeasurable(selected: &mut Selected) -> Vec<LeftOut> {
    let all = std::mem::take(&mut selected.submissions);
    let mut left_out = Vec::new();
    let by_id = ProblemsById::of(&selected.problems);
    for submission in all {
        match selection::why_not_measurable(problem_of(&submission, &by_id), &submission) {
            Some(why) => left_out.push(LeftOut::unsuitable(&submission.name, why)),
            None => selected.submissions.push(submission),
        }
    }
    left_out
}

/// CPU times by solution and case.
type CaseTimes = HashMap<(String, String), Duration>;

/// Which cases are measured.
pub(super) enum Choice<'a> {
    /// Those that were asked for, or the slowest of each group.
    Usual,
    /// As `Usual`, but the same cases for all solutions of a problem, to compare them.
    Common,
    /// As `Usual`, but the slowest for a solution or for its base, which is in the same place of this list.
    Against(&'a [Submission]),
    /// These, by solution and case.
    Listed(&'a dyn Fn(&str, &str) -> bool),
}

/// Judges the solutions once over their cases. What comes back can be measured: each solution that was accepted
/// (indices into `selected`), on its chosen cases, with its CPU time there, or that of its slowest rival; the others are in
/// `left_out`.
pub(super) fn choose(
    stage: &BenchStage<'_>,
    selected: &mut Selected,
    choice: &Choice<'_>,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<(ProgramCase, Duration)>> {
    retain_cases(stage, selected, choice);
    for submission in &mut selected.submissions {
        // Whatever its folder permits: what is not accepted does not do the work that is timed.
        submission.expected = Expectation::accepted();
    }
    let times = judge_once(stage, &selected.problems, &selected.submissions, left_out)?;
    let base_times = match choice {
        Choice::Against(bases) => {
            let accepted = |base: &Submission| Submission {
                expected: Expectation::accepted(),
                ..base.clone()
            };
            let bases: Vec<Submission> = bases.iter().map(accepted).collect();
            // A base that fails is reported when it is measured.
            judge_once(stage, &selected.problems, &bases, &mut Vec::new())?
        }
        _ => CaseTimes::new(),
    };
    let mut program_cases = Vec::new();
    let entries = entries(selected);
    for (program, (submission, problem)) in entries.iter().enumerate() {
        let name = |case: usize| problem.cases[case].name();
        let own = times_of(&times, submission, problem);
        let cpu = match choice {
            Choice::Usual | Choice::Listed(_) => own.clone(),
            Choice::Against(_) => selection::slowest_of_rivals(&[
                own.clone(),
                times_of(&base_times, submission, problem),
            ]),
            Choice::Common => {
                let rivals = entries.iter().filter(|(_, other)| other.id == problem.id);
                let rivals = rivals.map(|(rival, _)| times_of(&times, rival, problem));
                selection::slowest_of_rivals(&rivals.collect::<Vec<_>>())
            }
        };
        let chosen: Vec<usize> = match choice {
            Choice::Listed(listed) => {
                let all = 0..cpu.len();
                all.filter(|&case| listed(&submission.name, name(case))).collect()
            }
            _ if asked_for(stage) || stage.settings.names_cases_of(problem) => {
                (0..cpu.len()).collect()
            }
            _ => selection::slowest_of_each_group(problem, &cpu),
        };
        let found = chosen.into_iter().filter_map(|case| {
            let time = cpu[case].or(own[case]).filter(|_| own[case].is_some());
            Some((ProgramCase { program, case }, time?))
        });
        program_cases.extend(found);
    }
    Ok(program_cases)
}

/// The CPU times of a solution, by case.
fn times_of(
    times: &CaseTimes,
    submission: &Submission,
    problem: &Problem,
) -> Vec<Option<Duration>> {
    let time = |case: &TestCase| {
        let key = (submission.name.clone(), case.name().to_owned());
        times.get(&key).copied()
    };
    problem.cases.iter().map(time).collect()
}

/// Leaves only the cases that may be chosen, where that is known before they were run.
fn retain_cases(stage: &BenchStage<'_>, selected: &mut Selected, choice: &Choice<'_>) {
    let by_problem = SubmissionsByProblem::of(&selected.submissions);
    for problem in &mut selected.problems {
        let id = problem.id.clone();
        if let Choice::Listed(listed) = choice {
            let own = by_problem.of_problem(&id);
            problem.retain_cases(|case| {
                let mut own = own.iter();
                own.any(|submission| listed(&submission.name, case.name()))
            });
        } else if !asked_for(stage) && stage.settings.names_cases_of(problem) {
            problem.retain_cases(|case| stage.settings.names(&id, case.name()));
        }
    }
}

/// Whether the command line names cases, which are all that is left then; `rejudge.toml` has no say.
fn asked_for(stage: &BenchStage<'_>) -> bool {
    !stage.args.select.case.is_empty()
}

/// The selected solutions, each with its problem.
pub(super) fn entries(selected: &Selected) -> Vec<SubmissionEntry<'_>> {
    let by_id = ProblemsById::of(&selected.problems);
    let submissions = selected.submissions.iter();
    submissions.map(|submission| (submission, problem_of(submission, &by_id))).collect()
}

/// The names of a solution and a case.
pub(super) fn case_id(entries: &[SubmissionEntry<'_>], program_case: ProgramCase) -> CaseId {
    let (submission, problem) = entries[program_case.program];
    CaseId {
        submission: submission.name.clone(),
        problem: problem.id.clone(),
        case: problem.cases[program_case.case].name().to_owned(),
    }
}

fn problem_of<'a>(submission: &Submission, by_id: &ProblemsById<'a>) -> &'a Problem {
    let found = by_id.get(&submission.problem);
    found.expect("discovery joins them by id")
}

/// The times of the solutions that are accepted.
fn judge_once(
    stage: &BenchStage<'_>,
    problems: &[Problem],
    submissions: &[Submission],
    left_out: &mut Vec<LeftOut>,
) -> Result<CaseTimes> {
    let options = Options {
        jobs: stage.project.jobs(),
        limits: (&stage.args.limits).into(),
        ..Options::new(stage.session.runners().clone())
    };
    let mut times = CaseTimes::new();
    let mut live = stage.args.output.progress();
    judge::judge(
        problems,
        submissions,
        stage.project.tools(),
        &options,
        &mut |event| match event {
            Event::Started(outline) => live.expect(outline.cases),
            Event::Working(work) => live.work(*work),
            Event::Case(result) if result.verdict == Verdict::Accepted => {
                times.insert(key(result), result.usage.cpu());
            }
            Event::Submission(report) => {
                live.skip(report.cases - report.run);
                if let Some(one) = refused(report) {
                    times.retain(|(submission, _), _| *submission != report.submission);
                    left_out.push(one);
                }
            }
            _ => {}
        },
    )?;
    live.finish();
    Ok(times)
}

fn key(result: &CaseResult) -> (String, String) {
    (result.submission.clone(), result.case.clone())
}

fn refused(report: &SubmissionReport) -> Option<LeftOut> {
    if report.verdict == Verdict::Accepted && report.not_judged.is_none() {
        return None;
    }
    let first = report.failures.first();
    let why = report.why_not_run().or(first.and_then(|failure| failure.reason.as_deref()));
    let headline = why.unwrap_or_default().lines().next().unwrap_or_default();
    let gap = if headline.is_empty() { "" } else { ": " };
    Some(LeftOut {
        submission: report.submission.clone(),
        case: first.map(|failure| failure.case.clone()),
        kind: LeftOutKind::Failed,
        why: format!("{}{gap}{headline}, so it is not measured", report.verdict.words()),
    })
}
