//! Words of other tools, and misspelt commands: the command of rejudge that does the same.

use std::process::ExitCode;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{Cli, stream};

/// Words that other tools have as commands, the purpose, and our command for it.
const WORDS: [(&[&str], &str, &str); 17] = [
    (&["test", "tests", "t", "judge"], "to judge solutions", "rejudge run"),
    (&["watch"], "to judge again whenever a file changes", "rejudge run --watch"),
    (&["gen", "gencases"], "to generate cases", "rejudge generate"),
    (&["submit", "s"], "rejudge submits nothing; to judge as the site would", "rejudge run"),
    (&["init", "create"], "to create a problem", "rejudge new PROBLEM"),
    (
        &["skel", "new_problem", "template"],
        "to create a problem with a validator and a generator",
        "rejudge new PROBLEM --full",
    ),
    (&["build", "compile"], "to compile a solution and run it once", "rejudge exec SOLUTION"),
    (&["download", "d"], "to receive problems from the browser", "rejudge listen"),
    (&["fuzz"], "to look for inputs on which solutions fail", "rejudge stress PROBLEM"),
    (
        &["constraints", "verifyproblem", "validate", "check"],
        "to check a package, its validators and its cases",
        "rejudge verify",
    ),
    (
        &["upgrade"],
        "rejudge reads old formats as they are; to see what to change",
        "rejudge verify",
    ),
    (&["stats"], "to list problems, cases and solutions", "rejudge list"),
    (
        &["time_limit", "timelimit"],
        "to time the submissions and see the time limit that follows",
        "rejudge time PROBLEM",
    ),
    (
        &["zip", "package", "samplezip"],
        "to write an archive for a judging system",
        "rejudge export PROBLEM --to icpc -o PROBLEM.zip",
    ),
    (
        &["unit"],
        "to check validators on the inputs and outputs in `data/` that they must accept or reject",
        "rejudge verify",
    ),
    (&["bt", "rbx", "sinol-make", "st"], "to list the commands of rejudge", "rejudge help"),
    (
        &["pdf", "problem2pdf", "problem2html", "solutions"],
        "rejudge makes no PDFs; to check the statement and the package",
        "rejudge verify",
    ),
];

/// The help for a word of another tool.
fn help_for_foreign(word: &str) -> Option<String> {
    let (_, purpose, command) = WORDS.iter().find(|(words, ..)| words.contains(&word))?;
    Some(format!("{purpose}: `{command}`"))
}

/// The help for a word that is neither a file, a folder nor a problem.
fn help_for(word: &str) -> Option<String> {
    if let Some(help) = help_for_foreign(word) {
        return Some(help);
    }
    let command = Cli::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let name = crate::notice::nearest(word, names)?;
    Some(format!("did you mean the command `rejudge {name}`?"))
}

/// Suggests a command for a word that names nothing.
pub(super) fn suggest_command(word: &str) {
    if let Some(help) = help_for(word) {
        stream::help(help);
    }
}

/// Prints the error about the arguments, and help if they name a command of another tool (`rejudge help fuzz`). The
/// exit status is that of the error.
pub(super) fn refused(error: &clap::Error) -> ExitCode {
    // Without a place for the message, only the exit status is left.
    let _ = error.print();
    if let (ErrorKind::InvalidSubcommand, Some(ContextValue::String(word))) =
        (error.kind(), error.get(ContextKind::InvalidSubcommand))
        && let Some(help) = help_for_foreign(word)
    {
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
        for (words, _, command) in WORDS {
            // The value of an option or argument that the user has to replace is accepted like any other.
            let parsed = Cli::try_parse_from(command.split(' '));
            let is_known = command.ends_with("--watch") || command.ends_with(" help");
            assert!(parsed.is_ok() || is_known, "{command}");
            for word in words {
                assert!(help_for(word).unwrap().ends_with(&format!(": `{command}`")));
            }
        }
        assert_eq!(help_for("rnu").unwrap(), "did you mean the command `rejudge run`?");
        assert_eq!(help_for("klotski"), None);
    }
}
