//! The problems that requests name by their paths.

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::attempts::run_fairly;
use crate::config::Repository;
use crate::discover::{Request, discover};
use crate::generate::{has_unmade, materialise};
use crate::judge::Tools;
use crate::notice::{Code, Notice, Notices};
use crate::problem::{Problem, ReadOptions};
use crate::sandbox::{Input, Job, RunnerSource};

/// The number of problems that stay loaded.
const KEPT: usize = 16;

/// The problems that were named last, by what named them.
#[derive(Debug, Default)]
pub(super) struct LoadedProblems(Mutex<VecDeque<(String, Arc<Problem>)>>);

/// Where problems and programs are looked for.
pub(super) struct ProblemLookup<'a> {
    pub(super) tools: Tools<'a>,
    pub(super) repository: Option<&'a Repository>,
    /// For programs that make cases.
    pub(super) runners: &'a RunnerSource,
}

/// Why a request is not judged on the problem that it names.
#[derive(Debug)]
pub(super) enum UnusableProblem {
    /// The request is wrong, or the problem.
    Named(Notice),
    /// Its cases could not be made.
    NotMade(String),
}

impl From<Notice> for UnusableProblem {
    fn from(notice: Notice) -> Self {
        Self::Named(notice)
    }
}

impl LoadedProblems {
    /// The problem, or the folder of cases, that `name` names: a path, or a folder in the `cases/` of the repository.
    /// `source`: a source that solves it, which tells how a folder without a description is read.
    pub(super) fn get(
        &self,
        name: &str,
        source: &Path,
        place: &ProblemLookup<'_>,
    ) -> Result<Arc<Problem>, UnusableProblem> {
        // The others wait: they probably want the same problem.
        let mut loaded = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, problem)) = loaded.iter().find(|(known, _)| known == name) {
            return Ok(Arc::clone(problem));
        }
        let problem = Arc::new(load(name, source, place)?);
        place.make_cases(name, &problem)?;
        loaded.push_back((name.to_owned(), Arc::clone(&problem)));
        if loaded.len() > KEPT {
            loaded.pop_front();
        }
        Ok(problem)
    }
}

fn load(name: &str, source: &Path, place: &ProblemLookup<'_>) -> Result<Problem, Notice> {
    let in_repository = place.repository.map(|repository| repository.cases().join(name));
    let mut paths = std::iter::once(PathBuf::from(name)).chain(in_repository);
    let path = paths.find(|path| path.exists());
    let path = path.ok_or_else(|| {
        Code::UnknownPath.says(format!("there is no problem and no folder `{name}`"))
    })?;
    let current = std::env::current_dir().map_err(|error| {
        Code::UnusableFolder.says(format!("cannot determine the current folder: {error}"))
    })?;
    let language_of = |extension: &OsStr| {
        let language = place.tools.languages.by_extension(extension.to_str()?)?;
        Some(language.id.clone())
    };
    let is_described = Problem::is_described_in(&path) || Problem::is_file(&path);
    let problem = if is_described {
        let mut notices = Notices::default();
        let problem = Problem::load(&path, &language_of, &mut notices);
        problem.ok_or_else(|| why(name, &notices.errors))?
    } else {
        let found = discover(&Request {
            current: &current,
            paths: &[source.to_path_buf()],
            cases: Some(&path),
            repository: None,
            read_options: ReadOptions::default(),
            language_of: &language_of,
            language_of_text: &|extension, text| place.tools.languages.id_of_text(extension, text),
        });
        found.problems.into_iter().next().ok_or_else(|| why(name, &found.errors))?
    };
    if problem.cases.is_empty() {
        return Err(why(name, &[]));
    }
    Ok(problem)
}

impl ProblemLookup<'_> {
    /// Makes the cases that are too large for a repository, and missing in the cache.
    fn make_cases(&self, name: &str, problem: &Problem) -> Result<(), UnusableProblem> {
        if !has_unmade(problem) {
            return Ok(());
        }
        let fault = |error: anyhow::Error| {
            UnusableProblem::NotMade(format!("cannot make the cases of `{name}`: {error:#}"))
        };
        let mut runner = self.runners.runner().map_err(|error| fault(error.into()))?;
        let mut run = |job: &Job, input: Input| run_fairly(&mut runner, job, input);
        let Tools { languages, compiler } = self.tools;
        let made = materialise(problem, languages, compiler, &mut run, &mut |_| {});
        made.map(drop).map_err(|error| fault(error.into()))
    }
}

fn why(name: &str, errors: &[Notice]) -> Notice {
    let none = || Code::NothingToJudge.says(format!("`{name}` has no cases"));
    errors.first().cloned().unwrap_or_else(none)
}
