//! `rejudge import`: converts a problem in any layout into a package in `cases/`, and its solutions into a folder in
//! `solutions/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, bail};
use clap::Args;

use super::archive_limits::ArchiveLimitArgs;
use super::exit::CommandExit;
use super::on_demand;
use super::opening::Opening;
use super::project::Reported;
use super::stream;
use crate::config::Repository;
use crate::expectation::{Expectation, ExpectationOrigin, VerdictFolder};
use crate::import::carried::why_not_carried;
use crate::import::checker::Checking;
use crate::import::stage::StagingFolder;
use crate::import::{Draft, DraftCase, DraftText, names, points};
use crate::notice::{Code, shown};
use crate::problem::scoring::Scoring;
use crate::problem::{Problem, ProblemLimits, ReadOptions, TestCase, is_ignored, layouts};
use crate::show::words::Count;
use crate::submission::{Submission, SubmissionsByProblem};

/// Import a problem in any layout into `cases/` and `solutions/`
#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    /// Folder or ZIP archive of the problem, in any layout that `--layout` lists, or a Free Problem Set of HUSTOJ (XML)
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Folder for the package, which becomes DIR/NAME [default: `cases` of the repository around the current folder]
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
    /// Name of the problem: lower-case letters and digits [default: derived from its title or folder]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Layout of the problem [default: the only one that fits]
    #[arg(long, value_name = "LAYOUT", value_parser = layouts::names())]
    layout: Option<String>,
    #[command(flatten)]
    limits: ArchiveLimitArgs,
}

/// Imports problems. Existing folders are never replaced.
pub(crate) fn import(args: &ImportArgs) -> Result<CommandExit> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    if !args.path.exists() {
        bail!("no such file or folder: `{}`", args.path.display());
    }
    let read_options = ReadOptions { layout: args.layout.as_deref(), ..ReadOptions::default() };
    let paths = std::slice::from_ref(&args.path);
    let mut project = Opening::of(paths).read_as(read_options).open()?;
    let is_faulty = project.report_all_but_missing_solutions();
    let found = &mut project.found;
    if found.problems.is_empty() {
        return Err(Reported.into());
    }
    if args.name.is_some() && found.problems.len() > 1 {
        bail!("`--name` needs a single problem, but the source has {}", found.problems.len());
    }
    let stated: Vec<Option<Duration>> =
        found.problems.iter().map(|one| one.limits.cpu_time).collect();
    args.limits.apply(&mut found.problems)?;
    let target = ImportTarget::of(args, &current)?;
    let found = &project.found;
    // A package makes its large cases also after the import.
    let is_converted = |problem: &&Problem| !Problem::is_package_in(&problem.dir);
    let converted: Vec<&Problem> = found.problems.iter().filter(is_converted).collect();
    if let Some(exit) = on_demand::make_to_copy(&project, &converted)? {
        return Ok(exit);
    }
    let by_problem = SubmissionsByProblem::of(&found.submissions);
    for (problem, stated) in found.problems.iter().zip(stated) {
        // A package is copied as it is, so a limit that an option states is a setting of the repository.
        let limit = problem.limits.cpu_time.filter(|limit| stated != Some(*limit));
        target.import(args, (problem, limit), by_problem.of_problem(&problem.id))?;
    }
    Ok(CommandExit::Expected.or_fault(is_faulty))
}

/// The folders to import to.
struct ImportTarget {
    root: PathBuf,
    cases: PathBuf,
    solutions: PathBuf,
}

/// The result for the solutions.
#[derive(Default)]
struct Solutions {
    imported: usize,
    /// Those that were not imported, with the reasons.
    skipped: Vec<String>,
}

impl ImportTarget {
    fn of(args: &ImportArgs, current: &Path) -> Result<Self> {
        let root =
            Repository::locate(current)?.map_or_else(|| current.to_path_buf(), |found| found.root);
        let into = args.into.as_ref().map(|folder| current.join(folder));
        let root = match &into {
            Some(into) if into.file_name().is_some_and(|name| name == "cases") => {
                into.parent().unwrap_or(current).to_path_buf()
            }
            _ => root,
        };
        Ok(Self {
            cases: into.unwrap_or_else(|| root.join("cases")),
            solutions: root.join("solutions"),
            root,
        })
    }

    fn import(
        &self,
        args: &ImportArgs,
        (problem, limit): (&Problem, Option<Duration>),
        submissions: &[&Submission],
    ) -> Result<()> {
        let is_package = Problem::is_package_in(&problem.dir);
        let id = match &args.name {
            Some(name) if *name == names::id(name) => name.clone(),
            Some(name) => bail!(
                Code::InvalidName
                    .says(format!(
                        "invalid problem name `--name {name}`: use lower-case letters and digits"
                    ))
                    .help(format!("`--name {}`", names::id(name)))
            ),
            None => names::id(&problem.id),
        };
        let (cases, solutions) = (self.cases.join(&id), self.solutions.join(&id));
        for place in [&cases, &solutions] {
            if place.symlink_metadata().is_ok() {
                let place = shown(place, Some(&self.root));
                bail!(
                    Code::AlreadyExists
                        .says(format!("{place} already exists"))
                        .help("choose another name: `--name NAME`")
                );
            }
        }
        let written = |error: std::io::Error| {
            anyhow!(error).context(format!("cannot write {}", shown(&cases, Some(&self.root))))
        };
        let mut skipped = Vec::new();
        let checking = if is_package {
            skipped = copy_package(&problem.dir, &cases)
                .with_context(|| format!("cannot write {}", shown(&cases, Some(&self.root))))?;
            Checking::default().with_time_limit(limit)
        } else {
            let draft = draft(problem, &mut skipped);
            draft.write(&cases).map_err(written)?;
            draft.checking
        };
        let setting = checking.configure(&self.root, &id);
        let setting = setting.context("cannot add the settings to rejudge.toml")?;
        let copied = copy_solutions(&solutions, submissions)
            .with_context(|| format!("cannot write {}", shown(&solutions, Some(&self.root))))?;
        skipped.extend(copied.skipped);
        self.report(problem, &id, copied.imported, setting.as_deref(), &skipped)
    }

    fn report(
        &self,
        problem: &Problem,
        id: &str,
        solutions: usize,
        setting: Option<&str>,
        skipped: &[String],
    ) -> Result<()> {
        let folder = shown(&self.cases.join(id), Some(&self.root));
        let is_bare = |case: &&TestCase| !case.has_answer() && !case.is_static();
        let unanswered = problem.cases.iter().filter(is_bare).count();
        let (cases, solved) = (Count(problem.cases.len(), "case"), Count(solutions, "solution"));
        stream::print_line(format_args!("{id}: {cases}, {solved} -> {folder}"))?;
        if let Some(setting) = setting {
            stream::print_line(format_args!("  rejudge.toml: `[problems.{id}]` has {setting}"))?;
        }
        for what in skipped {
            stream::warn(format_args!("not imported: {what}"));
        }
        if unanswered > 0 {
            let without = Count(unanswered, "case");
            stream::warn(
                Code::MissingAnswer
                    .says(format!("{without} without an answer"))
                    .help(format!("write answers with `rejudge answer {id} --from SOLUTION`")),
            );
        }
        if solutions > 0 {
            stream::print_line(format_args!("  next: rejudge run {id}"))
        } else {
            stream::print_line(format_args!(
                "  next: write solutions/{id}/{id}.rs, then: rejudge run {id}"
            ))
        }
    }
}

fn draft(problem: &Problem, skipped: &mut Vec<String>) -> Draft {
    let given: Vec<&str> = problem.cases.iter().map(TestCase::name).collect();
    let mut names: Vec<String> = given.iter().map(|&name| name.to_owned()).collect();
    skipped.extend(problem.not_carried().into_iter().map(str::to_owned));
    skipped.extend(problem.lost_points().map(str::to_owned));
    let mut groups = Vec::new();
    if let Some(Scoring::Points(all)) = &problem.scoring {
        match points::of(all, &given) {
            Ok(scored) => (names, groups) = (scored.names, scored.groups),
            Err(why) => skipped.push(format!("the points: a package cannot have {why}")),
        }
    }
    let cases = problem.cases.iter().zip(names).map(|(case, name)| DraftCase {
        name,
        input: DraftText::In(case.input()),
        answer: case.answer().map(DraftText::In),
    });
    Draft {
        title: problem.title.clone().unwrap_or_else(|| problem.id.clone()),
        limits: ProblemLimits {
            output: problem.limits.output.or_else(|| problem.larger_default_output()),
            ..problem.limits
        },
        checking: Checking::of(&problem.checker)
            .talking_with(problem.interactor.as_ref())
            .validated_by(&problem.validators)
            .with_files(&problem.streams),
        cases: cases.collect(),
        groups,
        ..Draft::default()
    }
}

/// Copies a package without its submissions. Returns the files that were not copied, with the reasons.
fn copy_package(from: &Path, to: &Path) -> Result<Vec<String>> {
    let stage = StagingFolder::begin(to)?;
    let mut skipped = Vec::new();
    let mut walk =
        walkdir::WalkDir::new(from).min_depth(1).sort_by_file_name().follow_links(true).into_iter();
    while let Some(entry) = walk.next() {
        let path = match &entry {
            Ok(entry) => entry.path(),
            Err(error) => error.path().unwrap_or(from),
        };
        let below = path.strip_prefix(from).unwrap_or(path);
        let last = path.file_name().unwrap_or_default().to_string_lossy();
        // The time limit of a package may be in a hidden file.
        let is_hidden = is_ignored(&last) && below != Path::new(".timelimit");
        let is_left_out = is_hidden || below == Path::new("submissions");
        let fault = if is_left_out { None } else { why_not_carried(from, path, &entry)? };
        if let Some(fault) = fault {
            skipped.push(format!("{}, {fault}", shown(below, None)));
        }
        let kind = entry.as_ref().ok().map(walkdir::DirEntry::file_type);
        if kind.is_some_and(|kind| kind.is_dir()) {
            if is_left_out || fault.is_some() {
                walk.skip_current_dir();
            }
        } else if !is_left_out && fault.is_none() {
            stage.copy(below, path)?;
        }
    }
    stage.finish()?;
    Ok(skipped)
}

/// Copies the solutions to the folders that stand for their expectations.
fn copy_solutions(folder: &Path, submissions: &[&Submission]) -> std::io::Result<Solutions> {
    let mut solutions = Solutions::default();
    if submissions.is_empty() {
        return Ok(solutions);
    }
    let stage = StagingFolder::begin(folder)?;
    let mut names = std::collections::BTreeSet::new();
    for submission in submissions {
        let name = submission.path.file_name().unwrap_or_default().to_string_lossy();
        let Some(subfolder) = subfolder_for(&submission.expected) else {
            let why =
                format!("no folder stands for the expectation `{}`", submission.expected.label);
            solutions.skipped.push(format!("{}: {why}", submission.name));
            continue;
        };
        let target = format!("{subfolder}{name}");
        if !names.insert(target.to_lowercase()) {
            let why = "another solution has the same name";
            solutions.skipped.push(format!("{}: {why}", submission.name));
        } else if fs::metadata(&submission.path).is_ok_and(|metadata| metadata.is_file()) {
            stage.copy(&target, &submission.path)?;
            solutions.imported += 1;
        } else {
            solutions.skipped.push(format!("{}: it is not a single file", submission.name));
        }
    }
    if solutions.imported > 0 {
        stage.finish()?;
    }
    Ok(solutions)
}

/// The folder below `solutions/ID/`, with a final `/`, that stands for the expectation; `None` if there is none.
fn subfolder_for(expected: &Expectation) -> Option<String> {
    match (&expected.origin, expected.one_folder()) {
        (ExpectationOrigin::Source, _) | (_, Some(VerdictFolder::Accepted)) => Some(String::new()),
        (_, folder) => folder.map(|folder| format!("{folder}/")),
    }
}
