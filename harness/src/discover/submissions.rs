//! Adds a submission with its expectation: from the name of its folder, from a comment in its text, from
//! `submissions.yaml`.

use std::path::{Path, PathBuf};

use super::CasesBy;
use super::metadata::{self, FILE_NAME, Metadata, SubmissionSettings};
use super::source_files::{LANGUAGES_HELP, read_source};
use super::{ExpectedBy, Finder, SubmissionReasons};
use crate::expectation::tags::{self, BrokenTag};
use crate::expectation::{Expectation, Rule, VerdictFolder};
use crate::notice::{Code, Place};
use crate::problem::{Format, Problem};
use crate::submission::{self, FileNames, Submission};

/// Folders in which `@EXPECTED_RESULTS@` is ignored, because the folder decides.
const STANDARD: [VerdictFolder; 4] = [
    VerdictFolder::Accepted,
    VerdictFolder::WrongAnswer,
    VerdictFolder::TimeLimit,
    VerdictFolder::RunTimeError,
];

/// A submission that was found.
pub(super) struct FoundSubmission<'a> {
    pub(super) path: &'a Path,
    pub(super) id: &'a str,
    /// The verdict folder that contains the submission, if there is one.
    pub(super) folder: Option<&'a str>,
    pub(super) language: &'a str,
    /// Why its cases belong to it, if the folders told that.
    pub(super) cases: Option<CasesBy>,
}

impl Finder<'_> {
    /// Adds a program of several files in a verdict folder.
    pub(super) fn source_folder(&mut self, dir: &Path, id: &str, folder: Option<&str>) {
        if !self.submissions.begin(dir) {
            return;
        }
        let files = self.entries_where(dir, Path::is_file);
        let mut languages: Vec<String> = Vec::new();
        let mut texts = Vec::new();
        for path in files {
            let Some(language) = self.language(&path) else {
                continue;
            };
            let Some(text) = read_source(&path, &mut self.notices) else {
                return;
            };
            texts.push((path, text));
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
        // The compiler of C++ compiles both.
        if languages.len() == 2 && languages.iter().all(|one| one == "c" || one == "cpp") {
            languages.retain(|one| one == "cpp");
        }
        let settings = self.expectation_and_settings(dir, id, folder).map(|(_, settings)| settings);
        let named = settings.and_then(|settings| settings.language);
        let language = match (named, languages.as_slice()) {
            (Some(named), _) => named,
            (None, [only]) => only.clone(),
            (None, found) => {
                let shown = self.notices.show(dir);
                if found.is_empty() {
                    let what =
                        format!("{shown} has no source of a known language; it is not judged");
                    self.notices
                        .warn_help(Code::UnknownLanguage.says(what).about(&shown), LANGUAGES_HELP);
                } else {
                    languages.sort();
                    let what = format!("{shown} has sources in {}", languages.join(" and "));
                    self.notices.error_help(
                        Code::Conflict.says(what).about(&shown),
                        "set its language in `submissions.yaml`: `language: ...`",
                    );
                }
                return;
            }
        };
        let source = FoundSubmission { path: dir, id, folder, language: &language, cases: None };
        self.submit(&source, &texts);
    }

    /// Adds a folder that is named on the command line and lies in a verdict folder.
    pub(super) fn program_in_folder(&mut self, dir: &Path, id: &str) {
        let above = dir.parent().and_then(Path::file_name).unwrap_or_default();
        let above = above.to_string_lossy().into_owned();
        if self.is_for_answers(id) {
            self.answers(dir, id, Some(&above));
        } else {
            self.source_folder(dir, id, Some(&above));
        }
    }

    /// Whether submissions for this problem are answers instead of programs.
    pub(super) fn is_for_answers(&self, id: &str) -> bool {
        self.problem_of(id).is_some_and(|problem| problem.kind.submit_answer)
    }

    /// Adds answers, which are a file or a folder.
    pub(super) fn answers(&mut self, path: &Path, id: &str, folder: Option<&str>) {
        if self.submissions.begin(path) {
            let source =
                FoundSubmission { path, id, folder, language: submission::ANSWERS, cases: None };
            self.submit(&source, &[]);
        }
    }

    /// Adds a submission whose files have these texts.
    pub(super) fn submit(&mut self, source: &FoundSubmission<'_>, texts: &[(PathBuf, Vec<u8>)]) {
        let FoundSubmission { path, id, folder, .. } = *source;
        let Some((mut expected, settings)) = self.expectation_and_settings(path, id, folder) else {
            return;
        };
        let mut stated = match folder {
            _ if settings.covered => ExpectedBy::Settings,
            Some(_) => ExpectedBy::Folder,
            None => ExpectedBy::Default,
        };
        let named = folder.and_then(VerdictFolder::of_name);
        let with_results = !named.is_some_and(|folder| STANDARD.contains(&folder));
        let mut scores = Vec::new();
        for (path, text) in texts {
            match tags::stated(text, with_results) {
                Ok(tagged) => {
                    if let Some(results) = tagged.results {
                        expected = Expectation::of_results(&results);
                        if self.is_legacy(id) {
                            expected = expected.of_outcome_only();
                        }
                        stated = ExpectedBy::Header;
                    }
                    scores.extend(tagged.score);
                }
                Err(BrokenTag { line, why }) => {
                    let at = self.notices.show_at(path, Place { line, column: 1 });
                    let help = why.help();
                    let notice = Code::InvalidValue.at(&at, why);
                    self.notices.error_help(notice, help);
                    return;
                }
            }
        }
        expected.rules.extend(scores.into_iter().map(|score| Rule::of_score((score, score))));
        let (named, entrypoint) = (settings.language.clone(), settings.entrypoint.clone());
        let expected = settings.merge_into(expected);
        if let Some(problem) = self.problem_of(id)
            && let Some(why) = metadata::contradiction(&expected, problem)
        {
            let shown = self.notices.show(path);
            self.notices.error(Code::Conflict.at(&shown, why));
            return;
        }
        let problem = self.problem_of(id);
        let text = match texts {
            [(_, text)] => text.as_slice(),
            _ => &[],
        };
        let files =
            problem.map_or_else(FileNames::default, |problem| FileNames::of(problem, path, text));
        let reasons = SubmissionReasons { cases: source.cases, expected: stated };
        let by_text = match texts {
            [(_, text)] => {
                path.extension().and_then(|end| (self.request.language_of_text)(end, text))
            }
            _ => None,
        };
        let submission = Submission {
            path: path.to_path_buf(),
            name: self.notices.show(path),
            problem: id.to_owned(),
            language: named.or(by_text).unwrap_or_else(|| source.language.to_owned()),
            entrypoint,
            expected,
            files,
        };
        self.submissions.add(submission, reasons);
    }

    pub(super) fn problem_of(&self, id: &str) -> Option<&Problem> {
        self.problems.of_id(id)
    }

    /// Whether the problem is a package of the legacy format.
    fn is_legacy(&self, id: &str) -> bool {
        let problem = self.problem_of(id);
        problem.is_some_and(|problem| problem.is_package && problem.format == Format::Legacy)
    }

    /// The expectation of a folder, adjusted to the problem's format and scoring.
    fn as_judged(&self, mut expected: Expectation, id: &str) -> Expectation {
        if self.is_legacy(id) {
            expected = expected.under_legacy();
        }
        let Some(problem) = self.problem_of(id) else {
            return expected;
        };
        if problem.is_graded() {
            expected = expected.by_outcome();
        }
        if problem.kind.scoring {
            expected = expected.of_scores();
        }
        expected
    }

    /// The folder of submissions that contains `path`, and that may contain a `submissions.yaml`.
    fn submissions_root(&self, path: &Path, id: &str) -> Option<PathBuf> {
        let dir = self.problems.place_of(&self.problems.entry(id)?.key);
        let in_package = |rest: &Path| rest.starts_with("submissions");
        if path.strip_prefix(&dir).is_ok_and(in_package) {
            return Some(dir.join("submissions"));
        }
        let solutions = self.request.repository.map(|r| r.solutions().join(id));
        solutions.filter(|root| path.starts_with(root))
    }

    /// The `submissions.yaml` of a folder of submissions.
    fn metadata(&mut self, root: &Path, id: &str) -> &Metadata {
        let problem = self.problems.of_id(id);
        self.metadata.of(root, problem, self.request.language_of, &mut self.notices)
    }

    /// Whether `submissions.yaml` has an entry for this folder, whose name is not that of a
    /// verdict.
    pub(super) fn is_covered_by_metadata(&mut self, dir: &Path, id: &str) -> bool {
        let Some(root) = self.submissions_root(dir, id) else {
            return false;
        };
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        dir.parent() == Some(&root) && self.metadata(&root, id).has_entries_in(&name)
    }

    /// The expectation of a submission's folder, and the settings of `submissions.yaml` for the
    /// submission.
    fn expectation_and_settings(
        &mut self,
        path: &Path,
        id: &str,
        folder: Option<&str>,
    ) -> Option<(Expectation, SubmissionSettings)> {
        let root = self.submissions_root(path, id);
        let settings = match &root {
            None => SubmissionSettings::default(),
            Some(root) => {
                let below = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
                self.metadata(root, id).of(&below, folder)
            }
        };
        let expected = match folder {
            None if settings.covered => Expectation::bare(FILE_NAME),
            None => self.as_judged(Expectation::accepted(), id),
            Some(name) => match Expectation::of_folder(name) {
                Some(expected) => self.as_judged(expected, id),
                None if settings.covered || self.is_inside_package(path, id) => {
                    Expectation::bare(name)
                }
                None => {
                    let shown = self.notices.show(path);
                    self.notices.error_help(
                        Code::UnknownVerdict.of_file(&shown, "has no expected verdict"),
                        "move it to a verdict folder, or add a glob to `submissions.yaml`",
                    );
                    return None;
                }
            },
        };
        Some((expected, settings))
    }
}
