//! `rejudge completions SHELL` and `rejudge man`, from the argument parser's own libraries.

use anyhow::Result;
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
    stream::print(|out| out.write_all(&script))
}

/// Prints the manual page in roff.
pub(crate) fn man(command: Command) -> Result<Exit> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    stream::print(|out| out.write_all(&page))
}
