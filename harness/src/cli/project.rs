//! The project that the arguments refer to: the repository, its languages, its compiler, the discovered problems and
//! submissions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result};

use super::build_args::{self, BuildArgs};
use super::search::Search;
use super::select::{CaseFilter, SelectArgs};
use super::{settings, stream};
use crate::checker_spec::CheckerSpec;
use crate::compile::Compiler;
use crate::config::Repository;
use crate::discover::{Found, Request};
use crate::fail_fast::FailFast;
use crate::judge::Tools;
use crate::language::Languages;
use crate::machine::{Machine, processors};
use crate::notice::{Code, Notice};
use crate::problem::{Interactor, Problem, ReadOptions};
use crate::show::words::{Count, few};
use crate::submission::Submission;

/// The data that every command for solutions needs.
pub(crate) struct Project {
    pub(crate) repository: Option<Repository>,
    pub(crate) languages: Languages,
    pub(crate) compiler: Compiler,
    pub(crate) found: Found,
    /// See [`Found::cases`].
    pub(crate) cases: Option<PathBuf>,
}

/// The problems and submissions to judge.
pub(crate) struct Selected {
    pub(crate) problems: Vec<Problem>,
    pub(crate) submissions: Vec<Submission>,
    /// Something is broken; the rest is judged nevertheless.
    pub(crate) faulty: bool,
}

impl Selected {
    /// Excludes problems that cannot be judged, with their submissions. The caller has reported the reasons. If nothing
    /// is left, that is an error.
    pub(crate) fn exclude(&mut self, ids: &[String]) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids: BTreeSet<&String> = ids.iter().collect();
        self.problems.retain(|problem| !ids.contains(&problem.id));
        self.submissions.retain(|submission| !ids.contains(&submission.problem));
        self.faulty = true;
        if self.submissions.is_empty() { Err(Reported.into()) } else { Ok(()) }
    }
}

impl Project {
    /// Discovers the problems and submissions of `paths`. `cases` is the folder of the cases for solutions outside a
    /// repository.
    pub(crate) fn open(paths: &[PathBuf], cases: Option<&Path>, build: &BuildArgs) -> Result<Self> {
        Self::open_as(ReadOptions::default(), paths, cases, build)
    }

    /// Like [`Self::open`], for a command that reports the folders that nobody reads itself.
    pub(crate) fn open_to_verify(paths: &[PathBuf], build: &BuildArgs) -> Result<Self> {
        let search = Search::in_session()?;
        let project = Self::open_in(&search, ReadOptions::default(), paths, None, build)?;
        settings::warn(project.repository.as_ref(), &project.found.problems);
        Ok(project)
    }

    /// Like [`Self::open`], for the selection of the arguments.
    pub(crate) fn open_selected(select: &SelectArgs, build: &BuildArgs) -> Result<Self> {
        Self::open_as(select.read_options(), &select.paths, select.cases.as_deref(), build)
    }

    /// Like [`Self::open`], with a request for the way problems are read, for commands that run nothing.
    pub(crate) fn open_to_read(
        read_options: ReadOptions<'_>,
        paths: &[PathBuf],
        cases: Option<&Path>,
    ) -> Result<Self> {
        let build = BuildArgs::default();
        Self::open_in(&Search::alone()?, read_options, paths, cases, &build).inspect(Self::warn)
    }

    /// Like [`Self::open_to_read`], a second time: what was reported is not reported again.
    pub(crate) fn read_again(paths: &[PathBuf]) -> Result<Found> {
        let search = Search::alone()?;
        let build = BuildArgs::default();
        let project = Self::open_in(&search, ReadOptions::default(), paths, None, &build)?;
        Ok(project.found)
    }

    /// Like [`Self::open`], with a request for the way problems are read.
    fn open_as(
        read_options: ReadOptions<'_>,
        paths: &[PathBuf],
        cases: Option<&Path>,
        build: &BuildArgs,
    ) -> Result<Self> {
        Self::open_in(&Search::in_session()?, read_options, paths, cases, build).inspect(Self::warn)
    }

    /// Warns about the settings and folders that nobody reads.
    fn warn(&self) {
        let repository = self.repository.as_ref();
        settings::warn(repository, &self.found.problems);
        settings::warn_of_unread(repository, &self.found.problems);
    }

    /// The project of one problem, given by its name or its path, and the problem. Its repository is the one around the
    /// first of `named` and `others` that exists.
    pub(crate) fn open_problem(
        read_options: ReadOptions<'_>,
        named: &Path,
        others: &[PathBuf],
        build: &BuildArgs,
    ) -> Result<(Self, Problem)> {
        let paths = [&[named.to_path_buf()], others].concat();
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let repository = Repository::around(&current, &paths)?;
        let search = Search::in_session()?;
        let paths = &paths[..1];
        let mut project =
            Self::open_repository(repository, &search, read_options, paths, None, build)?;
        project.warn();
        let problems = std::mem::take(&mut project.found.problems);
        let ids: Vec<String> = problems.iter().map(|problem| problem.id.clone()).collect();
        let mut problems = problems.into_iter();
        match (problems.next(), problems.next()) {
            (Some(problem), None) => Ok((project, problem)),
            (None, _) => {
                project.found.errors.iter().for_each(stream::error);
                Err(Reported.into())
            }
            (Some(_), Some(_)) => {
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                let shown = named.display();
                Err(Code::UnknownPath
                    .says(format!("`{shown}` has several problems: {}", few(&ids)))
                    .help("name one of them")
                    .into())
            }
        }
    }

    fn open_in(
        search: &Search,
        read_options: ReadOptions<'_>,
        paths: &[PathBuf],
        cases: Option<&Path>,
        build: &BuildArgs,
    ) -> Result<Self> {
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let repository = Repository::around(&current, paths)?;
        Self::open_repository(repository, search, read_options, paths, cases, build)
    }

    fn open_repository(
        repository: Option<Repository>,
        search: &Search,
        read_options: ReadOptions<'_>,
        paths: &[PathBuf],
        cases: Option<&Path>,
        build: &BuildArgs,
    ) -> Result<Self> {
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let languages = build_args::languages(repository.as_ref())?;
        let language_of = |extension: &std::ffi::OsStr| {
            let language = languages.by_extension(extension.to_str()?)?;
            Some(language.id.clone())
        };
        let request = Request {
            current: &current,
            paths,
            cases,
            repository: repository.as_ref(),
            language_of: &language_of,
            read_options,
        };
        let found = search.run(&request)?;
        let compiler = build.compiler(repository.as_ref())?;
        Ok(Self { repository, languages, compiler, cases: found.cases.clone(), found })
    }

    /// Applies the filters; `None`, with a warning, if no case is left. Reports the warnings and errors of the
    /// discovery. Errors end the command only if there are no submissions.
    pub(crate) fn select(&mut self, select: &SelectArgs) -> Result<Option<Selected>> {
        let Found { mut problems, mut submissions, warnings, errors, .. } =
            std::mem::take(&mut self.found);
        stream::warn_of_all(&warnings);
        for error in &errors {
            stream::error(error);
        }
        let is_faulty = !errors.is_empty();
        self.found = Found { warnings, errors, ..Found::default() };
        if submissions.is_empty() && is_faulty {
            return Err(Reported.into());
        }
        if submissions.is_empty() {
            return Err(no_submission(&problems, select, self.repository.is_none()));
        }
        if let Some(checker) = select.checker.as_deref().map(checker).transpose()? {
            for problem in &mut problems {
                problem.set_checker(checker.clone());
            }
        }
        if let Some(path) = &select.interactor {
            let source = path
                .canonicalize()
                .with_context(|| format!("cannot read the interactor `{}`", path.display()))?;
            for problem in &mut problems {
                problem.interactor = Some(Interactor {
                    source: source.clone(),
                    then_check: select.checker.is_some() || problem.checker.is_program(),
                    call: Vec::new(),
                    convention: None,
                });
            }
        }
        CaseFilter::new(&select.case)?.apply(&mut problems, &mut submissions);
        if submissions.is_empty() {
            stream::warn(format_args!("no case matches `--case {}`", select.case.join(" ")));
            return Ok(None);
        }
        Ok(Some(Selected { problems, submissions, faulty: is_faulty }))
    }

    /// All problems and their submissions, for commands that need whole problems. Reports the warnings and errors of the
    /// discovery, which end the command only if there is no problem.
    pub(crate) fn select_problems(&mut self) -> Result<Selected> {
        let found = std::mem::take(&mut self.found);
        stream::warn_of_all(&found.warnings);
        found.errors.iter().for_each(stream::error);
        let faulty = !found.errors.is_empty();
        if found.problems.is_empty() && faulty {
            return Err(Reported.into());
        }
        if found.problems.is_empty() {
            let notice = Code::NothingToJudge.says("there is no problem here");
            return Err(notice.help("name the folder of a problem").into());
        }
        Ok(Selected { problems: found.problems, submissions: found.submissions, faulty })
    }

    /// The root of the repository, which names of submissions are relative to.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.repository.as_ref().map(|found| found.root.as_path())
    }

    /// The problem that the first solution solves. `None`: it solves none, or the problem is broken.
    pub(crate) fn problem_of_solution(&self) -> Option<&Problem> {
        let submission = self.found.submissions.first()?;
        let mut problems = self.found.problems.iter();
        problems.find(|problem| problem.id == submission.problem)
    }

    /// The compiler and the languages.
    pub(crate) fn tools(&self) -> Tools<'_> {
        Tools { compiler: &self.compiler, languages: &self.languages }
    }

    /// What ends at a failure, unless the command line sets it.
    pub(crate) fn fail_fast(&self) -> FailFast {
        let repository = self.repository.as_ref();
        repository.map_or_else(FailFast::default, |repository| repository.config.defaults.fail_fast)
    }

    /// The number of workers, unless the command line sets it.
    pub(crate) fn jobs(&self) -> usize {
        let config = self.repository.as_ref().map(|repository| &repository.config);
        config.and_then(|config| config.defaults.jobs).unwrap_or_else(default_jobs)
    }
}

/// An error that was already reported.
#[derive(Debug, thiserror::Error)]
#[error("reported above")]
pub(crate) struct Reported;

/// Physical cores minus one, at least one: an idle core keeps the measurements accurate.
pub(super) fn default_jobs() -> usize {
    (Machine::this().cores).min(processors()).saturating_sub(1).max(1)
}

/// `--checker`, with its paths made absolute.
pub(super) fn checker(word: &str) -> Result<CheckerSpec> {
    let mut checker =
        CheckerSpec::parse(word).map_err(|fault| fault.of(format_args!("`--checker {word}`")))?;
    if let CheckerSpec::Validator { source, .. }
    | CheckerSpec::Testlib { source }
    | CheckerSpec::Foreign { source, .. } = &mut checker
    {
        let missing = || {
            let source = source.display();
            Notice {
                help: CheckerSpec::nearest_word(word).map(|near| format!("did you mean `{near}`?")),
                ..Code::UnknownPath.says(format!("`--checker {word}`: cannot read `{source}`"))
            }
        };
        *source = source.canonicalize().with_context(missing)?;
    }
    Ok(checker)
}

/// The error for missing submissions. `alone`: there is no repository, in which solutions would have a folder.
fn no_submission(problems: &[Problem], select: &SelectArgs, alone: bool) -> Error {
    if let ([path], [problem]) = (select.paths.as_slice(), problems)
        && (Problem::is_file(path) || alone && path.exists())
    {
        let (name, cases) = (path.display(), Count(problem.cases.len(), "case"));
        return Code::NoSolutions
            .says(format!("{name} has {cases} and no solution"))
            .help(format!("name the solution too: `rejudge run SOLUTION {name}`"))
            .into();
    }
    let ids: BTreeSet<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().collect();
    match ids.as_slice() {
        [] => Code::NoSolutions
            .says("there are no solutions to judge")
            .help("name a source file, or a folder with one")
            .into(),
        [one] => Code::NoSolutions
            .says(format!("there is no solution of `{one}`"))
            .help(format!("write one to `solutions/{one}/`"))
            .into(),
        several => Code::NoSolutions
            .says(format!("there are no solutions of `{}`", several.join("`, `")))
            .help("write one to `solutions/PROBLEM/`")
            .into(),
    }
}
