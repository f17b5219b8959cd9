//! The command line: arguments become settings once, here; results become an exit status.
//!
//! Nothing else in the program sees an argument or knows of a terminal.

use std::process::ExitCode;

use anyhow::Result;
use clap::{CommandFactory as _, Parser, Subcommand};

mod answer;
mod bench;
mod cache;
mod completions;
mod doctor;
mod draw;
mod exec;
mod exit;
mod generate;
mod import;
mod languages;
mod limits;
mod list;
mod listen;
mod new;
mod on_demand;
mod project;
mod run;
mod sandbox;
mod scale;
mod select;
mod session;
mod signals;
mod stream;
mod time_limits;
mod verify;
mod workshop;

use exit::Exit;

/// Re-judges every solution over its test cases, under judge-style limits.
///
/// Without a subcommand it is `rejudge run`.
#[derive(Debug, Parser)]
#[command(name = "rejudge", version, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Exit status: 0 all as expected, 1 a verdict is not, 2 bad usage or a \
    broken problem,\n4 nothing selected, 130/143 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    run: run::RunArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Judge solutions over their cases
    Run(run::RunArgs),
    /// Measure solutions, or tell whether they got slower
    Bench(bench::BenchArgs),
    /// Tell how a solution's CPU time and memory grow with the size of its input
    Scale(scale::ScaleArgs),
    /// Write the answers that a problem lacks, from a solution's output
    Answer(answer::AnswerArgs),
    /// List problems, limits, cases and solutions, as discovered
    List(list::ListArgs),
    /// List the languages and what is installed of them
    Languages(languages::LanguagesArgs),
    /// Begin a problem: a package and a solution
    New(new::NewArgs),
    /// Take a problem in any layout into `cases/` and `solutions/`
    Import(import::ImportArgs),
    /// Receive problems from the browser extension Competitive Companion
    Listen(listen::ListenArgs),
    /// Compile and run a solution once, on standard input
    Exec(exec::ExecArgs),
    /// Make test cases with their generators, or make them again and compare
    Generate(generate::GenerateArgs),
    /// Check problems themselves: cases, validators, submissions, time limit and files
    Verify(verify::VerifyArgs),
    /// Print what this machine gives a judge, and what it lacks
    Doctor(doctor::DoctorArgs),
    /// Draw the answer of a case, or what a solution prints for it
    Draw(draw::DrawArgs),
    /// Look into the cache folder, or clean it
    Cache(cache::CacheArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Print the manual page, of one command if it is named
    Man(completions::ManArgs),
}

/// Runs the command that the process's arguments name; the whole of `main`.
#[must_use]
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    match dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(error) => {
            if !error.is::<project::Reported>() {
                stream::report_error(&error);
            }
            Exit::Fault.into()
        }
    }
}

/// A word that is no path may be a command that was misspelt.
fn suggest_command(args: &run::RunArgs) {
    let Some(word) = args.first_path().filter(|path| !path.exists()) else {
        return;
    };
    let commands = Cli::command();
    let names = commands.get_subcommands().map(clap::Command::get_name);
    if let Some(name) = crate::notice::nearest(&word.to_string_lossy(), names) {
        stream::help(format_args!("did you mean the command `rejudge {name}`?"));
    }
}

fn dispatch(cli: Cli) -> Result<Exit> {
    match cli.command {
        None => run::run(&cli.run).inspect_err(|_| suggest_command(&cli.run)),
        Some(Command::Run(args)) => run::run(&args),
        Some(Command::Bench(args)) => bench::bench(&args),
        Some(Command::Scale(args)) => scale::scale(&args),
        Some(Command::Answer(args)) => answer::answer(&args),
        Some(Command::List(args)) => list::list(&args),
        Some(Command::New(args)) => new::new(&args),
        Some(Command::Import(args)) => import::import(&args),
        Some(Command::Listen(args)) => listen::listen(&args),
        Some(Command::Languages(args)) => languages::languages(&args),
        Some(Command::Exec(args)) => exec::exec(&args),
        Some(Command::Generate(args)) => generate::generate(&args),
        Some(Command::Verify(args)) => verify::verify(&args),
        Some(Command::Doctor(args)) => doctor::doctor(&args),
        Some(Command::Draw(args)) => draw::draw(&args),
        Some(Command::Cache(args)) => cache::cache(&args),
        Some(Command::Completions(args)) => completions::completions(&args, Cli::command()),
        Some(Command::Man(args)) => completions::man(&args, Cli::command()),
    }
}
