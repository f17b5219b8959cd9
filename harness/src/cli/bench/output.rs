//! The outputs of the report: the terminal, a JSON file, a Markdown file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use crate::bench::history;
use crate::bench::report::{BenchReport, json, markdown, text};
use crate::cli::{report_files, stream};
use crate::show::progress::Progress;

/// Where the report goes
#[derive(Debug, Clone, Args)]
pub(crate) struct OutputArgs {
    /// Write a report in JSON lines to FILE; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    json: Option<PathBuf>,
    /// Write a page in HTML to FILE; `rejudge report` draws many reports as a history
    #[arg(long, value_name = "FILE", help_heading = "Reports", hide_short_help = true)]
    html: Option<PathBuf>,
    /// Append a summary in Markdown to FILE [default: the file that `GITHUB_STEP_SUMMARY` names, if any]
    #[arg(long, value_name = "FILE", help_heading = "Reports", hide_short_help = true)]
    markdown: Option<PathBuf>,
    /// Print only regressions
    #[arg(short, long, help_heading = "Reports")]
    quiet: bool,
}

impl OutputArgs {
    /// Rejects reports that would corrupt each other or a file that is `measured`, and files that cannot be written: better
    /// now than after minutes of measuring.
    pub(super) fn check(&self, measured: &[&Path]) -> Result<()> {
        let written = [
            (report_files::JSON, self.json.as_deref()),
            ("--html", self.html.as_deref()),
            ("--markdown", self.markdown.as_deref()),
        ];
        report_files::check(&written, measured)?;
        Ok(report_files::check_folders(&written)?)
    }

    /// The progress: a bar on a terminal, otherwise a line now and then.
    pub(super) fn progress(&self) -> Progress {
        if self.quiet { Progress::hidden() } else { Progress::new(stream::note_of_work) }
    }

    /// Writes the page, if it is requested, of a measurement that was interrupted. The other reports are decisions, for
    /// which its figures are too few.
    pub(super) fn write_interrupted(&self, report: Option<&BenchReport>) -> Result<()> {
        self.write_page(report, true)
    }

    fn write_page(&self, report: Option<&BenchReport>, is_interrupted: bool) -> Result<()> {
        let Some(path) = &self.html else {
            return Ok(());
        };
        history::write_page(report, is_interrupted, path)
            .with_context(|| format!("cannot write the page to `{}`", path.display()))
    }

    /// Writes all requested reports.
    pub(super) fn write(&self, report: &BenchReport) -> Result<()> {
        let text = text::report(report, self.quiet);
        let to_stdout = self.json.as_deref() == Some(Path::new("-"));
        if to_stdout {
            stream::eprint_line(text.trim_end_matches('\n'));
            stream::print_unfitted(|out| json::write(report, out))?;
        } else {
            stream::print(|out| out.write_all(text.as_bytes()))?;
        }
        if let Some(path) = self.json.as_ref().filter(|_| !to_stdout) {
            let written = File::create(path).and_then(|file| {
                let mut file = io::BufWriter::new(file);
                json::write(report, &mut file)?;
                file.flush()
            });
            written
                .with_context(|| format!("cannot write the JSON report to `{}`", path.display()))?;
        }
        self.write_page(Some(report), false)?;
        let Some(file) = crate::show::markdown::file(self.markdown.as_deref()) else {
            return Ok(());
        };
        crate::show::markdown::append(&file, &markdown::report(report))
            .with_context(|| format!("cannot write the summary to `{}`", file.display()))
    }
}
