//! What no program can measure: which pages there are, and why a language has no program for a cell.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;

use crate::files::read;

const FILE: &str = "harness/behaviour/notes.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Notes {
    pub(crate) page: Vec<FamilyPage>,
    pub(crate) languages: BTreeMap<String, LanguageNotes>,
}

/// A page of the guide.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FamilyPage {
    /// The name of the file without its extension.
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) languages: Vec<String>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(crate) struct LanguageNotes {
    /// Why there is no program, by cell: the language has no such thing, or the runtime itself crashes.
    #[serde(default)]
    pub(crate) absent: BTreeMap<String, String>,
}

/// The notes in the repository at `root`.
pub(crate) fn load(root: &Path) -> Result<Notes> {
    toml::from_str(&read(&root.join(FILE))?).context(FILE)
}
