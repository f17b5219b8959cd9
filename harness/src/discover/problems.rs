//! Reads each problem once, applies its settings in `rejudge.toml`, and checks that no two have the
//! same name.
//!
//! The paths of the request select the problems. Other modules search for submissions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::folders::problem_folders;
use super::join::Left;
use super::left_over::report_unanswered;
use super::{Finder, near};
use crate::config::Repository;
use crate::contest;
use crate::notice::few;
use crate::notice::{Code, Notice, nearest};
use crate::problem::{Interactor, Problem, ReadOptions};
use crate::shell::shell_word;

impl<'a> Finder<'a> {
    pub(super) fn all_problems(&mut self, repository: &Repository) {
        self.all_problems_alone(repository);
        let keys = self.problems.entries.iter().map(|entry| entry.key.clone());
        for dir in keys.collect::<Vec<_>>() {
            self.solutions_of(&dir);
        }
    }

    pub(super) fn all_problems_alone(&mut self, repository: &Repository) {
        let cases = repository.cases();
        let entries = self.entries(&cases);
        for path in &entries {
            if path.is_dir() {
                self.problem(path);
            } else if !contest::FILES.iter().any(|name| path.ends_with(name)) {
                let shown = self.notices.show(path);
                self.notices.warn_help(
                    Code::UnknownFolder
                        .says(format!("{shown} does not belong to a problem; it is ignored")),
                    "a problem is a folder: `cases/NAME/`",
                );
            }
        }
        if self.problems.entries.is_empty() {
            let shown = self.notices.show(&cases);
            self.notices.error_help(
                Code::NothingToJudge.of_file(&shown, "has no problems"),
                "add one: `cases/NAME/data/secret/1.in` with `1.ans`",
            );
        }
    }

    /// A folder of problems.
    pub(super) fn contest(&mut self, dir: &Path) {
        let mut inner = problem_folders(dir, Problem::is_described_in);
        if inner.is_empty() {
            inner = problem_folders(dir, Problem::is_in);
        }
        if inner.is_empty() {
            self.report_no_cases(dir);
        } else {
            for dir in inner {
                self.problem_with_solutions(&dir);
            }
        }
    }

    /// Reports a folder below which there are no cases at all: how many sources it has, and the ways to give them cases.
    fn report_no_cases(&mut self, dir: &Path) {
        let shown = self.notices.show(dir);
        let Some(scope) = self.whole_scope(dir) else { return };
        let mut by_language: BTreeMap<String, usize> = BTreeMap::new();
        let mut first = None;
        for left in &scope.outcome.left {
            let Left::Source(file) = left else { continue };
            let path = scope.file(file);
            if let Some(language) = self.language(&path) {
                *by_language.entry(language).or_default() += 1;
                first.get_or_insert(path);
            }
        }
        let Some(first) = first else {
            self.notices.error_help(
                Code::NoCases.of_file(&shown, "has neither test cases nor problems"),
                "add `NAME.in` with `NAME.ans`, or name the folder of the cases: `--cases DIR`",
            );
            return;
        };
        let count: usize = by_language.values().sum();
        let noun = if count == 1 { "source" } else { "sources" };
        let mut languages: Vec<(String, usize)> = by_language.into_iter().collect();
        languages.sort_by_key(|(_, count)| Reverse(*count));
        let languages: Vec<String> =
            languages.iter().map(|(language, count)| format!("{language} {count}")).collect();
        let word = shell_word(&self.notices.show(&first));
        self.notices.error_help(
            Code::NoCases.of_file(
                &shown,
                format!("has {count} {noun} ({}), but no test cases", few(&languages)),
            ),
            format!(
                "add `NAME.in` with `NAME.ans` next to a source, or name the folder of the cases: `--cases DIR`; to run a \
                 solution on standard input: `rejudge exec {word}`"
            ),
        );
    }

    /// Adds a problem and every submission known for it.
    pub(super) fn problem_with_solutions(&mut self, dir: &Path) {
        if self.problem(dir).is_some() {
            self.solutions_of(dir);
        }
    }

    /// Reads a problem, unless it was read before. Returns its id if it can be judged.
    pub(super) fn problem(&mut self, dir: &Path) -> Option<String> {
        if let Some(known) = self.problems.known(dir) {
            return known.problem.as_ref().map(|problem| problem.id.clone());
        }
        let is_given = self.request.cases.is_some_and(|cases| {
            super::absolute(self.request.current, cases) == dir
                && self.request.read_options.layout.is_none()
                && dir.is_dir()
                && !Problem::is_described_in(dir)
        });
        let gathered = is_given.then(|| self.cases_below(dir)).flatten();
        if let Some(problem) = &gathered {
            report_unanswered(problem, &mut self.notices);
        }
        let problem = if gathered.is_some() {
            gathered
        } else if Problem::can_be_at(dir) {
            let read_options = self.read_options(dir);
            Problem::load_as(read_options, dir, self.request.language_of, &mut self.notices)
        } else {
            self.missing_problem(dir);
            None
        };
        self.add_problem(dir, problem)
    }

    /// Adds a problem that was read from `key`, with its settings in `rejudge.toml`; `None`: it cannot be judged. Returns its
    /// id.
    pub(super) fn add_problem(&mut self, key: &Path, problem: Option<Problem>) -> Option<String> {
        let problem = problem.and_then(|problem| self.configured(problem));
        self.problems.add(key, problem, &mut self.notices)
    }

    /// The options for reading the problem at `path`.
    pub(super) fn read_options(&self, path: &Path) -> ReadOptions<'a> {
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        let config = self.request.repository.map(|found| &found.config);
        let overrides = config.and_then(|config| config.problems.get(&*id));
        ReadOptions {
            checked: self.request.read_options.checked
                || overrides.is_some_and(|overrides| overrides.checker.is_some()),
            ..self.request.read_options
        }
    }

    /// The problem with its settings in `rejudge.toml` applied.
    fn configured(&mut self, mut problem: Problem) -> Option<Problem> {
        let Some(repository) = self.request.repository else {
            return Some(problem);
        };
        match repository.checker_for(&problem) {
            Ok(None) => {}
            Ok(Some(checker)) => problem.set_checker(checker),
            Err(notice) => {
                self.notices.errors.push(notice);
                return None;
            }
        }
        if let Some(source) = repository.interactor_for(&problem.id) {
            if !source.is_file() {
                let shown = self.notices.show(&source);
                self.notices.error_help(
                    Code::MissingSource.says(format!(
                        "{shown} does not exist: the interactor of `{}`",
                        problem.id
                    )),
                    format!("correct `problems.{}.interactor` in rejudge.toml", problem.id),
                );
                return None;
            }
            problem.interactor = Some(Interactor {
                source,
                then_check: problem.checker.is_program(),
                call: Vec::new(),
                convention: None,
            });
        }
        repository.config.apply_to(&mut problem);
        Some(problem)
    }

    fn missing_problem(&mut self, dir: &Path) {
        let shown = self.notices.show(dir);
        if dir.exists() {
            self.notices.error_help(
                Code::UnknownPath.says(format!("{shown} is not a folder")),
                "name the folder of the cases",
            );
            return;
        }
        let message = Code::UnknownPath.says(format!("{shown} does not exist"));
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        let known = match self.request.repository {
            Some(repository) if dir.starts_with(repository.cases()) => {
                self.problem_names(repository)
            }
            _ => Vec::new(),
        };
        let named = nearest(&name, known.iter().map(String::as_str));
        let near = near::similar(Path::new("/"), dir, self.request.language_of);
        let near = near.iter().find(|path| path.is_dir()).map(|path| self.notices.show(path));
        let help = match (named, near) {
            (Some(name), _) => format!("did you mean the problem `{name}`?"),
            (None, Some(folder)) => format!("did you mean `{folder}`?"),
            (None, None) => format!("add its test cases to {shown}"),
        };
        self.notices.error_help(message, help);
    }

    pub(super) fn problem_names(&mut self, repository: &Repository) -> Vec<String> {
        self.entries(&repository.cases())
            .iter()
            .filter(|path| path.is_dir())
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect()
    }

    pub(super) fn warn_of_unsolved(&mut self) {
        // The error about what was named says the same.
        let is_error = |error: &Notice| error.code == Code::NoSolutions;
        if self.notices.errors.iter().any(is_error) {
            return;
        }
        let solved: BTreeSet<&str> =
            self.submissions.found.iter().map(|found| found.problem.as_str()).collect();
        for entry in &self.problems.entries {
            let Some(problem) = &entry.problem else { continue };
            if !solved.contains(problem.id.as_str()) {
                let shown = self.notices.show(&entry.key);
                self.notices.warn(Code::NoSolutions.says(format!("{shown} has no solutions")));
            }
        }
    }
}
