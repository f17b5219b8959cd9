//! The report for CI servers: `JUnit` XML, a suite for each submission, a test for each case.
//!
//! A case fails where its verdict speaks against the expectation, so a wrong solution that fails as
//! promised is green there too. The file is written whole, at the end, through a temporary sibling.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use tempfile::NamedTempFile;

use crate::event::{CaseResult, Event, SubmissionReport};
use crate::report::Reporter;

/// Collects tests and writes them to a file at the end.
pub(crate) struct Junit {
    path: PathBuf,
    file: Option<NamedTempFile>,
    report: Report,
    suite: Vec<TestCase>,
}

impl Junit {
    /// A report that is written to `path` when the run has ended; that it can be is found out now.
    pub(crate) fn new(path: PathBuf) -> io::Result<Self> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let file = Some(NamedTempFile::new_in(folder)?);
        Ok(Self {
            path,
            file,
            report: Report::new("rejudge"),
            suite: Vec::new(),
        })
    }

    fn write(&mut self) -> io::Result<()> {
        let Some(mut file) = self.file.take() else {
            return Ok(());
        };
        self.report.serialize(&mut file).map_err(io::Error::other)?;
        file.flush()?;
        file.persist(&self.path)?;
        Ok(())
    }

    fn submission(&mut self, report: &SubmissionReport) {
        let mut suite = TestSuite::new(report.submission.as_str());
        suite.add_test_cases(self.suite.drain(..));
        if let Some(test) = whole(report) {
            suite.add_test_case(test);
        }
        self.report.add_test_suite(suite);
    }
}

impl Reporter for Junit {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Case(result) => self.suite.push(test(result)),
            Event::Submission(report) => self.submission(report),
            Event::Finished(summary) => {
                self.report.set_time(summary.wall);
                return self.write();
            }
            Event::Started(_) | Event::Working(_) => {}
        }
        Ok(())
    }
}

/// The test that a case is.
fn test(result: &CaseResult) -> TestCase {
    let status = if result.permitted {
        TestCaseStatus::success()
    } else {
        let reason = result.reason.as_deref().unwrap_or(result.verdict.words());
        let details = result.diff.as_deref().map(anstream::adapter::strip_str);
        failure(
            result.verdict.code(),
            reason,
            details.map(|text| text.to_string()),
        )
    };
    let mut test = TestCase::new(result.case.as_str(), status);
    test.set_classname(result.submission.as_str());
    test.set_time(result.usage.wall);
    if let Some(stderr) = &result.stderr {
        test.set_system_err(stderr.as_str());
    }
    test
}

/// The test that a submission as a whole is, where that says what no case says: it did not compile,
/// it was not judged, it never got the verdict that it must get.
fn whole(report: &SubmissionReport) -> Option<TestCase> {
    if report.met || report.failed > 0 {
        return None;
    }
    let reason = report.not_judged.as_deref().or(report.complaint.as_deref());
    let status = failure(
        report.verdict.code(),
        reason.unwrap_or("not as expected"),
        report.build.error.clone(),
    );
    let mut test = TestCase::new("the submission as a whole", status);
    test.set_classname(report.submission.as_str());
    Some(test)
}

fn failure(kind: &str, message: &str, details: Option<String>) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type(kind);
    status.set_message(message);
    if let Some(details) = details {
        status.set_description(details);
    }
    status
}
