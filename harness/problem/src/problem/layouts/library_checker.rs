//! Library Checker: `info.toml`, `checker.cpp`, `in/` and `out/` (created by its `generate.py`),
//! and solutions in `sol/`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::scene::{CaseFileNames, ForeignSubmission, Gatherer, Scene, inside, names_in};
use crate::checker_spec::{CheckerSpec, TokenOptions};
use crate::expectation::VerdictFolder::{self, Accepted, RunTimeError, TimeLimit, WrongAnswer};
use crate::expectation::{Expectation, Vocabulary};
use crate::name_text;
use crate::notice::{Code, Notice, Notices, Place};
use crate::plain_file;
use crate::problem::{Additions, LocalIncludes, Problem, ProblemLimits};

const FILE: &str = "info.toml";

/// The version of C++ in which `generate.py` compiles programs.
const STANDARD: &str = "-std=c++17";

const HELP: &str = "make the missing cases with `rejudge generate FOLDER`";

/// The folder of a repository with the headers that all problems share.
const COMMON: &str = "common";

/// The keys of `info.toml` that rejudge uses.
#[derive(Debug, Deserialize)]
pub(super) struct Info {
    title: Option<String>,
    /// In seconds.
    timelimit: Option<f64>,
    /// The checker's source, if it is not `checker.cpp`.
    checker: Option<String>,
    /// The tolerance of numbers, if there is no checker.
    tolerance: Option<f64>,
    /// The input validator's source, if it is not `verifier.cpp`.
    verifier: Option<String>,
    #[serde(default)]
    tests: Vec<Tests>,
    #[serde(default)]
    solutions: Vec<ListedSolution>,
    /// The constants that `params.h` defines.
    #[serde(default)]
    params: toml::Table,
}

#[derive(Debug, Deserialize)]
struct Tests {
    /// A source in `gen/`, or `NAME.in` for the files `gen/NAME_00.in` and so on.
    #[serde(default)]
    name: String,
    #[serde(default)]
    number: usize,
}

#[derive(Debug, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "they are the keys of the file")]
struct ListedSolution {
    name: String,
    /// `WA`, `RE` or `TLE`, if it must get this verdict.
    expect: Option<String>,
    #[serde(default)]
    allow_wa: bool,
    #[serde(default)]
    allow_re: bool,
    #[serde(default)]
    allow_tle: bool,
    /// Of older versions: `expect = "WA"` or `"RE"`.
    #[serde(default)]
    wrong: bool,
    /// It is a function for the problem's grader, and not a program.
    #[serde(default)]
    function: bool,
}

impl Info {
    /// The names of the test generators, and how many tests each makes.
    pub(super) fn tests(&self) -> impl Iterator<Item = (&str, usize)> {
        let tests = self.tests.iter();
        tests.map(|tests| (tests.name.as_str(), tests.number))
    }
}

impl ListedSolution {
    fn expected(&self) -> Expectation {
        let allowed = [
            (self.allow_wa, WrongAnswer),
            (self.allow_re, RunTimeError),
            (self.allow_tle, TimeLimit),
        ];
        let also: Vec<VerdictFolder> =
            allowed.into_iter().filter(|(is_allowed, _)| *is_allowed).map(|(_, one)| one).collect();
        let stated = self.expect.as_deref();
        match stated.and_then(|word| Vocabulary::LibraryChecker.meaning(word)) {
            Some(meaning) => Expectation::of_any(meaning.any_of, &also),
            None if self.wrong => Expectation::of_any(&[WrongAnswer, RunTimeError], &also),
            None => Expectation::of_any(&[&[Accepted], also.as_slice()].concat(), &[]),
        }
    }
}

/// Whether `dir` is a problem of Library Checker.
pub(super) fn is_in(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).is_dir();
    dir.join(FILE).is_file() && (has("sol") || has("gen") || has("in"))
}

pub(super) fn info(root: &Path, notices: &mut Notices) -> Option<Info> {
    let path = root.join(FILE);
    let text = match plain_file::read_text(&path) {
        Ok(text) => text,
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(&path), &error));
            return None;
        }
    };
    match toml::from_str(&text) {
        Ok(info) => Some(info),
        Err(error) => {
            let at = notices.show_at(&path, Place::in_text(&text, error.span()));
            let message = error.message().lines().next().unwrap_or_default();
            notices.error(Code::InvalidSyntax.at(&at, message));
            None
        }
    }
}

/// The input validator, if there is one.
pub(super) fn verifier(root: &Path, info: &Info) -> Vec<PathBuf> {
    let named = info.verifier.as_deref().unwrap_or("verifier.cpp");
    let source = inside(root, named).ok().filter(|source| source.is_file());
    source.into_iter().collect()
}

/// The repository that contains the problem: the folder above it with `common/`.
fn repository(root: &Path) -> Option<&Path> {
    let mut above = root.ancestors().skip(1).take(3);
    above.find(|folder| folder.join(COMMON).is_dir())
}

/// The programs of the problem that `generate.py` compiles, in C++.
fn programs(root: &Path, info: &Info) -> impl Iterator<Item = PathBuf> {
    let checker = info.checker.as_deref().unwrap_or("checker.cpp");
    let generators = info.tests().map(|(name, _)| inside(&root.join("gen"), name).ok());
    let all = [inside(root, checker).ok()].into_iter().chain(generators).flatten();
    let all = all.chain(verifier(root, info));
    all.filter(|path| path.extension().is_some_and(|own| own == "cpp"))
}

/// What the sources of a problem include: their neighbours, the repository's `common/`, and `params.h`, which
/// `generate.py` writes.
pub(super) fn additions(root: &Path, info: &Info) -> Additions {
    let repository = repository(root);
    let mut local = LocalIncludes::within(repository.unwrap_or(root));
    local.folders.extend(repository.map(|folder| folder.join(COMMON)));
    let defines = info.params.iter().map(|(name, value)| match value {
        toml::Value::Integer(number) => format!("#define {name} (long long){number}\n"),
        toml::Value::String(text) => format!("#define {name} \"{text}\"\n"),
        other => format!("#define {name} {other}\n"),
    });
    local.made.push((root.join("params.h"), defines.collect()));
    for program in programs(root, info) {
        local.flags.insert(program, vec![STANDARD.to_owned()]);
    }
    Additions { local: Some(local), ..Additions::default() }
}

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let root = scene.root;
    let info = info(root, notices)?;
    let limit = info.timelimit.filter(|seconds| *seconds > 0.0);
    let limit = limit.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    if info.timelimit.is_some() && limit.is_none() {
        let path = notices.show(&root.join(FILE));
        notices.error(Code::InvalidValue.at(&path, "`timelimit` must be greater than zero"));
    }
    let checker = checker(root, &info, notices);
    let inputs = names_in(&root.join("in")).into_iter();
    let stems = inputs.filter_map(|name| Some(name.strip_suffix(".in")?.to_owned()));
    let names: Vec<String> = stems.collect();
    let expected: usize = info.tests.iter().map(|tests| tests.number).sum();
    if !names.is_empty() && names.len() < expected {
        let shown = notices.show(&root.join("in"));
        notices.warn_help(
            Code::MissingCases.of_file(
                &shown,
                format!("has {} of the {expected} inputs that {FILE} lists", names.len()),
            ),
            HELP,
        );
    }
    let mut gatherer = Gatherer::new(*scene);
    for name in &names {
        let sample = name.starts_with("example_");
        let case = CaseFileNames {
            name: &format!("{}/{name}", if sample { "sample" } else { "secret" }),
            input: &format!("in/{name}.in"),
            answer: Some(&format!("out/{name}.out")),
        };
        gatherer.add(&case, notices);
    }
    Some(Problem {
        title: info.title.clone(),
        limits: ProblemLimits { cpu_time: limit, ..ProblemLimits::default() },
        checker,
        is_package: true,
        cases: gatherer.finish(HELP, notices),
        validators: verifier(root, &info),
        additions: additions(root, &info),
        ..Problem::foreign(scene.root)
    })
}

fn checker(root: &Path, info: &Info, notices: &mut Notices) -> CheckerSpec {
    let named = info.checker.as_deref();
    match inside(root, named.unwrap_or("checker.cpp")) {
        Ok(source) if source.is_file() => return CheckerSpec::Testlib { source },
        Ok(source) if named.is_some() => {
            let shown = notices.show(&source);
            notices.error(
                Code::MissingFile.of_file(&shown, format!("does not exist, but {FILE} names it")),
            );
        }
        Ok(_) => {}
        Err(why) => {
            let path = notices.show(&root.join(FILE));
            notices.error(Code::InvalidPath.at(&path, format!("the checker's path {why}")));
        }
    }
    CheckerSpec::Tokens(TokenOptions {
        case_sensitive: true,
        float_absolute: info.tolerance,
        float_relative: info.tolerance,
        ..TokenOptions::default()
    })
}

/// The sources in `sol/`. Those that `info.toml` does not list are expected to be accepted.
pub(super) fn submissions(scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let Some(info) = info(scene.root, notices) else {
        return Vec::new();
    };
    let folder = scene.root.join("sol");
    let submissions = names_in(&folder).into_iter().filter_map(|name| {
        let path = folder.join(name_text::path(&name));
        let known = scene.language(&path);
        known.as_ref().filter(|_| path.is_file())?;
        let listed = info.solutions.iter().find(|solution| solution.name == name);
        if listed.is_some_and(|one| one.function) {
            let shown = notices.show(&path);
            notices.warn(
                Code::Unsupported
                    .says(format!(
                        "{shown} is a function for the problem's grader; it is not judged"
                    ))
                    .about(&shown),
            );
            return None;
        }
        let expected = listed.map_or_else(Expectation::accepted, ListedSolution::expected);
        Some(ForeignSubmission::new(path, expected))
    });
    submissions.collect()
}
