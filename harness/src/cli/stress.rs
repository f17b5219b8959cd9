//! `rejudge stress`: looks for a small input on which a solution fails.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::limits::LimitArgs;
use super::project::default_jobs;
use super::report_args::ColorArgs;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::workshop::Workshop;
use crate::bench::RandomSource;
use crate::judge::Tools;
use crate::limits::LimitOverrides;
use crate::quantity;
use crate::report::progress::{one_line, spinner};
use crate::stress::{StressPlan, StressPrograms, StressReport, StressStep, search};

mod again;
mod lone;
mod report;
mod rounds;

use rounds::Rounds;

/// Find a small input on which a solution fails
///
/// Makes inputs with a generator, the smallest first, and runs a reference and the solutions on each. If a solution
/// fails, makes the input smaller as long as it fails in the same way.
#[derive(Debug, Args)]
pub(crate) struct StressArgs {
    /// Solutions to test [default: all in the folder]
    #[arg(value_name = "SOLUTION")]
    solutions: Vec<PathBuf>,
    /// Reference solution, whose output is the answer; repeatable [default: `brute.*`, `slow.*` and `naive.*`]
    #[arg(long, value_name = "REFERENCE")]
    against: Vec<PathBuf>,
    /// Command of a generator, with fields such as `{n:1..50}` and `{seed}`; repeatable
    /// [default: `gen.*`, with a seed and a size up to 50]
    #[arg(long, value_name = "COMMAND")]
    generator: Vec<String>,
    /// Input validator; repeatable [default: `validator.*` and `val.*`]
    #[arg(long, value_name = "FILE")]
    validator: Vec<PathBuf>,
    /// How outputs are checked: `exact`, `tokens`, `float:EPS`, `testlib:PATH` or the path of an output validator
    /// [default: tokens]
    #[arg(long, value_name = "CHECKER")]
    checker: Option<String>,
    /// Time for the search, and for shrinking each finding [default: 30s, or none with `--rounds`]
    #[arg(long, value_name = "TIME", value_parser = quantity::time)]
    budget: Option<Duration>,
    /// Run this number of rounds, or only the rounds A..B
    #[arg(long, value_name = "N")]
    rounds: Option<Rounds>,
    /// Number of different findings after which the search ends
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
    findings: u16,
    /// Seed of the inputs [default: a different one every time]
    #[arg(long, value_name = "S")]
    seed: Option<u32>,
    /// Number of rounds to run in parallel [default: physical cores minus one, at least one]
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// The time for a search without `--rounds`.
const BUDGET: Duration = Duration::from_secs(30);

/// Searches. The exit status is 1 if something was found.
pub(crate) fn stress(args: &StressArgs) -> Result<CommandExit> {
    args.color.apply();
    let session = Session::start(args.sandbox)?;
    let workshop = Workshop::open_to_build(&args.build)?;
    session.accept(&workshop.languages)?;
    let sources = lone::sources(args, &workshop)?;
    let seed = args.seed.unwrap_or_else(|| {
        u32::try_from(RandomSource::from_clock().next() >> 32).unwrap_or_default()
    });
    let again = again::Again::new(args, &sources, seed);
    let tools = Tools {
        compiler: &workshop.compiler,
        languages: &workshop.languages,
    };
    let over = LimitOverrides::from(&args.limits);
    let mut runner = session.runner()?;
    let programs = StressPrograms::build(sources, &over, tools, &mut runner);
    drop(runner);
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    let programs = programs?;
    let report = run(args, &session, &programs, u64::from(seed))?;
    let text = report::text_of(&report, &programs, seed, &again);
    stream::print(|out| out.write_all(text.as_bytes()))?;
    Ok(match session.signalled() {
        Some(exit) => exit,
        None if report.findings.is_empty() => CommandExit::Expected,
        None => CommandExit::Unexpected,
    })
}

/// Searches, with progress on a terminal.
fn run(
    args: &StressArgs,
    session: &Session,
    programs: &StressPrograms,
    seed: u64,
) -> Result<StressReport> {
    let bar = spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    let on_step = |step: StressStep<'_>| match step {
        // To draw costs time: not in every round.
        StressStep::Round(round) if round % 16 == 1 => bar.set_message(format!("round {round}")),
        StressStep::Round(_) => {}
        StressStep::Shrinking {
            round,
            program,
            bytes,
        } => bar.set_message(one_line(&format!(
            "{program} fails in round {round}; shrinking the input: {bytes} bytes"
        ))),
    };
    let rounds = args.rounds.unwrap_or_default();
    let plan = StressPlan {
        seed,
        first_round: rounds.first,
        last_round: rounds.last,
        budget: args.budget.or(rounds.last.is_none().then_some(BUDGET)),
        findings: usize::from(args.findings),
        jobs: args.jobs.map_or_else(default_jobs, usize::from),
        look: stream::look(),
    };
    let report = search(programs, plan, session.runners(), &on_step);
    bar.finish_and_clear();
    Ok(report?)
}
