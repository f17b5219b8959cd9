//! `rejudge case add`: adds a case to a problem, in the layout that its folder has.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow, bail};
use clap::{Args, Subcommand};

use super::exit::CommandExit;
use super::project::Project;
use super::stream;
use crate::left_behind::{remove_beneath, write_beneath};
use crate::notice::shown;
use crate::plain_file;
use crate::problem::{Problem, TestCase, Wish};
use crate::report::words::few;

mod clipboard;

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

/// The files of a new case, relative to a folder.
#[derive(Debug, PartialEq, Eq)]
struct NewCasePaths {
    input: PathBuf,
    answer: PathBuf,
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
        bail!("invalid name of a case: `{name}`\nhelp: use letters, digits, `_` and `-`");
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
        check(args, &folder, &place)?;
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

fn open(args: &AddArgs) -> Result<Project> {
    Project::open_to_read(Wish::default(), args.path.as_slice(), None)
}

/// The problem that the path names; `None` if there is none yet.
fn problem_of(args: &AddArgs) -> Result<Option<Problem>> {
    let mut problems = open(args)?.found.problems;
    if problems.len() > 1 {
        let ids: Vec<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
        bail!(
            "there are several problems: {}\nhelp: name one: `rejudge case add {}`",
            few(&ids),
            ids[0]
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
    let parent = path.parent().filter(|_| path.is_file());
    let parent = parent.ok_or_else(|| {
        anyhow!(
            "no file, folder or problem is called `{}`",
            shown(&path, Some(&current))
        )
    })?;
    Ok(parent.to_owned())
}

/// The files of a new case: named like those of the last case, with the next number or with `name`.
fn place_in(folder: &Path, problem: Option<&Problem>, name: Option<&str>) -> Result<NewCasePaths> {
    let cases = problem.map_or(&[][..], |problem| problem.cases.as_slice());
    let relative = |path: PathBuf| {
        let below = path.strip_prefix(folder).ok()?;
        Some(below.to_str()?.to_owned())
    };
    let model = cases.iter().rev().find(|case| !case.is_static());
    let Some(model) = model else {
        let in_package = problem.is_some_and(|problem| problem.is_package);
        let base = if in_package { "data/secret" } else { "tests" };
        let stem = format!("{base}/{}", name.unwrap_or("1"));
        return free(folder, &stem_place(&stem)).ok_or_else(|| exists(&stem));
    };
    let (Some(input), answer) = (relative(model.input()), model.answer().and_then(relative)) else {
        bail!(
            "cannot add a case to `{}`: its cases are not files of their own in its folder",
            problem.map_or("", |problem| &problem.id)
        );
    };
    let answer = answer.unwrap_or_else(|| {
        let stem = Path::new(&input).with_extension("ans");
        stem.to_string_lossy().into_owned()
    });
    named_like(folder, model, (&input, &answer), name).ok_or_else(|| {
        anyhow!(
            "cannot name a case like `{}`\nhelp: choose another name with `--name NAME`",
            model.name()
        )
    })
}

/// The first free place with a number above that of the model, or that with `name`.
fn named_like(
    folder: &Path,
    model: &TestCase,
    (input, answer): (&str, &str),
    name: Option<&str>,
) -> Option<NewCasePaths> {
    let label = model.name().rsplit('/').next().unwrap_or_default();
    let place = |old: &str, new: &str| {
        let place = NewCasePaths {
            input: replaced(input, old, new)?.into(),
            answer: replaced(answer, old, new)?.into(),
        };
        free(folder, &place)
    };
    if let Some(name) = name {
        return place(label, name);
    }
    let digits = last_number(label);
    let old = if digits.is_empty() { label } else { digits };
    let first: u64 = digits.parse().unwrap_or(0);
    let numbers = (first + 1)..=(first + 100_000);
    numbers
        .map(|number| format!("{number:0width$}", width = digits.len()))
        .find_map(|number| place(old, &number))
}

/// The digits at the end of a label, or the last ones in it.
fn last_number(label: &str) -> &str {
    let is_digit = |c: char| c.is_ascii_digit();
    let Some(end) = label.rfind(is_digit).map(|at| at + 1) else {
        return "";
    };
    let start = label[..end].rfind(|c| !is_digit(c)).map_or(0, |at| {
        at + label[at..].chars().next().map_or(1, char::len_utf8)
    });
    &label[start..end]
}

/// The path with its last `old` replaced.
fn replaced(path: &str, old: &str, new: &str) -> Option<String> {
    let at = path.rfind(old)?;
    Some(format!("{}{new}{}", &path[..at], &path[at + old.len()..]))
}

fn stem_place(stem: &str) -> NewCasePaths {
    NewCasePaths {
        input: format!("{stem}.in").into(),
        answer: format!("{stem}.ans").into(),
    }
}

/// The place, if neither file exists.
fn free(folder: &Path, place: &NewCasePaths) -> Option<NewCasePaths> {
    let exists = |file: &Path| folder.join(file).symlink_metadata().is_ok();
    let taken = exists(&place.input) || exists(&place.answer) || place.input == place.answer;
    (!taken).then(|| NewCasePaths {
        input: place.input.clone(),
        answer: place.answer.clone(),
    })
}

fn exists(stem: &str) -> anyhow::Error {
    anyhow!("`{stem}` exists already\nhelp: choose another name with `--name NAME`")
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

/// Removes the case again if it is not read as one.
fn check(args: &AddArgs, folder: &Path, place: &NewCasePaths) -> Result<()> {
    let input = folder.join(&place.input);
    let problems = open(args)?.found.problems;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_case_is_named_like_the_last() {
        let table = [
            ("1.in", "1", "2", Some("2.in")),
            ("a/in09.txt", "09", "10", Some("a/in10.txt")),
            ("1/input.txt", "1", "2", Some("2/input.txt")),
            ("big.in", "1", "2", None),
        ];
        for (path, old, new, expected) in table {
            assert_eq!(replaced(path, old, new).as_deref(), expected);
        }
        let numbers = [
            ("09", "09"),
            ("input12", "12"),
            ("a1b", "1"),
            ("é7", "7"),
            ("big", ""),
        ];
        for (label, number) in numbers {
            assert_eq!(last_number(label), number);
        }
    }
}
