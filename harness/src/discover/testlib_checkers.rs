//! Checkers that are written with testlib and lie next to solutions outside packages: they check the outputs, because a
//! comparison of tokens would reject right answers.
//!
//! What is chosen on purpose wins: `--checker`, and `checker` in `rejudge.toml`. Where it is not clear which checker is meant,
//! nothing is guessed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::Request;
use super::left_over::report_helpers;
use super::not_judged::LeftOvers;
use super::problem_table::ProblemTable;
use super::source_texts::SourceTexts;
use super::submission_table::SubmissionTable;
use crate::beside::TestlibRole;
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Notices};
use crate::problem::{Problem, repository_of};
use crate::shell::shell_word;

/// The checkers of the problems with these places in the list.
type CheckersOf = BTreeMap<usize, Vec<PathBuf>>;

/// What the search for checkers reads and changes.
pub(super) struct CheckerSearch<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) texts: &'a SourceTexts,
    pub(super) problems: &'a mut ProblemTable,
    pub(super) submissions: &'a mut SubmissionTable,
    pub(super) left_overs: &'a mut LeftOvers,
    pub(super) notices: &'a mut Notices,
}

impl CheckerSearch<'_> {
    /// Lets each problem without a checker of its own use the one next to it, and reports all others as helpers.
    pub(super) fn use_all(&mut self) {
        let folders = if self.request.read_options.checked {
            BTreeMap::new()
        } else {
            self.folders_of_plain_problems()
        };
        let mut checkers = CheckersOf::new();
        for (folder, problems) in folders {
            for checker in self.checkers_in(&folder) {
                match self.checked_by(&checker, &problems) {
                    Some(at) => checkers.entry(at).or_default().push(checker),
                    None => self.report_shared(&checker),
                }
            }
        }
        for (at, found) in checkers {
            self.use_checker(at, &found);
        }
        let others: Vec<PathBuf> =
            std::mem::take(&mut self.left_overs.checkers).into_iter().collect();
        report_helpers(&others, self.notices);
    }

    /// By folder: the problems that nothing describes and that have solutions or cases there.
    fn folders_of_plain_problems(&self) -> BTreeMap<PathBuf, BTreeSet<usize>> {
        let mut folders: BTreeMap<PathBuf, BTreeSet<usize>> = BTreeMap::new();
        let mut plain = BTreeMap::new();
        for (at, entry) in self.problems.entries.iter().enumerate() {
            let Some(problem) = &entry.problem else { continue };
            if self.may_have_checker(problem) {
                plain.insert(problem.id.as_str(), at);
                folders.entry(problem.dir.clone()).or_default().insert(at);
            }
        }
        for submission in &self.submissions.found {
            if let Some(at) = plain.get(submission.problem.as_str())
                && let Some(folder) = submission.path.parent()
            {
                folders.entry(folder.to_path_buf()).or_default().insert(*at);
            }
        }
        folders
    }

    fn may_have_checker(&self, problem: &Problem) -> bool {
        let is_set = self
            .request
            .repository
            .is_some_and(|repository| !matches!(repository.checker_for(problem), Ok(None)));
        !is_set
            && problem.checker == CheckerSpec::default()
            && !problem.is_interactive()
            && !Problem::is_described_in(&problem.dir)
    }

    /// The checkers in a folder that are not judged as solutions.
    fn checkers_in(&self, folder: &Path) -> Vec<PathBuf> {
        let language_of = self.request.language_of;
        let is_cpp = |path: &Path| {
            let language = path.extension().and_then(language_of);
            language.is_some_and(|language| language == "cpp")
        };
        // What cannot be read there was reported with the solutions.
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        // Most files of such a folder are cases: their names decide first.
        let paths = entries.map(|entry| entry.path());
        let mut found: Vec<PathBuf> = paths.filter(|path| is_cpp(path)).collect();
        found.sort();
        let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let bounds = repository_of(&real);
        found.retain(|path| {
            let target = path.canonicalize();
            target.is_ok_and(|target| target.is_file() && target.starts_with(bounds))
                && !self.submissions.has(path)
                && self.texts.testlib_role(path) == Some(TestlibRole::Checker)
        });
        found
    }

    /// Which of the problems a checker in their folder belongs to: the only one, or the one whose name is in the checker's.
    fn checked_by(&self, checker: &Path, problems: &BTreeSet<usize>) -> Option<usize> {
        let mut all = problems.iter().copied();
        if let (Some(only), None) = (all.next(), all.next()) {
            return Some(only);
        }
        let stem = checker.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        let words: Vec<&str> = stem.split(|c: char| !c.is_alphanumeric()).collect();
        let is_named = |at: &&usize| {
            let problem = self.problems.entries[**at].problem.as_ref();
            let id = problem.map(|problem| problem.id.to_lowercase());
            let name = id.as_deref().and_then(|id| id.rsplit('/').next());
            name.is_some_and(|name| words.contains(&name))
        };
        let mut named = problems.iter().filter(is_named);
        match (named.next(), named.next()) {
            (Some(one), None) => Some(*one),
            _ => None,
        }
    }

    fn use_checker(&mut self, at: usize, found: &[PathBuf]) {
        for path in found {
            self.left_overs.checkers.remove(path);
        }
        let shown: Vec<String> = found.iter().map(|path| self.notices.show(path)).collect();
        let Some(problem) = &mut self.problems.entries[at].problem else {
            return;
        };
        let id = problem.id.clone();
        if let [one] = found {
            problem.set_checker(CheckerSpec::Testlib { source: one.clone() });
            self.notices.warn_help(
                Code::NotJudged
                    .says(format!("the testlib checker {} checks the outputs of `{id}`", shown[0])),
                "choose another checker with `--checker`, for example `--checker tokens`",
            );
            return;
        }
        self.problems.entries[at].problem = None;
        self.submissions.found.retain(|submission| submission.problem != id);
        self.notices.error_help(
            Code::Conflict
                .says(format!("`{id}` has several testlib checkers: {}", shown.join(", "))),
            format!("choose one: `--checker testlib:{}`", shell_word(&shown[0])),
        );
    }

    fn report_shared(&mut self, checker: &Path) {
        self.left_overs.checkers.remove(checker);
        let shown = self.notices.show(checker);
        self.notices.warn_help(
            Code::NotJudged.says(format!(
                "the testlib checker {shown} lies next to the solutions of several problems and checks none of them"
            )),
            format!("name the solution of its problem: `rejudge SOLUTION --checker testlib:{}`", shell_word(&shown)),
        );
    }
}
