//! `rejudge time`: times the submissions of problems, and shows how their time limits follow from that.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use rejudge_quantity as quantity;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::on_demand;
use super::project::Project;
use super::report_files;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::time_limits::{jury_of, timed};
use crate::expectation::Bound;
use crate::judge::Options;
use crate::problem::{Format, Problem};
use crate::sandbox::Facts;
use crate::shard::{SavedLimit, SavedLimits};
use crate::show::columns::columns;
use crate::show::json_line;
use crate::show::words::{LimitSeconds, Seconds};
use crate::submission::SubmissionsByProblem;
use crate::time_limit::{self, Review, ReviewRow};

mod json;

/// Time the submissions of problems, and show the time limits that follow
#[derive(Debug, Args)]
pub(crate) struct TimeArgs {
    /// Names or folders of the problems [default: all problems of the repository]
    #[arg(value_name = "PROBLEM")]
    problems: Vec<PathBuf>,
    /// Number of runs of each submission on its slowest case
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = quantity::whole(1_u16, 1000))]
    runs: u16,
    /// Write the time limits of problems that set none to FILE, for `rejudge run --limits FILE`
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Times the submissions. The exit status is 1 if no limit fits them, or if the limit that is set leaves a margin that
/// is too small.
pub(crate) fn time(args: &TimeArgs) -> Result<CommandExit> {
    let written = [(report_files::JSON, args.json.path()), ("--save", args.save.as_deref())];
    report_files::check(&written, &[])?;
    let mut output = args.json.open()?;
    let session = Session::start(args.sandbox)?;
    let mut project = Project::open(&args.problems, None, &args.build)?;
    session.accept(&project.languages)?;
    let mut selected = project.select_problems()?;
    on_demand::make(&session, project.tools(), &mut selected)?;
    let mut exit = CommandExit::Expected;
    let options = Options::new(session.runners().clone());
    let mut saved = Vec::new();
    let by_problem = SubmissionsByProblem::of(&selected.submissions);
    for problem in &selected.problems {
        let review = review(args, &project, problem, &by_problem, &options);
        if let Some(exit) = session.signalled() {
            return Ok(exit);
        }
        let review = review?;
        saved.extend(review.given.is_none().then(|| saved_limit(&review)));
        exit = exit.worse(report(&review, session.facts(), &mut output)?);
    }
    if let Some(path) = &args.save {
        let written = SavedLimits::write(path, &saved);
        written.with_context(|| format!("cannot write the limits to `{}`", path.display()))?;
    }
    Ok(exit.or_fault(selected.faulty))
}

/// The limit that a run of the problem infers.
fn saved_limit(review: &Review) -> SavedLimit {
    let inferred = review.inferred.as_ref();
    SavedLimit {
        problem: review.problem.clone(),
        limit_ms: inferred.map(|found| found.limit.as_secs_f64() * 1e3),
        reason: inferred.map(|found| found.why.clone()),
    }
}

fn review(
    args: &TimeArgs,
    project: &Project,
    problem: &Problem,
    all: &SubmissionsByProblem<'_>,
    options: &Options,
) -> Result<Review> {
    let (problem, jury) = match jury_of(project, problem)? {
        Some((whole, jury)) if !jury.is_empty() => (whole, jury),
        _ => (problem.clone(), all.copied(&problem.id)),
    };
    let found = timed(project, &problem, &jury, options)?;
    let mut rows = Vec::new();
    for timed in found.timed {
        let submission = jury.iter().find(|one| one.name == timed.submission);
        let runs = usize::from(args.runs);
        let spread = match submission {
            Some(submission) if timed.unusable.is_none() => {
                time_limit::repeat(&problem, submission, &timed, runs, project.tools(), options)?
            }
            _ => None,
        };
        let language = project.languages.get(&timed.language);
        rows.push(ReviewRow {
            language: language.map_or_else(|| timed.language.clone(), |one| one.name.clone()),
            timed,
            spread,
        });
    }
    Ok(Review {
        problem: problem.id.clone(),
        format: problem.format,
        margins: problem.margins,
        given: problem.limits.cpu_time,
        inferred: found.limit,
        conflict: found.conflict,
        rows,
    })
}

fn report(review: &Review, sandbox: &Facts, output: &mut JsonOutput) -> Result<CommandExit> {
    output.write(
        |out| {
            for line in json::json_of(review, sandbox) {
                json_line::write(&mut *out, &line)?;
            }
            Ok(())
        },
        |out| out.write_all(text_of(review).as_bytes()),
    )?;
    let left_out = review.rows.iter().any(|row| row.timed.unusable.is_some());
    let short = review.rows.iter().any(|row| is_short(review, row));
    let exit = if review.conflict.is_some() || short {
        CommandExit::Unexpected
    } else {
        CommandExit::Expected
    };
    Ok(exit.or_fault(left_out))
}

/// Whether the limit leaves this submission less than the margin of the format.
fn is_short(review: &Review, row: &ReviewRow) -> bool {
    let in_time = row.timed.side == Bound::Upper && row.time().is_some_and(|(_, stopped)| stopped);
    row.timed.unusable.is_none()
        && !in_time
        && review.ratio(row).is_some_and(|ratio| ratio < review.demanded(row) - 1e-9)
}

fn text_of(review: &Review) -> String {
    let mut text = String::new();
    let head = match (review.given, &review.inferred) {
        (Some(given), Some(found)) => format!(
            "time limit {} (set); the submissions give {}",
            LimitSeconds(given),
            LimitSeconds(found.limit)
        ),
        (Some(given), None) => format!("time limit {} (set)", LimitSeconds(given)),
        (None, Some(found)) => format!("time limit {}", LimitSeconds(found.limit)),
        (None, None) => "no submission bounds the time limit from below".to_owned(),
    };
    let _ = writeln!(text, "{}: {head}", review.problem);
    if let Some(found) = &review.inferred {
        let _ = writeln!(text, "  {}", found.why);
    }
    table(&mut text, review);
    if let Some((least, most)) = review.interval().filter(|(least, most)| least != most) {
        let (least, most) = (LimitSeconds(least), LimitSeconds(most));
        let _ = writeln!(text, "  not certain: the repeated runs give {least} to {most}");
    }
    let limits = |all: Vec<String>| all.join(", ");
    let formats = review.by_format().into_iter().map(|(format, limit)| {
        let own = if format == review.format { " (used here)" } else { "" };
        format!("{} {}{own}", format_name(format), LimitSeconds(limit))
    });
    let formats = limits(formats.collect());
    if !formats.is_empty() {
        let _ = writeln!(text, "  limit by format: {formats}");
    }
    let machines = review.on_machines().into_iter();
    let machines =
        machines.map(|(factor, limit)| format!("{} (times × {factor})", LimitSeconds(limit)));
    let machines = limits(machines.collect());
    if !machines.is_empty() {
        let _ = writeln!(text, "  limit on faster and slower machines: {machines}");
    }
    slack(&mut text, review);
    if let Some(conflict) = &review.conflict {
        let _ = writeln!(text, "  no limit fits: {conflict}");
    }
    text
}

fn slack(text: &mut String, review: &Review) {
    let Some(limit) = review.limit() else { return };
    let limit = LimitSeconds(limit);
    let _ = match review.slack() {
        (Some(least), Some(most)) => writeln!(
            text,
            "  {limit} keeps both margins on machines that take {least:.2} to {most:.2} times as long"
        ),
        (None, Some(most)) => writeln!(
            text,
            "  {limit} keeps the margin on machines that take at most {most:.2} times as long"
        ),
        _ => Ok(()),
    };
}

/// A line for each submission.
fn table(text: &mut String, review: &Review) {
    let mut lines = vec![
        ["submission", "language", "slowest case", "time", "runs", "margin"].map(str::to_owned),
    ];
    for row in &review.rows {
        lines.push(cells(review, row));
    }
    if lines.len() == 1 {
        return;
    }
    columns(text, &lines);
}

fn cells(review: &Review, row: &ReviewRow) -> [String; 6] {
    let name = row.timed.submission.clone();
    let language = row.language.clone();
    if let Some(why) = &row.timed.unusable {
        let left_out = format!("cannot be run: {why}");
        return [name, language, left_out, String::new(), String::new(), String::new()];
    }
    let Some((time, stopped)) = row.time() else {
        let none = "no case counts".to_owned();
        return [name, language, none, String::new(), String::new(), String::new()];
    };
    let mark = if stopped { "> " } else { "" };
    let runs = row
        .spread
        .map(|spread| format!("{:.3} .. {}", spread.least.as_secs_f64(), Seconds(spread.greatest)));
    let margin = review.ratio(row).map(|ratio| {
        let (word, mark) = match (row.timed.side, stopped) {
            (Bound::Upper, true) => ("above", "> "),
            (Bound::Upper, false) => ("above", ""),
            (_, true) => ("below", "< "),
            (_, false) => ("below", ""),
        };
        let short = if is_short(review, row) { ", too small" } else { "" };
        format!("{mark}{ratio:.2} {word} (at least {}{short})", review.demanded(row))
    });
    [
        name,
        language,
        row.case().unwrap_or_default().to_owned(),
        format!("{mark}{}", Seconds(time)),
        runs.unwrap_or_default(),
        margin.unwrap_or_default(),
    ]
}

fn format_name(format: Format) -> &'static str {
    match format {
        Format::Legacy => "legacy",
        Format::V2025 => "2025-09",
    }
}
