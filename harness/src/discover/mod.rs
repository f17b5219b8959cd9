//! Finds problems, and the submissions that should solve them.
//!
//! The second stage of the flow, after reading problems. It compiles nothing and runs nothing. It
//! collects every fault, so that one does not hide the next, and skips nothing silently.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::config::{ConfigError, Repository};
use crate::notice::{Code, Notice, Notices};
use crate::problem::{LanguageOf, Problem, ReadOptions};
use crate::submission::Submission;

mod bare_names;
mod dangling;
mod elsewhere;
mod folders;
mod join;
mod left_over;
mod lfs;
mod metadata;
mod near;
mod not_judged;
mod outside;
mod pairing;
mod parts;
mod plain_folders;
mod problem_table;
mod problems;
mod progress;
mod reasons;
mod scope;
mod solutions;
mod source_files;
mod source_texts;
mod submission_table;
mod submissions;
mod testlib_checkers;
#[cfg(test)]
mod tests;
mod tree_texts;
mod verdict_folders;
mod walk;

#[cfg(feature = "nats")]
pub(crate) use walk::{CPH, is_of_a_tool};

use elsewhere::UnpackedArchives;
use metadata::MetadataFiles;
pub(crate) use near::similar as similar_paths;
use not_judged::LeftOvers;
pub use not_judged::{NotJudged, NotJudgedReason};
use problem_table::ProblemTable;
use progress::SearchProgress;
pub use progress::{FilesSeen, SearchWatch};
pub use reasons::{CasesBy, ExpectedBy, SubmissionReasons};
pub(crate) use source_files::{MAX_SOURCE, fault_of_source};
use source_texts::SourceTexts;
use submission_table::SubmissionTable;
use testlib_checkers::CheckerSearch;

pub(crate) use folders::problem_folders_below;
use folders::{absolute, package_of_submissions};

/// Maps the extension and the text of a source to the id of its language, if the extension belongs to several languages.
pub type LanguageOfText<'a> = &'a dyn Fn(&OsStr, &[u8]) -> Option<String>;

/// What to look for.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The current folder.
    pub current: &'a Path,
    /// Solutions, problems, folders of either, or a repository. Empty: everything around `current`.
    pub paths: &'a [PathBuf],
    /// The folder of the cases, for solutions in other folders.
    pub cases: Option<&'a Path>,
    /// The repository, if there is one: see [`Repository::around`].
    pub repository: Option<&'a Repository>,
    /// Maps file extensions to languages.
    pub language_of: LanguageOf<'a>,
    /// Maps a file extension and the text of a source to its language, for extensions of several languages.
    pub language_of_text: LanguageOfText<'a>,
    /// The options for reading problems.
    pub read_options: ReadOptions<'a>,
}

impl Request<'_> {
    /// Whether the command line names this file.
    fn names(&self, path: &Path) -> bool {
        self.paths.iter().any(|given| absolute(self.current, given) == path)
    }
}

/// Problems and submissions, in the order of the report.
#[derive(Debug, Default)]
pub struct Found {
    /// The problems that can be judged.
    pub problems: Vec<Problem>,
    /// The submissions, sorted by problem. The problem of each is in `problems`.
    pub submissions: Vec<Submission>,
    /// The folder of the cases of solutions in other folders: as requested, or found among the
    /// paths.
    pub cases: Option<PathBuf>,
    /// Faults that do not prevent judging.
    pub warnings: Vec<Notice>,
    /// Faults that prevent judging something. The rest may still be judged.
    pub errors: Vec<Notice>,
    /// By the paths of the submissions: why they are judged as they are.
    pub reasons: HashMap<PathBuf, SubmissionReasons>,
    /// What is not judged, by path.
    pub not_judged: Vec<NotJudged>,
    /// What was read until the search was stopped; `None`: everything.
    pub stopped: Option<FilesSeen>,
}

impl Repository {
    /// The repository of a request: around the first path that exists, otherwise around `current`.
    pub fn around(current: &Path, paths: &[PathBuf]) -> Result<Option<Self>, ConfigError> {
        let first = paths.iter().map(|path| absolute(current, path));
        let start = first.into_iter().find(|path| path.exists());
        let found = Self::locate(&start.unwrap_or_else(|| current.to_path_buf()))?;
        Ok(found.filter(|found| Self::is_at(&found.root)))
    }
}

/// Finds problems and submissions.
pub fn discover(request: &Request<'_>) -> Found {
    discover_watched(request, &|_| true)
}

/// Finds problems and submissions, unless `watch` stops the search.
pub fn discover_watched(request: &Request<'_>, watch: SearchWatch<'_>) -> Found {
    let base = request.repository.map_or(request.current, |repository| &repository.root);
    let (cases, paths) = pairing::separate_cases(request, watch);
    let request = &Request { cases: cases.as_deref(), paths: &paths, ..*request };
    let mut finder = Finder {
        request: *request,
        notices: Notices::relative_to(Some(base)),
        problems: ProblemTable::default(),
        submissions: SubmissionTable::default(),
        left_overs: LeftOvers::default(),
        metadata: MetadataFiles::default(),
        texts: SourceTexts::default(),
        archives: UnpackedArchives::default(),
        progress: SearchProgress::new(watch),
    };
    if request.paths.is_empty() {
        match request.repository {
            Some(repository) if request.cases.is_none() => finder.folder(&repository.root),
            _ => finder.folder(request.current),
        }
    }
    for path in request.paths {
        finder.path(path);
    }
    finder.finish()
}

/// Walks the paths of a request. What it finds is in parts with their own state.
struct Finder<'a> {
    request: Request<'a>,
    notices: Notices,
    problems: ProblemTable,
    submissions: SubmissionTable,
    left_overs: LeftOvers,
    metadata: MetadataFiles,
    texts: SourceTexts,
    archives: UnpackedArchives,
    progress: SearchProgress<'a>,
}

impl Finder<'_> {
    fn finish(mut self) -> Found {
        lfs::leave_out_pointers(&mut self.problems, &mut self.notices);
        let mut checkers = CheckerSearch {
            request: &self.request,
            texts: &self.texts,
            problems: &mut self.problems,
            submissions: &mut self.submissions,
            left_overs: &mut self.left_overs,
            notices: &mut self.notices,
        };
        checkers.use_all();
        self.left_overs.report(&self.submissions, &mut self.notices);
        self.warn_of_unsolved();
        let nothing = self.problems.entries.is_empty() && self.submissions.found.is_empty();
        if nothing && self.notices.errors.is_empty() && !self.progress.is_stopped {
            self.notices.error_help(
                Code::NothingToJudge.says(format!(
                    "nothing to judge in {}",
                    self.request.current.display()
                )),
                "name a solution or a problem, or run rejudge in a folder with `solutions/` and `cases/`",
            );
        }
        let mut reported = BTreeSet::new();
        let errors = &mut self.notices.errors;
        errors.retain(|error| reported.insert(error.to_string()));
        let new_ids = self.problems.shorten_names(&self.notices);
        self.submissions.rename_problems(&new_ids);
        let entries = self.problems.entries.into_iter();
        let problems: Vec<Problem> = entries.filter_map(|entry| entry.problem).collect();
        let ranks: HashMap<&str, usize> = problems
            .iter()
            .enumerate()
            .map(|(rank, problem)| (problem.id.as_str(), rank))
            .collect();
        let rank = |id: &str| ranks.get(id).copied();
        let mut submissions: Vec<(usize, Submission)> = self
            .submissions
            .found
            .into_iter()
            .filter_map(|submission| Some((rank(&submission.problem)?, submission)))
            .collect();
        submissions.sort_by(|(a, left), (b, right)| {
            a.cmp(b).then_with(|| solutions::order(&left.name, &right.name))
        });
        Found {
            problems,
            submissions: submissions.into_iter().map(|(_, found)| found).collect(),
            cases: self.request.cases.map(Path::to_path_buf),
            warnings: self.notices.warnings,
            errors: self.notices.errors,
            reasons: self.submissions.reasons,
            not_judged: distinct(self.left_overs.found),
            stopped: self.progress.is_stopped.then_some(self.progress.seen),
        }
    }

    /// One path of the command line.
    fn path(&mut self, given: &Path) {
        let path = absolute(self.request.current, given);
        match std::fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => self.folder(&path),
            Ok(_) if Problem::is_file(&path) => match Problem::problems_in_file(&path) {
                Some(folders) => {
                    for folder in folders {
                        self.problem_with_solutions(&folder);
                    }
                }
                None => self.problem_with_solutions(&path),
            },
            Ok(_) => self.file(&path),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => self.name(given),
            Err(error) => {
                let shown = self.notices.show(&path);
                self.notices.error(Notice::unreadable(&shown, &error));
            }
        }
    }

    fn folder(&mut self, dir: &Path) {
        if let Some(cases) = self.request.cases {
            let cases = absolute(self.request.current, cases);
            if let Some(id) = self.problem(&cases) {
                self.lone_folder(dir, &id, &cases);
            }
            return;
        }
        if let Some(repository) = self.request.repository {
            if dir == repository.root && repository.has_layout() {
                return self.repository(repository);
            }
            if dir == repository.cases() {
                return self.all_problems(repository);
            }
            if dir == repository.solutions() {
                return self.all_solutions(repository);
            }
            if let Ok(below) = dir.strip_prefix(repository.solutions()) {
                return self.below_solutions(repository, below);
            }
        }
        let whole =
            self.request.read_options.layout.is_some() || self.request.read_options.answering;
        if !whole && package_of_submissions(dir).is_none() && self.plain_folder(dir) {
            return;
        }
        let read_options = self.request.read_options;
        if let Some(package) = package_of_submissions(dir) {
            if let Some(id) = self.problem(&package) {
                self.submissions_or_subfolder(dir, &package, &id);
            }
        } else if Problem::is_in(dir) {
            self.problem_with_solutions(dir);
        } else if read_options.answering
            && let Some(problem) = self.cases_below(dir)
        {
            self.add_problem(dir, Some(problem));
        } else if let Err(error) = std::fs::read_dir(dir) {
            let shown = self.notices.show(dir);
            self.notices.error(Notice::unreadable(&shown, &error));
        } else {
            self.contest(dir);
        }
    }

    /// A solution file.
    fn file(&mut self, path: &Path) {
        if self.request.read_options.layout.is_none()
            && !self.request.read_options.answering
            && self.request.cases.is_none()
            && self.is_plain(path)
            && self.plain_source(path)
        {
            return;
        }
        self.source_at_home(path);
    }

    /// Whether a file is neither in the repository's solutions nor in a package.
    fn is_plain(&self, path: &Path) -> bool {
        let repository = self.request.repository;
        let solutions = repository.map(Repository::solutions);
        let dir = path.parent().unwrap_or(path);
        !solutions.is_some_and(|solutions| path.starts_with(solutions))
            && !dir.ancestors().take(3).any(walk::is_package_leaf)
    }

    /// A solution file whose cases are found by its path.
    fn source_at_home(&mut self, path: &Path) {
        let dir = path.parent().unwrap_or(path);
        let problem = match self.request.cases {
            Some(cases) => Some(absolute(self.request.current, cases)),
            None => self.home_of(path),
        };
        let Some(problem) = problem else {
            let shown = self.notices.show(path);
            self.notices.error_help(
                Code::NoCases
                    .says(format!("no test cases for {shown}"))
                    .about(&shown),
                format!(
                    "add `NAME.in` and `NAME.ans` next to it in {}, name the folder of the cases: `--cases DIR`, or run \
                     it on standard input: `rejudge exec {shown}`",
                    self.notices.show(dir)
                ),
            );
            return;
        };
        if let Some(id) = self.problem(&problem) {
            if self.request.cases.is_none() && self.listed_source(path, &problem, &id) {
                return;
            }
            let folder = dir.file_name().map(|name| name.to_string_lossy());
            self.named_source(path, &id, folder.as_deref());
        }
    }

    /// The path of the cases of a solution file: its problem in the repository, its package, or the cases next to it.
    fn home_of(&self, path: &Path) -> Option<PathBuf> {
        if let Some(repository) = self.request.repository
            && let Ok(below) = path.strip_prefix(repository.solutions())
            && below.components().count() > 1
            && let Some(problem) = below.components().next()
        {
            return Some(repository.cases().join(problem));
        }
        let dir = path.parent()?;
        package_of_submissions(dir).or_else(|| Problem::home_of(path, self.request.language_of))
    }

    fn repository(&mut self, repository: &Repository) {
        self.all_problems_alone(repository);
        self.all_solutions(repository);
        for folder in repository.config.folders.iter().flatten() {
            let dir = absolute(&repository.root, folder);
            // A missing folder is reported with the other settings that name nothing.
            if dir.is_dir() && !dir.starts_with(repository.cases()) {
                self.folder(&dir);
            }
        }
        let Self { request, progress, left_overs, notices, .. } = self;
        outside::count(repository, request, progress, left_overs, notices);
    }
}

/// Sorted by path, each path once.
fn distinct(mut found: Vec<NotJudged>) -> Vec<NotJudged> {
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found.dedup_by(|a, b| a.path == b.path);
    found
}
