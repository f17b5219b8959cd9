//! `rejudge case add`: adds a case to a problem, in the layout that its folder has.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Subcommand};

use super::exit::CommandExit;
use super::opening::Opening;
use super::project::Reported;
use super::stream;
use crate::left_behind::{remove_beneath, write_beneath};
use crate::notice::few;
use crate::notice::{Code, shown};
use crate::plain_file;
use crate::problem::{CaseModel, CasePlace, Problem};

mod clipboard;
pub(super) mod found;

/// Add a case to a problem
#[derive(Debug, Args)]
pub(crate) struct CaseArgs {
    #[command(subcommand)]
    command: CaseCommand,
}

#[derive(Debug, Subcommand)]
enum CaseCommand {
    /// Add a case: its input and its answer
    Add(AddArgs),
}

/// Add a case: its input and its answer
#[derive(Debug, Args)]
struct AddArgs {
    /// Problem (by name or folder) or solution [default: the current folder]
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    /// File with the input [default: standard input]
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// The input is the text in the clipboard
    #[arg(long, conflicts_with = "input")]
    clipboard: bool,
    /// File with the answer [default: what you type after the input]
    #[arg(long, value_name = "FILE")]
    answer: Option<PathBuf>,
    /// Name of the case [default: the next number]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

/// Runs the subcommand.
pub(crate) fn case(args: &CaseArgs) -> Result<CommandExit> {
    let CaseCommand::Add(args) = &args.command;
    add(args)
}

fn add(args: &AddArgs) -> Result<CommandExit> {
    if let Some(name) = &args.name
        && (name.is_empty() || name.starts_with('.') || name.contains(['/', '\0']))
    {
        bail!(
            Code::InvalidName
                .says(format!("invalid name of a case: `{name}`"))
                .help("use letters, digits, `_` and `-`")
        );
    }
    let problem = problem_of(args)?;
    let folder = match &problem {
        Some(problem) => problem.dir.clone(),
        None => folder_of(args)?,
    };
    let place = place_in(&folder, problem.as_ref(), args.name.as_deref())?;
    let is_typed = io::stdin().is_terminal();
    let input = match &args.input {
        Some(path) => read_file(path)?,
        None if args.clipboard => clipboard::text()?,
        None => read_input("input", is_typed)?,
    };
    if input.is_empty() && args.input.is_none() {
        bail!(Code::InvalidValue.says("the input is empty").help(
            "type it, pipe it in, or name its file: `--input FILE` accepts an empty one, too"
        ));
    }
    let answer = match &args.answer {
        Some(path) => read_file(path)?,
        // What comes from a pipe is one text.
        None if is_typed || args.input.is_some() || args.clipboard => {
            read_input("answer", is_typed)?
        }
        None => Vec::new(),
    };
    write(&folder, &place.input, &input)?;
    if answer.is_empty() {
        stream::note("the case has no answer; `rejudge answer` writes it from a solution's output");
    } else {
        write(&folder, &place.answer, &answer)?;
        check(args, &folder, &place, problem.as_ref())?;
    }
    let here = std::env::current_dir().unwrap_or_default();
    let name = |file: &Path| shown(&folder.join(file), Some(&here));
    let mut names = name(&place.input);
    if !answer.is_empty() {
        names = format!("{names} and {}", name(&place.answer));
    }
    stream::print_line(format_args!("added {names}"))?;
    Ok(CommandExit::Expected)
}

/// The problem that the path names; `None` if there is none yet.
fn problem_of(args: &AddArgs) -> Result<Option<Problem>> {
    let found = Opening::of(args.path.as_slice()).open()?.found;
    let is_missing = args.path.as_ref().is_some_and(|path| !path.exists());
    if is_missing && found.problems.is_empty() && !found.errors.is_empty() {
        found.errors.iter().for_each(stream::error);
        return Err(Reported.into());
    }
    let mut problems = found.problems;
    if problems.len() > 1 {
        let ids: Vec<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
        bail!(
            Code::UnknownPath
                .says(format!("there are several problems: {}", few(&ids)))
                .help(format!("name one: `rejudge case add {}`", ids[0]))
        );
    }
    Ok(problems.pop())
}

/// The folder for the first case of a solution.
fn folder_of(args: &AddArgs) -> Result<PathBuf> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let path = current.join(args.path.as_deref().unwrap_or(Path::new("")));
    if path.is_dir() {
        return Ok(path);
    }
    let parent = path.parent().filter(|_| path.is_file()).ok_or_else(|| {
        anyhow!("no file, folder or problem is called `{}`", shown(&path, Some(&current)))
    })?;
    Ok(parent.to_owned())
}

/// The files of a new case: named like those of the last case, with the next number or with `name`.
fn place_in(folder: &Path, problem: Option<&Problem>, name: Option<&str>) -> Result<CasePlace> {
    let last = problem.and_then(|problem| {
        let mut cases = problem.cases.iter().rev();
        Some((problem, cases.find(|case| !case.is_static())?))
    });
    let Some((problem, last)) = last else {
        let in_package = problem.is_some_and(|problem| problem.is_package);
        let base = if in_package { "data/secret" } else { "tests" };
        let stem = format!("{base}/{}", name.unwrap_or("1"));
        let place = CasePlace::of_stem(&stem, "ans");
        return if place.is_free(folder) { Ok(place) } else { Err(exists(&stem)) };
    };
    let model = match name {
        Some(_) => CaseModel::with_names(folder, problem, last),
        None => CaseModel::of(folder, problem, last),
    };
    let Some(model) = model else {
        bail!(
            "cannot add a case to `{}`: its cases are not files of their own in its folder",
            problem.id
        );
    };
    let place = match name {
        Some(name) => Some(model.named(name)).filter(|place| place.is_free(folder)),
        None => model.following().find(|place| place.is_free(folder)),
    };
    place.ok_or_else(|| {
        Code::InvalidName
            .says(format!("cannot name a case like `{}`", last.name()))
            .help("choose another name with `--name NAME`")
            .into()
    })
}

fn exists(stem: &str) -> anyhow::Error {
    Code::AlreadyExists
        .says(format!("`{stem}` exists already"))
        .help("choose another name with `--name NAME`")
        .into()
}

fn read_file(path: &Path) -> Result<Vec<u8>> {
    let read = || {
        let mut file = File::open(path)?;
        plain_file::require(&file.metadata()?)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes: io::Result<Vec<u8>> = read();
    bytes.with_context(|| format!("cannot read `{}`", path.display()))
}

/// Reads standard input to its end.
fn read_input(what: &str, is_typed: bool) -> Result<Vec<u8>> {
    if is_typed {
        stream::eprint_line(format_args!("{what}; Ctrl-D ends it:"));
    }
    let mut bytes = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut bytes);
    read.context("cannot read standard input")?;
    Ok(bytes)
}

fn write(folder: &Path, file: &Path, mut bytes: &[u8]) -> Result<()> {
    let written = write_beneath(folder, file, &mut bytes);
    written.with_context(|| format!("cannot write `{}`", folder.join(file).display()))
}

/// Removes the case again if it is not read as one of the problem.
fn check(
    args: &AddArgs,
    folder: &Path,
    place: &CasePlace,
    problem: Option<&Problem>,
) -> Result<()> {
    let input = folder.join(&place.input);
    let mut problems = Opening::of(args.path.as_slice()).quietly().open()?.found.problems;
    problems.retain(|new| problem.is_none_or(|problem| new.id == problem.id));
    let mut cases = problems.iter().flat_map(|problem| &problem.cases);
    if cases.any(|case| case.input() == input) {
        return Ok(());
    }
    for file in [&place.input, &place.answer] {
        // What cannot be removed is named in the error.
        let _ = remove_beneath(folder, file);
    }
    bail!("`{}` would not be read as a case", input.display())
}
