//! Options that several commands have for their reports.

use clap::{ArgAction, Args};

use super::stream::Color;
use crate::report::table::{TableBy, VerdictTable};
use crate::report::terminal::Verbosity;

/// When reports are coloured.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ColorArgs {
    /// Colours in the report
    #[arg(
        long,
        value_enum,
        default_value_t,
        value_name = "WHEN",
        help_heading = "Reports",
        hide_short_help = true
    )]
    color: Color,
}

impl ColorArgs {
    /// Applies the choice to everything that the process writes.
    pub(crate) fn apply(self) {
        self.color.apply();
    }
}

/// How much a report on the terminal says.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct VerbosityArgs {
    /// Print a line for each solution; `-vv` also prints a line for each case
    #[arg(short, long, action = ArgAction::Count, help_heading = "Reports")]
    verbose: u8,
    /// Print only unexpected verdicts
    #[arg(short, long, conflicts_with = "verbose", help_heading = "Reports")]
    quiet: bool,
}

impl VerbosityArgs {
    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }

    pub(crate) fn verbosity(self) -> Verbosity {
        match (self.quiet, self.verbose) {
            (true, _) => Verbosity::Quiet,
            (false, 0) => Verbosity::Normal,
            (false, 1) => Verbosity::Submissions,
            (false, _) => Verbosity::Cases,
        }
    }
}

/// Whether a report has tables.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct TableArgs {
    /// Print a table of each problem: the verdict, the slowest CPU time and the points of each solution by groups
    #[arg(
        long,
        value_name = "BY",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "groups",
        help_heading = "Reports"
    )]
    table: Option<TableBy>,
}

impl TableArgs {
    pub(crate) fn table(self) -> Option<VerdictTable> {
        self.table.map(VerdictTable::new)
    }
}
