//! The project that the arguments refer to: the repository, its languages, its compiler, the discovered problems and
//! submissions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result};

use super::select::{CaseFilter, SelectArgs};
use super::{no_case, stream};
use crate::checker_spec::CheckerSpec;
use crate::compile::Compiler;
use crate::config::Repository;
use crate::discover::Found;
use crate::fail_fast::FailFast;
use crate::judge::Tools;
use crate::language::Languages;
use crate::machine::{Machine, processors};
use crate::notice::{Code, Notice};
use crate::problem::{Interactor, Problem};
use crate::show::words::Count;
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
    /// Applies the filters; `None`, with a warning, if no case is left. Reports the warnings and errors of the
    /// discovery. Errors end the command only if there are no submissions.
    pub(crate) fn select(&mut self, select: &SelectArgs) -> Result<Option<Selected>> {
        let Found { mut problems, mut submissions, mut warnings, errors, .. } =
            std::mem::take(&mut self.found);
        if submissions.is_empty() && errors.is_empty() {
            // The error below says so once more.
            warnings.retain(|warning| warning.code != Code::NoSolutions);
        }
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
        let filter = CaseFilter::new(&select.case)?;
        let names = no_case::names(&select.case, &problems);
        filter.apply(&mut problems, &mut submissions);
        if submissions.is_empty() {
            no_case::warn(&select.case, &names);
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

    /// Reports what was found, for commands to which missing solutions do not matter. Returns whether there are errors.
    pub(crate) fn report_all_but_missing_solutions(&mut self) -> bool {
        let found = &mut self.found;
        found.warnings.retain(|warning| warning.code != Code::NoSolutions);
        stream::warn_of_all(&found.warnings);
        found.errors.iter().for_each(stream::error);
        !found.errors.is_empty()
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
    let checker =
        CheckerSpec::parse(word).map_err(|fault| fault.of(format_args!("`--checker {word}`")))?;
    checker.with_absolute_sources().map_err(|(source, error)| {
        let source = source.display();
        let missing = Notice {
            help: CheckerSpec::nearest_word(word).map(|near| format!("did you mean `{near}`?")),
            ..Code::UnknownPath.says(format!("`--checker {word}`: cannot read `{source}`"))
        };
        Error::new(error).context(missing)
    })
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
