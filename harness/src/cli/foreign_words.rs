//! Words of other tools, and misspelt commands: the command of rejudge that does the same.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{Cli, stream};

mod table;

use table::{ForeignOption, ForeignWord, OPTIONS, WORDS};

/// The help for a word of another tool.
fn help_for_foreign(word: &str) -> Option<String> {
    let found = WORDS.iter().find(|row| row.words.contains(&word))?;
    let ForeignWord { purpose, command, .. } = found;
    Some(format!("{purpose}: `{command}`"))
}

/// The help for an option of another tool, which may have a value (`--tle=2`).
fn help_for_option(option: &str) -> Option<String> {
    let name = option.split('=').next().unwrap_or_default();
    let found = OPTIONS.iter().find(|row| row.options.contains(&name))?;
    let ForeignOption { purpose, command, .. } = found;
    Some(format!("{purpose}: `{command}`"))
}

/// The help for a word that is neither a file, a folder nor a problem.
fn help_for(word: &str) -> Option<String> {
    if let Some(help) = help_for_foreign(word) {
        return Some(help);
    }
    let command = Cli::command();
    // clap adds the command `help` only when it reads arguments.
    let names = command.get_subcommands().map(clap::Command::get_name).chain(["help"]);
    let name = crate::notice::nearest(word, names)?;
    Some(format!("did you mean the command `rejudge {name}`?"))
}

/// Whether a word that names nothing looks like a command.
pub(super) fn is_like_command(word: &str) -> bool {
    help_for(word).is_some()
}

/// Suggests a command for a word that names nothing.
pub(super) fn suggest_command(word: &str) {
    if let Some(help) = help_for(word) {
        stream::help(help);
    }
}

/// Prints the error about the arguments, and help if they have a command (`rejudge help fuzz`) or an option (`--tle`) of
/// another tool. The exit status is that of the error.
pub(super) fn refused(error: &clap::Error) -> ExitCode {
    let told = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let option =
        told(ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument);
    match option.and_then(|option| Some((option, help_for_option(option)?))) {
        // What clap would propose is similar only by its letters.
        Some((option, help)) => {
            stream::error(format_args!("there is no option `{option}`"));
            stream::help(help);
        }
        None if error.use_stderr() => stream::refuse(&error.render().ansi().to_string()),
        // Without a place for the message, only the exit status is left.
        None => drop(error.print()),
    }
    let word = told(ContextKind::InvalidSubcommand);
    if let Some(help) = word.and_then(help_for_foreign) {
        stream::help(help);
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[test]
    fn every_word_names_a_command_that_exists() {
        let words = WORDS.iter().flat_map(|row| row.words.iter().map(|word| (word, row.command)));
        let words = words.map(|(word, command)| (help_for(word), command));
        let options =
            OPTIONS.iter().flat_map(|row| row.options.iter().map(|one| (one, row.command)));
        let options = options.map(|(option, command)| (help_for_option(option), command));
        for (help, command) in words.chain(options) {
            // The value of an option or argument that the user has to replace is accepted like any other.
            let parsed = Cli::try_parse_from(command.split(' '));
            let is_known =
                ["--watch", " help", "--version"].iter().any(|end| command.ends_with(end));
            assert!(parsed.is_ok() || is_known, "{command}");
            assert!(
                help.as_ref().is_some_and(|help| help.ends_with(&format!(": `{command}`"))),
                "{help:?}"
            );
        }
        assert_eq!(help_for("rnu").unwrap(), "did you mean the command `rejudge run`?");
        assert_eq!(help_for("hlep").unwrap(), "did you mean the command `rejudge help`?");
        assert_eq!(help_for("klotski"), None);
        assert!(help_for_option("--tle=2").unwrap().ends_with("`rejudge run -t 2`"));
    }

    #[test]
    fn no_word_or_option_stands_twice_or_is_one_of_ours() {
        let mut seen = std::collections::BTreeSet::new();
        let words = WORDS.iter().flat_map(|row| row.words);
        for word in words.chain(OPTIONS.iter().flat_map(|row| row.options)) {
            assert!(seen.insert(word), "{word} stands twice");
        }
        let run = crate::manual::complete(Cli::command());
        for command in run.get_subcommands() {
            assert!(!seen.contains(&command.get_name()), "{} is a command", command.get_name());
        }
    }

    /// The tables of the page: what people type, and what rejudge has.
    fn page() -> String {
        const HEAD: &str = "of other tools | what it does | rejudge |\n|---|---|---|\n";
        let quoted = |words: &[&str]| {
            let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
            words.join(", ")
        };
        let row = |words: &[&str], purpose: &str, command: &str| {
            format!("| {} | {purpose} | `{command}` |\n", quoted(words))
        };
        let words = WORDS.iter().map(|one| row(one.words, one.purpose, one.command));
        let options = OPTIONS.iter().map(|one| row(one.options, one.purpose, one.command));
        let (words, options): (String, String) = (words.collect(), options.collect());
        format!("| commands {HEAD}{words}\n| options {HEAD}{options}")
    }

    /// `REJUDGE_WRITE_SCHEMAS=1` writes them.
    #[test]
    fn the_page_has_the_tables() {
        const START: &str = "<!-- made from harness/src/cli/foreign_words/table.rs -->\n\n";
        const END: &str = "\n<!-- end -->\n";
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/guide/src/foreign-words.md");
        let text = std::fs::read_to_string(path).unwrap();
        let (before, rest) = text.split_once(START).unwrap();
        let (tables, after) = rest.split_once(END).unwrap();
        if std::env::var_os("REJUDGE_WRITE_SCHEMAS").is_some() {
            std::fs::write(path, format!("{before}{START}{}{END}{after}", page())).unwrap();
        } else {
            assert_eq!(tables, page(), "REJUDGE_WRITE_SCHEMAS=1 writes the tables");
        }
    }
}
