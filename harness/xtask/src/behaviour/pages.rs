//! The pages of the guide that show the table: one for each family of languages.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};

use crate::behaviour::cells::{CELLS, Cell, Wrapper, cell};
use crate::behaviour::languages::{self, KnownLanguage};
use crate::behaviour::notes::{self, FamilyPage, LanguageNotes};
use crate::behaviour::observed::{Observed, Stream};
use crate::behaviour::table::{self, LanguageTable};

const GUIDE: &str = "harness/guide/src";

/// The pages of the repository at `root`, with their paths in it.
pub(crate) fn all(root: &Path) -> Result<Vec<(PathBuf, String)>> {
    let notes = notes::load(root)?;
    let known = languages::known(root)?;
    let (traps, nothing) = (languages::traps(root)?, LanguageNotes::default());
    let mut pages = Vec::new();
    for page in &notes.page {
        let mut text = head(page);
        for id in &page.languages {
            let known = known.get(id).with_context(|| format!("no such language: `{id}`"))?;
            let table = table::load(root, id)?.with_context(|| format!("no table of `{id}`"))?;
            let notes = notes.languages.get(id).unwrap_or(&nothing);
            section(&mut text, id, known, &table, notes)?;
            for trap in traps.get(id).into_iter().flatten() {
                writeln!(text, "- {trap}")?;
            }
        }
        pages.push((Path::new(GUIDE).join(&page.file).with_extension("md"), text));
    }
    Ok(pages)
}

fn head(page: &FamilyPage) -> String {
    format!(
        "# {}\n\nWhat these languages do when something goes wrong, and at large sizes. [How languages behave](behaviour.md) \
         explains the rows. `cargo xtask behaviour` makes this page.\n",
        page.title
    )
}

fn section(
    text: &mut String,
    id: &str,
    known: &KnownLanguage,
    table: &LanguageTable,
    notes: &LanguageNotes,
) -> Result<()> {
    write!(
        text,
        "\n## {}\n\n`{}`, with [these programs](../../behaviour/programs/{id}).\n\n\
         | what happens | how the program ends | message on | verdict |\n|---|---|---|---|\n",
        known.name, table.version
    )?;
    for cell in CELLS.iter().filter(|cell| !is_figure(cell)) {
        let line = match (table.cells.get(cell.id), notes.absent.get(cell.id)) {
            (Some(seen), None) => row(cell, seen),
            (None, Some(why)) => format!("| {} | {why} | | |", cell.title),
            (Some(_), Some(_)) => {
                anyhow::bail!("`{id}` has a program for `{}`, and a reason why not", cell.id)
            }
            (None, None) => {
                anyhow::bail!("`{id}` has neither a program for `{}` nor a reason why not", cell.id)
            }
        };
        writeln!(text, "{line}")?;
    }
    let figures = figures(&table.cells);
    ensure!(!figures.is_empty(), "no figures of `{id}`");
    writeln!(text, "\n{}.\n", figures.join("; "))?;
    let silent = silent(&table.cells);
    if !silent.is_empty() {
        writeln!(text, "- Exit code 0 in spite of an error: {}.", silent.join(", "))?;
    }
    Ok(())
}

/// Whether a cell is only a figure, and no row of the table.
fn is_figure(cell: &Cell) -> bool {
    cell.id == "empty" || cell.wrapper == Some(Wrapper::CountedThreads)
}

fn row(cell: &Cell, seen: &Observed) -> String {
    let mut end = seen.exit.clone();
    if let Some(output) = &seen.output {
        let output = output.replace('\n', " ").replace('|', "¦");
        let after = output.strip_prefix(cell.printed_before.trim_end());
        match after {
            Some("") => end.push_str("; what it printed before arrives"),
            _ => write!(end, "; it prints `{output}`").expect("a text"),
        }
    } else if !cell.printed_before.is_empty() {
        end.push_str("; what it printed before is lost");
    }
    let stream = match seen.message {
        Stream::None => "",
        Stream::Stderr => "standard error",
        Stream::Stdout => "standard output",
        Stream::Both => "both",
    };
    let verdict = seen.verdict.as_deref().unwrap_or_default();
    let reason = seen.reason.as_deref().filter(|_| verdict != "AC");
    let verdict =
        reason.map_or(verdict.to_owned(), |reason| format!("{verdict}: {}", quoted(reason)));
    format!("| {} | {end} | {stream} | {verdict} |", cell.title)
}

/// A reason as it stands in a report, as a cell of a table.
fn quoted(reason: &str) -> String {
    format!("`{}`", reason.replace('|', "¦").replace('`', "'"))
}

fn figures(cells: &BTreeMap<String, Observed>) -> Vec<String> {
    let mut figures = Vec::new();
    for (id, seen) in CELLS.iter().filter_map(|cell| Some((cell.id, cells.get(cell.id)?))) {
        let title = cell(id).map_or(id, |cell| cell.title);
        if let (Some(seconds), Some("AC")) = (seen.cpu_seconds, seen.verdict.as_deref()) {
            figures.push(format!("{title}: {seconds} s"));
        }
        if let Some(mib) = seen.memory_mib {
            figures.push(format!("{title}: {mib} MiB"));
        }
        if let Some(threads) = seen.threads {
            figures.push(format!("{title}: {threads}"));
        }
    }
    figures
}

/// The errors after which a program of this language exits with 0.
fn silent(cells: &BTreeMap<String, Observed>) -> Vec<&'static str> {
    let errors = ["zero", "raise", "assert", "eof", "word"].into_iter().filter_map(cell);
    let quiet = |cell: &&Cell| cells.get(cell.id).is_some_and(|seen| seen.exit == "code 0");
    errors.filter(quiet).map(|cell| cell.title).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pages_show_the_table() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (path, text) in all(&root).expect("pages") {
            let stored = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
            assert!(
                stored == text,
                "{} differs\nhelp: cargo xtask behaviour --pages",
                path.display()
            );
        }
    }
}
