//! `rejudge languages`: the table, with what is installed here.

use std::io::{self, Write};
use std::thread;

use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;

use super::exit::Exit;
use super::stream;
use crate::cache::Cache;
use crate::config::Repository;
use crate::language::{Language, Languages};

/// Print the languages, and which of them are installed
#[derive(Debug, Args)]
pub(crate) struct LanguagesArgs {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
}

/// A language as it is shown.
#[derive(Serialize)]
struct Row<'a> {
    r#type: &'static str,
    schema: u32,
    id: &'a str,
    name: &'a str,
    extensions: &'a [String],
    installed: bool,
    version: Option<&'a str>,
    /// Why it cannot be used.
    reason: Option<&'a str>,
    install: &'a str,
}

/// Prints the table.
pub(crate) fn languages(args: &LanguagesArgs) -> Result<Exit> {
    let (languages, cache) = asked()?;
    let rows: Vec<Row<'_>> = languages.iter().map(|one| row(one, &cache)).collect();
    stream::print(|out| {
        if args.json {
            json(&rows, out)
        } else {
            table(&rows, out)
        }
    })
}

/// The id of each language, and whether it is installed.
pub(crate) fn installed() -> Result<Vec<(String, bool)>> {
    let (languages, cache) = asked()?;
    let found = |one: &Language| (one.id.clone(), one.toolchain(&cache).is_ok());
    Ok(languages.iter().map(found).collect())
}

/// The languages of the repository around the current folder, each asked for its version, all at the same time.
fn asked() -> Result<(Languages, Cache)> {
    let current = std::env::current_dir().context("cannot tell the current folder")?;
    let repository = Repository::around(&current, &[])?;
    let languages = match &repository {
        Some(repository) => Languages::load(&repository.config.languages)?,
        None => Languages::load(&std::collections::BTreeMap::new())?,
    };
    let cache = Cache::open().context("cannot make a temporary folder")?;
    if let Some(warning) = cache.warning() {
        stream::warn(warning);
    }
    thread::scope(|scope| {
        for language in languages.iter() {
            let cache = &cache;
            scope.spawn(move || language.toolchain(cache).is_ok());
        }
    });
    Ok((languages, cache))
}

fn row<'a>(language: &'a Language, cache: &Cache) -> Row<'a> {
    let toolchain = language.toolchain(cache);
    Row {
        r#type: "language",
        schema: 1,
        id: &language.id,
        name: &language.name,
        extensions: &language.extensions,
        installed: toolchain.is_ok(),
        version: toolchain.ok().map(|found| found.version.as_str()),
        reason: toolchain.err().map(|missing| missing.reason.as_str()),
        install: &language.install,
    }
}

fn json(rows: &[Row<'_>], out: &mut dyn Write) -> io::Result<()> {
    for row in rows {
        serde_json::to_writer(&mut *out, row)?;
        writeln!(out)?;
    }
    Ok(())
}

fn table(rows: &[Row<'_>], out: &mut dyn Write) -> io::Result<()> {
    let cells: Vec<[String; 3]> = rows
        .iter()
        .map(|row| {
            [
                row.id.to_owned(),
                row.name.to_owned(),
                dotted(row.extensions),
            ]
        })
        .collect();
    let width = |column: usize| {
        let lengths = cells.iter().map(|cells| cells[column].chars().count());
        lengths.max().unwrap_or(0)
    };
    let [first, second, third] = [0, 1, 2].map(width);
    for ([id, name, extensions], row) in cells.iter().zip(rows) {
        write!(out, "{id:first$}  {name:second$}  {extensions:third$}  ")?;
        match row.version {
            Some("") => writeln!(out, "installed")?,
            Some(version) => writeln!(out, "{version}")?,
            None => writeln!(out, "not installed: install {}", row.install)?,
        }
    }
    Ok(())
}

fn dotted(extensions: &[String]) -> String {
    let dotted: Vec<String> = extensions.iter().map(|one| format!(".{one}")).collect();
    dotted.join(" ")
}
