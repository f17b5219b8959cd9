//! The stored table, and how it differs from what is seen now.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::behaviour::observed::Observed;
use crate::files::{read, write};

const FOLDER: &str = "harness/behaviour/table";

/// What one language does, with the version that did it.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct LanguageTable {
    /// As `rejudge languages` shows it.
    pub(crate) version: String,
    pub(crate) cells: BTreeMap<String, Observed>,
}

fn file(language: &str) -> PathBuf {
    Path::new(FOLDER).join(language).with_extension("toml")
}

/// The table of a language in the repository at `root`; `None` if there is none.
pub(crate) fn load(root: &Path, language: &str) -> Result<Option<LanguageTable>> {
    let path = root.join(file(language));
    if !path.is_file() {
        return Ok(None);
    }
    let table = toml::from_str(&read(&path)?).with_context(|| path.display().to_string())?;
    Ok(Some(table))
}

/// The languages that have a table in the repository at `root`.
pub(crate) fn languages(root: &Path) -> Result<Vec<String>> {
    let mut ids = Vec::new();
    for entry in fs::read_dir(root.join(FOLDER)).context(FOLDER)? {
        let path = entry?.path();
        ids.extend(path.file_stem().and_then(OsStr::to_str).map(str::to_owned));
    }
    ids.sort_unstable();
    Ok(ids)
}

pub(crate) fn store(language: &str, table: &LanguageTable) -> Result<()> {
    let text = toml::to_string(table)?;
    write(&file(language), format!("# Written by `cargo xtask behaviour --update`.\n\n{text}"))
}

/// A line for each cell that differs in more than its figures.
pub(crate) fn differences(
    language: &str,
    stored: &BTreeMap<String, Observed>,
    seen: &BTreeMap<String, Observed>,
) -> Vec<String> {
    let mut names: Vec<&String> = stored.keys().chain(seen.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let differs = |name: &&String| {
        stored.get(*name).map(Observed::compared) != seen.get(*name).map(Observed::compared)
    };
    let shown = |cell: Option<&Observed>| {
        cell.map_or("nothing".to_owned(), |cell| {
            toml::to_string(&cell.compared()).unwrap_or_default()
        })
    };
    names
        .into_iter()
        .filter(differs)
        .map(|name| {
            let (stored, seen) = (shown(stored.get(name)), shown(seen.get(name)));
            format!("{language}.{name} differs. In the table:\n{stored}Now:\n{seen}")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::behaviour::observed::Stream;

    fn cells(exit: &str, cpu_seconds: f64) -> BTreeMap<String, Observed> {
        let cell = Observed {
            exit: exit.to_owned(),
            message: Stream::Stderr,
            verdict: Some("RTE".to_owned()),
            cpu_seconds: Some(cpu_seconds),
            ..Observed::default()
        };
        BTreeMap::from([("zero".to_owned(), cell)])
    }

    #[test]
    fn figures_do_not_count_and_everything_else_does() {
        let stored = cells("code 1", 1.0);
        assert!(differences("c", &stored, &cells("code 1", 9.0)).is_empty());
        let found = differences("c", &stored, &cells("code 2", 1.0));
        assert!(found.len() == 1 && found[0].starts_with("c.zero differs"), "{found:?}");
        assert_eq!(differences("c", &stored, &BTreeMap::new()).len(), 1);
        assert_eq!(differences("c", &BTreeMap::new(), &stored).len(), 1);
    }

    #[test]
    fn a_table_is_what_was_stored() {
        let table = LanguageTable { version: "1".to_owned(), cells: cells("signal 6", 0.5) };
        let text = toml::to_string(&table).expect("a table");
        assert_eq!(toml::from_str::<LanguageTable>(&text).expect("a table"), table);
    }
}
