//! The line of a submission.

use std::borrow::Cow;

use rejudge_quantity::Bytes;
use serde::{Deserialize, Serialize};

use super::{VerdictCode, duration, milliseconds};
use crate::event::{Build, GroupScore, Score, SubmissionReport};
use crate::notice::{Code, Notice};
use crate::sandbox::Limits;
use crate::submission::Expectation;

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::report) struct SubmissionLine<'a> {
    submission: Cow<'a, str>,
    problem: Cow<'a, str>,
    language: Cow<'a, str>,
    expected: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    must_fail: Option<bool>,
    verdict: VerdictCode,
    met: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    complaint: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_judged: Option<Cow<'a, str>>,
    /// See [`Code::name`].
    #[serde(skip_serializing_if = "Option::is_none")]
    not_judged_code: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_judged_help: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    groups: Option<Vec<GroupFigures<'a>>>,
    cases: usize,
    run: usize,
    accepted: usize,
    failed: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest_case: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest_cpu_ms: Option<f64>,
    memory_bytes: u64,
    limits: LimitFigures,
    build: BuildFigures<'a>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct GroupFigures<'a> {
    group: Cow<'a, str>,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LimitFigures {
    cpu_ms: f64,
    wall_ms: f64,
    memory_bytes: u64,
    output_bytes: u64,
    stack_bytes: u64,
    processes: u32,
    time_factor: f64,
}

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct BuildFigures<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    source_blake3: Option<Cow<'a, str>>,
    cached: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<Cow<'a, str>>,
}

impl<'a> From<&'a GroupScore> for GroupFigures<'a> {
    fn from(group: &'a GroupScore) -> Self {
        Self { group: group.group.as_str().into(), score: group.score, max_score: group.max }
    }
}

impl<'a> From<&'a SubmissionReport> for SubmissionLine<'a> {
    fn from(report: &'a SubmissionReport) -> Self {
        let slowest = report.slowest.as_ref();
        let why = report.not_judged.as_ref();
        let borrowed = |text: &'a Option<String>| text.as_deref().map(Cow::<'a, str>::Borrowed);
        Self {
            submission: report.submission.as_str().into(),
            problem: report.problem.as_str().into(),
            language: report.language.as_str().into(),
            expected: report.expected.as_str().into(),
            must_fail: Some(report.must_fail),
            verdict: VerdictCode(report.verdict),
            met: report.met,
            complaint: borrowed(&report.complaint),
            not_judged: why.map(|why| why.message.as_str().into()),
            not_judged_code: why.map(|why| why.code.name().into()),
            not_judged_help: why.and_then(|why| why.help.as_deref().map(Cow::Borrowed)),
            score: report.score.as_ref().map(|score| score.score),
            max_score: report.score.as_ref().and_then(|score| score.max),
            groups: report
                .score
                .as_ref()
                .map(|score| score.groups.iter().map(GroupFigures::from).collect()),
            cases: report.cases,
            run: report.run,
            accepted: report.accepted,
            failed: report.failed,
            slowest_case: slowest.map(|(case, _)| case.as_str().into()),
            slowest_cpu_ms: slowest.map(|(_, cpu)| milliseconds(*cpu)),
            memory_bytes: report.peak_memory.get(),
            limits: LimitFigures::new(&report.limits, report.build.time_factor),
            build: BuildFigures {
                source_blake3: borrowed(&report.build.source_blake3),
                cached: report.build.cached,
                wall_ms: report.build.time.map(milliseconds),
                error: borrowed(&report.build.error),
                warnings: borrowed(&report.build.warnings),
            },
        }
    }
}

impl LimitFigures {
    fn new(limits: &Limits, time_factor: Option<f64>) -> Self {
        Self {
            cpu_ms: milliseconds(limits.cpu_time),
            wall_ms: milliseconds(limits.wall_time),
            memory_bytes: limits.memory.get(),
            output_bytes: limits.output.get(),
            stack_bytes: limits.stack.get(),
            processes: limits.processes,
            time_factor: time_factor.unwrap_or(1.0),
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            wall_time: duration(self.wall_ms),
            output: Bytes(self.output_bytes),
            stack: Bytes(self.stack_bytes),
            processes: self.processes,
            ..Limits::new(duration(self.cpu_ms), Bytes(self.memory_bytes))
        }
    }
}

impl From<SubmissionLine<'_>> for SubmissionReport {
    /// The report without the failures, which are in the lines of the cases.
    fn from(line: SubmissionLine<'_>) -> Self {
        let owned = |text: Option<Cow<'_, str>>| text.map(Cow::into_owned);
        let of_folder = || {
            let folder = Expectation::of_folder(&line.expected);
            folder.is_some_and(|expected| expected.requires_rejection())
        };
        let max = line.max_score;
        let groups = line.groups.into_iter().flatten().map(|group| GroupScore {
            group: group.group.into_owned(),
            score: group.score,
            max: group.max_score,
        });
        let score = line.score.map(|score| Score { score, max, groups: groups.collect() });
        let factor = line.limits.time_factor;
        Self {
            must_fail: line.must_fail.unwrap_or_else(of_folder),
            verdict: line.verdict.0,
            met: line.met,
            complaint: owned(line.complaint),
            not_judged: line.not_judged.map(|message| {
                let code = line.not_judged_code.as_deref().and_then(Code::of_name);
                Notice {
                    help: owned(line.not_judged_help),
                    ..code.unwrap_or(Code::NotJudged).says(message)
                }
            }),
            score,
            cases: line.cases,
            run: line.run,
            accepted: line.accepted,
            slowest: owned(line.slowest_case).zip(line.slowest_cpu_ms.map(duration)),
            peak_memory: Bytes(line.memory_bytes),
            limits: line.limits.limits(),
            build: Build {
                source_blake3: owned(line.build.source_blake3),
                cached: line.build.cached,
                time: line.build.wall_ms.map(duration),
                error: owned(line.build.error),
                warnings: owned(line.build.warnings),
                colored: None,
                beside: Box::default(),
                #[expect(
                    clippy::float_cmp,
                    reason = "it is written as exactly 1 if there is none"
                )]
                time_factor: Some(factor).filter(|factor| *factor != 1.0),
            },
            failures: Vec::new(),
            failed: line.failed,
            submission: line.submission.into_owned(),
            problem: line.problem.into_owned(),
            language: line.language.into_owned(),
            expected: line.expected.into_owned(),
        }
    }
}
