//! The languages of rejudge, and what is installed.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::files::read;
use crate::process::{command, output};

const TABLE: &str = "harness/problem/src/languages.toml";

/// What `rejudge languages LANGUAGE` prints beyond the settings.
const KNOWLEDGE: &str = "harness/problem/src/language/elsewhere.toml";

/// What the table of languages has about one, as far as it is needed here.
#[derive(Deserialize)]
pub(crate) struct KnownLanguage {
    pub(crate) name: String,
    pub(crate) extensions: Vec<String>,
    pub(crate) run: Vec<String>,
    /// The command that finds the files of the language.
    #[serde(default)]
    pub(crate) resolve: Vec<String>,
    pub(crate) hello: String,
}

/// All languages in the table of the repository at `root`, by their names in settings.
pub(crate) fn known(root: &Path) -> Result<BTreeMap<String, KnownLanguage>> {
    toml::from_str(&read(&root.join(TABLE))?).context(TABLE)
}

/// What surprises in the languages, by their names in settings: sentences.
pub(crate) fn traps(root: &Path) -> Result<BTreeMap<String, Vec<String>>> {
    #[derive(Deserialize)]
    struct Knowledge {
        #[serde(default)]
        traps: Vec<String>,
    }
    let all: BTreeMap<String, Knowledge> =
        toml::from_str(&read(&root.join(KNOWLEDGE))?).context(KNOWLEDGE)?;
    Ok(all.into_iter().map(|(id, known)| (id, known.traps)).collect())
}

/// The versions of the installed languages.
pub(crate) fn installed(program: &Path) -> Result<BTreeMap<String, String>> {
    let lines = output(command(program).args(["languages", "--json", "-"]))?;
    let mut versions = BTreeMap::new();
    for line in lines.lines() {
        let row: Value = serde_json::from_str(line)?;
        if let (Some(id), Some(version)) = (row["id"].as_str(), row["version"].as_str()) {
            versions.insert(id.to_owned(), version.to_owned());
        }
    }
    Ok(versions)
}
