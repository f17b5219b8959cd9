//! The command that repeats a round.

use super::StressArgs;
use crate::shell::shell_word;
use crate::stress::{StressFinding, StressSources};

/// The words of the command line, without the rounds. In a folder without a problem, all programs are named.
pub(super) struct Again(Vec<String>);

impl Again {
    pub(super) fn new(args: &StressArgs, lone: Option<&StressSources>, seed: u32) -> Self {
        let mut words = vec!["rejudge".to_owned(), "stress".to_owned()];
        let mut named = |option: Option<&str>, value: &str| {
            words.extend(option.map(str::to_owned));
            words.push(shell_word(value));
        };
        if let Some(sources) = lone {
            for one in sources.contestants.iter().filter(|one| !one.is_reference) {
                named(None, &one.name);
            }
            for one in sources.contestants.iter().filter(|one| one.is_reference) {
                named(Some("--against"), &one.name);
            }
        } else {
            for path in &args.solutions {
                named(None, &path.to_string_lossy());
            }
            for path in &args.against {
                named(Some("--against"), &path.to_string_lossy());
            }
        }
        for command in &args.generator {
            named(Some("--generator"), command);
        }
        for path in &args.validator {
            named(Some("--validator"), &path.to_string_lossy());
        }
        if let Some(want) = &args.want {
            named(Some("--want"), want);
        }
        if let Some(checker) = &args.checker {
            named(Some("--checker"), checker);
        }
        words.extend(args.limits.words());
        words.extend(args.build.words());
        words.extend(args.sandbox.words());
        words.extend(["--seed".to_owned(), seed.to_string()]);
        Self(words)
    }

    /// The command that runs this round again.
    pub(super) fn command(&self, round: u64) -> String {
        format!("{} --rounds {round}..{round}", self.0.join(" "))
    }

    /// What to do if the report cannot be written. The seed may be known to nobody else.
    pub(super) fn advice(&self, findings: &[StressFinding]) -> String {
        let commands = findings.iter().map(|one| self.command(one.round));
        let commands: Vec<String> = commands.map(|command| format!("`{command}`")).collect();
        match &commands[..] {
            [] => "the report is not complete, and nothing was found".to_owned(),
            _ => format!(
                "the report is not complete; correct the cause, and run {}",
                commands.join(" and ")
            ),
        }
    }
}
