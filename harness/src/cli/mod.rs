//! The command line: turns arguments into settings, and results into an exit status.
//!
//! No other module depends on arguments or terminals.

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory as _, Parser, Subcommand};

mod answer;
mod archive_limits;
mod arguments;
mod batch;
mod bench;
mod build_args;
mod cache;
mod case;
mod completions;
mod deferred;
mod doctor;
mod draw;
mod drawings;
mod exec;
mod exit;
mod export;
mod failures;
#[cfg_attr(not(feature = "nats"), path = "no_farm.rs")]
mod farm;
mod first_word;
mod foreign_words;
mod generate;
mod import;
mod interpreter;
mod json_output;
mod judging;
mod language_details;
mod languages;
mod limits;
mod list;
mod listen;
mod live_output;
mod merge;
mod missing_path;
mod named_solution;
mod nats_args;
mod new;
mod no_case;
mod on_demand;
mod opening;
mod page_args;
mod pool_args;
mod project;
mod report;
mod report_args;
mod report_files;
mod report_writers;
mod run;
mod run_args;
mod sandbox;
mod scale;
mod search;
mod select;
mod self_test;
#[cfg_attr(not(feature = "serve"), path = "no_serve.rs")]
mod serve;
mod serve_args;
mod session;
mod settings;
mod shard_args;
mod signals;
mod standard_source;
mod stream;
mod strength;
mod stress;
mod submitted_run;
mod temporary;
mod time;
mod time_limits;
mod timing_progress;
mod upgrade;
mod verify;
mod warm;
mod watch;
mod workshop;

use arguments::Asked;
use deferred::Deferred;
use exit::CommandExit;
use session::EarlyStart;

use crate::manual;
use crate::sandbox::{raise_inherited_limits, unblock_signals};

/// Runs solutions on their test cases and checks the verdicts
///
/// Compiles each solution, runs it on the test cases of its problem in a sandbox, under limits, compares the outputs,
/// and reports whether each solution gets the verdict that its folder promises. `rejudge` without a command is
/// `rejudge run`.
#[derive(Debug, Parser)]
#[command(name = "rejudge", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run_args::RunArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge solutions on their test cases
    Run(Deferred<Box<run_args::RunArgs>>),
    /// Make reports of a stored run, or draw the history of benchmarks
    Report(Deferred<report::ReportArgs>),
    /// Join the reports of shards into the report of the whole run
    Merge(Deferred<merge::MergeArgs>),
    /// Judge requests of programs: JSON lines in, JSON lines out
    Batch(Deferred<batch::BatchArgs>),
    /// Judge requests of programs over HTTP
    Serve(Deferred<serve_args::ServeArgs>),
    /// Judge what others submit to a NATS server
    Work(Deferred<nats_args::WorkArgs>),
    /// List the workers, the queue and the runs of a NATS server
    Cluster(Deferred<nats_args::ClusterArgs>),
    /// Measure solutions and detect regressions
    Bench(Deferred<bench::BenchArgs>),
    /// Show how the CPU time and memory of a solution grow with the input
    Scale(Deferred<scale::ScaleArgs>),
    /// Time the submissions of problems, and show the time limits that follow
    Time(Deferred<time::TimeArgs>),
    /// Show how strong the cases of problems are: what they catch, and what they would miss
    Strength(Deferred<strength::StrengthArgs>),
    /// Write missing answers from the output of a solution
    Answer(Deferred<answer::AnswerArgs>),
    /// List problems with their limits, cases and solutions
    List(Deferred<list::ListArgs>),
    /// List the languages and their installed compilers
    Languages(Deferred<languages::LanguagesArgs>),
    /// Create a problem: a package and a solution
    New(Deferred<new::NewArgs>),
    /// Import a problem in any layout into the repository
    Import(Deferred<import::ImportArgs>),
    /// Write a problem as an archive for another judging system
    Export(Deferred<export::ExportArgs>),
    /// Rewrite packages of the legacy format as packages of 2025-09
    Upgrade(Deferred<upgrade::UpgradeArgs>),
    /// Receive problems from the Competitive Companion browser extension
    Listen(Deferred<listen::ListenArgs>),
    /// Add a case to a problem
    Case(case::CaseArgs),
    /// Compile a solution and run it once on standard input
    Exec(Deferred<exec::ExecArgs>),
    /// Generate test cases, or check that they are up to date
    Generate(Deferred<generate::GenerateArgs>),
    /// Find a small input on which a solution fails
    Stress(Deferred<stress::StressArgs>),
    /// Check problems: cases, validators, submissions, limits and files
    Verify(Deferred<verify::VerifyArgs>),
    /// Report the protections and clocks of this machine
    Doctor(Deferred<doctor::DoctorArgs>),
    /// Try the sandbox and the compilers of this machine with honest and hostile programs
    SelfTest(Deferred<self_test::SelfTestArgs>),
    /// Draw the answer of a case, or the output of a solution
    Draw(Deferred<draw::DrawArgs>),
    /// Show or clean the cache
    Cache(cache::CacheArgs),
    /// Print a completion script for a shell
    Completions(Deferred<completions::CompletionsArgs>),
    /// Print the manual page of rejudge or of a command
    Man(Deferred<completions::ManArgs>),
}

/// Runs the command of the process's arguments. This is the whole of `main`.
#[must_use]
pub fn main() -> ExitCode {
    // First, because the stack may be too small for anything else.
    if let Err(error) = raise_inherited_limits() {
        stream::report_error(&error.into());
        return CommandExit::Fault.into();
    }
    unblock_signals();
    if let Some(answered) = completions::answer_shell(Cli::command) {
        return exit_code(answered);
    }
    let arguments: Vec<_> = std::env::args_os().collect();
    let early = EarlyStart::guess(&arguments);
    let asked = match arguments::read(&arguments) {
        Ok(asked) => asked,
        Err(error) => return foreign_words::refused(&error),
    };
    if let Asked::Command(command) = &asked
        && let Command::SelfTest(args) = &**command
        && let Some(code) = args.as_program()
    {
        return code;
    }
    exit_code(dispatch(asked, early))
}

/// Reports the error, if there is one that was not reported.
fn exit_code(result: Result<CommandExit>) -> ExitCode {
    match result {
        Ok(exit) => exit.into(),
        Err(error) => {
            if let Some(search::Stopped(signal)) = error.downcast_ref() {
                return CommandExit::Interrupted(*signal).into();
            }
            if !error.is::<project::Reported>() {
                stream::report_error(&error);
            }
            CommandExit::Fault.into()
        }
    }
}

/// Judges. If the first path names nothing, it may be a misspelt command or one of another tool; then nothing is judged.
fn run_or_suggest(args: &run_args::RunArgs, early: EarlyStart) -> Result<CommandExit> {
    let result = run::run_unless(args, early, foreign_words::is_like_command);
    if matches!(result, Err(_) | Ok(CommandExit::Fault))
        && let Some(word) = args.first_path().filter(|path| !path.exists())
    {
        foreign_words::suggest_command(&word.to_string_lossy());
    }
    result
}

fn dispatch(asked: Asked, early: EarlyStart) -> Result<CommandExit> {
    let command = match asked {
        Asked::Command(command) => *command,
        Asked::Run(args) => return run_or_suggest(&args, early),
    };
    match command {
        Command::Run(args) => run::run(&args, early),
        Command::Report(args) => report::report(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Batch(args) => batch::batch(&args),
        Command::Serve(args) => serve::serve(&args),
        Command::Work(args) => farm::work(&args),
        Command::Cluster(args) => farm::cluster(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Scale(args) => scale::scale(&args),
        Command::Time(args) => time::time(&args),
        Command::Strength(args) => strength::strength(&args),
        Command::Answer(args) => answer::answer(&args),
        Command::List(args) => list::list(&args),
        Command::New(args) => new::new(&args),
        Command::Import(args) => import::import(&args),
        Command::Export(args) => export::export(&args),
        Command::Upgrade(args) => upgrade::upgrade(&args),
        Command::Listen(args) => listen::listen(&args),
        Command::Languages(args) => languages::languages(&args),
        Command::Case(args) => case::case(&args),
        Command::Exec(args) => exec::exec(&args),
        Command::Generate(args) => generate::generate(&args),
        Command::Stress(args) => stress::stress(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Doctor(args) => doctor::doctor(&args),
        Command::SelfTest(args) => self_test::self_test(&args),
        Command::Draw(args) => draw::draw(&args),
        Command::Cache(args) => cache::cache(&args),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args, manual::complete(Cli::command())),
    }
}
