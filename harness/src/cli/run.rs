//! `rejudge run`: judges what the paths name.

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{ArgAction, Args};

use super::exit::Exit;
use super::limits::LimitArgs;
use super::on_demand;
use super::project::{BuildArgs, Project, Selected};
use super::select::SelectArgs;
use super::session::Session;
use super::stream::{self, Color};
use crate::event::Summary;
use crate::judge::{self, Options};
use crate::report::Reporter;
use crate::report::json::Json;
use crate::report::junit::Junit;
use crate::report::terminal::{Terminal, Verbosity};

/// Judge solutions over their cases
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    select: SelectArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    /// Run so many cases at the same time [default: physical cores minus one, at least one]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Count a case without an answer, which is run only, as good
    #[arg(long)]
    no_check: bool,
    /// Stop a solution at its first case that is not accepted, and the run at the first solution
    /// that is not as expected
    #[arg(long)]
    fail_fast: bool,
    /// Run each case N times and report the spread; the worst verdict counts
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=10_000))]
    repeat: u16,
    /// Keep every output as DIR/SOLUTION/CASE.out, the end of standard error as CASE.err
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    /// Write the report as JSON lines to FILE, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        help = "Write the report as JUnit XML to FILE"
    )]
    junit: Option<PathBuf>,
    /// Colour the report
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: Color,
    /// Print a line for each solution; twice, for each case too
    #[arg(short, long, action = ArgAction::Count)]
    verbose: u8,
    /// Print only what is not as expected
    #[arg(short, long, conflicts_with = "verbose")]
    quiet: bool,
}

/// Judges; the exit status tells whether all was as expected.
pub(crate) fn run(args: &RunArgs) -> Result<Exit> {
    args.color.apply();
    let session = Session::start()?;
    let mut project = Project::open(
        &args.select.paths,
        args.select.cases.as_deref(),
        &args.build,
    )?;
    let Some(mut selected) = project.select(&args.select)? else {
        return Ok(Exit::NothingSelected);
    };
    on_demand::make(&session, project.tools(), &mut selected)?;
    let mut reporters = args.reporters()?;
    let options = Options {
        jobs: args.jobs.map_or_else(|| project.jobs(), usize::from),
        limits: (&args.limits).into(),
        fail_fast: args.fail_fast,
        allow_unchecked: args.no_check,
        repeat: usize::from(args.repeat),
        look: stream::look(),
        keep: args.keep.clone(),
        runner: session.runner_options(),
    };
    let mut broken = None;
    let summary = judge::judge(
        &selected.problems,
        &selected.submissions,
        project.tools(),
        &options,
        &mut |event| {
            for reporter in &mut reporters {
                if let Err(error) = reporter.event(event) {
                    broken.get_or_insert(error);
                    session.interrupt().trigger();
                }
            }
        },
    )?;
    if let Some(error) = broken {
        return Err(error).context("cannot write the report");
    }
    Ok(session
        .signalled()
        .unwrap_or_else(|| exit_of(&summary, &selected)))
}

/// What the figures come to; what could not be judged at all is a fault even if the rest is green.
fn exit_of(summary: &Summary, selected: &Selected) -> Exit {
    Exit::of(summary).or_fault(selected.faulty)
}

impl RunArgs {
    fn verbosity(&self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Submissions,
            (false, _) => Verbosity::Cases,
        }
    }

    /// One reporter for people and one for each file asked for. The people's report leaves standard
    /// output to the JSON if that goes there.
    fn reporters(&self) -> Result<Vec<Box<dyn Reporter>>> {
        let json_to_stdout = self.json.as_deref() == Some(Path::new("-"));
        let people: Box<dyn Write> = if json_to_stdout {
            Box::new(anstream::stderr())
        } else {
            Box::new(stream::stdout())
        };
        let mut reporters: Vec<Box<dyn Reporter>> = vec![Box::new(Terminal::new(
            people,
            self.verbosity(),
            !self.quiet,
        ))];
        if json_to_stdout {
            reporters.push(Box::new(Json::new(io::stdout())));
        } else if let Some(path) = &self.json {
            let file = File::create(path)
                .with_context(|| format!("cannot write the JSON report to `{}`", path.display()))?;
            reporters.push(Box::new(Json::new(LineWriter::new(file))));
        }
        if let Some(path) = &self.junit {
            let report = Junit::new(path.clone()).with_context(|| {
                format!("cannot write the JUnit report to `{}`", path.display())
            })?;
            reporters.push(Box::new(report));
        }
        Ok(reporters)
    }
}
