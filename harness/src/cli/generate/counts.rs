//! What `rejudge generate` did, in numbers.

use crate::cli::exit::CommandExit;

/// The number of cases of one or more packages, by result.
#[derive(Debug, Default)]
pub(super) struct GenerationCounts {
    /// Number of selected cases.
    pub(super) cases: usize,
    pub(super) made: usize,
    pub(super) unchanged: usize,
    /// Number of cases that differ, and of files that belong to no case.
    pub(super) different: usize,
    /// Number of cases that could not be made.
    pub(super) failed: usize,
    /// Number of folders whose settings were changed.
    pub(super) changed_settings: usize,
    /// The plan, or the list of large cases, could not be read.
    pub(super) broken: bool,
}

impl GenerationCounts {
    pub(super) fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        self.made += other.made;
        self.unchanged += other.unchanged;
        self.different += other.different;
        self.failed += other.failed;
        self.broken |= other.broken;
    }

    pub(super) fn exit(&self) -> CommandExit {
        let exit = if self.different > 0 { CommandExit::Unexpected } else { CommandExit::Expected };
        exit.or_fault(self.failed > 0 || self.broken)
    }

    /// The summary line of a package.
    pub(super) fn line(&self, problem: &str, check: bool) -> String {
        let failed = match self.failed {
            0 => String::new(),
            failed => format!(", {failed} failed"),
        };
        match (check, self.different) {
            (false, _) => {
                let made = counted(self.made, "case");
                let settings = match self.changed_settings {
                    0 => String::new(),
                    changed => format!(", settings of {} changed", counted(changed, "folder")),
                };
                format!("{problem}: {made} made, {} unchanged{failed}{settings}", self.unchanged)
            }
            (true, 0) => {
                let good = counted(self.unchanged, "case");
                format!("{problem}: {good} as generated{failed}")
            }
            (true, different) => {
                let different = counted(different, "difference");
                let good = self.unchanged;
                format!("{problem}: {different}, {} as generated{failed}", counted(good, "case"))
            }
        }
    }
}

/// `1 case`, `2 cases`.
fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
