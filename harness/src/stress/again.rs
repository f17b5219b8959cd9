//! The command that repeats a round.

use super::StressFinding;

/// The words of the command line, without the rounds.
pub(crate) struct Again(Vec<String>);

impl Again {
    /// From the words of the command line, without the rounds.
    pub(crate) fn of(words: Vec<String>) -> Self {
        Self(words)
    }

    /// The command that runs this round again.
    pub(crate) fn command(&self, round: u64) -> String {
        format!("{} --rounds {round}..{round}", self.0.join(" "))
    }

    /// What to do if the report cannot be written. The seed may be known to nobody else.
    pub(crate) fn advice(&self, findings: &[StressFinding]) -> String {
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
