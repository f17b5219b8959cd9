//! `rejudge completions SHELL` and `rejudge man`, from the argument parser's own libraries.

use anyhow::{Context as _, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::Exit;
use super::{manual, stream};

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to complete for
    shell: Shell,
}

/// Prints the script.
pub(crate) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "rejudge", &mut script);
    stream::print_as_is(&script)
}

/// Print the manual page of rejudge or of a command
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Command, for example `run` [default: rejudge itself]
    command: Option<String>,
}

/// Prints the manual page in roff.
pub(crate) fn man(args: &ManArgs, mut command: Command) -> Result<Exit> {
    command.build();
    let name = args.command.as_deref().unwrap_or_default();
    let page = if name.is_empty() {
        command
    } else {
        let found = command.find_subcommand(name).cloned();
        found.with_context(|| {
            format!("no such command: `{name}`\nhelp: `rejudge --help` lists the commands")
        })?
    };
    let roff = manual::roff(&page, name)?;
    stream::print_as_is(&roff)
}
