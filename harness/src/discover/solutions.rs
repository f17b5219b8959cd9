//! Solution files: their problem, their language, and what is expected of them.

use std::cmp::Ordering;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::CasesBy;
use super::dangling;
use super::metadata::FILE_NAME;
use super::source_files::{LANGUAGES_HELP, folders_below, may_be_source};
use super::submissions::FoundSubmission;
use super::verdict_folders::is_switched_off;
use super::{ExpectedBy, Finder};
use crate::config::Repository;
use crate::expectation::VerdictFolder;
use crate::notice::{Code, Notices};
use crate::problem::{self, ForeignSubmission, PACKAGE_PARTS, Problem};
use crate::submission::UNKNOWN;

/// The order of submissions: the files of a folder before its subfolders, both in natural order.
pub(super) fn order(a: &str, b: &str) -> Ordering {
    let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let above = a.as_bytes()[..same].iter().rposition(|byte| *byte == b'/');
    let start = above.map_or(0, |at| at + 1);
    let (left, right) = (&a[start..], &b[start..]);
    let first = |path: &'_ str| path.split_once('/').map_or(path.len(), |(name, _)| name.len());
    let (x, y) = (&left[..first(left)], &right[..first(right)]);
    if x == y {
        // One of them ends here.
        return left.len().cmp(&right.len());
    }
    let (is_folder_x, is_folder_y) = (x.len() < left.len(), y.len() < right.len());
    is_folder_x.cmp(&is_folder_y).then_with(|| problem::natural_order(x, y))
}

/// A path in the order of submissions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PathOrder(String);

impl PathOrder {
    pub(super) fn of(path: &Path) -> Self {
        Self(path.to_string_lossy().into_owned())
    }
}

impl Ord for PathOrder {
    fn cmp(&self, other: &Self) -> Ordering {
        order(&self.0, &other.0)
    }
}

impl PartialOrd for PathOrder {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The kind of a folder of solutions, which decides which files in it get a warning.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FolderKind {
    /// `solutions/<problem>/`, or the `submissions/` of a package: everything in it is a solution.
    Solutions,
    /// A folder with cases, and possibly many other files besides the solutions.
    Lone,
}

/// The folder of the solutions of a problem in a layout that has no place for them.
fn described_solutions(dir: &Path) -> Option<PathBuf> {
    const FOLDERS: [&str; 3] = ["solutions", "solution", "submissions"];
    if Problem::is_package_in(dir) || !Problem::is_described_in(dir) {
        return None;
    }
    FOLDERS.iter().map(|name| dir.join(name)).find(|folder| folder.is_dir())
}

impl Finder<'_> {
    /// Adds everything in `solutions/`.
    pub(super) fn all_solutions(&mut self, repository: &Repository) {
        let solutions = repository.solutions();
        // A repository may begin with `cases/` alone.
        if !solutions.exists() && repository.cases().is_dir() {
            return;
        }
        for path in self.entries(&solutions) {
            if path.is_dir() {
                let name = path.file_name().unwrap_or_default();
                if self.problem(&repository.cases().join(name)).is_some() {
                    self.solutions_of(&repository.cases().join(name));
                }
            } else if self.language(&path).is_some() {
                let shown = self.notices.show(&path);
                self.notices.error_help(
                    Code::UnknownFolder.of_file(&shown, "does not belong to a problem"),
                    "move it to `solutions/PROBLEM/`",
                );
            } else {
                self.note_unknown(&path);
            }
        }
    }

    /// Adds `solutions/<problem>` or a folder in it.
    pub(super) fn below_solutions(&mut self, repository: &Repository, below: &Path) {
        let mut parts = below.components();
        let Some(problem) = parts.next() else { return };
        let dir = repository.cases().join(problem);
        let Some(id) = self.problem(&dir) else { return };
        let folder = repository.solutions().join(below);
        match parts.count() {
            0 => self.folder_of_solutions(&folder, &id, FolderKind::Solutions),
            1 => self.verdict_folder(&folder, &id),
            _ => self.program_in_folder(&folder, &id),
        }
    }

    /// Adds every solution of the problem in `dir`: in the repository, in the package, or next to
    /// the cases.
    pub(super) fn solutions_of(&mut self, dir: &Path) {
        let Some(id) = self.problem(dir) else { return };
        if let Some(repository) = self.request.repository
            && dir.starts_with(repository.cases())
        {
            let folder = repository.solutions().join(&id);
            if folder.exists() {
                self.folder_of_solutions(&folder, &id, FolderKind::Solutions);
            }
        }
        let (read_options, language_of) = (self.read_options(dir), self.request.language_of);
        let dir = &self.problems.place_of(dir);
        let submissions = dir.join("submissions");
        let own = Problem::own_submissions(read_options, dir, language_of, &mut self.notices);
        if let Some(own) = own {
            for one in own {
                self.foreign(one, &id);
            }
        } else if let Some(folder) = described_solutions(dir) {
            self.folder_of_solutions(&folder, &id, FolderKind::Lone);
        } else if submissions.is_dir() {
            self.submissions_of_package(&submissions, &id);
            self.note_outside_submissions(dir);
        } else if !Problem::is_package_in(dir) {
            self.folder_of_solutions(dir, &id, FolderKind::Lone);
        } else if self
            .request
            .repository
            .is_none_or(|repository| !dir.starts_with(repository.cases()))
        {
            self.sources_beside_package(dir, &id);
        }
    }

    /// Notes the sources in a package's folder, and in folders there that the format does not know.
    pub(super) fn note_outside_submissions(&mut self, dir: &Path) {
        let is_known = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            PACKAGE_PARTS.iter().any(|known| *known == name)
        };
        let others = self.entries_where(dir, |path| !is_known(path));
        for path in others {
            let files =
                if path.is_dir() { self.entries_where(&path, Path::is_file) } else { vec![path] };
            let sources = files.into_iter().filter(|path| self.language(path).is_some());
            let sources: Vec<PathBuf> = sources.collect();
            self.left_overs.outside_submissions.extend(sources);
        }
    }

    /// Adds a source if a foreign package lists it as a submission. Returns whether it does.
    pub(super) fn listed_source(&mut self, path: &Path, problem: &Path, id: &str) -> bool {
        let (read_options, language_of) = (self.read_options(problem), self.request.language_of);
        let mut ignored_notices = Notices::default();
        let own =
            Problem::own_submissions(read_options, problem, language_of, &mut ignored_notices);
        let Some(listed) = own.into_iter().flatten().find(|one| one.path == path) else {
            return false;
        };
        self.foreign(listed, id);
        true
    }

    /// Adds a submission of a foreign package, which states what is expected of it.
    fn foreign(&mut self, submission: ForeignSubmission, id: &str) {
        let before = self.submissions.found.len();
        let ForeignSubmission { path, expected, written_in } = submission;
        let stated = written_in.map(|extension| (self.request.language_of)(OsStr::new(extension)));
        if self.is_for_answers(id) {
            self.answers(&path, id, Some(VerdictFolder::Accepted.name()));
        } else if self.language(&path).is_none() {
            self.note_unknown(&path);
        } else if stated == Some(None) {
            let shown = self.notices.show(&path);
            let extension = written_in.unwrap_or_default();
            self.notices.warn_help(
                Code::UnknownLanguage.says(format!(
                    "{shown} is not in a known language (`.{extension}`, as the package says); it is ignored"
                )),
                LANGUAGES_HELP,
            );
        } else {
            self.source(&path, id, Some(VerdictFolder::Accepted.name()));
        }
        if let Some(added) = self.submissions.found[before..].first_mut() {
            added.expected = expected;
            if let Some(language) = stated.flatten() {
                added.language = language;
            }
            if let Some(reasons) = self.submissions.reasons.get_mut(&added.path) {
                reasons.expected = ExpectedBy::Settings;
            }
        }
    }

    /// Adds `submissions/` of a package, or one of its subfolders.
    pub(super) fn submissions_or_subfolder(&mut self, dir: &Path, package: &Path, id: &str) {
        if dir == package.join("submissions") {
            self.submissions_of_package(dir, id);
        } else if dir.parent() == Some(&package.join("submissions")) {
            self.verdict_folder(dir, id);
        } else {
            self.program_in_folder(dir, id);
        }
    }

    fn submissions_of_package(&mut self, dir: &Path, id: &str) {
        for path in self.entries(dir) {
            if is_switched_off(&path) {
                continue;
            }
            if path.is_dir() {
                self.verdict_folder(&path, id);
            } else if self.language(&path).is_some() {
                let shown = self.notices.show(&path);
                self.notices.warn_help(
                    Code::UnknownVerdict
                        .of_file(&shown, "is not in a verdict folder; it is not judged"),
                    format!(
                        "move it to the folder of its verdict, for example to {}",
                        self.notices.show(&dir.join("accepted"))
                    ),
                );
            } else {
                self.note_unknown(&path);
            }
        }
    }

    /// Adds a folder of solutions for the problem `id`, whose cases are in another folder. Without solutions in it, those below it
    /// count.
    pub(super) fn lone_folder(&mut self, dir: &Path, id: &str, cases: &Path) {
        let before = self.submissions.found.len();
        let faults = self.notices.errors.len();
        self.folder_of_solutions(dir, id, FolderKind::Lone);
        if self.submissions.found.len() == before {
            let is_of_cases = |folder: &PathBuf| folder.starts_with(cases);
            for folder in folders_below(dir).into_iter().filter(|folder| !is_of_cases(folder)) {
                self.folder_of_solutions(&folder, id, FolderKind::Lone);
            }
        }
        if self.submissions.found.len() == before && self.notices.errors.len() == faults {
            let shown = self.notices.show(dir);
            self.notices.error_help(
                Code::NoSolutions.of_file(&shown, "has no solutions"),
                "add a source file in a known language: see `rejudge languages`",
            );
        }
    }

    fn folder_of_solutions(&mut self, dir: &Path, id: &str, kind: FolderKind) {
        let all = kind == FolderKind::Solutions;
        let mut cases: Option<HashSet<PathBuf>> = None;
        // A folder may contain a hundred thousand cases: do not collect their names.
        for path in self.entries_where(dir, |path| all || may_be_source(path) || is_folder(path)) {
            if self.problem_of(id).is_some_and(|problem| problem.has_program(&path)) {
                continue;
            }
            if path.is_dir() {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                if all || VerdictFolder::of_any_name(&name).is_some() {
                    self.verdict_folder(&path, id);
                }
            } else if self.language(&path).is_some() {
                if all || self.texts.testlib_role(&path).is_none() {
                    self.source(&path, id, None);
                }
            } else if !cases.get_or_insert_with(|| self.files_of_cases(id)).contains(&path) {
                self.note_unknown(&path);
            }
        }
    }

    /// The inputs and the answers of a problem.
    fn files_of_cases(&self, id: &str) -> HashSet<PathBuf> {
        let cases = self.problem_of(id).map(|problem| &problem.cases).into_iter().flatten();
        cases.flat_map(|case| [Some(case.input()), case.answer()]).flatten().collect()
    }

    /// Adds a file that is named on the command line. Here an unknown extension is an error.
    pub(super) fn named_source(&mut self, path: &Path, id: &str, folder: Option<&str>) {
        if self.is_for_answers(id) {
            self.answers(path, id, folder);
            return;
        }
        let dir = path.parent().unwrap_or(path);
        let is_covered = self.is_covered_by_metadata(dir, id);
        let folder = folder.filter(|name| is_covered || VerdictFolder::of_any_name(name).is_some());
        self.source(path, id, folder);
    }

    /// Adds a source file in a known language. `folder` is the verdict folder that contains it.
    pub(super) fn source(&mut self, path: &Path, id: &str, folder: Option<&str>) {
        self.source_by(path, id, folder, None);
    }

    /// Adds a source, with the reason for its cases.
    pub(super) fn source_by(
        &mut self,
        path: &Path,
        id: &str,
        folder: Option<&str>,
        cases: Option<CasesBy>,
    ) {
        // One that is named, whatever it is, gets a verdict: callers count on a result for each of their programs.
        let language = self.language(path).unwrap_or_else(|| UNKNOWN.to_owned());
        if !self.submissions.begin(path) {
            return;
        }
        let Some(text) = self.texts.take(path, &mut self.notices) else {
            return;
        };
        let source = FoundSubmission { path, id, folder, language: &language, cases };
        self.submit(&source, &[(path.to_path_buf(), text)]);
    }

    pub(super) fn language(&self, path: &Path) -> Option<String> {
        (self.request.language_of)(path.extension()?)
    }

    /// Notes a file next to submissions that is in no known language.
    pub(super) fn note_unknown(&mut self, path: &Path) {
        self.left_overs.unknown.insert(path.to_path_buf());
    }

    /// The entries of a folder in natural order, without ignored ones.
    pub(super) fn entries(&mut self, dir: &Path) -> Vec<PathBuf> {
        self.entries_where(dir, |_| true)
    }

    pub(super) fn entries_where(
        &mut self,
        dir: &Path,
        keep: impl Fn(&Path) -> bool,
    ) -> Vec<PathBuf> {
        let mut paths = Vec::new();
        let walk = walkdir::WalkDir::new(dir).follow_links(true);
        for entry in walk.min_depth(1).max_depth(1) {
            match entry {
                Ok(entry) => {
                    let name = entry.file_name().to_string_lossy();
                    let counts = !problem::is_ignored(&name) && name != FILE_NAME;
                    if !counts || !keep(entry.path()) {
                        continue;
                    }
                    // Those of packages have a rule and a message of their own.
                    let is_of_package = Problem::is_package_in(dir)
                        || dir.ancestors().take(3).any(|one| one.ends_with("submissions"));
                    let is_outside = !is_of_package
                        && entry.path_is_symlink()
                        && problem::leads_out_of_bounds(&problem::bounds_of(dir), entry.path());
                    if is_outside {
                        let notice = problem::link_outside(entry.path(), &self.notices);
                        if !self.notices.errors.contains(&notice) {
                            self.notices.errors.push(notice);
                        }
                    } else {
                        paths.push(entry.into_path());
                    }
                }
                Err(error) => {
                    let language_of = self.request.language_of;
                    let is_source = |name: &str| {
                        let extension = Path::new(name).extension();
                        extension.and_then(language_of).is_some()
                    };
                    dangling::report(&error, is_source, &mut self.notices);
                }
            }
        }
        paths.sort_by(|a, b| problem::natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
        paths
    }
}

/// Whether it is a folder. A name with the suffix of a case file is not checked on the disk.
fn is_folder(path: &Path) -> bool {
    let is_case = |end: &OsStr| end == "in" || end == "out" || end == "ans";
    !path.extension().is_some_and(is_case) && path.is_dir()
}
