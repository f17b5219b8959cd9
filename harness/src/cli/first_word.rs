//! What can be told from the words of the process's arguments before they are read.

use std::ffi::OsString;

/// All commands but [`RUN`].
const OTHER_COMMANDS: [&str; 30] = [
    "answer",
    "batch",
    "bench",
    "cache",
    "case",
    "cluster",
    "completions",
    "doctor",
    "draw",
    "exec",
    "export",
    "generate",
    "help",
    "import",
    "languages",
    "list",
    "listen",
    "man",
    "merge",
    "new",
    "report",
    "scale",
    "self-test",
    "serve",
    "strength",
    "stress",
    "time",
    "upgrade",
    "verify",
    "work",
];

/// The command that may be left out.
const RUN: &str = "run";

/// Options with which nothing is judged.
const PRINT_ONLY: [&str; 4] = ["--help", "-h", "--version", "-V"];

/// What the first word says.
pub(super) enum FirstWord {
    Run,
    OtherCommand,
    /// Nothing: it is an argument of a run, or missing.
    Nothing,
}

impl FirstWord {
    pub(super) fn of(arguments: &[OsString]) -> Self {
        match arguments.get(1).and_then(|word| word.to_str()) {
            Some(RUN) => Self::Run,
            Some(word) if OTHER_COMMANDS.contains(&word) => Self::OtherCommand,
            _ => Self::Nothing,
        }
    }
}

/// Whether these arguments of the process look like those of a run.
pub(super) fn may_judge(arguments: &[OsString]) -> bool {
    let has_command = matches!(FirstWord::of(arguments), FirstWord::OtherCommand);
    !has_command && !may_print_only(arguments)
}

/// Whether they ask for help or the version, unless these words are for a program.
pub(super) fn may_print_only(arguments: &[OsString]) -> bool {
    let is_such = |one: &OsString| PRINT_ONLY.iter().any(|option| one == option);
    arguments.iter().any(is_such)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::Cli;
    use super::*;

    #[test]
    fn every_command_is_known() {
        let mut command = Cli::command();
        command.build();
        let names = command.get_subcommands().flat_map(|command| {
            let aliases = command.get_all_aliases().map(str::to_owned);
            aliases.chain([command.get_name().to_owned()])
        });
        let mut names: Vec<String> = names.filter(|name| name != RUN).collect();
        names.sort();
        assert_eq!(names, OTHER_COMMANDS);
    }

    #[test]
    fn a_launcher_is_wanted_for_every_form_of_a_run() {
        let may_judge = |line: &str| {
            let words = line.split_whitespace().map(OsString::from);
            may_judge(&words.collect::<Vec<_>>())
        };
        for run in ["rejudge", "rejudge run -j1", "rejudge -j1", "rejudge sums list"] {
            assert!(may_judge(run), "{run}");
        }
        for other in ["rejudge list", "rejudge run --help", "rejudge -V"] {
            assert!(!may_judge(other), "{other}");
        }
    }
}
