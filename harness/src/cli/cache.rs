//! `rejudge cache`: shows or cleans the cache.

use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use clap::{Args, Subcommand};

use super::exit::CommandExit;
use super::stream;
use crate::cache::Cache;
use crate::compile;

/// Show or clean the cache
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
    /// Print the folder of the cache, its number of entries and its size
    Info,
}

/// Runs the subcommand.
pub(crate) fn cache(args: &CacheArgs) -> Result<CommandExit> {
    let cache = Cache::open().context("cannot create a temporary folder")?;
    if let Some(warning) = cache.warning() {
        return Err(anyhow!("{warning}"));
    }
    let place = cache.root().display();
    match args.command {
        CacheCommand::Clean { older_than } => {
            let days = u64::from(older_than.unwrap_or(0));
            let age = Duration::from_secs(days * 24 * 60 * 60);
            let removed = compile::clean(&cache, age)
                .with_context(|| format!("cannot clean the cache folder `{place}`"))?;
            let count = removed.entries;
            let noun = if count == 1 { "entry" } else { "entries" };
            stream::print(|out| {
                writeln!(out, "removed {count} {noun}, {}, from {place}", removed.size)
            })
        }
        CacheCommand::Info => {
            let info = compile::info(&cache)
                .with_context(|| format!("cannot read the cache folder `{place}`"))?;
            stream::print(|out| {
                writeln!(out, "folder   {place}")?;
                writeln!(out, "entries  {}", info.entries)?;
                writeln!(out, "size     {}", info.size)?;
                writeln!(out, "headers  {}, {}", info.headers, info.headers_size)
            })
        }
    }
}
