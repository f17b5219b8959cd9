//! The programs in a folder without a problem, by their names.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use super::StressArgs;
use crate::checker_spec::CheckerSpec;
use crate::cli::interpreter::without_interpreter;
use crate::cli::project;
use crate::cli::workshop::Workshop;
use crate::notice::Code;
use crate::problem::{Problem, is_grammar};
use crate::stress::{ContestantSource, GeneratorTemplate, StressSources, Want};

/// What a program is for, by the start of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ProgramRole {
    Generator,
    Reference,
    Validator,
    Checker,
    Solution,
}

const NAMES: [(ProgramRole, &[&str]); 4] = [
    (ProgramRole::Generator, &["gen", "generator"]),
    (ProgramRole::Reference, &["brute", "slow", "naive"]),
    (ProgramRole::Validator, &["validator", "val", "validate"]),
    (ProgramRole::Checker, &["checker", "check", "chk"]),
];

/// The programs that the arguments name, or those of the folder.
pub(super) fn sources(
    args: &StressArgs,
    workshop: &Workshop,
    want: Option<&Want>,
) -> Result<StressSources> {
    let folder = folder_of(args, workshop);
    let found = programs_in(&folder, workshop)?;
    let of_role = |role: ProgramRole| {
        let all = found.iter().filter(move |(one, _)| *one == role);
        all.map(|(_, path)| path.clone())
    };
    let given = |paths: &[PathBuf], role: ProgramRole| -> Vec<PathBuf> {
        if paths.is_empty() {
            return of_role(role).collect();
        }
        paths.iter().map(|path| workshop.current.join(path)).collect()
    };
    let references = given(&args.against, ProgramRole::Reference);
    let is_used = |path: &PathBuf| references.contains(path);
    let is_folder =
        args.solutions.len() == 1 && folder == workshop.current.join(&args.solutions[0]);
    let named = if is_folder { &[] } else { args.solutions.as_slice() };
    let mut solutions = given(named, ProgramRole::Solution);
    // If it names a program that is not there, the error lists all programs.
    let are_known = |want: &&Want| {
        let paths = found.iter().map(|(_, path)| path).chain(&references);
        let known: Vec<_> = paths.filter_map(|path| path.file_name()).collect();
        want.names().all(|name| known.contains(&name.as_ref()))
    };
    if let Some(want) = want.filter(|_| named.is_empty()).filter(are_known) {
        // The programs that it names are tested, whatever their names say.
        let named =
            |path: &PathBuf| want.names().any(|name| path.file_name() == Some(name.as_ref()));
        solutions = found.iter().map(|(_, path)| path.clone()).filter(named).collect();
    }
    solutions.retain(|path| !is_used(path));
    let generators = generators(args, workshop, of_role(ProgramRole::Generator).collect())?;
    if solutions.is_empty() && want.is_none() {
        bail!(
            Code::NothingToJudge
                .says(format!("there is no solution to test in `{}`", workshop.show(&folder)))
                .help("name one: `rejudge stress SOLUTION`")
        );
    }
    let mut contestants = Vec::new();
    for path in &references {
        contestants.push(contestant(workshop, path, true)?);
    }
    // The solutions are compared with each other if nothing else has an answer.
    let compares = references.is_empty() && solutions.len() > 1;
    for (index, path) in solutions.iter().enumerate() {
        contestants.push(contestant(workshop, path, compares && index == 0)?);
    }
    let mut problem = Problem::bare(&folder);
    problem.checker = match (&args.checker, of_role(ProgramRole::Checker).next()) {
        (Some(word), _) => project::checker(word)?,
        (None, Some(path)) => project::checker(&path.to_string_lossy())?,
        (None, None) => CheckerSpec::default(),
    };
    Ok(StressSources {
        problem,
        generators,
        cases: Vec::new(),
        validators: given(&args.validator, ProgramRole::Validator),
        contestants,
        want: None,
    })
}

/// The folder that is named, that of the first solution, or the current one.
fn folder_of(args: &StressArgs, workshop: &Workshop) -> PathBuf {
    let Some(first) = args.solutions.first() else {
        return workshop.current.clone();
    };
    let path = workshop.current.join(first);
    if path.is_dir() {
        return path;
    }
    let parent = path.parent().unwrap_or(&workshop.current);
    parent.to_owned()
}

/// The sources in a folder, sorted by name, with their roles.
fn programs_in(folder: &Path, workshop: &Workshop) -> Result<Vec<(ProgramRole, PathBuf)>> {
    let unreadable = || format!("cannot read `{}`", workshop.show(folder));
    let mut paths = Vec::new();
    for entry in folder.read_dir().with_context(unreadable)? {
        let path = entry.with_context(unreadable)?.path();
        let is_program = workshop.languages.of_file(&path).is_some();
        let is_used = is_program || (is_grammar(&path) && role_of(&path) == ProgramRole::Validator);
        if is_used && path.is_file() {
            paths.push(path);
        }
    }
    paths.sort();
    let with_role = |path: PathBuf| (role_of(&path), path);
    Ok(paths.into_iter().map(with_role).collect())
}

fn role_of(path: &Path) -> ProgramRole {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let starts = |word: &&'static str| {
        let rest = stem.to_lowercase().strip_prefix(*word).map(str::to_owned);
        rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphabetic()))
    };
    let mut names = NAMES.iter();
    let found = names.find(|(_, words)| words.iter().any(starts));
    found.map_or(ProgramRole::Solution, |(role, _)| *role)
}

fn contestant(workshop: &Workshop, path: &Path, is_reference: bool) -> Result<ContestantSource> {
    if !path.is_file() {
        bail!(Code::UnknownPath.says(format!("no such solution: `{}`", workshop.show(path))));
    }
    let below = path.strip_prefix(&workshop.current).unwrap_or(path);
    let name = below.to_string_lossy().into_owned();
    let one = ContestantSource::of_file(path.to_owned(), name);
    Ok(if is_reference { one.into_reference(true) } else { one })
}

/// The generators, with their arguments.
fn generators(
    args: &StressArgs,
    workshop: &Workshop,
    found: Vec<PathBuf>,
) -> Result<Vec<(PathBuf, GeneratorTemplate)>> {
    if !args.generator.is_empty() {
        return generators_of(&args.generator, &[&workshop.current]);
    }
    if found.is_empty() {
        bail!(Code::MissingGenerator.says("there is no generator").help(
            "`rejudge new --generator` writes a first one, which prints a random input for the seed and the size in its \
             arguments; or name one: `--generator 'gen.py {n:1..50} {seed}'`"
        ));
    }
    let template = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let template = GeneratorTemplate::in_usual_order(&name);
        (path, template)
    };
    Ok(found.into_iter().map(template).collect())
}

/// The generators that the arguments name, in the first of these folders that has them.
pub(super) fn generators_of(
    commands: &[String],
    folders: &[&Path],
) -> Result<Vec<(PathBuf, GeneratorTemplate)>> {
    let template = |text: &String| {
        let of_option = || format!("`--generator '{text}'`");
        let template =
            GeneratorTemplate::parse(without_interpreter(text, folders)).map_err(|error| {
                Code::InvalidOption.says(format!("{}: {error}", of_option())).help(
                    "use fields such as `{n:1..50}`, `{n}` for the same number again, and `{seed}`",
                )
            })?;
        if template.is_constant() {
            bail!(
                Code::InvalidOption
                    .says(format!("{}: every round would have the same input", of_option()))
                    .help("add `{seed}` or a range such as `{n:1..50}`")
            );
        }
        let mut paths = folders.iter().map(|folder| folder.join(&template.program));
        match paths.find(|path| path.is_file()) {
            Some(path) => Ok((path, template)),
            None => bail!(Code::UnknownPath.says(format!(
                "{}: no such file: `{}`",
                of_option(),
                template.program
            ))),
        }
    };
    commands.iter().map(template).collect()
}

/// Whether a folder has a generator or a reference, by their names.
pub(super) fn is_in(folder: &Path) -> bool {
    let mut entries = folder.read_dir().into_iter().flatten().flatten();
    entries.any(|entry| {
        let role = role_of(&entry.path());
        matches!(role, ProgramRole::Generator | ProgramRole::Reference) && entry.path().is_file()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_says_what_a_program_is_for() {
        for (name, expected) in [
            ("gen.py", ProgramRole::Generator),
            ("gen_tree.cpp", ProgramRole::Generator),
            ("gen2.rs", ProgramRole::Generator),
            ("generator.cpp", ProgramRole::Generator),
            ("genius.cpp", ProgramRole::Solution),
            ("Brute.java", ProgramRole::Reference),
            ("naive-1.py", ProgramRole::Reference),
            ("val.cpp", ProgramRole::Validator),
            ("validator.py", ProgramRole::Validator),
            ("value.py", ProgramRole::Solution),
            ("chk.cpp", ProgramRole::Checker),
            ("sol.cpp", ProgramRole::Solution),
        ] {
            assert_eq!(role_of(Path::new(name)), expected, "{name}");
        }
    }
}
