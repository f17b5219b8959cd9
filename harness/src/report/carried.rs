//! Results on their way from one machine to another: the lines of a report, and what only the judge of a run needs.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::json::case::CaseLine;
use crate::event::{Build, CaseResult, FilesBeside};
use crate::notice::Notice;
use crate::show::notice_line::NoticeLine;

/// The result of a case.
#[derive(Serialize, Deserialize)]
pub(crate) struct CarriedCase<'a> {
    line: CaseLine<'a>,
    /// See [`CaseResult::messages`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    messages: Vec<usize>,
    /// The difference with its styles, which a line does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
}

impl<'a> From<&'a CaseResult> for CarriedCase<'a> {
    fn from(result: &'a CaseResult) -> Self {
        Self { line: result.into(), messages: result.messages.clone(), diff: result.diff.clone() }
    }
}

impl From<CarriedCase<'_>> for CaseResult {
    fn from(carried: CarriedCase<'_>) -> Self {
        Self { messages: carried.messages, diff: carried.diff, ..carried.line.into() }
    }
}

/// How a submission was built, or why it could not be judged.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct CarriedBuild {
    kind: BuildKind,
    source_blake3: Option<String>,
    cached: bool,
    time: Option<Duration>,
    error: Option<String>,
    warnings: Option<String>,
    colored: Option<String>,
    /// Those of [`FilesBeside`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    with: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    without: Vec<String>,
    time_factor: Option<f64>,
    why: Option<NoticeLine<'static>>,
}

/// Whether a submission can be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum BuildKind {
    Ready,
    Refused,
    Impossible,
}

impl CarriedBuild {
    pub(crate) fn new(kind: BuildKind, build: &Build, why: Option<&Notice>) -> Self {
        Self {
            kind,
            source_blake3: build.source_blake3.clone(),
            cached: build.cached,
            time: build.time,
            error: build.error.clone(),
            warnings: build.warnings.clone(),
            colored: build.colored.clone(),
            with: build.beside.with.clone(),
            without: build.beside.without.clone(),
            time_factor: build.time_factor,
            why: why.map(|why| NoticeLine::from(why).into_owned()),
        }
    }

    pub(crate) fn kind(&self) -> BuildKind {
        self.kind
    }

    /// Why it cannot be judged.
    pub(crate) fn why(&self) -> Option<Notice> {
        Some(self.why.clone()?.into())
    }
}

impl From<CarriedBuild> for Build {
    fn from(carried: CarriedBuild) -> Self {
        Self {
            source_blake3: carried.source_blake3,
            cached: carried.cached,
            time: carried.time,
            error: carried.error,
            warnings: carried.warnings,
            colored: carried.colored,
            beside: Box::new(FilesBeside { with: carried.with, without: carried.without }),
            time_factor: carried.time_factor,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notice::Code;
    use crate::specimen;
    use crate::verdict::Verdict;

    #[test]
    fn a_result_arrives_with_its_messages_and_styles() {
        let mut result = specimen::result("1", Verdict::WrongAnswer);
        result.messages = vec![0, 2];
        result.diff = Some("\u{1b}[31m- 1\u{1b}[0m".to_owned());
        let text = serde_json::to_string(&CarriedCase::from(&result)).unwrap();
        let read: CarriedCase<'_> = serde_json::from_str(&text).unwrap();
        let read = CaseResult::from(read);
        assert_eq!(read.messages, result.messages);
        assert_eq!(read.diff, result.diff);
        assert_eq!(read.verdict, result.verdict);
    }

    #[test]
    fn the_reason_why_a_submission_is_not_judged_arrives() {
        let why = Code::NotJudged.says("x").help("y");
        let carried = CarriedBuild::new(BuildKind::Impossible, &Build::default(), Some(&why));
        let text = serde_json::to_string(&carried).unwrap();
        let read: CarriedBuild = serde_json::from_str(&text).unwrap();
        assert_eq!(read.kind(), BuildKind::Impossible);
        assert_eq!(read.why().unwrap().to_string(), why.to_string());
    }
}
