//! Reads the arguments of the process.
//!
//! clap needs a description of all options before it reads any. To describe everything takes longer than most of what a
//! command does at its start. Therefore only what the first word can mean is described. If the arguments do not fit, or ask
//! for help, they are read again with the whole description, which makes the messages.

use std::ffi::{OsStr, OsString};

use clap::{CommandFactory as _, Error, FromArgMatches as _, Parser};

use super::deferred::Deferred;
use super::first_word::{FirstWord, may_print_only};
use super::run_args::RunArgs;
use super::{Cli, Command};
use crate::manual;

/// What the arguments ask for.
#[derive(Debug)]
pub(super) enum Asked {
    Command(Box<Command>),
    /// To judge, without a command.
    Run(Box<RunArgs>),
}

/// The options of a run alone.
#[derive(Debug, Parser)]
#[command(name = "rejudge")]
struct RunAlone {
    #[command(flatten)]
    run: RunArgs,
}

/// A command alone, without the options of a run that may stand in its place.
#[derive(Debug, Parser)]
#[command(name = "rejudge")]
struct CommandAlone {
    #[command(subcommand)]
    command: Command,
}

/// Reads these arguments of the process.
pub(super) fn read(arguments: &[OsString]) -> Result<Asked, Error> {
    if may_print_only(arguments) {
        return read_with_all(arguments);
    }
    read_alone(arguments).or_else(|_| read_with_all(arguments))
}

fn read_alone(arguments: &[OsString]) -> Result<Asked, Error> {
    let run = |arguments: &mut dyn Iterator<Item = &OsStr>| {
        Ok::<_, Error>(Box::new(RunAlone::try_parse_from(arguments)?.run))
    };
    let mut all = arguments.iter().map(OsString::as_os_str);
    match FirstWord::of(arguments) {
        FirstWord::Run => {
            let name = all.next();
            let rest = name.into_iter().chain(all.skip(1));
            let command = Command::Run(Deferred::new(run(&mut { rest })?));
            Ok(Asked::Command(Box::new(command)))
        }
        FirstWord::OtherCommand => {
            let parsed = CommandAlone::try_parse_from(all)?;
            Ok(Asked::Command(Box::new(parsed.command)))
        }
        FirstWord::Nothing => run(&mut all).map(Asked::Run),
    }
}

fn read_with_all(arguments: &[OsString]) -> Result<Asked, Error> {
    let command = manual::complete_for(Cli::command(), arguments);
    let matches = command.try_get_matches_from(arguments)?;
    let cli = Cli::from_arg_matches(&matches)?;
    Ok(match cli.command {
        Some(command) => Asked::Command(Box::new(command)),
        None => Asked::Run(Box::new(cli.run)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_way_reads_what_the_long_way_reads() {
        let lines = [
            "",
            "run",
            "-j2 sums a.c",
            "run -j2 sums a.c",
            "sums list",
            "list sums --json",
            "run run",
            "run list",
            "-- list",
            "run -- --help",
            "--case 1 --case 2 --html page.html",
            "stress sums --seed 3 --for 10s",
            "cache clean",
            "exec a.c -- 1 2",
            "case add",
            "completions bash",
        ];
        let lines = lines.map(|line| format!("rejudge {line}"));
        let lines = lines.iter().map(|line| line.split_whitespace());
        let lines = lines.map(|words| words.map(str::to_owned).collect());
        let mut short = 0;
        for words in lines.chain(manual::examples()) {
            let arguments: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let [alone, all] = [read_alone, read_with_all].map(|read| read(&arguments));
            match (alone, all) {
                (Ok(alone), Ok(all)) => {
                    assert_eq!(format!("{alone:?}"), format!("{all:?}"));
                    short += 1;
                }
                (alone, all) => assert_eq!(alone.is_ok(), all.is_ok(), "{arguments:?}"),
            }
        }
        assert!(short > 40, "{short}");
    }
}
