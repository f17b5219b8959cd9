//! `rejudge cache`: shows, cleans or fills the cache.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, Subcommand};

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::opening::Opening;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::warm::{WarmCounts, warm};
use crate::cache::Cache;
use crate::compile;
use crate::printable;
use crate::show::words::Count;

/// The longest line of a precompiled file that is shown.
const MOST_SHOWN: usize = 200;

/// Show, clean or fill the cache
#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    command: CacheCommand,
}

#[derive(Debug, Subcommand)]
enum CacheCommand {
    /// Remove everything from the cache; rejudge makes it again when needed
    Clean {
        /// Remove only entries that were not used in the last DAYS days
        #[arg(long, value_name = "DAYS", value_parser = rejudge_quantity::whole(0_u32, u32::MAX))]
        older_than: Option<u32>,
    },
    /// Print the folder of the cache, its number of entries, its size, and the precompiled files
    Info,
    /// Precompile what the compilers of solutions start with; otherwise rejudge does it when it pays
    Warm(WarmArgs),
}

#[derive(Debug, Args)]
struct WarmArgs {
    /// Solutions, problems or folders [default: the current folder]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Runs the subcommand.
pub(crate) fn cache(args: &CacheArgs) -> Result<CommandExit> {
    let older_than = match &args.command {
        CacheCommand::Warm(args) => return warm_all(args),
        CacheCommand::Clean { older_than } => Some(older_than.unwrap_or(0)),
        CacheCommand::Info => None,
    };
    let cache = Cache::open().context("cannot create a temporary folder")?;
    if let Some(warning) = cache.warning() {
        return Err(anyhow!("{warning}"));
    }
    let place = cache.root().display();
    let Some(days) = older_than else { return info(&cache) };
    let age = Duration::from_secs(u64::from(days) * 24 * 60 * 60);
    let removed = compile::clean(&cache, age)
        .with_context(|| format!("cannot clean the cache folder `{place}`"))?;
    let count = removed.entries;
    let noun = if count == 1 { "entry" } else { "entries" };
    stream::print(|out| writeln!(out, "removed {count} {noun}, {}, from {place}", removed.size))
}

/// Prints what the cache contains.
fn info(cache: &Cache) -> Result<CommandExit> {
    let place = cache.root().display();
    let unreadable = || format!("cannot read the cache folder `{place}`");
    let info = compile::info(cache).with_context(unreadable)?;
    let files = compile::precompiled(cache);
    stream::print(|out| {
        writeln!(out, "folder   {place}")?;
        writeln!(out, "entries  {}", info.entries)?;
        writeln!(out, "size     {}", info.size)?;
        for file in &files {
            writeln!(out, "\n{}, used {}", file.size, since(file.unused))?;
            for line in file.about.lines() {
                writeln!(out, "  {}", printable::one_line(line.as_bytes(), MOST_SHOWN))?;
            }
        }
        Ok(())
    })
}

/// How long ago something was.
fn since(age: Duration) -> String {
    match usize::try_from(age.as_secs() / (60 * 60)).unwrap_or(usize::MAX) {
        0 => "within the last hour".to_owned(),
        hours @ 1..48 => format!("{} ago", Count(hours, "hour")),
        hours => format!("{} ago", Count(hours / 24, "day")),
    }
}

/// Precompiles for all solutions of the paths.
fn warm_all(args: &WarmArgs) -> Result<CommandExit> {
    let session = Session::start(args.sandbox)?;
    let mut project = Opening::of(&args.paths).to_run(&args.build).open()?;
    session.accept(&project.languages)?;
    let selected = project.select_problems()?;
    let mut runner = session.runner()?;
    let counts =
        warm(&project, &selected.problems, &selected.submissions, &mut runner, &mut |notice| {
            stream::warn(notice);
        });
    if let Some(exit) = session.signalled() {
        return Ok(exit);
    }
    let WarmCounts { made, known, plain } = counts;
    let plain = Count(plain, "solution");
    stream::print(|out| {
        writeln!(out, "precompiled {made}, known {known}; {plain} cannot use anything precompiled")
    })
}
