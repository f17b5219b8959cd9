//! The table of behaviour: what programs in each language do under a judge when something goes wrong, and at large sizes.
//!
//! rejudge judges one program for each language and cell. What it sees is in `harness/behaviour/table`, one file for each
//! language; pages of the guide are made from it.

mod cells;
mod languages;
mod notes;
mod observed;
mod packages;
mod pages;
mod table;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

use crate::files::{read, write};
use crate::process::command;
use crate::scratch::with_scratch;

use cells::{CELLS, Cell};
use languages::KnownLanguage;
use observed::Observed;
use packages::{Measured, REPOSITORIES};
use table::LanguageTable;

const HELP: &str = "help: cargo xtask behaviour check|update PROGRAM [LANGUAGE…] [CELL…], or cargo xtask behaviour pages";

/// `check` compares the table with what the installed versions do, and `update` writes it; both look at the named languages, or
/// at all that are installed, and at the named cells, or at all. `pages` writes the pages of the guide.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    match arguments {
        [word] if word == "pages" => write_pages()?,
        [word, program, chosen @ ..] if word == "check" => return check(program, chosen),
        [word, program, chosen @ ..] if word == "update" => update(program, chosen)?,
        _ => bail!("no such way to use it\n{HELP}"),
    }
    Ok(ExitCode::SUCCESS)
}

fn write_pages() -> Result<()> {
    for (path, text) in pages::all(Path::new(""))? {
        write(&path, text)?;
    }
    Ok(())
}

fn update(program: &str, chosen: &[String]) -> Result<()> {
    for (id, mut seen) in measure(program, chosen)? {
        let measured = seen.cells.len();
        if let Some(stored) =
            table::load(Path::new(""), &id)?.filter(|stored| stored.version == seen.version)
        {
            let others = stored.cells.into_iter().filter(|(name, _)| !is_chosen(name, chosen));
            seen.cells.extend(others);
        }
        table::store(&id, &seen)?;
        println!("{id}: {measured} cells");
    }
    Ok(())
}

/// Prints what differs, and which languages were not compared: another version of a compiler may differ. Fails if a cell differs
/// from the table, or if no language was compared.
fn check(program: &str, chosen: &[String]) -> Result<ExitCode> {
    let mut compared = Comparison::default();
    let measured = measure(program, chosen)?;
    for id in table::languages(Path::new(""))? {
        let wanted = languages_of(chosen);
        if !measured.contains_key(&id) && (wanted.is_empty() || wanted.contains(&&id)) {
            compared.missing.push(format!("{id} (not installed)"));
        }
    }
    for (id, seen) in measured {
        match table::load(Path::new(""), &id)? {
            Some(mut stored) => {
                stored.cells.retain(|name, _| is_chosen(name, chosen));
                compared.add(&id, &stored, &seen);
            }
            None => compared.faults.push(format!(
                "{id} has no table\nhelp: cargo xtask behaviour update {program} {id}"
            )),
        }
    }
    println!("{} cells of {} languages compared", compared.cells, compared.languages);
    if !compared.missing.is_empty() {
        println!("not compared: {}", compared.missing.join(", "));
    }
    if compared.languages == 0 {
        compared.faults.push(
            "no version of the table is installed, so nothing was compared\n\
             help: cargo xtask behaviour update PROGRAM LANGUAGE, with the installed versions"
                .to_owned(),
        );
    }
    for fault in &compared.faults {
        eprintln!("error: {fault}");
    }
    Ok(if compared.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What `check` has compared.
#[derive(Default)]
struct Comparison {
    languages: usize,
    cells: usize,
    /// The languages that were not compared, with the reason.
    missing: Vec<String>,
    faults: Vec<String>,
}

impl Comparison {
    fn add(&mut self, id: &str, stored: &LanguageTable, seen: &LanguageTable) {
        let differences = table::differences(id, &stored.cells, &seen.cells);
        if stored.version == seen.version {
            self.languages += 1;
            self.cells += seen.cells.len();
            self.faults.extend(differences);
            return;
        }
        println!(
            "{id}: the table is of `{}`; `{}` differs in {} of {} cells",
            stored.version,
            seen.version,
            differences.len(),
            seen.cells.len()
        );
        for difference in differences {
            println!("{difference}");
        }
        self.missing.push(format!("{id} (another version)"));
    }
}

/// The languages among what the command line names. The others are cells; none has the name of a language.
fn languages_of(chosen: &[String]) -> Vec<&String> {
    chosen.iter().filter(|name| cells::cell(name).is_none()).collect()
}

/// Whether a cell is named, or none is.
fn is_chosen(name: &str, chosen: &[String]) -> bool {
    chosen.len() == languages_of(chosen).len() || chosen.iter().any(|word| word == name)
}

/// What the languages do now.
fn measure(program: &str, chosen: &[String]) -> Result<BTreeMap<String, LanguageTable>> {
    let program =
        std::fs::canonicalize(program).with_context(|| format!("no such file: {program}"))?;
    let known = languages::known(Path::new(""))?;
    let versions = languages::installed(&program)?;
    for id in languages_of(chosen) {
        ensure!(known.contains_key(id), "no such language: `{id}`");
        ensure!(versions.contains_key(id), "`{id}` is not installed\nhelp: .ci/packages");
    }
    let notes = notes::load(Path::new(""))?;
    let measured = choose(&known, &versions, &notes, &languages_of(chosen));
    ensure!(!measured.is_empty(), "no language is installed");
    let mut found =
        with_scratch("behaviour", |scratch| judge_all(&program, scratch, &measured, chosen))?;
    let table = |one: &Measured| {
        let cells = found.remove(one.id).unwrap_or_default();
        (one.id.to_owned(), LanguageTable { version: versions[one.id].clone(), cells })
    };
    Ok(measured.iter().map(table).collect())
}

fn choose<'a>(
    known: &'a BTreeMap<String, KnownLanguage>,
    versions: &BTreeMap<String, String>,
    notes: &'a notes::Notes,
    chosen: &[&String],
) -> Vec<Measured<'a>> {
    let wanted = |id: &String| {
        // A language without programs of ours is not in the table.
        if chosen.is_empty() {
            versions.contains_key(id) && packages::has_programs(id)
        } else {
            chosen.contains(&id)
        }
    };
    let measured = known.iter().filter(|(id, _)| wanted(id));
    let absent = |id: &String| notes.languages.get(id).map(|notes| &notes.absent);
    measured.map(|(id, known)| Measured { id, known, absent: absent(id) }).collect()
}

/// Judges all programs. The result is by language, and then by cell.
fn judge_all(
    program: &Path,
    scratch: &Path,
    languages: &[Measured],
    chosen: &[String],
) -> Result<BTreeMap<String, BTreeMap<String, Observed>>> {
    let cells: Vec<&Cell> = CELLS.iter().filter(|cell| is_chosen(cell.id, chosen)).collect();
    packages::write_all(scratch, languages, &cells)?;
    let mut found: BTreeMap<String, BTreeMap<String, Observed>> = BTreeMap::new();
    for (name, wrapper) in REPOSITORIES {
        let of_it = cells.iter().filter(|cell| cell.wrapper == wrapper);
        let programs = of_it.flat_map(|cell| languages.iter().map(|one| one.source(cell)));
        if programs.collect::<Result<Vec<_>>>()?.iter().all(Option::is_none) {
            continue;
        }
        let report = judge(program, &scratch.join(name))?;
        for (language, cells) in observed::of_report(&read(&report)?)? {
            found.entry(language).or_default().extend(cells);
        }
    }
    Ok(found)
}

/// Judges a repository, and returns the report.
fn judge(program: &Path, repository: &Path) -> Result<PathBuf> {
    let report = repository.join("report.jsonl");
    // Most programs fail, so the exit status does not matter; an error of rejudge is in the report.
    command(program)
        .args(["run", "--quiet", "--jobs", "1", "--json"])
        .arg(&report)
        .current_dir(repository)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(version: &str, exit: &str) -> LanguageTable {
        let cell = Observed { exit: exit.to_owned(), ..Observed::default() };
        let cells = BTreeMap::from([("zero".to_owned(), cell)]);
        LanguageTable { version: version.to_owned(), cells }
    }

    #[test]
    fn another_version_is_listed_as_not_compared() {
        let mut compared = Comparison::default();
        compared.add("c", &table("12", "code 0"), &table("13", "code 1"));
        assert_eq!((compared.languages, compared.cells, compared.faults.len()), (0, 0, 0));
        assert_eq!(compared.missing, ["c (another version)"]);
        compared.add("d", &table("1", "code 0"), &table("1", "code 1"));
        assert_eq!((compared.languages, compared.cells, compared.faults.len()), (1, 1, 1));
        assert_eq!(compared.missing.len(), 1);
    }
}
