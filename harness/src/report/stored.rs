//! Reads reports in JSON lines back into events, so that every report can be made of a stored run.
//!
//! A file that ends early is not an error: everything up to its last whole line counts.

use std::collections::BTreeSet;
use std::io::{self, BufRead};

use serde::Deserialize;

use crate::event::{CaseResult, Event, FAILURES_KEPT, Outline, SubmissionReport, Summary};
use crate::notice::{Code, Notice};
use crate::report::json::SCHEMA;
use crate::report::json::case::CaseLine;
use crate::report::json::start::StartLine;
use crate::report::json::submission::SubmissionLine;
use crate::report::json::summary::SummaryLine;

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
    if head.r#type != "start" {
        let why = format!("the first line has the type `{}`, not `start`", head.r#type);
        return Err(bad(name, 1, &why));
    }
    Ok(if head.meter.is_some() {
        ReportKind::Bench
    } else {
        ReportKind::Run
    })
}

fn head(name: &str, number: usize, line: &str) -> Result<Head, StoredError> {
    let head: Head = serde_json::from_str(line).map_err(|error| bad(name, number, &error))?;
    if head.schema != u64::from(SCHEMA) {
        let schema = head.schema;
        return Err(Code::InvalidReport
            .says(format!(
                "`{name}` has schema {schema}, and this version reads schema {SCHEMA}"
            ))
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
    /// The first failures of the current submission, and the cases that have details without being failures.
    failures: Vec<CaseResult>,
    explained: Vec<CaseResult>,
    /// The cases since the last line of a submission.
    cases: Vec<CaseResult>,
    sum: Summary,
    started: bool,
    /// The submissions that the first lines announce.
    announced: usize,
    /// What is missing.
    missing: Vec<String>,
}

impl ReportReader {
    /// Reads the report `from`, which messages call `name`, and passes its events to `sink`.
    pub(crate) fn read(
        &mut self,
        name: &str,
        mut from: impl BufRead,
        sink: Sink<'_>,
    ) -> Result<(), StoredError> {
        let before = (self.known.len(), self.announced);
        let mut line = Vec::new();
        let mut number = 0;
        let mut is_whole = false;
        loop {
            line.clear();
            let read = from.read_until(b'\n', &mut line);
            let read = read.map_err(|source| StoredError::Io {
                name: name.to_owned(),
                source,
            })?;
            if read == 0 {
                break;
            }
            number += 1;
            let ends = line.last() == Some(&b'\n');
            let text = std::str::from_utf8(&line).map_err(|error| bad(name, number, &error));
            match text.and_then(|text| self.line(name, number, text, sink)) {
                Ok(is_last) => is_whole |= is_last,
                // The line was not written to its end.
                Err(StoredError::Line(_)) if !ends && number > 1 => break,
                Err(error) => return Err(error),
            }
        }
        if number == 0 {
            return Err(bad(name, 1, &"the file is empty"));
        }
        if !is_whole {
            self.truncated(name, before);
        }
        self.failures.clear();
        self.explained.clear();
        self.cases.clear();
        Ok(())
    }

    /// Passes the last event on. Returns what is missing, a sentence for each gap.
    pub(crate) fn finish(mut self, sink: Sink<'_>) -> Result<Vec<String>, StoredError> {
        self.sum.interrupted |= !self.missing.is_empty();
        sink(&Event::Finished(&self.sum)).map_err(StoredError::Report)?;
        Ok(self.missing)
    }

    /// Notes what is missing in the file `name`. `known` and `announced` count the submissions before it.
    fn truncated(&mut self, name: &str, (known, announced): (usize, usize)) {
        let cut = if self.cases.is_empty() {
            String::new()
        } else {
            format!(
                "; {} cases of a submission that was not finished are not shown",
                self.cases.len()
            )
        };
        self.missing.push(format!(
            "`{name}` ends before its summary: it has {} of {} submissions{cut}",
            self.known.len() - known,
            self.announced - announced
        ));
    }

    /// Handles a line. Returns whether it is the last line of a whole report.
    fn line(
        &mut self,
        name: &str,
        number: usize,
        text: &str,
        sink: Sink<'_>,
    ) -> Result<bool, StoredError> {
        let head = head(name, number, text)?;
        let of = |error: serde_json::Error| bad(name, number, &error);
        let event = |event: &Event<'_>, sink: Sink<'_>| sink(event).map_err(StoredError::Report);
        if number == 1 && kind(name, text)? == ReportKind::Bench {
            return Err(bad(name, 1, &"it is a report of `rejudge bench`"));
        }
        match head.r#type.as_str() {
            "start" => {
                let start: StartLine<'_> = serde_json::from_str(text).map_err(of)?;
                let outline = Outline::from(start);
                self.announced += outline.submissions;
                if !std::mem::replace(&mut self.started, true) {
                    event(&Event::Started(&outline), sink)?;
                }
            }
            "case" => {
                let case: CaseLine<'_> = serde_json::from_str(text).map_err(of)?;
                self.cases.push(case.into());
            }
            "submission" => {
                let line: SubmissionLine<'_> = serde_json::from_str(text).map_err(of)?;
                for result in std::mem::take(&mut self.cases) {
                    event(&Event::Case(&result), &mut *sink)?;
                    self.keep(result);
                }
                let report = self.report(name, line.into())?;
                event(&Event::Submission(&report), sink)?;
            }
            "summary" => {
                let sum: SummaryLine = serde_json::from_str(text).map_err(of)?;
                self.add(&sum.into());
                return Ok(true);
            }
            // Of a later version with the same schema.
            _ => {}
        }
        Ok(false)
    }

    fn keep(&mut self, result: CaseResult) {
        if !result.permitted && self.failures.len() < FAILURES_KEPT {
            self.failures.push(result);
        } else if result.input.is_some() && self.explained.len() < FAILURES_KEPT {
            self.explained.push(result);
        }
    }

    fn report(
        &mut self,
        name: &str,
        mut report: SubmissionReport,
    ) -> Result<SubmissionReport, StoredError> {
        let key = (report.problem.clone(), report.submission.clone());
        if !self.known.insert(key) {
            let submission = report.submission;
            return Err(Code::InvalidReport
                .says(format!("`{name}` repeats the results of `{submission}`"))
                .help("compare two runs with `rejudge report NEW.jsonl --against OLD.jsonl`")
                .into());
        }
        report.failures = std::mem::take(&mut self.failures);
        let explained = std::mem::take(&mut self.explained);
        if report.failures.is_empty() && !report.met {
            report.failures = explained;
        }
        self.sum.submissions += 1;
        let count = if report.not_judged.is_some() {
            &mut self.sum.not_judged
        } else if report.met {
            &mut self.sum.met
        } else {
            &mut self.sum.unexpected
        };
        *count += 1;
        self.sum.cases += report.run;
        Ok(report)
    }

    /// Adds what only the last line of a file has.
    fn add(&mut self, sum: &Summary) {
        self.sum.skipped += sum.skipped;
        self.sum.wall += sum.wall;
        self.sum.interrupted |= sum.interrupted;
    }
}

#[cfg(test)]
mod tests;
