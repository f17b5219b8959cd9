//! How a command opens a project: which paths, read how, to run programs or only to read.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::build_args::{self, BuildArgs};
use super::project::{Project, Reported};
use super::search::Search;
use super::select::SelectArgs;
use super::{settings, stream};
use crate::config::Repository;
use crate::discover::Request;
use crate::notice::Code;
use crate::notice::few;
use crate::problem::{Problem, ReadOptions};

/// A project to open.
#[derive(Clone, Copy)]
pub(crate) struct Opening<'a> {
    paths: &'a [PathBuf],
    cases: Option<&'a Path>,
    read_options: ReadOptions<'a>,
    /// `None`: the command runs nothing.
    build: Option<&'a BuildArgs>,
    others: &'a [PathBuf],
    /// Where the repository is looked for, instead of around the paths.
    place: Option<&'a [PathBuf]>,
    warnings: OpeningWarnings,
    /// Whether the command handles signals itself.
    handles_signals: bool,
}

/// Which warnings the opening prints.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpeningWarnings {
    /// Of the settings and folders that nobody reads.
    All,
    /// Of the settings: the command reports the folders itself.
    Settings,
    /// None: they were printed before.
    None,
}

impl<'a> Opening<'a> {
    /// The problems and submissions of `paths`, for a command that runs nothing.
    pub(crate) fn of(paths: &'a [PathBuf]) -> Self {
        Self {
            paths,
            cases: None,
            read_options: ReadOptions::default(),
            build: None,
            others: &[],
            place: None,
            warnings: OpeningWarnings::All,
            handles_signals: false,
        }
    }

    /// The command runs nothing, but handles signals itself.
    pub(crate) fn handling_signals(self) -> Self {
        Self { handles_signals: true, ..self }
    }

    /// The selection of the arguments, for a command that runs programs.
    pub(crate) fn selected(select: &'a SelectArgs, build: &'a BuildArgs) -> Self {
        Self::of(&select.paths)
            .cases(select.cases.as_deref())
            .read_as(select.read_options())
            .to_run(build)
    }

    /// Sets the folder of the cases for solutions outside a repository.
    pub(crate) fn cases(self, cases: Option<&'a Path>) -> Self {
        Self { cases, ..self }
    }

    /// Sets how problems are read.
    pub(crate) fn read_as(self, read_options: ReadOptions<'a>) -> Self {
        Self { read_options, ..self }
    }

    /// Programs are run, compiled like this.
    pub(crate) fn to_run(self, build: &'a BuildArgs) -> Self {
        Self { build: Some(build), ..self }
    }

    /// Takes the repository around the first path that exists among those of the project and these.
    pub(crate) fn beside(self, others: &'a [PathBuf]) -> Self {
        Self { others, ..self }
    }

    /// The project of a file that lies elsewhere: the repository is that around `place`, or around the current folder.
    pub(crate) fn of_source(self, paths: &'a [PathBuf], place: &'a [PathBuf]) -> Self {
        Self { paths, place: Some(place), ..self }
    }

    /// Leaves the folders that nobody reads to the command.
    pub(crate) fn without_folders(self) -> Self {
        Self { warnings: OpeningWarnings::Settings, ..self }
    }

    /// Prints no warnings.
    pub(crate) fn quietly(self) -> Self {
        Self { warnings: OpeningWarnings::None, ..self }
    }

    /// Discovers the problems and submissions.
    pub(crate) fn open(self) -> Result<Project> {
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let around = [self.paths, self.others].concat();
        let repository = Repository::around(&current, self.place.unwrap_or(&around))?;
        let has_session = self.build.is_some() || self.handles_signals;
        let search = if has_session { Search::in_session()? } else { Search::alone()? };
        let languages = build_args::languages(repository.as_ref())?;
        let language_of = |extension: &OsStr| {
            let language = languages.by_extension(extension.to_str()?)?;
            Some(language.id.clone())
        };
        let found = search.run(&Request {
            current: &current,
            paths: self.paths,
            cases: self.cases,
            repository: repository.as_ref(),
            language_of: &language_of,
            language_of_text: &|extension, text| languages.id_of_text(extension, text),
            read_options: self.read_options,
        })?;
        let unset = BuildArgs::default();
        let compiler = self.build.unwrap_or(&unset).compiler(repository.as_ref())?;
        let cases = found.cases.clone();
        let project = Project { repository, languages, compiler, found, cases };
        self.warn_of(&project);
        Ok(project)
    }

    fn warn_of(self, project: &Project) {
        let (repository, problems) = (project.repository.as_ref(), &project.found.problems);
        if self.warnings != OpeningWarnings::None {
            settings::warn(repository, problems);
        }
        if self.warnings == OpeningWarnings::All {
            settings::warn_of_unread(repository, problems);
        }
    }

    /// Opens the project of one problem, which its only path or name gives.
    pub(crate) fn open_problem(self) -> Result<(Project, Problem)> {
        let mut project = self.open()?;
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
                let shown = self.paths[0].display();
                Err(Code::UnknownPath
                    .says(format!("`{shown}` has several problems: {}", few(&ids)))
                    .help("name one of them")
                    .into())
            }
        }
    }
}
