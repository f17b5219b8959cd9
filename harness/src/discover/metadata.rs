//! `submissions/submissions.yaml`: a package's expectations of its submissions, by globs.
//!
//! Format: 2025-09. This module reads them and merges them with the expectations of the folders.
//! The judge compares them with the results.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::expectation::glob::Glob;
use crate::expectation::{Expectation, Rule};
use crate::notice::Notices;
use crate::problem::{LanguageOf, Problem};

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

/// The files `submissions.yaml`, each of which is read once.
#[derive(Debug, Default)]
pub(super) struct MetadataFiles {
    /// By folder of submissions.
    by_root: HashMap<PathBuf, Metadata>,
}

impl MetadataFiles {
    /// The file of a folder of submissions for this problem.
    pub(super) fn of(
        &mut self,
        root: &Path,
        problem: Option<&Problem>,
        language_of: LanguageOf<'_>,
        notices: &mut Notices,
    ) -> &Metadata {
        self.by_root.entry(root.to_path_buf()).or_insert_with(|| {
            let path = root.join(FILE_NAME);
            match problem {
                Some(problem) if path.symlink_metadata().is_ok() => {
                    read(&path, problem, language_of, notices)
                }
                _ => Metadata::default(),
            }
        })
    }
}

#[cfg(test)]
mod tests;
