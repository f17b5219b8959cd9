//! The report for CI servers: `JUnit` XML with a suite for each submission and a test for each case.
//!
//! A test fails if the case's verdict contradicts the expectation, so a wrong solution that fails as expected passes.
//! The file is written at the end, to a temporary sibling that then replaces it.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use tempfile::NamedTempFile;

use crate::event::{CaseResult, Event, SubmissionReport};
use crate::machine::Noise;
use crate::printable::{Piece, is_hazardous};
use crate::report::Reporter;
use crate::report::words::{Disturbed, Sureness, clock};
use crate::sandbox::Facts;
use crate::verdict::Verdict;

/// Collects tests and writes them to a file at the end.
pub(crate) struct Junit {
    place: Option<Place>,
    report: Report,
    suite: Vec<TestCase>,
    /// Facts about the machine and the sandbox, added to every suite.
    properties: Vec<(&'static str, String)>,
}

/// Where the report goes.
enum Place {
    /// A regular file: a temporary file in the same folder, which will be moved to the path.
    File(NamedTempFile, PathBuf),
    /// A pipe or a device, which must not be replaced.
    Stream(File),
}

impl Place {
    fn open(path: &Path) -> io::Result<Self> {
        // Resolve links, so that the file that they point to changes.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        match path.metadata() {
            Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() => {
                File::options().write(true).open(path).map(Self::Stream)
            }
            _ => {
                let folder = path
                    .parent()
                    .filter(|folder| !folder.as_os_str().is_empty());
                let sibling = tempfile::Builder::new()
                    .tempfile_in(folder.unwrap_or(Path::new(".")))
                    // Without the temporary name, which would confuse the user.
                    .map_err(|error| io::Error::from(error.kind()))?;
                Ok(Self::File(sibling, path))
            }
        }
    }

    fn write(self, text: &[u8]) -> io::Result<()> {
        match self {
            Self::Stream(mut stream) => stream.write_all(text),
            Self::File(mut file, path) => {
                file.write_all(text)?;
                file.persist(&path)?;
                Ok(())
            }
        }
    }
}

impl Junit {
    /// A report that is written to `path` at the end of the run. A path that cannot be written is an error now.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        Ok(Self {
            place: Some(Place::open(path)?),
            report: Report::new("rejudge"),
            suite: Vec::new(),
            properties: Vec::new(),
        })
    }

    fn write(&mut self) -> io::Result<()> {
        let text = self.report.to_string().map_err(io::Error::other)?;
        let text = well_formed(&text);
        self.place
            .take()
            .map_or(Ok(()), |place| place.write(text.as_bytes()))
    }

    fn submission(&mut self, report: &SubmissionReport) {
        let mut suite = TestSuite::new(report.submission.as_str());
        let properties = self.properties.iter();
        suite.add_properties(properties.map(|(name, value)| (*name, value.as_str())));
        suite.add_test_cases(self.suite.drain(..));
        if let Some(score) = &report.score {
            suite.add_property(("score", score.score.to_string().as_str()));
            if let Some(max) = score.max {
                suite.add_property(("max_score", max.to_string().as_str()));
            }
        }
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
            Event::Started(outline) => self.properties = properties(&outline.sandbox),
            Event::Working(_) => {}
        }
        Ok(())
    }
}

/// The document with escapes for characters that XML forbids: a single one would make all results unreadable.
fn well_formed(document: &str) -> String {
    let mut out = String::with_capacity(document.len());
    for c in document.chars() {
        match c {
            '\n' | '\t' | '\r' => out.push(c),
            c if is_hazardous(c) => Piece::Escaped(c).push_to(&mut out),
            c => out.push(c),
        }
    }
    out
}

/// The protections and clocks of a sandbox, and the machine's sources of noise.
fn properties(facts: &Facts) -> Vec<(&'static str, String)> {
    let missing: Vec<&str> = facts.lacks().map(|(missing, _)| missing.name()).collect();
    let noise = serde_json::to_string(&Noise::here()).unwrap_or_default();
    vec![
        ("sandbox.back_end", facts.back_end.name().to_owned()),
        ("sandbox.lacks", missing.join(" ")),
        ("sandbox.cpu_clock", clock(facts.cpu_clock).to_owned()),
        ("sandbox.memory_clock", clock(facts.memory_clock).to_owned()),
        ("machine.noise", noise),
    ]
}

/// The test of a case.
fn test(result: &CaseResult) -> TestCase {
    let status = if result.verdict == Verdict::Skipped {
        let mut status = TestCaseStatus::skipped();
        status.set_message(result.reason.as_deref().unwrap_or_default());
        status
    } else if result.permitted {
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
    if let Some(nearness) = result.nearness {
        test.add_property(("confirmation", Sureness(nearness).to_string().as_str()));
    }
    if let Some(disturbance) = &result.disturbance {
        let name = if disturbance.stands {
            "disturbed"
        } else {
            "run_again"
        };
        test.add_property((name, Disturbed(disturbance).to_string().as_str()));
    }
    if let Some(stderr) = &result.stderr {
        test.set_system_err(stderr.as_str());
    }
    if let Some(transcript) = &result.transcript {
        test.set_system_out(transcript.as_str());
    }
    test
}

/// A test for the submission as a whole, if its failure shows in no case: it did not compile, was not judged, or never
/// got a verdict that it must get.
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
