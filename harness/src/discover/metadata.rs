//! `submissions/submissions.yaml`: a package's expectations of its submissions, by globs.
//!
//! Format: 2025-09. This module reads them and merges them with the expectations of the folders.
//! The judge compares them with the results.

use std::path::{Path, PathBuf};

use super::Finder;
use crate::expectation::glob::Glob;
use crate::expectation::{Expectation, Rule};
use crate::problem::Problem;

mod reader;

use reader::read;

/// The file name.
pub(super) const FILE_NAME: &str = "submissions.yaml";

/// The file's contents.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    entries: Vec<Entry>,
}

/// The entry of one glob.
#[derive(Debug)]
struct Entry {
    glob: Glob,
    language: Option<String>,
    entrypoint: Option<String>,
    /// The expectations that concern all cases.
    rule: Rule,
    /// The expectations that concern some of the cases.
    parts: Vec<Rule>,
}

/// What the file sets for one submission.
#[derive(Debug, Default)]
pub(super) struct SubmissionSettings {
    pub(super) language: Option<String>,
    pub(super) entrypoint: Option<String>,
    /// Whether any glob covers the submission.
    pub(super) covered: bool,
    rules: Vec<Rule>,
    /// The rule that overrides the folder's own rule, key by key.
    replaced: Option<Rule>,
}

impl Metadata {
    /// Whether a glob may cover something in the folder called `name`.
    pub(super) fn has_entries_in(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.glob.reaches_into(name))
    }

    /// The settings for the submission at `path`, relative to the folder of submissions.
    pub(super) fn of(&self, path: &str, folder: Option<&str>) -> SubmissionSettings {
        let mut settings = SubmissionSettings::default();
        for entry in self.entries.iter().filter(|entry| entry.glob.covers(path)) {
            settings.covered = true;
            settings.language = entry.language.clone().or(settings.language);
            settings.entrypoint = entry.entrypoint.clone().or(settings.entrypoint);
            if Some(entry.glob.text()) == folder {
                settings.replaced = Some(entry.rule.clone());
            } else if sets_anything(&entry.rule) {
                settings.rules.push(entry.rule.clone());
            }
            settings.rules.extend(entry.parts.iter().cloned());
        }
        settings
    }
}

fn sets_anything(rule: &Rule) -> bool {
    rule.permitted.is_some()
        || !rule.required.is_empty()
        || rule.score.is_some()
        || rule.message.is_some()
        || rule.bound.is_some()
}

impl SubmissionSettings {
    /// Merges the settings with the folder's expectation.
    pub(super) fn merge_into(self, mut expected: Expectation) -> Expectation {
        if let Some(over) = self.replaced
            && sets_anything(&over)
        {
            if expected.rules.is_empty() {
                expected.rules.push(Rule::default());
            }
            let base = &mut expected.rules[0];
            base.origin = over.origin;
            base.permitted = over.permitted.or(base.permitted.take());
            if !over.required.is_empty() {
                base.required = over.required;
            }
            base.score = over.score.or(base.score);
            base.message = over.message.or(base.message.take());
            base.bound = over.bound.or(base.bound);
        }
        expected.rules.extend(self.rules);
        expected
    }
}

/// Describes two rules of a submission that cannot both hold on some case.
pub(super) fn contradiction(expected: &Expectation, problem: &Problem) -> Option<String> {
    let origin = |rule: &Rule| rule.origin.clone().unwrap_or_else(|| "its folder".to_owned());
    for (index, one) in expected.rules.iter().enumerate() {
        for other in &expected.rules[index + 1..] {
            let (Some(a), Some(b)) = (&one.permitted, &other.permitted) else {
                continue;
            };
            if a.iter().any(|verdict| b.contains(verdict)) {
                continue;
            }
            let both = |name: &str| one.covers(name) && other.covers(name);
            if let Some(case) = problem.cases.iter().find(|case| both(case.name())) {
                return Some(format!(
                    "no verdict on `{}` satisfies both {} and {}",
                    case.name(),
                    origin(one),
                    origin(other)
                ));
            }
        }
    }
    None
}

impl Finder<'_> {
    /// The folder of submissions that contains `path`, and that may contain a `submissions.yaml`.
    pub(super) fn submissions_root(&self, path: &Path, id: &str) -> Option<PathBuf> {
        let (named, _) = &self.problems[*self.by_id.get(id)?];
        let dir = self.place_of(named);
        let in_package = |rest: &Path| rest.starts_with("submissions");
        if path.strip_prefix(&dir).is_ok_and(in_package) {
            return Some(dir.join("submissions"));
        }
        let solutions = self.request.repository.map(|r| r.solutions().join(id));
        solutions.filter(|root| path.starts_with(root))
    }

    /// The `submissions.yaml` of a folder of submissions. It is read only once.
    pub(super) fn metadata(&mut self, root: &Path, id: &str) -> &Metadata {
        if !self.metadata.contains_key(root) {
            let path = root.join(FILE_NAME);
            let at = self.by_id.get(id);
            let problem = at.and_then(|at| self.problems[*at].1.as_ref());
            let metadata = match problem {
                Some(problem) if path.symlink_metadata().is_ok() => {
                    read(&path, problem, self.request.language_of, &mut self.notices)
                }
                _ => Metadata::default(),
            };
            self.metadata.insert(root.to_path_buf(), metadata);
        }
        &self.metadata[root]
    }
}

#[cfg(test)]
mod tests;
