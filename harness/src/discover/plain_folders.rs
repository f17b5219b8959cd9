//! Judges plain folders: reads the tree, joins sources with cases, and reports what is left.

use std::path::{Path, PathBuf};

use super::join::{self, Joined, Left, Source};
use super::left_over::{LeftReport, report_files_by_name, report_helpers, report_unanswered};
use super::scope::{Action, Scope, Selection};
use super::solutions::PathOrder;
use super::source_files::may_be_source;
use super::walk::{WalkExtent, walk};
use super::{CasesBy, Finder};
use crate::config::Repository;
use crate::name_text;
use crate::notice::Notices;
use crate::problem::{Problem, TestCase};

impl Finder<'_> {
    /// Judges a folder. Returns whether there was anything to judge or to report as not judged.
    pub(super) fn plain_folder(&mut self, dir: &Path) -> bool {
        self.plain(Selection::Folder(dir))
    }

    /// Judges a source in a plain folder. Returns whether its cases were found, or why it has
    /// none.
    pub(super) fn plain_source(&mut self, path: &Path) -> bool {
        self.plain(Selection::Source(path))
    }

    fn plain(&mut self, selection: Selection<'_>) -> bool {
        let dir = match selection {
            Selection::Folder(dir) => dir,
            Selection::Source(path) => path.parent().unwrap_or(path),
        };
        let base = base_of(dir, self.request.current);
        let Some(mut scope) = self.scope(&base, selection) else {
            return true;
        };
        // Those about the folders around the named one do not matter.
        if matches!(selection, Selection::Folder(_)) && dir == base {
            self.notices.warnings.append(&mut scope.notices.warnings);
        }
        // What is wrong around the named folder is told to those who name that.
        let mut errors = std::mem::take(&mut scope.notices.errors);
        // Inputs without answers beside a source may be its scratch files, below the folder of its cases.
        if scope.lacks_cases(selection) || scope.only_runs(selection) {
            let wider = self.wider(dir, &base);
            let Some(found) = self.elsewhere(scope, wider.as_deref(), selection) else {
                return true;
            };
            scope = found;
        }
        self.notices.errors.append(&mut errors);
        self.take(&scope, selection)
    }

    /// Reads and joins a tree; `None`: the search was stopped.
    pub(super) fn scope(&mut self, root: &Path, selection: Selection<'_>) -> Option<Scope> {
        let mut notices = Notices::relative_to(Some(root));
        self.notices.clone_names(&mut notices);
        let named = match selection {
            Selection::Folder(_) => None,
            Selection::Source(path) => Some(path),
        };
        let (extent, language_of) = (WalkExtent::Whole, self.request.language_of);
        let progress = &mut self.progress;
        let mut tree = walk(root, extent, named, language_of, &mut notices, progress)?;
        let mut is_changed = false;
        for path in self.request.paths {
            let path = super::absolute(self.request.current, path);
            let folder = path.parent().and_then(|dir| dir.strip_prefix(root).ok());
            let folder = folder.and_then(|below| tree.find(below));
            let is_source =
                path.extension().is_some_and(|end| (self.request.language_of)(end).is_some());
            if let (Some(folder), Some(name)) = (folder, path.file_name().map(name_text::text))
                && is_source
                && path.is_file()
            {
                tree.name_source(folder, &name);
                is_changed = true;
            }
        }
        if is_changed {
            tree.sort();
        }
        let mut scope = Scope::of(root, tree, &self.texts);
        scope.notices = notices;
        Some(scope)
    }

    fn take(&mut self, scope: &Scope, selection: Selection<'_>) -> bool {
        let mut actions = scope.actions(selection);
        actions.sort_by_cached_key(|(path, _)| PathOrder::of(path));
        let mut found = !actions.is_empty();
        let before = self.submissions.found.len();
        let sources = actions.iter().map(|(_, action)| match action {
            Action::Judge(_, sources) => sources.len(),
            _ => 1,
        });
        let sources = sources.sum();
        self.submissions.reserve(sources);
        for (path, action) in actions {
            match action {
                Action::Package => self.problem_with_solutions(&path),
                Action::OfPackage(sources) => self.sources_of_package(scope, &path, &sources),
                Action::Repository => self.nested(&path),
                Action::OwnFile => self.source_at_home(&path),
                Action::Judge(joined, sources) => self.joined(scope, joined, &sources),
            }
        }
        report_files_by_name(&self.submissions.found[before..], &mut self.notices);
        let named = matches!(selection, Selection::Source(_));
        let left: Vec<&Left> =
            scope.outcome.left.iter().filter(|left| scope.concerns(selection, left)).collect();
        let has = |kind: fn(&Left) -> bool| left.iter().any(|left| kind(left));
        found |= has(|left| matches!(left, Left::Ambiguous { .. } | Left::OwnsNothing(_)));
        found |= has(|left| matches!(left, Left::Source(_)))
            && has(|left| matches!(left, Left::Cases { .. }));
        if found {
            self.left_overs.note_left(scope, &left);
            let mut report = LeftReport {
                scope,
                texts: &self.texts,
                left_overs: &mut self.left_overs,
                notices: &mut self.notices,
            };
            report.report(&left, named);
        }
        found
    }

    /// Reads and joins everything below a folder; `None`: the search was stopped.
    pub(super) fn whole_scope(&mut self, root: &Path) -> Option<Scope> {
        self.scope(root, Selection::Folder(root))
    }

    /// Adds a problem with the selected ones of its sources.
    pub(super) fn joined(&mut self, scope: &Scope, joined: &Joined, sources: &[&Source]) {
        let dir = scope.folder(joined.folder);
        let key = match &joined.stem {
            Some(stem) => dir.join(stem),
            None => dir.clone(),
        };
        let problem = Problem::gathered(&dir, joined.stem.as_deref(), scope.gathered(joined));
        let id = self.known_problem(&key, &problem).or_else(|| {
            report_unanswered(&problem, &mut self.notices);
            self.add_problem(&key, Some(problem))
        });
        let Some(id) = id else { return };
        let parts = self.left_overs.parts_of_programs(scope, joined, &self.texts);
        for source in sources {
            let path = scope.path(&source.file);
            if parts.contains(&path) && !self.request.names(&path) {
                continue;
            }
            let cases = Some(CasesBy::of(source, joined.why));
            self.source_by(&path, &id, source.verdict.as_deref(), cases);
        }
    }

    /// The id of this problem if another source of it, named before, has added it.
    fn known_problem(&self, key: &Path, problem: &Problem) -> Option<String> {
        let known = self.problems.known(key)?.problem.as_ref()?;
        let inputs = |problem: &Problem| -> Vec<PathBuf> {
            problem.cases.iter().map(TestCase::input).collect()
        };
        (inputs(known) == inputs(problem)).then(|| known.id.clone())
    }

    /// The cases below a folder that the command line gives, as a source in this folder would find them.
    pub(super) fn cases_below(&mut self, dir: &Path) -> Option<Problem> {
        let mut notices = Notices::relative_to(Some(dir));
        let language_of = self.request.language_of;
        let mut tree =
            walk(dir, WalkExtent::Whole, None, language_of, &mut notices, &mut self.progress)?;
        let given = self.request.paths.iter().find_map(|path| path.file_name());
        let name = given.map_or_else(|| "solution.py".into(), name_text::text).into_owned();
        tree.leave_only(&name);
        let mut scope = Scope::of(dir, tree, &self.texts);
        let selection = Selection::Folder(dir);
        if scope.lacks_cases(selection) {
            self.add_archives(&mut scope, selection)?;
        }
        let [joined] = &scope.outcome.problems[..] else {
            return None;
        };
        let mut cases = scope.gathered(joined);
        if self.request.read_options.answering {
            for case in &mut cases {
                case.answer.get_or_insert_with(|| case.input.with_extension("ans"));
            }
        }
        Some(Problem::gathered(dir, None, cases))
    }

    /// Adds the solutions that lie beside the data of a package without `submissions/`.
    pub(super) fn sources_beside_package(&mut self, dir: &Path, id: &str) {
        let paths = self.entries_where(dir, |path| may_be_source(path) && path.is_file());
        let sources = paths.into_iter().filter(|path| self.language(path).is_some());
        let sources: Vec<PathBuf> = sources.collect();
        let is_helper = |path: &PathBuf| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            (join::is_helper(&stem) || self.texts.conduct(path).is_of_helper())
                && !self.request.names(path)
        };
        let (helpers, sources): (Vec<PathBuf>, Vec<PathBuf>) =
            sources.into_iter().partition(is_helper);
        for path in sources {
            self.source(&path, id, None);
        }
        report_helpers(&helpers, &mut self.notices);
    }

    /// Adds sources outside a package that bear its name.
    fn sources_of_package(&mut self, scope: &Scope, dir: &Path, sources: &[&Source]) {
        let Some(id) = self.problem(dir) else { return };
        for source in sources {
            let path = scope.path(&source.file);
            self.source_by(&path, &id, source.verdict.as_deref(), Some(CasesBy::Tree));
        }
    }

    /// Judges a repository inside the tree by its own layout.
    fn nested(&mut self, root: &Path) {
        let repository = match Repository::open(root) {
            Ok(repository) => repository,
            Err(error) => return self.notices.errors.push(error.0),
        };
        let request = super::Request {
            current: root,
            paths: &[],
            repository: Some(&repository),
            ..self.request
        };
        let found = super::discover_watched(&request, self.progress.watch);
        self.progress.is_stopped |= found.stopped.is_some();
        self.left_overs.found.extend(found.not_judged);
        self.submissions.reasons.extend(found.reasons);
        self.notices.errors.extend(found.errors);
        self.notices.warnings.extend(found.warnings);
        let mut ids = Vec::new();
        for problem in found.problems {
            let old = problem.id.clone();
            let key = problem.dir.clone();
            if let Some(new) = self.add_problem(&key, Some(problem)) {
                ids.push((old, new));
            }
        }
        for mut submission in found.submissions {
            if let Some((_, new)) = ids.iter().find(|(old, _)| *old == submission.problem) {
                submission.problem.clone_from(new);
                submission.name = self.notices.show(&submission.path);
                self.submissions.found.push(submission);
            }
        }
    }
}

/// The folder to read for the sources in `dir`: above folders that are named after solutions,
/// languages or verdicts, and, below the current one, after cases.
fn base_of(dir: &Path, current: &Path) -> PathBuf {
    let mut base = dir;
    while let (Some(name), Some(above)) = (base.file_name(), base.parent()) {
        let name = name.to_string_lossy();
        let is_below = base.starts_with(current) && base != current;
        if !(join::is_for_solutions(&name) || is_below && join::is_word_for_cases(&name))
            || base.join(".git").exists()
            || above.parent().is_none()
        {
            break;
        }
        base = above;
    }
    base.to_path_buf()
}
