//! Checks a problem itself: its cases, validators, limits and files, before users are judged by it.
//!
//! It stands next to the judge in the flow: it compiles, runs and checks with the same stages, but
//! its findings are about the *problem*. It prints nothing and changes nothing on disk.

use std::fmt;
use std::path::PathBuf;

use crate::notice::{Code, Notice, Notices};
use crate::problem::{Problem, TestCase, declared};

mod answer_validators;
mod answers;
mod catch_counts;
mod files;
mod inputs;
mod lines;
mod mutation;
mod program;
mod statement;
mod submissions;
mod trial;

pub(crate) use answers::check as answers;
pub(crate) use catch_counts::{CatchCounts, caught_words};
pub(crate) use files::check as files;
pub(crate) use inputs::check as inputs;
pub(crate) use lines::{CheckCounts, FindingLine, ProblemLine, VerifyStartLine};
pub(crate) use program::VerifiedPrograms;
pub(crate) use submissions::{JudgingListener, findings as submissions, half, twice};

/// How many files of each kind were checked.
pub(crate) use answers::AnswerCounts;
pub(crate) use inputs::InputCounts;
pub(crate) use submissions::SubmissionCounts;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Severity {
    /// The problem can be used as it is, but this is suspicious.
    Warning,
    /// The problem must not be used before this is fixed.
    Error,
}

impl Severity {
    /// The name in the printed report and in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// The part of the check that made the finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FindingSubject {
    /// Reading the package.
    Package,
    /// Files that are unused, duplicated or misnamed.
    Files,
    /// The statement's samples.
    Statement,
    /// Inputs, through the input validators.
    Input,
    /// The input validators, on inputs that they must reject.
    InputValidator,
    /// Answers and given outputs, through the output validator.
    Answer,
    /// The output validator, on outputs that it must reject.
    OutputValidator,
    /// A submission against its expectation.
    Submission,
    /// The time limit: what changes with half of it and with twice as much.
    TimeLimit,
}

impl FindingSubject {
    /// The name in JSON.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Package => "package",
            Self::Files => "files",
            Self::Statement => "statement",
            Self::Input => "input",
            Self::InputValidator => "input_validator",
            Self::Answer => "answer",
            Self::OutputValidator => "output_validator",
            Self::Submission => "submission",
            Self::TimeLimit => "time_limit",
        }
    }
}

/// Something about a problem that its setter should fix or know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) severity: Severity,
    pub(crate) subject: FindingSubject,
    pub(crate) code: Code,
    /// The file that the finding is about.
    pub(crate) path: Option<PathBuf>,
    /// One line, without the path; the output of a program may follow on lines of its own.
    pub(crate) message: String,
    /// How to fix it.
    pub(crate) help: Option<String>,
}

impl Finding {
    fn new(
        severity: Severity,
        subject: FindingSubject,
        code: Code,
        message: impl Into<String>,
    ) -> Self {
        Self { severity, subject, code, path: None, message: message.into(), help: None }
    }

    /// A finding that must be fixed.
    pub(crate) fn error(subject: FindingSubject, code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, subject, code, message)
    }

    /// A finding that should be reviewed.
    pub(crate) fn warning(subject: FindingSubject, code: Code, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, subject, code, message)
    }

    /// Converts a notice from reading the problem.
    pub(crate) fn of_notice(severity: Severity, notice: &Notice) -> Self {
        Self {
            help: notice.help.clone(),
            ..Self::new(severity, FindingSubject::Package, notice.code, notice.message.as_str())
        }
    }

    /// Sets the file that the finding is about.
    pub(crate) fn at(mut self, path: impl Into<PathBuf>) -> Self {
        self.path = Some(path.into());
        self
    }

    /// Sets how to fix it.
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The declared cases in a folder of the problem's `data/`; a case that cannot be read is a
/// finding.
fn declared_in(
    problem: &Problem,
    folder: &str,
    outputs: bool,
    findings: &mut Vec<Finding>,
) -> Vec<TestCase> {
    let mut notices = Notices::default();
    let cases = declared(problem, folder, outputs, &mut notices);
    for (severity, told) in
        [(Severity::Error, &notices.errors), (Severity::Warning, &notices.warnings)]
    {
        findings.extend(told.iter().map(|notice| Finding::of_notice(severity, notice)));
    }
    cases
}

/// The maximum number of findings shown of one kind.
const MOST_SHOWN: usize = 5;

/// Findings of one kind: the first few, and the number of the others.
#[derive(Debug, Default)]
pub(crate) struct FirstFindings {
    found: Vec<Finding>,
    more: usize,
}

impl FirstFindings {
    /// Adds one.
    pub(crate) fn push(&mut self, finding: Finding) {
        if self.found.len() < MOST_SHOWN {
            self.found.push(finding);
        } else {
            self.more += 1;
        }
    }

    /// Appends them to `findings`; `what` names those that are only counted, such as `inputs that
    /// are rejected`.
    pub(crate) fn move_to(self, findings: &mut Vec<Finding>, what: impl fmt::Display) {
        let Some(last) = self.found.last() else {
            return;
        };
        let more = (self.more > 0).then(|| {
            let message = format!("… and {} more {what}", self.more);
            Finding::new(last.severity, last.subject, last.code, message)
        });
        findings.extend(self.found);
        findings.extend(more);
    }
}

/// The last part of a path.
fn file_name(path: &std::path::Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
