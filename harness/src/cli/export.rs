//! `rejudge export`: writes a problem and its submissions as an archive for another judging system.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use serde::Serialize;

use super::archive_limits::{self, ArchiveLimitArgs, LimitInferred};
use super::exit::CommandExit;
use super::json_output::JsonArgs;
use super::on_demand;
use super::opening::Opening;
use super::project::{Project, Reported};
use super::report_files;
use super::stream;
use crate::export::{Bundle, ExportRequest, ExportTarget, bundle};
use crate::notice::{Code, Notice, shown};
use crate::problem::Problem;
use crate::show::json_line;
use crate::show::notice_line::NoticeLine;
use crate::show::words::Count;
use crate::submission::Submission;

/// Write a problem as an archive for another judging system
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Name, folder or ZIP archive of the problem
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,
    /// System that imports the archive
    #[arg(long, value_name = "SYSTEM", value_enum)]
    to: ExportTarget,
    /// Archive to write; an existing one is replaced
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
    not_carried: Vec<NoticeLine<'a>>,
}

/// Writes the archive. What it does not carry is a warning.
pub(crate) fn export(args: &ExportArgs) -> Result<CommandExit> {
    let written =
        [(report_files::JSON, args.json.path()), ("--output", Some(args.output.as_path()))];
    report_files::check(&written, &[&args.problem])?;
    let mut output = args.json.open()?;
    let paths = std::slice::from_ref(&args.problem);
    let mut project = Opening::of(paths).open()?;
    let mut is_faulty = project.report_all_but_missing_solutions();
    args.limits.apply(&mut project.found.problems)?;
    let mut problem = only_problem(args, std::mem::take(&mut project.found.problems))?;
    if let Some(exit) = on_demand::make_to_copy(&project, &[&problem])? {
        return Ok(exit);
    }
    match infer_limit(args, &project, &mut problem)? {
        LimitInferred::Done(faulty) => is_faulty |= faulty,
        LimitInferred::Signalled(exit) => return Ok(exit),
    }
    let found = &project.found;
    let own: Vec<&Submission> =
        found.submissions.iter().filter(|one| one.problem == problem.id).collect();
    let place = std::path::absolute(&args.output).unwrap_or_else(|_| args.output.clone());
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let request = ExportRequest {
        problem: &problem,
        submissions: &own,
        place: &place,
        base: Some(project.root().unwrap_or(&current)),
        is_configured: project
            .repository
            .as_ref()
            .is_some_and(|found| found.config.problems.contains_key(&problem.id)),
    };
    let made = bundle(args.to, &request)?;
    made.not_carried.iter().for_each(stream::warn);
    for lost in &made.decisive {
        stream::error(lost);
    }
    is_faulty |= !made.decisive.is_empty();
    let file = shown(&place, Some(&current));
    made.write(&place).with_context(|| format!("cannot write `{file}`"))?;
    let line = ExportLine {
        r#type: "export",
        problem: &problem.id,
        to: args.to.name(),
        file: &file,
        files: made.len(),
        cases: made.cases,
        submissions: made.submissions,
        not_carried: made.lost().map(NoticeLine::from).collect(),
    };
    let exit = output.write(
        |out| json_line::write(out, &line),
        |out| writeln!(out, "{}", summary(&problem, &made, &file)),
    )?;
    Ok(exit.or_fault(is_faulty))
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

fn summary(problem: &Problem, made: &Bundle, file: &str) -> String {
    let (cases, submissions) = (Count(made.cases, "case"), Count(made.submissions, "submission"));
    format!("{}: {cases}, {submissions} -> {file}", problem.id)
}

/// The problem to export. Several are an error.
fn only_problem(args: &ExportArgs, problems: Vec<Problem>) -> Result<Problem> {
    let ids: Vec<String> = problems.iter().map(|problem| problem.id.clone()).collect();
    let mut problems = problems.into_iter();
    match (problems.next(), problems.next()) {
        (Some(problem), None) => Ok(problem),
        (None, _) => Err(Reported.into()),
        (Some(_), Some(_)) => Err(several(&args.problem, &ids).into()),
    }
}

fn several(named: &Path, ids: &[String]) -> Notice {
    let few = crate::notice::few(ids);
    Code::UnknownPath
        .says(format!("`{}` has several problems: {few}", named.display()))
        .help("name one of them")
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
