//! `rejudge languages`: lists the languages, and which of them are installed.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result};
use clap::Args;
use serde::Serialize;

use super::build_args::{self, BuildArgs};
use super::exit::CommandExit;
use super::json_output::JsonArgs;
use super::language_details::LanguageDetails;
use super::sandbox::{self, SandboxArgs};
use super::session::Session;
use super::{settings, stream};
use crate::compile::Compiler;
use crate::config::Repository;
use crate::language::{Language, Languages};
use crate::notice::Code;
use crate::sandbox::Isolation;
use crate::show::json_line;
use crate::show::words::Seconds;
use crate::start_up;

/// List the languages and their installed compilers
#[derive(Debug, Args)]
pub(crate) struct LanguagesArgs {
    /// Ids of the languages to list, with their commands, their traps and the commands of other judges [default: all, in short]
    #[arg(value_name = "LANGUAGE")]
    ids: Vec<String>,
    /// Measure how long each runtime takes to start, unless this machine's figure is cached
    #[arg(long)]
    measure: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// A language in the output.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LanguageRow<'a> {
    r#type: &'static str,
    id: &'a str,
    name: &'a str,
    extensions: &'a [String],
    installed: bool,
    version: Option<&'a str>,
    /// Why it cannot be used.
    reason: Option<&'a str>,
    install: &'a str,
    /// CPU time of a program that does nothing, if it was measured before.
    #[serde(skip_serializing_if = "Option::is_none")]
    start_up_cpu_ms: Option<f64>,
    #[serde(skip)]
    start_up: Option<Duration>,
    /// Only if the language is named.
    #[serde(flatten)]
    details: Option<LanguageDetails>,
}

/// Prints the table.
pub(crate) fn languages(args: &LanguagesArgs) -> Result<CommandExit> {
    let mut output = args.json.open()?;
    let (languages, compiler) = load(args.sandbox.isolation())?;
    for id in &args.ids {
        anyhow::ensure!(
            languages.get(id).is_some(),
            Code::UnknownLanguage
                .says(format!("no such language: `{id}`"))
                .help(languages.help_for(id))
        );
    }
    let wanted = |one: &&Language| args.ids.is_empty() || args.ids.contains(&one.id);
    let mut exit = None;
    if args.measure {
        let session = Session::start(args.sandbox)?;
        measure(languages.iter().filter(wanted), &compiler, &session)?;
        exit = session.signalled();
    }
    let rows: Vec<LanguageRow<'_>> = languages
        .iter()
        .filter(wanted)
        .map(|one| row(one, &compiler, !args.ids.is_empty()))
        .collect();
    let printed = output.write(|out| json(&rows, out), |out| table(&rows, out))?;
    Ok(exit.unwrap_or(printed))
}

/// The id of each language, and whether it is installed. If `strict`, one for which the settings would run a program outside
/// the sandbox counts as not installed.
pub(crate) fn installed(strict: bool) -> Result<Vec<(String, bool)>> {
    let repository = around()?;
    let languages = build_args::languages(repository.as_ref())?;
    if !strict {
        sandbox::accept(Isolation::Auto, &languages)?;
    }
    let compiler = BuildArgs::default().compiler(repository.as_ref())?;
    look_up(&languages, &compiler);
    let found = |one: &Language| {
        let installed = one.toolchain(compiler.cache()).is_ok();
        (one.id.clone(), installed)
    };
    Ok(languages.iter().map(found).collect())
}

/// Loads the languages of the repository around the current folder.
fn load(isolation: Isolation) -> Result<(Languages, Compiler)> {
    load_of(around()?.as_ref(), isolation)
}

/// The repository around the current folder.
fn around() -> Result<Option<Repository>> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    settings::around(&current, &[])
}

/// Loads the languages, with the settings of `repository`, and determines all versions in parallel.
pub(crate) fn load_of(
    repository: Option<&Repository>,
    isolation: Isolation,
) -> Result<(Languages, Compiler)> {
    let languages = build_args::languages(repository)?;
    sandbox::accept(isolation, &languages)?;
    let compiler = BuildArgs::default().compiler(repository)?;
    look_up(&languages, &compiler);
    Ok((languages, compiler))
}

/// Determines the toolchains of all languages in parallel. Later calls find them.
fn look_up(languages: &Languages, compiler: &Compiler) {
    thread::scope(|scope| {
        for language in languages.iter() {
            let cache = compiler.cache();
            scope.spawn(move || language.toolchain(cache).is_ok());
        }
    });
}

/// Measures the start-up time of installed languages, unless it is known. A language that cannot be measured is a
/// warning.
fn measure<'a>(
    languages: impl Iterator<Item = &'a Language>,
    compiler: &Compiler,
    session: &Session,
) -> Result<()> {
    let mut runner = session.runner()?;
    for language in languages {
        if session.signalled().is_some() {
            break;
        }
        if language.toolchain(compiler.cache()).is_err() {
            continue;
        }
        if let Err(error) = start_up::measure(language, compiler, &mut runner) {
            let error = anyhow::Error::new(error);
            stream::warn(format_args!("cannot measure `{}`: {error:#}", language.id));
        }
    }
    Ok(())
}

fn row<'a>(language: &'a Language, compiler: &Compiler, is_named: bool) -> LanguageRow<'a> {
    let toolchain = language.toolchain(compiler.cache());
    let start_up = start_up::remembered(language, compiler);
    LanguageRow {
        r#type: "language",
        id: &language.id,
        name: &language.name,
        extensions: &language.extensions,
        installed: toolchain.is_ok(),
        version: toolchain.ok().map(|found| found.version.as_str()),
        reason: toolchain.err().map(|missing| missing.reason.as_str()),
        install: &language.install,
        start_up_cpu_ms: start_up.map(|figure| figure.as_secs_f64() * 1e3),
        start_up,
        details: is_named.then(|| LanguageDetails::of(language)),
    }
}

fn json(rows: &[LanguageRow<'_>], out: &mut dyn Write) -> io::Result<()> {
    for row in rows {
        json_line::write(out, row)?;
    }
    Ok(())
}

fn table(rows: &[LanguageRow<'_>], out: &mut dyn Write) -> io::Result<()> {
    let cells: Vec<[String; 3]> = rows
        .iter()
        .map(|row| [row.id.to_owned(), row.name.to_owned(), dotted(row.extensions)])
        .collect();
    let width = |column: usize| {
        let lengths = cells.iter().map(|cells| cells[column].chars().count());
        lengths.max().unwrap_or(0)
    };
    let [first, second, third] = [0, 1, 2].map(width);
    for ([id, name, extensions], row) in cells.iter().zip(rows) {
        write!(out, "{id:first$}  {name:second$}  {extensions:third$}  ")?;
        match row.version {
            Some("") => write!(out, "installed")?,
            Some(version) => write!(out, "{version}")?,
            None => write!(out, "not installed: install {}", row.install)?,
        }
        if let Some(figure) = row.start_up {
            write!(out, "; starts in {}", Seconds(figure))?;
        }
        writeln!(out)?;
        if let Some(details) = &row.details {
            details.print(out)?;
        }
    }
    Ok(())
}

fn dotted(extensions: &[String]) -> String {
    let dotted: Vec<String> = extensions.iter().map(|one| format!(".{one}")).collect();
    dotted.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_languages_is_up_to_date() {
        let line = schema::of_line_called::<LanguageRow<'static>>("language");
        schema::is_up_to_date("languages", vec![line]);
    }
}
