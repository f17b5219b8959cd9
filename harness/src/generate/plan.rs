//! The plan: every case of a package, and the programs and texts that create it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::recipe::{InputSource, Recipe};
use super::{FILE, reader};
use crate::notice::{Notice, Notices};
use crate::plain_file;
use crate::problem::{TestCase, planned};

/// All cases in a package's `generators.yaml`, in its order.
#[derive(Debug, Clone)]
pub(crate) struct GenerationPlan {
    /// The package's folder.
    pub(crate) dir: PathBuf,
    /// The package's name, which is that of its folder.
    pub(crate) id: String,
    /// The cases.
    pub(crate) cases: Vec<Recipe>,
    /// The cases as they will be judged, by name.
    judged: BTreeMap<String, TestCase>,
}

impl GenerationPlan {
    /// Reads the plan of the package in `dir`; `None` if `generators.yaml` has errors, which are
    /// added to `notices`.
    pub(crate) fn read(dir: &Path, notices: &mut Notices) -> Option<Self> {
        let path = dir.join(FILE);
        let text = match plain_file::read_text(&path) {
            Ok(text) => text,
            Err(error) => {
                notices.error(Notice::unreadable(&notices.show(&path), &error));
                return None;
            }
        };
        let cases = reader::read(dir, &text, notices)?;
        let faults = notices.errors.len();
        let names = cases.iter().map(|case| case.name.as_str());
        let judged = planned(dir, names, notices);
        if notices.errors.len() > faults {
            return None;
        }
        let id = dir.file_name().unwrap_or(dir.as_os_str());
        Some(Self {
            dir: dir.to_path_buf(),
            id: id.to_string_lossy().into_owned(),
            cases,
            judged,
        })
    }

    /// The case as it will be judged.
    pub(super) fn judged(&self, case: &Recipe) -> &TestCase {
        let judged = self.judged.get(&case.name);
        judged.expect("every case of the plan has its settings")
    }

    /// The commands of generators, as they are written.
    pub(crate) fn commands(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().filter_map(|case| match &case.input {
            InputSource::Generated(command) => Some(command.shown.as_str()),
            InputSource::Text(_) | InputSource::Copy(_) => None,
        })
    }

    /// Whether the package in `dir` has a `generators.yaml`.
    pub(crate) fn is_in(dir: &Path) -> bool {
        dir.join(FILE).is_file()
    }
}
