//! `rejudge stress`: looks for a small input on which a solution fails.

use std::path::{Path, PathBuf};
use std::slice;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use rejudge_quantity as quantity;

use super::bench::Counter;
use super::build_args::BuildArgs;
use super::case::found::AddedCases;
use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::limits::LimitArgs;
use super::opening::Opening;
use super::project::{Project, default_jobs};
use super::report_args::ColorArgs;
use super::report_files;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::workshop::Workshop;
use crate::bench::RandomSource;
use crate::config::Repository;
use crate::judge::Tools;
use crate::language::Languages;
use crate::limits::LimitOverrides;
use crate::show::json_line;
use crate::show::progress::Spinner;
use crate::stress::{
    Again, InstructionChoice, StressError, StressPlan, StressPrograms, StressReport, StressSources,
    StressStep, Want, json, search, slowest, text,
};
use crate::verdict::Verdict;

pub(super) mod add;
mod again;
mod lone;
pub(super) mod package;
mod rounds;
mod wanted;

use rounds::Rounds;

/// Find a small input on which a solution fails
///
/// Makes inputs with a generator, the smallest first, and runs a reference and the solutions on each. If a solution
/// fails, makes the input smaller as long as it fails in the same way.
#[derive(Debug, Args)]
pub(crate) struct StressArgs {
    /// Solutions to test; a problem, to test its submissions that must fail; or a problem and then solutions from another
    /// folder [default: all solutions in the folder]
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
    /// How outputs are checked: `exact`, `tokens`, `float:EPS`, `numbers:EPS`, `json`, `testlib:PATH` or the path of an output validator
    /// [default: tokens]
    #[arg(long, value_name = "CHECKER")]
    checker: Option<String>,
    /// What a finding must be: `wa.py WA`, `a.py != b.py`, with `and`, `or`, `not` and parentheses
    /// [default: a solution that fails]
    #[arg(long, value_name = "EXPR")]
    want: Option<String>,
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
    /// Look for the inputs on which the solution needs the most CPU time, and compare them with its limit and its cases
    #[arg(long, conflicts_with_all = ["want", "add", "findings", "jobs"])]
    slowest: bool,
    /// What `--slowest` compares [default: instructions if the processor's counter can be read, otherwise cpu]
    #[arg(long, value_enum, requires = "slowest")]
    counter: Option<Counter>,
    /// Add what was found to the cases of the problem, with the answer of the first reference
    #[arg(long)]
    add: bool,
    #[command(flatten)]
    json: JsonArgs,
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
    let want = args.want.as_deref().map(wanted::parse).transpose()?;
    let all = args.solutions.iter().chain(&args.against);
    let read: Vec<&Path> = all.chain(&args.validator).map(PathBuf::as_path).collect();
    let written = [(report_files::JSON, args.json.path())];
    report_files::check(&written, &read)?;
    report_files::check_folders(&written)?;
    let mut output = args.json.open()?;
    let session = Session::start(args.sandbox)?;
    let mut bench = Workbench::open(args)?;
    session.accept(bench.languages())?;
    let mut sources = bench.sources(args, want.as_ref())?;
    if let Some(want) = want {
        wanted::add(args, want, &mut sources)?;
    }
    let seed = args.seed.unwrap_or_else(|| {
        u32::try_from(RandomSource::from_clock().next() >> 32).unwrap_or_default()
    });
    let is_lone = matches!(bench, Workbench::Lone(_));
    let again = again::again(args, is_lone.then_some(&sources), seed);
    let tools = bench.tools();
    let over = LimitOverrides::from(&args.limits);
    let mut runner = session.runner()?;
    let programs = StressPrograms::build(sources, &over, tools, &mut runner);
    drop(runner);
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    let mut programs = programs?;
    let orders = programs.find_orders(session.runners());
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    orders?.iter().for_each(stream::eprint_line);
    if args.slowest {
        return show_slowest(args, &session, &programs, seed, &mut output);
    }
    let report = run(args, &session, &programs, u64::from(seed))?;
    let text = text::text_of(&report, &programs, seed, &again);
    let written = output.write(
        |out| {
            let lines = json::json_of(&report, &programs, seed, &again);
            lines.iter().try_for_each(|line| json_line::write(&mut *out, line))
        },
        |out| out.write_all(text.as_bytes()),
    );
    let added = add_all(args, &report, &programs, &again);
    written.with_context(|| again.advice(&report.findings))?;
    added?;
    let is_found = !report.findings.is_empty();
    Ok(exit_of(&session, is_found, report.fault))
}

/// Adds what was found to the cases, with `--add`.
fn add_all(
    args: &StressArgs,
    report: &StressReport,
    programs: &StressPrograms,
    again: &Again,
) -> Result<()> {
    let mut added = AddedCases::default();
    for finding in report.findings.iter().filter(|_| args.add) {
        let prints_json = args.json.path() == Some(Path::new("-"));
        let command = again.command(finding.round);
        add::add(finding, programs, &command, prints_json, &mut added)?;
    }
    Ok(())
}

/// The languages and the compiler, for a folder of programs or for a problem.
enum Workbench {
    Lone(Box<Workshop>),
    Problem(Box<Project>),
}

impl StressArgs {
    /// The problem that stands before solutions, and these solutions.
    fn problem_and_solutions(&self) -> Option<(&PathBuf, &[PathBuf])> {
        let (first, others) = self.solutions.split_first()?;
        (!others.is_empty() && !first.is_file()).then_some((first, others))
    }
}

impl Workbench {
    /// A folder that has a generator or a reference next to the solutions is not searched for problems, unless it holds
    /// the solutions of a repository: their names say nothing about their roles.
    fn open(args: &StressArgs) -> Result<Self> {
        if let Some((problem, _)) = args.problem_and_solutions() {
            let project = Opening::of(slice::from_ref(problem)).to_run(&args.build).open()?;
            return Ok(Self::Problem(Box::new(project)));
        }
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let first = args.solutions.first().map(|path| current.join(path));
        let folder = match &first {
            Some(path) if path.is_dir() => path.clone(),
            Some(path) => path.parent().unwrap_or(&current).to_owned(),
            None => current.clone(),
        };
        let is_file = first.as_ref().is_none_or(|path| path.is_file());
        let repository = Repository::around(&current, &args.solutions)?;
        let is_package = |folder: &Path| folder.join("problem.yaml").is_file();
        let is_of_problem = repository.is_some_and(|one| folder.starts_with(one.solutions()))
            || folder.ancestors().any(is_package);
        let is_own = !is_of_problem && is_file;
        let named = is_own && !args.generator.is_empty() && !args.against.is_empty();
        if named || (lone::is_in(&folder) && !is_of_problem) {
            let workshop = Workshop::open_to_build(&args.build)?;
            return Ok(Self::Lone(Box::new(workshop)));
        }
        let project = Opening::of(&args.solutions).to_run(&args.build).open()?;
        Ok(Self::Problem(Box::new(project)))
    }

    fn languages(&self) -> &Languages {
        match self {
            Self::Lone(workshop) => &workshop.languages,
            Self::Problem(project) => &project.languages,
        }
    }

    fn sources(&mut self, args: &StressArgs, want: Option<&Want>) -> Result<StressSources> {
        match self {
            Self::Lone(workshop) => lone::sources(args, workshop, want),
            Self::Problem(project) => package::sources(args, project),
        }
    }

    fn tools(&self) -> Tools<'_> {
        match self {
            Self::Lone(workshop) => {
                Tools { compiler: &workshop.compiler, languages: &workshop.languages }
            }
            Self::Problem(project) => project.tools(),
        }
    }
}

/// Climbs for CPU time or instructions. The exit status is 1 if an input is above a limit.
fn show_slowest(
    args: &StressArgs,
    session: &Session,
    programs: &StressPrograms,
    seed: u32,
    output: &mut JsonOutput,
) -> Result<CommandExit> {
    let plan = plan(args, u64::from(seed));
    let choice = match args.counter {
        Some(Counter::Cpu) => InstructionChoice::Never,
        Some(Counter::Instructions) => InstructionChoice::Always,
        None => InstructionChoice::IfFree,
    };
    let found =
        with_progress(|on_step| slowest(programs, &plan, choice, session.runners(), on_step))?;
    output.write(
        |out| json_line::write(out, &json::json_of_slowest(&found, seed)),
        |out| out.write_all(text::text_of_slowest(&found).as_bytes()),
    )?;
    let is_above = found.inputs.iter().any(|one| {
        matches!(one.verdict, Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit)
    });
    Ok(exit_of(session, is_above, found.fault))
}

/// Reports a fault. The exit status, if `is_found` is what the search was for.
fn exit_of(session: &Session, is_found: bool, fault: Option<StressError>) -> CommandExit {
    let is_faulty = fault.is_some();
    if let Some(fault) = fault.map(anyhow::Error::from) {
        stream::report_error(&fault);
    }
    match session.signalled() {
        Some(exit) => exit,
        None if is_faulty => CommandExit::Fault,
        None if is_found => CommandExit::Unexpected,
        None => CommandExit::Expected,
    }
}

/// Searches, with progress on a terminal.
fn run(
    args: &StressArgs,
    session: &Session,
    programs: &StressPrograms,
    seed: u64,
) -> Result<StressReport> {
    let plan = plan(args, seed);
    let report = with_progress(|on_step| search(programs, plan, session.runners(), on_step))?;
    Ok(report)
}

fn plan(args: &StressArgs, seed: u64) -> StressPlan {
    let rounds = args.rounds.unwrap_or_default();
    StressPlan {
        seed,
        first_round: rounds.first,
        last_round: rounds.last,
        budget: args.budget.or(rounds.last.is_none().then_some(BUDGET)),
        findings: usize::from(args.findings),
        jobs: args.jobs.map_or_else(default_jobs, usize::from),
        look: stream::look(),
    }
}

/// Shows on a terminal how far the work is.
fn with_progress<R>(work: impl FnOnce(&(dyn Fn(StressStep<'_>) + Sync)) -> R) -> R {
    let spinner = Spinner::start(stream::note_of_work);
    let result = work(&|step: StressStep<'_>| match step {
        // To draw costs time: not in every round.
        StressStep::Round(round) if round % 16 == 1 => spinner.say(&format!("round {round}")),
        StressStep::Round(_) => {}
        StressStep::Shrinking { round, program, bytes } => spinner
            .say(&format!("{program} fails in round {round}; shrinking the input: {bytes} bytes")),
    });
    drop(spinner);
    result
}
