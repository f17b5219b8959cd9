//! Finds stored files that no rule makes, and removes them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::super::plan::GenerationPlan;
use super::super::recipe::{IMAGES, TEXTS};
use super::CaseStore;
use crate::file_error::FileError;
use crate::left_behind::remove_beneath;
use crate::problem::is_ignored;

/// Stored cases, and files of cases, that the plan does not make.
#[derive(Debug, Default)]
pub(crate) struct Unknown {
    /// Files in `data/sample`, `data/secret`, and the other folders of the plan, in order.
    pub(crate) files: Vec<PathBuf>,
    /// Names in `large.toml`.
    pub(crate) listed: Vec<String>,
}

impl CaseStore {
    /// Finds stored cases that `plan` does not know, and files of its cases that no rule makes. Files of a case that
    /// was not made now stay unmentioned, and so do files that only other tools make.
    pub(crate) fn unknown(&self, plan: &GenerationPlan) -> Unknown {
        let known: BTreeSet<&str> = plan.cases.iter().map(|case| case.name.as_str()).collect();
        let data = self.dir.join("data");
        let mut files = Vec::new();
        let always = ["sample", "secret"].into_iter();
        let places: BTreeSet<&str> = always.chain(plan.places.iter().map(String::as_str)).collect();
        for place in places {
            let walk = WalkDir::new(data.join(place)).sort_by_file_name().into_iter();
            let seen = walk.filter_entry(|e| !is_ignored(&e.file_name().to_string_lossy()));
            for entry in seen.flatten() {
                let Some((stem, ending)) = case_of(&data, entry.path()) else {
                    continue;
                };
                let is_unknown = if known.contains(stem.as_str()) {
                    let was_made = ["in", "in.statement", "interaction"]
                        .iter()
                        .any(|ending| self.made.contains(&self.file(&stem, ending)));
                    was_made && ending != "interaction" && !self.made.contains(entry.path())
                } else {
                    true
                };
                if is_unknown {
                    files.push(entry.into_path());
                }
            }
        }
        let listed = self.now.keys().filter(|name| !known.contains(name.as_str()));
        Unknown { listed: listed.cloned().collect(), files }
    }

    /// Removes files of the package, and the settings and images of the cases whose inputs are among them; returns
    /// those that were removed.
    pub(crate) fn remove(&self, files: &[PathBuf]) -> Result<Vec<PathBuf>, FileError> {
        let is_made = |stem: &&str| {
            let mut endings = TEXTS.into_iter();
            endings.any(|ending| self.made.contains(&PathBuf::from(format!("{stem}.{ending}"))))
        };
        let inputs = files
            .iter()
            .filter_map(|file| file.to_str()?.strip_suffix(".in"))
            .filter(|stem| !is_made(stem));
        let of_input = |stem| {
            let endings = IMAGES.into_iter().chain(["yaml"]);
            endings.map(move |ending| PathBuf::from(format!("{stem}.{ending}")))
        };
        let mut removed = Vec::new();
        for file in files.iter().cloned().chain(inputs.flat_map(of_input)) {
            let gone = remove_beneath(&self.dir, &self.below(&file));
            if gone.map_err(FileError::on("remove", &file))? {
                removed.push(file);
            }
        }
        Ok(removed)
    }
}

/// The case that a file belongs to and the file's ending, unless it contains settings.
fn case_of(data: &Path, file: &Path) -> Option<(String, &'static str)> {
    let relative = file.strip_prefix(data).ok()?.to_str()?;
    let mut endings = TEXTS.into_iter().filter(|ending| *ending != "yaml");
    endings.find_map(|ending| {
        let stem = relative.strip_suffix(ending)?.strip_suffix('.')?;
        Some((stem.to_owned(), ending))
    })
}
