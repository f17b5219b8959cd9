//! `rejudge time`: times the submissions of problems, and shows how their time limits follow from that.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use rejudge_quantity as quantity;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::on_demand;
use super::opening::Opening;
use super::project::{Project, Selected};
use super::report_files;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::time_limits::{jury_of, timed};
use crate::judge::Options;
use crate::problem::Problem;
use crate::sandbox::Facts;
use crate::shard::{SavedLimit, SavedLimits};
use crate::show::json_line;
use crate::show::words::Count;
use crate::submission::SubmissionsByProblem;
use crate::time_limit::{self, Review, ReviewRow};

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
    let mut project = Opening::of(&args.problems).to_run(&args.build).open()?;
    session.accept(&project.languages)?;
    let mut selected = project.select_problems()?;
    on_demand::make(&session, project.tools(), &mut selected)?;
    let mut saved = Vec::new();
    let reviews = Reviews { args, session: &session, project: &project, selected: &selected };
    let ended = reviews.make(&mut output, &mut saved);
    let is_whole = ended.is_ok() && session.signalled().is_none();
    if let Some(path) = &args.save
        && (is_whole || !saved.is_empty())
    {
        let written = SavedLimits::write(path, &saved);
        written.with_context(|| format!("cannot write the limits to `{}`", path.display()))?;
        if !is_whole {
            let (saved, path) = (Count(saved.len(), "problem"), path.display());
            stream::note(format_args!("`{path}` has the time limits of {saved}, not of all"));
        }
    }
    let exit = ended?;
    Ok(session.signalled().unwrap_or_else(|| exit.or_fault(selected.faulty)))
}

/// What the reviews of problems need.
struct Reviews<'a> {
    args: &'a TimeArgs,
    session: &'a Session,
    project: &'a Project,
    selected: &'a Selected,
}

impl Reviews<'_> {
    /// Reviews one problem after the other, and reports it. Ends early if the user interrupts it.
    fn make(&self, output: &mut JsonOutput, saved: &mut Vec<SavedLimit>) -> Result<CommandExit> {
        let Self { args, session, project, selected } = *self;
        let options = Options::new(session.runners().clone());
        let by_problem = SubmissionsByProblem::of(&selected.submissions);
        let mut exit = CommandExit::Expected;
        for problem in &selected.problems {
            let review = review(args, project, problem, &by_problem, &options);
            if session.signalled().is_some() {
                break;
            }
            let review = review?;
            saved.extend(review.given.is_none().then(|| saved_limit(&review)));
            exit = exit.worse(report(&review, session.facts(), output)?);
        }
        Ok(exit)
    }
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
            for line in time_limit::json::json_of(review, sandbox) {
                json_line::write(&mut *out, &line)?;
            }
            Ok(())
        },
        |out| out.write_all(time_limit::text::text_of(review).as_bytes()),
    )?;
    let left_out = review.rows.iter().any(|row| row.timed.unusable.is_some());
    let short = review.rows.iter().any(|row| review.is_short(row));
    let exit = if review.conflict.is_some() || short {
        CommandExit::Unexpected
    } else {
        CommandExit::Expected
    };
    Ok(exit.or_fault(left_out))
}
