//! `rejudge upgrade`: rewrites packages of the legacy format as packages of 2025-09.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;

use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::opening::Opening;
use super::project::Reported;
use super::report_files;
use super::signals::SignalWatch;
use super::stream;
use crate::notice::{Code, Notice, shown};
use crate::problem::Problem;
use crate::show::json_line;
use crate::show::notice_line::NoticeLine;
use crate::show::words::Count;
use crate::upgrade::{self, Upgrade};

/// Rewrite packages of the legacy format as packages of 2025-09
#[derive(Debug, Args)]
pub(crate) struct UpgradeArgs {
    /// Name or folder of the problem, or a folder with several
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,
    /// Write a copy to DIR, or to DIR/NAME for each of several problems [default: change the package itself]
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

/// The line of `--json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct UpgradeLine<'a> {
    r#type: &'static str,
    problem: &'a str,
    /// The folder of the upgraded package.
    folder: &'a str,
    changes: Vec<ChangeLine<'a>>,
    not_carried: Vec<NoticeLine<'a>>,
}

/// A change in the line of `--json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ChangeLine<'a> {
    file: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u64>,
    what: &'a str,
}

/// Where upgraded packages go, and who can stop that.
struct Upgrading<'a> {
    args: &'a UpgradeArgs,
    base: PathBuf,
    watch: SignalWatch,
    is_single: bool,
}

/// Upgrades the packages. Those that cannot be upgraded stay as they are.
pub(crate) fn upgrade(args: &UpgradeArgs) -> Result<CommandExit> {
    report_files::check(&[(report_files::JSON, args.json.path())], &[&args.problem])?;
    let mut output = args.json.open()?;
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let watch = SignalWatch::start()?;
    let paths = std::slice::from_ref(&args.problem);
    let mut project = Opening::of(paths).without_folders().handling_signals().open()?;
    let mut is_faulty = project.report_all_but_missing_solutions();
    let problems = std::mem::take(&mut project.found.problems);
    if problems.is_empty() {
        return Err(Reported.into());
    }
    let upgrading = Upgrading {
        args,
        base: project.root().unwrap_or(&current).to_path_buf(),
        watch,
        is_single: problems.len() == 1,
    };
    for problem in &problems {
        let done = upgrading.upgrade(problem, &mut output);
        if let Some(exit) = upgrading.watch.exit() {
            return Ok(exit);
        }
        match done {
            Ok(faulty) => is_faulty |= faulty,
            Err(error) if upgrading.is_single => return Err(error),
            Err(error) => {
                stream::report_error(&error);
                is_faulty = true;
            }
        }
    }
    Ok(CommandExit::Expected.or_fault(is_faulty))
}

impl Upgrading<'_> {
    /// Upgrades one package. Returns whether something is lost that decides results.
    fn upgrade(&self, problem: &Problem, output: &mut JsonOutput) -> Result<bool> {
        if !problem.is_package || !problem.dir.is_dir() {
            let fault = Code::Unsupported.says(format!(
                "`{}` is not a problem package: only packages have a format",
                problem.id
            ));
            bail!(fault.help("convert it: `rejudge export PROBLEM --to icpc -o FILE.zip`"));
        }
        let made = match upgrade::plan(problem, Some(&self.base)) {
            Ok(made) => made,
            Err(faults) => return Err(refused(&faults)),
        };
        made.not_carried.iter().for_each(stream::warn);
        made.decisive.iter().for_each(stream::error);
        let place = self.place(problem);
        self.write(problem, &made, place.as_deref())?;
        let folder = shown(place.as_deref().unwrap_or(&problem.dir), Some(&self.base));
        let line = UpgradeLine {
            r#type: "upgrade",
            problem: &problem.id,
            folder: &folder,
            changes: made
                .changes
                .iter()
                .map(|change| ChangeLine {
                    file: &change.file,
                    line: Some(change.line).filter(|line| *line > 0),
                    what: &change.what,
                })
                .collect(),
            not_carried: made
                .decisive
                .iter()
                .chain(&made.not_carried)
                .map(NoticeLine::from)
                .collect(),
        };
        output.write(|out| json_line::write(out, &line), |out| text(out, &line))?;
        Ok(!made.decisive.is_empty())
    }

    /// The folder of the copy; `None`: the package itself changes.
    fn place(&self, problem: &Problem) -> Option<PathBuf> {
        let to = std::path::absolute(self.args.to.as_ref()?).ok()?;
        Some(if self.is_single { to } else { to.join(&problem.id) })
    }

    fn write(&self, problem: &Problem, made: &Upgrade, place: Option<&Path>) -> Result<()> {
        let interrupted = || self.watch.exit().is_some();
        let Some(place) = place else {
            if problem.archive.is_some() {
                bail!(
                    Code::InvalidOption
                        .says("an archive cannot be changed")
                        .help("write a copy: `--to DIR`")
                );
            }
            if !made.decisive.is_empty() {
                let id = &problem.id;
                bail!(
                    Code::InvalidOption
                        .says(format!("`{id}` is unchanged: submissions would get other results"))
                        .help("write a copy nevertheless: `--to DIR`")
                );
            }
            return made.replace(&interrupted).with_context(|| {
                format!("cannot change {}", shown(&problem.dir, Some(&self.base)))
            });
        };
        made.copy(place, &interrupted).map_err(|error| {
            let folder = shown(place, Some(&self.base));
            if error.kind() == io::ErrorKind::AlreadyExists {
                let taken = Code::AlreadyExists.says(format!("{folder} already exists"));
                return taken.help("name another folder: `--to DIR`").into();
            }
            anyhow::Error::new(error).context(format!("cannot write {folder}"))
        })
    }
}

/// Reports why the package stays as it is.
fn refused(faults: &[Notice]) -> anyhow::Error {
    let (last, others) = faults.split_last().expect("a refusal has a reason");
    others.iter().for_each(stream::error);
    last.clone().into()
}

fn text(out: &mut dyn io::Write, line: &UpgradeLine<'_>) -> io::Result<()> {
    for change in &line.changes {
        let at = change.line.map_or_else(String::new, |line| format!(":{line}"));
        writeln!(out, "  {}{at}: {}", change.file, change.what)?;
    }
    let (count, lost) = (Count(line.changes.len(), "change"), line.not_carried.len());
    let lost = if lost > 0 { format!(", {lost} not carried") } else { String::new() };
    writeln!(out, "{}: {count}{lost} -> {}", line.problem, line.folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_upgrade_is_up_to_date() {
        let line = schema::of_line_called::<UpgradeLine<'static>>("upgrade");
        schema::is_up_to_date("upgrade", vec![line]);
    }
}
