//! The values that exist here: problems, cases, languages, checkers, revisions and baselines.
//!
//! A shell asks for them at every key, so nothing is printed, and whatever cannot be read has no values.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::StyledStr;
use clap::{Arg, Command};
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter as _,
};
use walkdir::WalkDir;

use crate::bench::baseline::baseline_names;
use crate::bench::git;
use crate::checker_spec::CheckerSpec;
use crate::config::Repository;
use crate::discover::{Found, Request, discover};
use crate::language::Languages;
use crate::problem::ReadOptions;

/// No problems are looked for below a folder with more entries than this.
const MOST_ENTRIES: usize = 50_000;

/// What the value of an argument names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedKind {
    /// A problem, or any path.
    Problem,
    Case,
    /// `PROBLEM/CASE`
    ProblemCase,
    Language,
    /// A built-in checker, or any path.
    Checker,
    /// The base of a comparison.
    Base,
    Baseline,
    Command,
}

/// The arguments of a command with such values. The first entry that fits counts; an empty command is any.
const ARGUMENTS: [(&str, &str, NamedKind); 14] = [
    ("draw", "case", NamedKind::ProblemCase),
    ("man", "command", NamedKind::Command),
    ("bench", "against", NamedKind::Base),
    ("bench", "save", NamedKind::Baseline),
    ("languages", "ids", NamedKind::Language),
    ("add", "path", NamedKind::Problem),
    ("answer", "problem", NamedKind::Problem),
    ("verify", "problems", NamedKind::Problem),
    ("generate", "problems", NamedKind::Problem),
    ("time", "problems", NamedKind::Problem),
    ("", "paths", NamedKind::Problem),
    ("", "language", NamedKind::Language),
    ("", "checker", NamedKind::Checker),
    ("", "case", NamedKind::Case),
];

/// The command whose arguments complete their values.
pub(super) fn added_to(mut command: Command) -> Command {
    let commands: Vec<String> =
        command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    // Before, most commands have no arguments.
    command.build();
    add(command, &commands)
}

fn add(command: Command, commands: &[String]) -> Command {
    let name = command.get_name().to_owned();
    command
        .mut_args(|arg| completed(&name, arg, commands))
        .mut_subcommands(|command| add(command, commands))
}

fn completed(command: &str, arg: Arg, commands: &[String]) -> Arg {
    let id = arg.get_id().as_str();
    let mut known = ARGUMENTS.iter();
    let found = known.find(|(of, known, _)| *known == id && (of.is_empty() || *of == command));
    let Some((.., kind)) = found else {
        return arg;
    };
    let (kind, commands) = (*kind, commands.to_vec());
    arg.add(ArgValueCompleter::new(move |current: &OsStr| candidates(kind, current, &commands)))
}

/// The values that start with `current`.
fn candidates(kind: NamedKind, current: &OsStr, commands: &[String]) -> Vec<CompletionCandidate> {
    let values = match kind {
        NamedKind::Problem => problems(),
        NamedKind::Case => cases(current),
        NamedKind::ProblemCase => problem_cases(),
        NamedKind::Language => languages(),
        NamedKind::Checker => bare(CheckerSpec::words().map(str::to_owned)),
        NamedKind::Base => bases(),
        NamedKind::Baseline => bare(root().iter().flat_map(|root| baseline_names(root))),
        NamedKind::Command => bare(commands.iter().cloned()),
    };
    let start = current.to_string_lossy();
    let mut candidates: Vec<CompletionCandidate> = values
        .into_iter()
        .filter(|(value, _)| value.starts_with(&*start))
        .map(|(value, help)| CompletionCandidate::new(value).help(help.map(StyledStr::from)))
        .collect();
    if matches!(kind, NamedKind::Problem | NamedKind::Checker) {
        candidates.extend(PathCompleter::any().complete(current));
    }
    candidates
}

/// Values, each with a description for shells that show one.
type Candidates = BTreeSet<(String, Option<String>)>;

fn bare(values: impl Iterator<Item = String>) -> Candidates {
    values.map(|value| (value, None)).collect()
}

fn problems() -> Candidates {
    let found = found(&[]);
    let problems = found.problems.into_iter();
    problems.map(|problem| (problem.id, problem.title)).collect()
}

/// The cases of the problems that the command line names, otherwise of all problems.
fn cases(current: &OsStr) -> Candidates {
    let named = named_paths(current);
    let found = found(&named);
    let cases = found.problems.iter().flat_map(|problem| &problem.cases);
    bare(cases.map(|case| case.name().to_owned()))
}

fn problem_cases() -> Candidates {
    let found = found(&[]);
    let named = found.problems.iter().flat_map(|problem| {
        let cases = problem.cases.iter();
        cases.map(move |case| format!("{}/{}", problem.id, case.name()))
    });
    bare(named)
}

fn languages() -> Candidates {
    let repository = repository(&[]);
    let settings = repository.map(|found| found.config.languages).unwrap_or_default();
    let Ok(languages) = Languages::load(&settings) else {
        return Candidates::new();
    };
    let named = languages.iter();
    named.map(|language| (language.id.clone(), Some(language.name.clone()))).collect()
}

/// The revisions that have a name, and the stored baselines.
fn bases() -> Candidates {
    let Some(root) = root() else {
        return Candidates::new();
    };
    let revisions = git::names(&root).into_iter();
    let stored = baseline_names(&root).into_iter();
    bare(revisions.chain(stored.map(|name| format!("baseline:{name}"))))
}

/// The words of the command line that name a path or a problem of the repository, without the word that is completed.
fn named_paths(current: &OsStr) -> Vec<PathBuf> {
    let repository = repository(&[]);
    let is_problem = |word: &Path| {
        let folders = repository.iter().flat_map(|found| [found.cases(), found.solutions()]);
        folders.into_iter().any(|folder| folder.join(word).is_dir())
    };
    // The shell's words come after `--`: first the command itself.
    let words = std::env::args_os().skip_while(|word| word != "--").skip(2);
    let words = words.filter(|word| word != current && !is_option(word));
    words
        .map(PathBuf::from)
        .filter(|word| !word.as_os_str().is_empty() && (word.exists() || is_problem(word)))
        .collect()
}

fn is_option(word: &OsString) -> bool {
    word.to_string_lossy().starts_with('-')
}

fn repository(paths: &[PathBuf]) -> Option<Repository> {
    let current = std::env::current_dir().ok()?;
    Repository::around(&current, paths).ok()?
}

/// The root of the repository, or the current folder.
fn root() -> Option<PathBuf> {
    match repository(&[]) {
        Some(found) => Some(found.root),
        None => std::env::current_dir().ok(),
    }
}

/// The problems of the paths, or of all around the current folder, unless that is a huge tree.
fn found(paths: &[PathBuf]) -> Found {
    let search = || {
        let current = std::env::current_dir().ok()?;
        let repository = repository(paths);
        let base = repository.as_ref().map_or(&current, |found| &found.root);
        if paths.is_empty() && WalkDir::new(base).into_iter().nth(MOST_ENTRIES).is_some() {
            return None;
        }
        let settings = repository.as_ref().map(|found| found.config.languages.clone());
        let languages = Languages::load(&settings.unwrap_or_default())
            .or_else(|_| Languages::load(&BTreeMap::default()))
            .ok()?;
        Some(discover(&Request {
            current: &current,
            paths,
            cases: None,
            repository: repository.as_ref(),
            read_options: ReadOptions::default(),
            language_of: &|extension| Some(languages.by_extension(extension.to_str()?)?.id.clone()),
            language_of_text: &|extension, text| languages.id_of_text(extension, text),
        }))
    };
    search().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_argument_of_the_table_exists() {
        let mut command = super::super::super::Cli::command();
        command.build();
        let mut all = vec![&command];
        let mut seen = Vec::new();
        while let Some(command) = all.pop() {
            all.extend(command.get_subcommands());
            let name = command.get_name();
            seen.extend(command.get_arguments().map(|arg| (name, arg.get_id().as_str())));
        }
        for (command, id, _) in ARGUMENTS {
            let is_there =
                |(of, known): &(&str, &str)| *known == id && (command.is_empty() || *of == command);
            assert!(seen.iter().any(is_there), "{command} {id}");
        }
    }
}
