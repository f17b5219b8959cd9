//! Reads one report block by block: its first line, its notices, each submission with its cases, its last line.

use std::io::BufRead;

use super::{ReportKind, StoredError, bad, head, kind};
use crate::event::{CaseResult, FAILURES_KEPT, Outline, SubmissionReport, Summary};
use crate::notice::Notice;
use crate::report::json::case::CaseLine;
use crate::report::json::digest::DigestLine;
use crate::report::json::start::StartLine;
use crate::report::json::submission::SubmissionLine;
use crate::report::json::summary::SummaryLine;
use crate::show::notice_line::NoticeLine;

/// A part of a report that means something on its own.
#[derive(Debug)]
pub(crate) enum StoredBlock {
    /// The first line.
    Started(Box<Outline>),
    /// A warning about the selected files.
    Warning(Notice),
    /// An error about the selected files.
    Error(Notice),
    /// A submission, with the results of its cases.
    Submission(Vec<CaseResult>, Box<SubmissionReport>),
    /// The last line.
    Finished(Summary),
    /// A digest of all lines before it.
    Digest {
        /// The unit of a shard that ends here.
        unit: Option<usize>,
        /// Whether the lines fit it.
        holds: bool,
    },
}

/// The report `from`, which messages call `name`.
pub(crate) struct StoredReport<R> {
    name: String,
    from: R,
    number: usize,
    line: Vec<u8>,
    /// The cases since the last line of a submission.
    cases: Vec<CaseResult>,
    is_whole: bool,
    /// All lines before this one.
    before: blake3::Hasher,
}

impl<R: BufRead> StoredReport<R> {
    pub(crate) fn new(name: &str, from: R) -> Self {
        Self {
            name: name.to_owned(),
            from,
            number: 0,
            line: Vec::new(),
            cases: Vec::new(),
            is_whole: false,
            before: blake3::Hasher::new(),
        }
    }

    /// Whether the last line was read.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Number of cases of a submission that was not finished.
    pub(crate) fn unfinished(&self) -> usize {
        self.cases.len()
    }

    /// The submission of these cases.
    pub(crate) fn unfinished_submission(&self) -> Option<&str> {
        self.cases.last().map(|case| case.submission.as_str())
    }

    /// The next block; `None` at the end. A last line that was not written to its end does not count.
    pub(crate) fn next(&mut self) -> Result<Option<StoredBlock>, StoredError> {
        loop {
            self.line.clear();
            let read = self.from.read_until(b'\n', &mut self.line);
            let read =
                read.map_err(|source| StoredError::Io { name: self.name.clone(), source })?;
            if read == 0 && self.number == 0 {
                return Err(bad(&self.name, 1, &"the file is empty"));
            }
            if read == 0 {
                return Ok(None);
            }
            self.number += 1;
            let line = std::mem::take(&mut self.line);
            let text =
                std::str::from_utf8(&line).map_err(|error| bad(&self.name, self.number, &error));
            let block = text.and_then(|text| self.block(text));
            let ends = line.last() == Some(&b'\n');
            self.before.update(&line);
            self.line = line;
            match block {
                Ok(None) => {}
                Ok(Some(block)) => return Ok(Some(block)),
                Err(StoredError::Line(_)) if !ends && self.number > 1 => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }

    /// The block that ends with this line.
    fn block(&mut self, text: &str) -> Result<Option<StoredBlock>, StoredError> {
        let (name, number) = (&self.name, self.number);
        let head = head(name, number, text)?;
        let of = |error: serde_json::Error| bad(name, number, &error);
        if number == 1 && kind(name, text)? == ReportKind::Bench {
            return Err(bad(name, 1, &"it is a report of `rejudge bench`"));
        }
        Ok(match head.r#type.as_str() {
            "start" => {
                let start: StartLine<'_> = serde_json::from_str(text).map_err(of)?;
                Some(StoredBlock::Started(Box::new(start.into())))
            }
            "warning" => {
                let line: NoticeLine<'_> = serde_json::from_str(text).map_err(of)?;
                Some(StoredBlock::Warning(line.into()))
            }
            "error" => {
                let line: NoticeLine<'_> = serde_json::from_str(text).map_err(of)?;
                Some(StoredBlock::Error(line.into()))
            }
            "case" => {
                let case: CaseLine<'_> = serde_json::from_str(text).map_err(of)?;
                self.cases.push(case.into());
                None
            }
            "submission" => {
                let line: SubmissionLine<'_> = serde_json::from_str(text).map_err(of)?;
                let cases = std::mem::take(&mut self.cases);
                let report = with_failures(line.into(), &cases);
                Some(StoredBlock::Submission(cases, Box::new(report)))
            }
            "summary" => {
                let sum: SummaryLine = serde_json::from_str(text).map_err(of)?;
                self.is_whole = true;
                Some(StoredBlock::Finished(sum.into()))
            }
            "digest" => {
                let line: DigestLine<'_> = serde_json::from_str(text).map_err(of)?;
                Some(StoredBlock::Digest { unit: line.unit, holds: line.fits(&self.before) })
            }
            // Of a later version with the same schema.
            _ => None,
        })
    }
}

/// The report with its first failures; if it has none and is not as expected, with the cases that have details.
fn with_failures(mut report: SubmissionReport, cases: &[CaseResult]) -> SubmissionReport {
    let first = |fits: &dyn Fn(&&CaseResult) -> bool| {
        let fitting = cases.iter().filter(fits);
        fitting.take(FAILURES_KEPT).cloned().collect::<Vec<_>>()
    };
    report.failures = first(&|case| !case.permitted);
    if report.failures.is_empty() && !report.met {
        report.failures = first(&|case| case.input.is_some());
    }
    report
}
