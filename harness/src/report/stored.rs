//! Reads reports in JSON lines back into events, so that every report can be made of a stored run.
//!
//! A file that ends early is not an error: everything up to its last whole line counts.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

use serde::Deserialize;

use crate::event::{CaseResult, Event, Outline, SubmissionReport, Summary};
use crate::notice::{Code, Notice};
use crate::show::json_line::SCHEMA;

mod blocks;

pub(crate) use blocks::{StoredBlock, StoredReport};

/// Why a file is not a report of a run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoredError {
    /// It cannot be read.
    #[error("cannot read `{name}`")]
    Io {
        /// The file.
        name: String,
        /// The system's error.
        source: io::Error,
    },
    /// A reporter failed.
    #[error(transparent)]
    Report(io::Error),
    /// A line is not a line of a report.
    #[error(transparent)]
    Line(Notice),
    /// A later version wrote it, or two files have results of the same submission.
    #[error(transparent)]
    Notice(#[from] Notice),
}

/// The kind of line, and the version of its schema.
#[derive(Deserialize)]
struct Head {
    r#type: String,
    schema: u64,
    /// Only `bench` has it, in its first line.
    meter: Option<String>,
    /// Only notices have it.
    message: Option<String>,
}

/// The kind of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReportKind {
    /// Of `rejudge run`.
    Run,
    /// Of `rejudge bench`.
    Bench,
}

/// The kind of the report whose first line is `line`.
pub(crate) fn kind(name: &str, line: &str) -> Result<ReportKind, StoredError> {
    let head = head(name, 1, line)?;
    if let ("error" | "warning", Some(message)) = (head.r#type.as_str(), &head.message) {
        return Err(StoredError::Line(
            Code::InvalidReport
                .says(format!("`{name}` has no results: {message}"))
                .help("correct what it names, and run it again"),
        ));
    }
    if head.r#type != "start" {
        let why = format!("the first line has the type `{}`, not `start`", head.r#type);
        return Err(bad(name, 1, &why));
    }
    Ok(if head.meter.is_some() { ReportKind::Bench } else { ReportKind::Run })
}

fn head(name: &str, number: usize, line: &str) -> Result<Head, StoredError> {
    let head: Head = serde_json::from_str(line).map_err(|error| bad(name, number, &error))?;
    if head.schema != u64::from(SCHEMA) {
        let schema = head.schema;
        return Err(Code::InvalidReport
            .says(format!("`{name}` has schema {schema}, and this version reads schema {SCHEMA}"))
            .help("read it with the version of rejudge that wrote it")
            .into());
    }
    Ok(head)
}

fn bad(name: &str, line: usize, why: &dyn std::fmt::Display) -> StoredError {
    let why = crate::printable::one_line(why.to_string().as_bytes(), 200);
    StoredError::Line(
        Code::InvalidReport
            .says(format!("`{name}` is not a report: line {line}: {why}"))
            .help("name a file that `rejudge run --json FILE` wrote"),
    )
}

/// A consumer of the events of a file.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&Event<'_>) -> io::Result<()>;

/// Reads the reports of several runs as one run.
#[derive(Default)]
pub(crate) struct ReportReader {
    known: BTreeSet<(String, String)>,
    sum: Summary,
    started: bool,
    /// The submissions that the first lines announce.
    announced: usize,
}

impl ReportReader {
    /// Reads the report `from`, which messages call `name`, and passes its events to `sink`.
    pub(crate) fn read(
        &mut self,
        name: &str,
        from: impl BufRead,
        sink: Sink<'_>,
    ) -> Result<(), StoredError> {
        let before = (self.known.len(), self.announced);
        let mut report = StoredReport::new(name, from);
        while let Some(block) = report.next()? {
            match block {
                StoredBlock::Started(outline) => self.start(&outline, sink)?,
                StoredBlock::Submission(cases, report) => {
                    self.submission(name, &cases, &report, sink)?;
                }
                StoredBlock::Finished(sum) => self.add(sum),
                StoredBlock::Warning(_) | StoredBlock::Error(_) | StoredBlock::Digest { .. } => {}
            }
        }
        if !report.is_whole() {
            self.truncated(name, report.unfinished(), before);
        }
        Ok(())
    }

    /// Passes the first of the first events on.
    pub(crate) fn start(&mut self, outline: &Outline, sink: Sink<'_>) -> Result<(), StoredError> {
        self.announced += outline.submissions;
        if std::mem::replace(&mut self.started, true) {
            return Ok(());
        }
        sink(&Event::Started(outline)).map_err(StoredError::Report)
    }

    /// Passes a submission of the file `name` and its cases on, and counts it.
    pub(crate) fn submission(
        &mut self,
        name: &str,
        cases: &[CaseResult],
        report: &SubmissionReport,
        sink: Sink<'_>,
    ) -> Result<(), StoredError> {
        let key = (report.problem.clone(), report.submission.clone());
        if !self.known.insert(key) {
            let submission = &report.submission;
            return Err(Code::InvalidReport
                .says(format!("`{name}` repeats the results of `{submission}`"))
                .help("compare two runs with `rejudge report NEW.jsonl --against OLD.jsonl`")
                .into());
        }
        self.sum.submissions += 1;
        self.sum.count(report);
        self.sum.cases += report.run;
        for result in cases {
            sink(&Event::Case(result)).map_err(StoredError::Report)?;
        }
        sink(&Event::Submission(report)).map_err(StoredError::Report)
    }

    /// Adds what only the last line of a file has.
    pub(crate) fn add(&mut self, sum: Summary) {
        self.sum.skipped += sum.skipped;
        self.sum.wall += sum.wall;
        self.sum.interrupted |= sum.interrupted;
        self.sum.missing.extend(sum.missing);
        self.sum.remarks.extend(sum.remarks);
    }

    /// Passes the last event on. Returns the summary.
    pub(crate) fn finish(self, sink: Sink<'_>) -> Result<Summary, StoredError> {
        sink(&Event::Finished(&self.sum)).map_err(StoredError::Report)?;
        Ok(self.sum)
    }

    /// Notes what is missing in the file `name`. `known` and `announced` count the submissions before it.
    fn truncated(&mut self, name: &str, cases: usize, (known, announced): (usize, usize)) {
        let cut = if cases == 0 {
            String::new()
        } else {
            format!("; {cases} cases of a submission that was not finished are not shown")
        };
        self.sum.interrupted = true;
        self.sum.missing.push(format!(
            "`{name}` ends before its summary: it has {} of {} submissions{cut}",
            self.known.len() - known,
            self.announced - announced
        ));
    }
}

#[cfg(test)]
mod tests;
