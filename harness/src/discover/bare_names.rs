//! Paths that do not exist: names of problems, and of problems in plain folders by the ends of their paths, such as
//! `rejudge a` for `abc300/a`.

use std::path::{Path, PathBuf};

use super::join::{Joined, Source};
use super::scope::Scope;
use super::solutions::order;
use super::{Finder, near};
use crate::notice::{Code, nearest};
use crate::shell::shell_word;

/// The number of candidates that are named.
const MOST: usize = 8;

/// The number of sources that are suggested.
const FEW: usize = 3;

/// What the end of a path may mean.
enum ByEnd {
    /// A problem, or several, which is an error: nothing is left to report.
    Reported,
    /// No problem, but sources with this name.
    Sources(Vec<String>),
}

impl Finder<'_> {
    /// A path that does not exist may be the name of a problem.
    pub(super) fn name(&mut self, given: &Path) {
        let word = given.to_string_lossy().into_owned();
        let message = Code::UnknownPath.says(format!(
            "no file, folder or problem is called `{}`",
            crate::notice::visible(&word)
        ));
        let similar = near::similar(self.request.current, given, self.request.language_of);
        let similar: Vec<String> =
            similar.iter().map(|path| crate::notice::visible(&path.to_string_lossy())).collect();
        let similar =
            (!similar.is_empty()).then(|| format!("did you mean `{}`?", similar.join("`, `")));
        let Some(repository) = self.request.repository else {
            let deeper = match self.problem_by_end(given) {
                ByEnd::Reported => return,
                ByEnd::Sources(paths) => paths,
            };
            let deeper =
                (!deeper.is_empty()).then(|| format!("did you mean `{}`?", deeper.join("`, `")));
            match similar.or(deeper) {
                Some(help) => self.notices.error_help(message, help),
                None => self.notices.error(message),
            }
            return;
        };
        let is_name = given.components().count() == 1;
        let dir = repository.cases().join(given);
        if is_name && dir.is_dir() {
            self.problem_with_solutions(&dir);
            return;
        }
        let known = self.problem_names(repository);
        match nearest(&word, known.iter().map(String::as_str)) {
            Some(name) => {
                self.notices.error_help(message, format!("did you mean the problem `{name}`?"));
            }
            None if similar.is_some() => {
                self.notices.error_help(message, similar.unwrap_or_default());
            }
            None if known.is_empty() => self.notices.error(message),
            None => self.notices.error_help(
                message,
                "name a file, a folder, or a problem: `rejudge list` shows them",
            ),
        }
    }

    /// Judges the problem whose path ends with `given`. Several are an error that lists them.
    fn problem_by_end(&mut self, given: &Path) -> ByEnd {
        let nothing = ByEnd::Sources(Vec::new());
        if !given.components().all(|part| matches!(part, std::path::Component::Normal(_))) {
            return nothing;
        }
        let current = self.request.current.to_path_buf();
        let Some(scope) = self.whole_scope(&current) else {
            return ByEnd::Reported;
        };
        let mut fitting: Vec<(PathBuf, &Joined)> =
            scope.problems().filter(|(path, _)| path.ends_with(given)).collect();
        fitting.sort_by(|(a, _), (b, _)| order(&a.to_string_lossy(), &b.to_string_lossy()));
        match fitting.as_slice() {
            [] => {
                let sources = scope.sources().filter(|path| path.ends_with(given));
                let sources = sources.take(FEW).map(|path| self.notices.show(&path));
                return ByEnd::Sources(sources.collect());
            }
            [(_, joined)] => {
                let sources: Vec<&Source> = joined.sources.iter().collect();
                self.joined(&scope, joined, &sources);
            }
            several => self.report_several(given, several.iter().map(|(path, _)| path)),
        }
        ByEnd::Reported
    }

    fn report_several<'a>(&mut self, given: &Path, paths: impl Iterator<Item = &'a PathBuf>) {
        let shown: Vec<String> = paths.map(|path| self.notices.show(path)).collect();
        let first = shown[0].clone();
        let more = match shown.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!(", … and {more} more"),
        };
        let word = crate::notice::visible(&given.to_string_lossy());
        let names = shown[..shown.len().min(MOST)].join(", ");
        self.notices.error_help(
            Code::Conflict.says(format!("several problems are called `{word}`: {names}{more}")),
            format!("name one of them: `rejudge {}`", shell_word(&first)),
        );
    }
}

impl Scope {
    /// The sources of the problems of plain folders.
    fn sources(&self) -> impl Iterator<Item = PathBuf> {
        let all = self.outcome.problems.iter().flat_map(|joined| &joined.sources);
        all.map(|source| self.file(&source.file))
    }

    /// The problems of plain folders, with their paths.
    fn problems(&self) -> impl Iterator<Item = (PathBuf, &Joined)> {
        self.outcome.problems.iter().map(|joined| {
            let dir = self.folder(joined.folder);
            let path = joined.stem.as_ref().map(|stem| dir.join(stem));
            (path.unwrap_or(dir), joined)
        })
    }
}
