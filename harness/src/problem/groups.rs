//! The settings of groups and cases: `test_group.yaml`, legacy `testdata.yaml`, `<case>.yaml`.
//!
//! Only the validator's arguments matter to pass-fail problems. A folder that sets none has those
//! of the folder above it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::CaseSet;
use super::settings::read_yaml;
use super::validator::Origin;
use super::yaml::{Value, words};
use crate::checker::CheckerSpec;
use crate::notice::Notices;

/// The sets of cases of a package, by folder.
pub(super) struct Groups<'a> {
    root: &'a Path,
    origin: &'a Origin,
    plain: Arc<CaseSet>,
    by_folder: BTreeMap<String, Arc<CaseSet>>,
}

impl<'a> Groups<'a> {
    /// Reads the settings of `folders` (relative to `root`, the package's `data/`).
    pub(super) fn read(
        root: &'a Path,
        folders: &[String],
        origin: &'a Origin,
        notices: &mut Notices,
    ) -> Self {
        let mut groups = Self {
            root,
            origin,
            plain: set(root, None),
            by_folder: BTreeMap::new(),
        };
        for folder in folders {
            for name in ["test_group.yaml", "testdata.yaml"] {
                let path = root.join(folder).join(name);
                if path.is_file()
                    && let Some(checker) = groups.checker_in(&path, notices)
                {
                    groups
                        .by_folder
                        .insert(folder.clone(), set(root, Some(checker)));
                }
            }
        }
        groups
    }

    /// The set of the cases directly in `folder`.
    pub(super) fn of_folder(&self, folder: &str) -> &Arc<CaseSet> {
        if self.by_folder.is_empty() {
            return &self.plain;
        }
        let mut folder = folder;
        loop {
            if let Some(set) = self.by_folder.get(folder) {
                return set;
            }
            if folder.is_empty() {
                return &self.plain;
            }
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }

    /// The set of one case that has a `<case>.yaml`.
    pub(super) fn of_case(&self, name: &str, folder: &str, notices: &mut Notices) -> Arc<CaseSet> {
        let path = self.root.join(format!("{name}.yaml"));
        match self.checker_in(&path, notices) {
            Some(checker) => set(self.root, Some(checker)),
            None => Arc::clone(self.of_folder(folder)),
        }
    }

    /// The checker with the arguments that a settings file gives, if it gives any.
    fn checker_in(&self, path: &Path, notices: &mut Notices) -> Option<CheckerSpec> {
        let root = read_yaml(path, notices)?;
        let entries = match root.value {
            Value::Map(entries) => entries,
            Value::Null => return None,
            other => {
                notices.error(format!(
                    "{}: expected a table of keys, got {}",
                    notices.show_at(path, root.place),
                    other.kind()
                ));
                return None;
            }
        };
        let (key, node) = entries.iter().find(|(key, _)| {
            matches!(
                key.name.as_str(),
                "output_validator_args" | "output_validator_flags"
            )
        })?;
        let args = match words(node) {
            Ok(args) => args,
            Err((place, got)) => {
                notices.error(format!(
                    "{}: `{}` must be a text or a list of texts, got {got}",
                    notices.show_at(path, place),
                    key.name
                ));
                return None;
            }
        };
        match self.origin.with_args(&args) {
            Ok(checker) => Some(checker),
            Err(message) => {
                notices.error(format!(
                    "{}: `{}`: {message}",
                    notices.show_at(path, node.place),
                    key.name
                ));
                None
            }
        }
    }
}

fn set(root: &Path, checker: Option<CheckerSpec>) -> Arc<CaseSet> {
    Arc::new(CaseSet {
        root: root.to_path_buf(),
        input: ".in",
        answer: Some(".ans"),
        checker,
    })
}
