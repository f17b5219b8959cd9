//! `rejudge export`: writes a problem and its submissions as an archive for another judging system.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;

use super::archive_limits::{self, ArchiveLimitArgs, LimitInferred};
use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::on_demand;
use super::opening::Opening;
use super::project::{Project, Reported};
use super::report_files;
use super::stream;
use crate::contest::{ContestEntry, ContestList};
use crate::export::{Bundle, ExportRequest, ExportTarget, bundle, plain_name};
use crate::notice::{Code, Notice, shown};
use crate::problem::Problem;
use crate::shell::shell_word;
use crate::show::json_line;
use crate::show::notice_line::NoticeLine;
use crate::show::words::Count;
use crate::submission::Submission;

/// Write a problem as an archive for another judging system
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Name, folder or ZIP archive of the problem, or a folder with several
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,
    /// System that imports the archive
    #[arg(long, value_name = "SYSTEM", value_enum)]
    to: ExportTarget,
    /// Archive to write; an existing one is replaced. For several problems, the folder of archives, unless SYSTEM is `samples`
    #[arg(short, long, value_name = "FILE.zip")]
    output: PathBuf,
    #[command(flatten)]
    limits: ArchiveLimitArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// The line of `--json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ExportLine<'a> {
    r#type: &'static str,
    problem: &'a str,
    to: &'static str,
    file: &'a str,
    files: usize,
    cases: usize,
    submissions: usize,
    /// In an archive of samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    attachments: Option<usize>,
    not_carried: Vec<NoticeLine<'a>>,
}

/// Writes an archive for each problem. What it does not carry is a warning.
pub(crate) fn export(args: &ExportArgs) -> Result<CommandExit> {
    let written =
        [(report_files::JSON, args.json.path()), ("--output", Some(args.output.as_path()))];
    report_files::check(&written, &[&args.problem])?;
    let mut output = args.json.open()?;
    let paths = std::slice::from_ref(&args.problem);
    let mut project = Opening::of(paths).open()?;
    let is_faulty = project.report_all_but_missing_solutions();
    args.limits.apply(&mut project.found.problems)?;
    let mut problems = std::mem::take(&mut project.found.problems);
    let list = ContestList::of(paths, &problems)?;
    let is_faulty = put_in_order(&mut problems, &list, is_faulty);
    let places = places(args, &problems, &list)?;
    let all: Vec<&Problem> = problems.iter().collect();
    if let Some(exit) = on_demand::make_to_copy(&project, &all)? {
        return Ok(exit);
    }
    let mut exit = CommandExit::Expected.or_fault(is_faulty);
    if args.to == ExportTarget::Samples {
        return Ok(exit.worse(export_samples(args, &project, &all, &list, &mut output)?));
    }
    for (problem, place) in problems.iter_mut().zip(&places) {
        match infer_limit(args, &project, problem)? {
            LimitInferred::Done(faulty) => exit = exit.or_fault(faulty),
            LimitInferred::Signalled(exit) => return Ok(exit),
        }
        let entry = list.entry(&problem.id);
        exit = exit.worse(export_one(args, &project, problem, entry, place, &mut output)?);
    }
    Ok(exit)
}

/// Puts the problems in the order of the contest, without those that it does not list. Returns whether a fault was reported.
fn put_in_order(problems: &mut Vec<Problem>, list: &ContestList, is_faulty: bool) -> bool {
    let missing = list.missing(problems, is_faulty);
    missing.iter().for_each(stream::error);
    for id in problems.iter().map(|problem| &problem.id).filter(|id| !list.has(id)) {
        let message = format!("not exported: `{id}`, which {} does not list", list.name());
        stream::warn(Code::NotCarried.says(message).help("list it, or export it alone"));
    }
    problems.retain(|problem| list.has(&problem.id));
    list.sort(problems, |problem| &problem.id);
    is_faulty || !missing.is_empty()
}

/// The archive of each problem: the named file, or a file in the named folder for each problem of a contest.
fn places(args: &ExportArgs, problems: &[Problem], list: &ContestList) -> Result<Vec<PathBuf>> {
    let place = std::path::absolute(&args.output).unwrap_or_else(|_| args.output.clone());
    let is_samples = args.to == ExportTarget::Samples;
    let is_file = args.output.extension().is_some();
    match problems {
        [] => Err(Reported.into()),
        [one, others @ ..] if is_samples || others.is_empty() && (is_file || !list.is_whole()) => {
            if place.is_dir() {
                bail!(folder_as_file(args, if is_samples { "samples" } else { &one.id }));
            }
            Ok(vec![place])
        }
        several if is_file => {
            let ids: Vec<String> = several.iter().map(|problem| problem.id.clone()).collect();
            Err(several_in_one(&args.problem, &ids).into())
        }
        several => Ok(several.iter().map(|one| place.join(format!("{}.zip", one.id))).collect()),
    }
}

/// The archive is named like a folder that exists.
fn folder_as_file(args: &ExportArgs, name: &str) -> Notice {
    let file = shown(&args.output.join(format!("{name}.zip")), None);
    Code::InvalidOption
        .says(format!("`--output {}`: this is a folder", args.output.display()))
        .help(format!("name a file: `-o {}`", shell_word(&file)))
}

/// Writes the archive of one problem.
fn export_one(
    args: &ExportArgs,
    project: &Project,
    problem: &Problem,
    entry: Option<&ContestEntry>,
    place: &Path,
    output: &mut JsonOutput,
) -> Result<CommandExit> {
    let made = collected(args, project, problem, entry, place)?;
    made.write(place).with_context(|| format!("cannot write `{}`", shown_here(place)))?;
    print(args, problem, &made, place, output)
}

/// Writes one archive with the samples and the attachments of all problems, each in a folder of its own if there is a contest.
fn export_samples(
    args: &ExportArgs,
    project: &Project,
    problems: &[&Problem],
    list: &ContestList,
    output: &mut JsonOutput,
) -> Result<CommandExit> {
    if args.limits.is_stated() {
        let help = "leave out `--time-limit` and `--limits`";
        bail!(Code::InvalidOption.says("samples have no time limit").help(help));
    }
    let place = std::path::absolute(&args.output).unwrap_or_else(|_| args.output.clone());
    let mut all = Vec::new();
    for problem in problems {
        all.push(collected(args, project, problem, None, &place)?);
    }
    if all.iter().all(|made| made.len() == 0) {
        return Err(Reported.into());
    }
    let is_alone = problems.len() == 1 && !list.is_whole();
    let folder = |problem: &Problem| match list.entry(&problem.id) {
        _ if is_alone => String::new(),
        Some(entry) => entry.label.clone(),
        None => plain_name(&problem.id),
    };
    let folders: Vec<String> = problems.iter().map(|problem| folder(problem)).collect();
    let parts: Vec<(&str, &Bundle)> = folders.iter().map(String::as_str).zip(&all).collect();
    Bundle::write_all(&parts, &place)
        .with_context(|| format!("cannot write `{}`", shown_here(&place)))?;
    let mut exit = CommandExit::Expected;
    for (problem, made) in problems.iter().zip(&all) {
        exit = exit.worse(print(args, problem, made, &place, output)?);
    }
    Ok(exit)
}

/// The files of a problem. Prints what is not among them.
fn collected(
    args: &ExportArgs,
    project: &Project,
    problem: &Problem,
    entry: Option<&ContestEntry>,
    place: &Path,
) -> Result<Bundle> {
    let own: Vec<&Submission> =
        project.found.submissions.iter().filter(|one| one.problem == problem.id).collect();
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let request = ExportRequest {
        problem,
        submissions: &own,
        place,
        base: Some(project.root().unwrap_or(&current)),
        is_configured: project
            .repository
            .as_ref()
            .is_some_and(|found| found.config.problems.contains_key(&problem.id)),
        entry,
    };
    let made = bundle(args.to, &request)?;
    made.not_carried.iter().for_each(stream::warn);
    made.decisive.iter().for_each(stream::error);
    Ok(made)
}

/// Prints what an archive has.
fn print(
    args: &ExportArgs,
    problem: &Problem,
    made: &Bundle,
    place: &Path,
    output: &mut JsonOutput,
) -> Result<CommandExit> {
    let file = shown_here(place);
    let is_samples = args.to == ExportTarget::Samples;
    let line = ExportLine {
        r#type: "export",
        problem: &problem.id,
        to: args.to.name(),
        file: &file,
        files: made.len(),
        cases: made.cases,
        submissions: made.submissions,
        attachments: is_samples.then_some(made.attachments),
        not_carried: made.lost().map(NoticeLine::from).collect(),
    };
    let exit = output
        .write(|out| json_line::write(out, &line), |out| writeln!(out, "{}", summary(&line)))?;
    Ok(exit.or_fault(!made.decisive.is_empty()))
}

/// A path as it is called from the current folder.
fn shown_here(path: &Path) -> String {
    shown(path, std::env::current_dir().ok().as_deref())
}

/// Infers the limit if the archive is not a copy, which has the same as the problem.
fn infer_limit(
    args: &ExportArgs,
    project: &Project,
    problem: &mut Problem,
) -> Result<LimitInferred> {
    if !args.to.copies(problem) {
        if args.to.infers() {
            return Ok(LimitInferred::Done(false));
        }
        return archive_limits::infer(project, problem);
    }
    if let Some(limit) = args.limits.time_limit {
        let limit = limit.as_secs_f64();
        bail!(
            Code::InvalidOption
                .says("`--time-limit` changes nothing here: the package is copied as it is")
                .help(format!("write `limits: {{time_limit: {limit}}}` to its problem.yaml"))
        );
    }
    Ok(LimitInferred::Done(false))
}

fn summary(line: &ExportLine<'_>) -> String {
    let ExportLine { problem, file, .. } = line;
    let parts = match line.attachments {
        Some(attachments) => (Count(line.cases, "sample"), Count(attachments, "attachment")),
        None => (Count(line.cases, "case"), Count(line.submissions, "submission")),
    };
    format!("{problem}: {}, {} -> {file}", parts.0, parts.1)
}

fn several_in_one(named: &Path, ids: &[String]) -> Notice {
    let few = crate::notice::few(ids);
    Code::UnknownPath
        .says(format!("`{}` has several problems: {few}", named.display()))
        .help("name one of them, or a folder for the archives of all: `-o DIR`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_export_is_up_to_date() {
        let line = schema::of_line_called::<ExportLine<'static>>("export");
        schema::is_up_to_date("export", vec![line]);
    }
}
