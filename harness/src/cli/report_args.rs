//! Options that several commands have for their reports.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{ArgAction, Args};

use super::report_writers::{NamedReporter, ReportWriters, Reporters};
use super::stream::Color;
use crate::notice::Notice;
use crate::report::html::Earlier;
use crate::report::rerun::Rerun;
use crate::report::table::{TableBy, VerdictTable};
use crate::report::terminal::{Terminal, Verbosity};

/// The reports that a command makes of stored runs.
#[derive(Debug, Clone, Args)]
pub(crate) struct StoredReportArgs {
    /// Write a page in HTML to FILE
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    html: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Reports",
        help = "Write a report in JUnit XML to FILE"
    )]
    junit: Option<PathBuf>,
    /// Append a summary in Markdown to FILE
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    csv: CsvArgs,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    verbosity: VerbosityArgs,
}

impl StoredReportArgs {
    /// Applies the colours.
    pub(super) fn prepare(&self) {
        self.color.apply();
    }

    /// The file of the page, if one is named.
    pub(super) fn html(&self) -> Option<&Path> {
        self.html.as_deref()
    }

    /// Whether no other file than that of the page is named.
    pub(super) fn is_only_page(&self) -> bool {
        self.junit.is_none() && self.markdown.is_none() && self.csv.file().is_none()
    }

    /// The files of the reports, with that of the JSON report.
    pub(super) fn writers<'a>(&'a self, json: Option<&'a Path>) -> ReportWriters<'a> {
        ReportWriters {
            json,
            junit: self.junit.as_deref(),
            html: self.html(),
            markdown: self.markdown.clone(),
            csv: self.csv.file(),
        }
    }

    /// A report on the terminal and one in each of the files `writers`. The notices are part of JSON. The page compares the
    /// run with an `earlier` one.
    pub(super) fn reporters(
        &self,
        writers: &ReportWriters<'_>,
        (warnings, errors): (&[Notice], &[Notice]),
        earlier: Option<Earlier>,
    ) -> Result<Reporters> {
        let stream = writers.stream();
        let verbosity = self.verbosity.verbosity();
        let terminal = Terminal::new(stream.out, verbosity, None, Rerun::default())
            .with_table(self.table.table())
            .with_columns(stream.columns);
        let mut reporters: Vec<NamedReporter> = vec![(stream.name.to_owned(), Box::new(terminal))];
        reporters.extend(writers.open(warnings, errors, earlier)?);
        Ok(Reporters::new(reporters))
    }
}

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

/// The table of points.
#[derive(Debug, Clone, Args)]
pub(crate) struct CsvArgs {
    /// Write a table of points in CSV to FILE: a row for each person, a column for each problem
    #[arg(long, value_name = "FILE", help_heading = "Reports", hide_short_help = true)]
    csv: Option<PathBuf>,
}

impl CsvArgs {
    pub(crate) fn file(&self) -> Option<&Path> {
        self.csv.as_deref()
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
