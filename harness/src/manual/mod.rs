//! The parts of the help and of the manual pages that are more than a list of options: examples, exit status,
//! environment and files.

use std::ffi::OsString;

use clap::Command;
use clap_mangen::roff::{Roff, bold, roman};

mod pages;

use pages::Page;

/// Environment variables that rejudge reads.
const ENVIRONMENT: [(&str, &str); 11] = [
    ("BUILDKITE", "If it is `true`, a backslash keeps lines from becoming headings of the log."),
    ("CI", "If it is set, `rejudge answer` writes only with `--in-ci`."),
    ("GITHUB_ACTIONS", "If it is `true`, `run` annotates unexpected solutions."),
    ("GITHUB_STEP_SUMMARY", "File to which `run` and `bench` append their summary in Markdown."),
    ("NO_COLOR", "If it is set, no colours are used."),
    ("PATH", "Folders in which rejudge looks for compilers and interpreters."),
    ("REJUDGE_CACHE_DIR", "Folder of the cache."),
    (
        "TESTLIB",
        "Path of testlib.h for checkers, validators and generators that do not come with their own.",
    ),
    ("TMPDIR", "Folder for temporary files."),
    ("VIVA", "Path of viva.jar, for validators that are grammars of Viva."),
    (
        "XDG_CACHE_HOME",
        "If `REJUDGE_CACHE_DIR` is not set, the cache is the folder `rejudge` in this folder.",
    ),
];

/// Files that rejudge reads and writes.
const FILES: [(&str, &str); 4] = [
    ("rejudge.toml", "Settings of the repository."),
    ("cases/PROBLEM/", "Problem package without its submissions."),
    ("solutions/PROBLEM/", "Solutions; a subfolder names the verdict that is expected."),
    (
        "~/.cache/rejudge/",
        "Cache of compiled solutions and generated cases. You can delete it at any time.",
    ),
];

/// The exit codes that every command has.
const INTERRUPTED: (&str, &str) = ("130, 143", "interrupted by Ctrl-C or SIGTERM");

fn page(command: &str) -> &'static Page {
    let found = pages::all().find(|page| page.command == command);
    found.expect("every command has a page")
}

/// The command line with examples and exit status at the end of the long help of each command.
pub(crate) fn complete(command: Command) -> Command {
    complete_some(command, |_| true)
}

/// The same, but only of the commands that these arguments of the process can name: to complete all of them takes longer
/// than to read the arguments.
pub(crate) fn complete_for(command: Command, arguments: &[OsString]) -> Command {
    complete_some(command, |name| arguments.iter().any(|one| one == name))
}

fn complete_some(mut command: Command, wanted: impl Fn(&str) -> bool) -> Command {
    for name in names(&command).into_iter().filter(|name| wanted(name)) {
        let page = page(&name);
        command = command.mut_subcommand(&name, |mut sub| {
            for inner in names(&sub) {
                let start = format!("rejudge {name} {inner}");
                sub = sub.mut_subcommand(&inner, |inner| with_help(inner, page, &start));
            }
            with_help(sub, page, "")
        });
    }
    with_help(command, page(""), "")
}

fn names(command: &Command) -> Vec<String> {
    let subcommands = command.get_subcommands();
    subcommands.map(|sub| sub.get_name().to_owned()).collect()
}

/// The command with the exit codes of the page, and with its examples that begin with `start`.
fn with_help(command: Command, page: &Page, start: &str) -> Command {
    let examples = page.examples.iter();
    let examples: Vec<String> = examples
        .filter(|(line, _)| line.starts_with(start))
        .map(|(line, about)| format!("  {line}\n      {about}\n"))
        .collect();
    let codes = page.exit.iter().chain([&INTERRUPTED]);
    let codes: Vec<String> =
        codes.map(|(code, meaning)| format!("  {code:<9} {meaning}\n")).collect();
    command.after_help("`--help` shows all options, examples and exit codes.").after_long_help(
        format!("Examples:\n{}\nExit status:\n{}", examples.concat(), codes.concat()),
    )
}

/// The manual page of a command, in roff.
pub(crate) fn roff(command: &Command, name: &str) -> std::io::Result<Vec<u8>> {
    let plain = command.clone().after_help(None).after_long_help(None);
    let man = clap_mangen::Man::new(plain);
    let mut out = Vec::new();
    man.render_title(&mut out)?;
    man.render_name_section(&mut out)?;
    man.render_synopsis_section(&mut out)?;
    man.render_description_section(&mut out)?;
    man.render_options_section(&mut out)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut out)?;
    }
    let page = page(name);
    section("EXAMPLES", page.examples, &mut out)?;
    section("ENVIRONMENT", &ENVIRONMENT, &mut out)?;
    section("FILES", &FILES, &mut out)?;
    let exit: Vec<_> = page.exit.iter().chain([&INTERRUPTED]).copied().collect();
    section("EXIT STATUS", &exit, &mut out)?;
    if command.get_version().is_some() {
        man.render_version_section(&mut out)?;
    }
    Ok(out)
}

/// A section of terms, each with a paragraph about it.
fn section(title: &str, terms: &[(&str, &str)], out: &mut Vec<u8>) -> std::io::Result<()> {
    let mut roff = Roff::default();
    roff.control("SH", [title]);
    for (term, about) in terms {
        roff.control("TP", []);
        roff.text([bold(*term)]);
        roff.text([roman(*about)]);
    }
    roff.to_writer(out)
}

/// The words of a shell's command line up to a redirection or a pipe; a quoted part is one word.
#[cfg(test)]
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            '<' | '>' | '|' if !quoted => break,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("never empty").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The words of every example.
#[cfg(test)]
pub(crate) fn examples() -> impl Iterator<Item = Vec<String>> {
    let lines = pages::all().flat_map(|page| page.examples);
    lines.map(|(line, _)| words(line))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn every_command_has_examples_that_the_parser_accepts() {
        let command = crate::cli::Cli::command();
        let mut names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
        names.push("");
        assert_eq!(names.len(), pages::all().count());
        for name in names {
            for (line, _) in page(name).examples {
                let parsed = command.clone().try_get_matches_from(words(line));
                assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn the_help_of_every_command_has_an_example_and_the_exit_codes() {
        fn check(command: &Command) {
            let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            for part in ["Examples:\n  rejudge", "Exit status:\n  0 "] {
                assert!(help.contains(part), "{}: {help}", command.get_name());
            }
            command.get_subcommands().for_each(check);
        }
        check(&complete(crate::cli::Cli::command()));
    }
}
