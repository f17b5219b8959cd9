//! `rejudge list`: lists the problems and solutions that `run` would judge.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::opening::Opening;
use super::stream;
use crate::contest::ContestList;
use crate::discover::Found;
use crate::expectation::VerdictFolder;
use crate::listing::{
    MeasuredAccepted, MeasuredTimes, write_contest, write_contest_json, write_json, write_text,
};
use crate::notice::Code;
use crate::plain_file;
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
    /// Show a line for each problem of a contest: cases, submissions by promise, limit, and what is missing
    #[arg(long, conflicts_with = "verbose")]
    pub(crate) contest: bool,
    /// Show the slowest accepted submission and its margin in this report of `rejudge run --json`
    #[arg(long, value_name = "FILE.jsonl", requires = "contest")]
    pub(crate) times: Option<PathBuf>,
}

/// Prints the problems and solutions. Warnings and errors go to standard error.
pub(crate) fn list(args: &ListArgs) -> Result<CommandExit> {
    let read_options = ReadOptions { layout: args.layout.as_deref(), ..ReadOptions::default() };
    let cases = args.cases.as_deref();
    let mut output = args.json.open()?;
    let mut project = Opening::of(&args.paths).cases(cases).read_as(read_options).open()?;
    if args.contest {
        return contest(args, &mut project.found, &mut output);
    }
    report(args, &project.found, &mut output)
}

/// The line of a submission in a report, as far as it is needed here.
#[derive(Deserialize)]
struct TimedLine {
    problem: String,
    expected: String,
    verdict: String,
    slowest_cpu_ms: Option<f64>,
    limits: TimedLimits,
}

#[derive(Deserialize)]
struct TimedLimits {
    cpu_ms: f64,
}

/// The slowest accepted submission of each problem in a report.
fn measured(file: &Path) -> Result<MeasuredTimes> {
    let shown = file.display();
    let text = plain_file::read_text(file).with_context(|| format!("cannot read `{shown}`"))?;
    let mut times = MeasuredTimes::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line: serde_json::Value = serde_json::from_str(line).map_err(|error| {
            let fault = Code::InvalidReport.says(format!("{shown}:{number}: {error}"));
            fault.help("name a file that `rejudge run --json FILE` wrote")
        })?;
        // Other lines have other keys.
        let Ok(result) = serde_json::from_value::<TimedLine>(line) else { continue };
        let is_accepted =
            result.expected == VerdictFolder::Accepted.name() && result.verdict == "AC";
        let Some(cpu) = result.slowest_cpu_ms.filter(|_| is_accepted) else { continue };
        let milliseconds = |time: f64| Duration::from_secs_f64(time.max(0.0) / 1000.0);
        let one =
            MeasuredAccepted { cpu: milliseconds(cpu), limit: milliseconds(result.limits.cpu_ms) };
        let slowest = times.entry(result.problem).or_insert(one);
        if one.cpu > slowest.cpu {
            *slowest = one;
        }
    }
    Ok(times)
}

/// Prints a line for each problem of a contest.
fn contest(args: &ListArgs, found: &mut Found, output: &mut JsonOutput) -> Result<CommandExit> {
    let times = args.times.as_deref().map(measured).transpose()?.unwrap_or_default();
    let list = ContestList::of(&args.paths, &found.problems)?;
    found.errors.extend(list.missing(&found.problems, !found.errors.is_empty()));
    stream::warn_of_all(&found.warnings);
    found.errors.iter().for_each(stream::error);
    let exit = output.write(
        |out| write_contest_json(out, found, &times, &list),
        |out| write_contest(out, found, &times, &list),
    )?;
    Ok(exit.or_fault(!found.errors.is_empty()))
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
