//! `rejudge list`: lists the problems and solutions that `run` would judge.

use std::path::PathBuf;

use anyhow::Result;

use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::opening::Opening;
use super::stream;
use crate::discover::Found;
use crate::listing::{write_json, write_text};
use crate::problem::{ReadOptions, layouts};

/// Arguments of `rejudge list`.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ListArgs {
    /// Solutions, problems, or folders of them [default: the repository around the current folder]
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Folder or ZIP archive of the test cases, for solutions without cases of their own
    #[arg(long, value_name = "DIR")]
    pub(crate) cases: Option<PathBuf>,
    /// Layout of the problems [default: the only one that fits]
    #[arg(long, value_name = "NAME", value_parser = layouts::names())]
    pub(crate) layout: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    /// Show the limits, checker, solutions and cases of each problem
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

/// Prints the problems and solutions. Warnings and errors go to standard error.
pub(crate) fn list(args: &ListArgs) -> Result<CommandExit> {
    let read_options = ReadOptions { layout: args.layout.as_deref(), ..ReadOptions::default() };
    let cases = args.cases.as_deref();
    let mut output = args.json.open()?;
    let project = Opening::of(&args.paths).cases(cases).read_as(read_options).open()?;
    report(args, &project.found, &mut output)
}

fn report(args: &ListArgs, found: &Found, output: &mut JsonOutput) -> Result<CommandExit> {
    stream::warn_of_all(&found.warnings);
    for error in &found.errors {
        stream::error(error);
    }
    let columns = stream::columns(false);
    let exit = output.write(
        |out| write_json(out, found, args.verbose),
        |out| write_text(out, found, args.verbose, columns),
    )?;
    Ok(exit.or_fault(!found.errors.is_empty()))
}
