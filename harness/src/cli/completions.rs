//! `rejudge completions SHELL` and `rejudge man`, from the argument parser's own libraries.

use anyhow::{Context as _, Result};
use clap::{Args, Command};
use clap_complete::Shell;

use super::exit::Exit;
use super::stream;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub(crate) fn completions(args: &CompletionsArgs, mut command: Command) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "rejudge", &mut script);
    stream::print_as_is(&script)
}

/// Print the manual page, of one command if it is named
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command, as `run`
    command: Option<String>,
}

/// Prints the manual page in roff.
pub(crate) fn man(args: &ManArgs, mut command: Command) -> Result<Exit> {
    command.build();
    let page = match &args.command {
        None => command,
        Some(name) => {
            let found = command.find_subcommand(name).cloned();
            found.with_context(|| {
                format!("there is no command `{name}`\nhelp: `rejudge help` lists them")
            })?
        }
    };
    let mut roff = Vec::new();
    clap_mangen::Man::new(page).render(&mut roff)?;
    stream::print_as_is(&roff)
}
