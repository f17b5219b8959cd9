//! The human-readable report: one line for a problem without failures, all helpful details for one with failures.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::event::{CaseResult, Event, Outline, SubmissionReport, Summary};
use crate::notice::Notice;
use crate::report::Reporter;
use crate::report::matrix::ProblemTotals;
use crate::report::rerun::Rerun;
use crate::report::table::VerdictTable;
use crate::show::fit;
use crate::show::progress::{PrintProgress, Progress};

mod companions;
mod lines;

use companions::companions;
use lines::{
    DetailOptions, case_line, closing, compiler_warnings, indented, problem_line, submission_line,
    summary_line, warnings,
};

/// How much is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// `-q`: only what is not as expected; no summary if everything is.
    Quiet,
    /// A line for each problem.
    Normal,
    /// `-v`: in addition, a line for each submission.
    Submissions,
    /// `-vv`: in addition, a line for each case.
    Cases,
}

/// Writes to `out`, always with styles: the stream keeps or strips them.
pub(crate) struct Terminal<W> {
    out: W,
    verbosity: Verbosity,
    progress: Progress,
    /// The current problem, and its totals so far.
    problem: Option<(String, ProblemTotals)>,
    /// The complaint about the current submission, if its first failure is already printed.
    failing: Option<String>,
    unexpected: Vec<String>,
    /// Whether there is only one submission: its verdict is the whole report.
    alone: bool,
    problems: usize,
    /// The columns of the terminal, if it is one.
    columns: Option<usize>,
    /// The number of verdicts that stand although their runs were disturbed.
    in_doubt: usize,
    rerun: Rerun,
    /// Reasons for "not judged" that were already printed in full.
    explained: BTreeSet<String>,
    /// Print what compilers print although they succeed.
    warnings: bool,
    /// Print every transcript, not only that of a submission's first failure.
    transcripts: bool,
    /// The table of the current problem, if tables are printed.
    table: Option<VerdictTable>,
    text: String,
}

impl<W: Write> Terminal<W> {
    /// A report, with the progress if `live`: as a bar on a terminal, otherwise in lines that `live` prints.
    pub(crate) fn new(
        out: W,
        verbosity: Verbosity,
        live: Option<PrintProgress>,
        rerun: Rerun,
    ) -> Self {
        let progress = live.map_or_else(Progress::hidden, Progress::new);
        Self {
            out,
            verbosity,
            progress,
            problem: None,
            failing: None,
            unexpected: Vec::new(),
            alone: false,
            problems: 0,
            columns: None,
            in_doubt: 0,
            rerun,
            explained: BTreeSet::new(),
            warnings: verbosity >= Verbosity::Submissions,
            transcripts: false,
            table: None,
            text: String::new(),
        }
    }

    /// Prints the transcript of every case if `all`.
    pub(crate) fn with_transcripts(self, all: bool) -> Self {
        Self { transcripts: all, ..self }
    }

    /// Prints what compilers print although they succeed if `all`, or if the report is verbose.
    pub(crate) fn with_warnings(self, all: bool) -> Self {
        Self { warnings: self.warnings || all, ..self }
    }

    /// Prints a table of each problem, if there is one.
    pub(crate) fn with_table(self, table: Option<VerdictTable>) -> Self {
        Self { table, ..self }
    }

    /// Makes every line fit these columns.
    pub(crate) fn with_columns(self, columns: Option<usize>) -> Self {
        Self { columns, ..self }
    }

    fn start(&mut self, outline: &Outline) {
        self.alone = outline.submissions == 1;
        self.progress.expect(outline.cases);
    }

    fn case(&mut self, result: &CaseResult) {
        self.enter(&result.problem);
        let disturbance = result.disturbance.as_ref();
        self.in_doubt += usize::from(disturbance.is_some_and(|disturbance| disturbance.stands));
        if let Some(table) = &mut self.table {
            table.case(result);
        }
        if self.verbosity >= Verbosity::Cases {
            self.text.push_str(&case_line(result));
        }
        if let Some(transcript) = result.transcript.as_ref().filter(|_| self.transcripts) {
            if self.verbosity < Verbosity::Cases {
                self.text.push_str(&case_line(result));
            }
            let _ = writeln!(self.text, "{}", indented(transcript.to_string().trim_end(), "    "));
        }
    }

    fn submission(&mut self, report: &SubmissionReport) {
        self.enter(&report.problem);
        let problem = || (report.problem.clone(), ProblemTotals::default());
        let (_, totals) = self.problem.get_or_insert_with(problem);
        totals.add(report);
        if let Some(table) = &mut self.table {
            table.submission(report);
        }
        let before = self.failing.take();
        if !report.met {
            self.unexpected.push(summary_line(report));
            let why = report.not_judged.as_ref().map(Notice::to_string);
            let first = self.explained.insert(why.unwrap_or_default());
            let text = match before {
                Some(complaint) => self.details().rest(report, &complaint),
                None => self.details().failure(report, first),
            };
            self.text.push_str(&text);
        } else if self.verbosity >= Verbosity::Submissions
            || self.alone && self.verbosity == Verbosity::Normal
        {
            self.text.push_str(&submission_line(report));
        }
        if self.verbosity >= Verbosity::Submissions {
            self.text.push_str(&companions(report));
        }
        if self.warnings {
            self.text.push_str(&compiler_warnings(report));
        }
    }

    /// Prints the first failure of a submission whose cases are still being judged.
    fn fail(&mut self, report: &SubmissionReport) {
        let text = self.details().first(report);
        self.text.push_str(&text);
        self.failing = Some(report.complaint.clone().unwrap_or_default());
    }

    fn details(&self) -> DetailOptions<'_> {
        DetailOptions {
            rerun: &self.rerun,
            transcript: !self.transcripts,
            columns: self.columns,
            every_case: self.verbosity >= Verbosity::Cases,
        }
    }

    /// Ends the current problem if `id` is another one.
    fn enter(&mut self, id: &str) {
        if self.problem.as_ref().is_some_and(|(problem, _)| problem != id) {
            self.end_problem();
        }
    }

    fn end_problem(&mut self) {
        let Some((id, totals)) = self.problem.take() else {
            return;
        };
        self.problems += 1;
        if let Some(table) = &mut self.table {
            self.text.push_str(&table.finish(self.columns));
        }
        if self.verbosity >= Verbosity::Normal && !self.alone {
            self.text.push_str(&problem_line(&id, &totals));
        }
    }

    fn finish(&mut self, summary: &Summary) {
        self.end_problem();
        self.progress.finish();
        let green = self.unexpected.is_empty() && summary.is_complete();
        if self.verbosity > Verbosity::Quiet || !green {
            if !self.alone || !summary.is_complete() {
                self.text.push('\n');
                self.text.push_str(&closing(summary, !self.unexpected.is_empty()));
            }
            // Within one problem, the details are close enough.
            let again: &[String] = if self.problems > 1 { &self.unexpected } else { &[] };
            self.text.push_str(&warnings(again, self.in_doubt, summary));
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        if let Some(columns) = self.columns {
            self.text = fit::fitted(&self.text, columns);
        }
        let (out, text) = (&mut self.out, &self.text);
        self.progress.suspend(|| {
            out.write_all(text.as_bytes())?;
            out.flush()
        })?;
        self.text.clear();
        Ok(())
    }
}

impl<W: Write> Reporter for Terminal<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(outline) => self.start(outline),
            Event::Failing(report) => self.fail(report),
            Event::Working(work) => self.progress.work(*work),
            Event::Case(result) => self.case(result),
            Event::Submission(report) => {
                self.progress.skip(report.cases - report.run);
                self.submission(report);
            }
            Event::Finished(summary) => self.finish(summary),
            Event::Paused | Event::Drawn(_) => {}
        }
        self.flush()
    }
}

#[cfg(test)]
mod tests;
