//! The problem packages in which the programs are judged: one for each cell, with a submission for each language.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::behaviour::cells::{Cell, EMPTY, Wrapper};
use crate::behaviour::languages::KnownLanguage;
use crate::files::write;

/// The folder of our programs: `LANGUAGE/PROGRAM.EXTENSION`.
const PROGRAMS: &str = "harness/behaviour/programs";

/// Whether there are programs of ours in a language.
pub(crate) fn has_programs(language: &str) -> bool {
    Path::new(PROGRAMS).join(language).is_dir()
}

/// A language that is measured.
pub(crate) struct Measured<'a> {
    pub(crate) id: &'a str,
    pub(crate) known: &'a KnownLanguage,
    /// The cells that stay empty, with the reasons.
    pub(crate) absent: Option<&'a BTreeMap<String, String>>,
}

impl Measured<'_> {
    fn program(&self, name: &str) -> Option<PathBuf> {
        let names = self.known.extensions.iter().map(|end| format!("{name}.{end}"));
        names.map(|name| Path::new(PROGRAMS).join(self.id).join(name)).find(|path| path.is_file())
    }

    /// The source for a cell, if the language has one.
    pub(crate) fn source(&self, cell: &Cell) -> Result<Option<Vec<u8>>> {
        if self.absent.is_some_and(|absent| absent.contains_key(cell.id)) {
            return Ok(None);
        }
        if cell.program == EMPTY {
            return Ok(Some(self.known.hello.clone().into_bytes()));
        }
        let Some(path) = self.program(cell.program) else {
            return Ok(None);
        };
        let text = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(Some(text))
    }
}

/// The folders of repositories that [`write_all`] makes: one for programs as they are, and one for each wrapper, because the
/// settings of a repository say how its languages are run.
pub(crate) const REPOSITORIES: [(&str, Option<Wrapper>); 3] = [
    ("plain", None),
    ("closed", Some(Wrapper::ClosedOutput)),
    ("threads", Some(Wrapper::CountedThreads)),
];

/// Writes the repositories to a folder.
pub(crate) fn write_all(folder: &Path, languages: &[Measured], cells: &[&Cell]) -> Result<()> {
    for (name, wrapper) in REPOSITORIES {
        let repository = folder.join(name);
        for cell in cells.iter().filter(|cell| cell.wrapper == wrapper) {
            write_package(&repository.join(cell.id), cell, languages)?;
        }
        let settings = wrapper.map_or(String::new(), |wrapper| settings(wrapper, languages));
        write(&repository.join("rejudge.toml"), settings)?;
    }
    Ok(())
}

fn write_package(folder: &Path, cell: &Cell, languages: &[Measured]) -> Result<()> {
    let yaml = format!(
        "problem_format_version: 2025-09\nname: {}\nlimits:\n  time_limit: {}\n  memory: {}\n",
        cell.id, cell.time_limit, cell.memory_mib
    );
    write(&folder.join("problem.yaml"), yaml)?;
    write(&folder.join("data/secret/1.in"), (cell.input)())?;
    let answer = cell.answer.map_or(b"no answer is right\n".to_vec(), |answer| answer());
    write(&folder.join("data/secret/1.ans"), answer)?;
    for language in languages {
        if let Some(source) = language.source(cell)? {
            // A program called `ada` would be the package of that name.
            let name = format!("in_{}.{}", language.id, language.known.extensions[0]);
            write(&folder.join("submissions/accepted").join(name), source)?;
        }
    }
    Ok(())
}

fn settings(wrapper: Wrapper, languages: &[Measured]) -> String {
    let mut settings = toml::Table::new();
    for language in languages {
        let start = ["bash", "-c", wrapper.script(), "behaviour"].map(str::to_owned);
        let run = start.into_iter().chain(language.known.run.clone()).collect::<Vec<_>>();
        let mut keys = toml::Table::from_iter([("run".to_owned(), run.into())]);
        // `resolve` stays only where a command of the language starts with its program.
        if let Some(first) = language.known.resolve.first() {
            keys.insert("debug".to_owned(), vec![first.clone()].into());
        }
        settings.insert(language.id.to_owned(), keys.into());
    }
    toml::Table::from_iter([("languages".to_owned(), settings.into())]).to_string()
}
