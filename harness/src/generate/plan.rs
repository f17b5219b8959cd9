//! The plan: every case of a package, and the programs and texts that create it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::reader::GenerationRules;
use super::recipe::{GroupFile, Recipe};
use super::{FILE, reader};
use crate::notice::{Notice, Notices};
use crate::plain_file;
use crate::problem::{TestCase, kind_in, planned};

/// All cases in a package's `generators.yaml`.
#[derive(Debug, Clone)]
pub(crate) struct GenerationPlan {
    /// The package's folder.
    pub(crate) dir: PathBuf,
    /// The package's name, which is that of its folder.
    pub(crate) id: String,
    /// The cases.
    pub(crate) cases: Vec<Recipe>,
    /// The settings of folders.
    pub(crate) groups: Vec<GroupFile>,
    /// The folders in `data/` that it describes.
    pub(crate) places: BTreeSet<String>,
    /// Whether some rules have faults, so that their cases are missing.
    pub(crate) is_partial: bool,
    /// The cases as they will be judged, by name.
    judged: BTreeMap<String, TestCase>,
}

impl GenerationPlan {
    /// Reads the plan of the package in `dir`; `None` if nothing in `generators.yaml` can be read. Faults are added to
    /// `notices`; the cases without faults are in the plan.
    pub(crate) fn read(dir: &Path, notices: &mut Notices) -> Option<Self> {
        let path = dir.join(FILE);
        let text = match plain_file::read_text(&path) {
            Ok(text) => text,
            Err(error) => {
                notices.error(Notice::unreadable(&notices.show(&path), &error));
                return None;
            }
        };
        let GenerationRules { cases, groups, places, faults } =
            reader::read(dir, kind_in(dir), &text, notices)?;
        let id = dir.file_name().unwrap_or(dir.as_os_str());
        Some(Self {
            dir: dir.to_path_buf(),
            id: id.to_string_lossy().into_owned(),
            cases,
            groups,
            places,
            is_partial: faults > 0,
            judged: BTreeMap::new(),
        })
    }

    /// Reads the settings with which the cases will be judged, from files that the plan may have made before.
    pub(crate) fn read_settings(&mut self, notices: &mut Notices) {
        let names = self.cases.iter().map(|case| case.name.as_str());
        self.judged = planned(&self.dir, names, notices);
    }

    /// The case as it will be judged.
    pub(super) fn judged(&self, case: &Recipe) -> &TestCase {
        let judged = self.judged.get(&case.name);
        judged.expect("the settings of every case were read")
    }

    /// The commands of generators, as they are written.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &str> {
        let first = self.cases.iter().filter_map(|case| case.attempts.first());
        first.map(|command| command.shown.as_str())
    }

    /// Whether the package in `dir` has a `generators.yaml`.
    pub(crate) fn is_in(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }
}
