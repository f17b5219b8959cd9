//! The machine-readable report: one JSON object per line, written as events happen.
//!
//! GUIDE.md documents the schema. Each line is written and flushed as a whole, so the file of an interrupted run is
//! valid. Keys may be added, but no key changes its meaning within one `schema`.

use std::io::{self, Write};
use std::time::Duration;

use serde::Serialize;

use crate::event::{
    CaseResult, Disturbance, Event, GroupScore, Nearness, Outline, SubmissionReport, Summary,
};
use crate::report::Reporter;
use crate::report::facts::{MachineFacts, SandboxFacts};
use crate::report::json_line;
use crate::report::words::clock;
use crate::sandbox::{Exit, Limits};

/// The version of the schema.
const SCHEMA: u32 = 1;

/// Writes JSON lines to `out`.
pub(crate) struct Json<W> {
    out: W,
}

impl<W: Write> Json<W> {
    /// A report that is written to `out` line by line.
    pub(crate) fn new(out: W) -> Self {
        Self { out }
    }

    fn write(&mut self, record: &JsonRecord<'_>) -> io::Result<()> {
        json_line::write(&mut self.out, record)?;
        self.out.flush()
    }
}

impl<W: Write> Reporter for Json<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        let body = match event {
            Event::Started(outline) => Body::Start(StartLine::from(*outline)),
            Event::Working(_) | Event::Failing(_) => return Ok(()),
            Event::Case(result) => Body::Case(CaseLine::from(*result)),
            Event::Submission(report) => Body::Submission(SubmissionLine::from(*report)),
            Event::Finished(summary) => Body::Summary(SummaryLine::from(*summary)),
        };
        self.write(&JsonRecord {
            schema: SCHEMA,
            body,
        })
    }
}

#[derive(Serialize)]
struct JsonRecord<'a> {
    #[serde(flatten)]
    body: Body<'a>,
    schema: u32,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Body<'a> {
    Start(StartLine<'a>),
    Case(CaseLine<'a>),
    Submission(SubmissionLine<'a>),
    Summary(SummaryLine),
}

#[derive(Serialize)]
struct StartLine<'a> {
    version: &'static str,
    machine: MachineFacts,
    sandbox: SandboxFacts<'a>,
    jobs: usize,
    submissions: usize,
    cases: usize,
}

impl<'a> From<&'a Outline> for StartLine<'a> {
    fn from(outline: &'a Outline) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION"),
            machine: MachineFacts::here(),
            sandbox: (&outline.sandbox).into(),
            jobs: outline.jobs,
            submissions: outline.submissions,
            cases: outline.cases,
        }
    }
}

#[derive(Serialize)]
struct CaseLine<'a> {
    submission: &'a str,
    problem: &'a str,
    case: &'a str,
    verdict: &'static str,
    permitted: bool,
    cpu_ms: f64,
    cpu_clock: &'static str,
    wall_ms: f64,
    memory_bytes: u64,
    memory_clock: &'static str,
    output_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signal: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feedback: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    transcript: Option<&'a str>,
    /// How a verdict close to the time limit was confirmed: `pinned`, `alone` or `believed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed: Option<&'static str>,
    /// CPU time of the first run, which this run, alone on the machine, confirms or corrects.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_cpu_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_wall_ms: Option<f64>,
    /// How other processes of the machine influenced the verdict.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    disturbance: Option<DisturbanceFigures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeats: Option<RepeatsObject>,
}

#[derive(Serialize)]
struct DisturbanceFigures {
    disturbed: bool,
    reruns: usize,
    killed_by_others: bool,
    observed_ms: f64,
    starved_ms: f64,
    run_delay_ms: f64,
    others_cpu_ms: f64,
    steal_ms: f64,
    throttled_ms: f64,
}

impl From<&Disturbance> for DisturbanceFigures {
    fn from(disturbance: &Disturbance) -> Self {
        let figures = &disturbance.contention;
        Self {
            disturbed: disturbance.stands,
            reruns: disturbance.reruns,
            killed_by_others: disturbance.killed,
            observed_ms: milliseconds(figures.observed),
            starved_ms: milliseconds(figures.starved),
            run_delay_ms: milliseconds(figures.run_delay),
            others_cpu_ms: milliseconds(figures.others),
            steal_ms: milliseconds(figures.steal),
            throttled_ms: milliseconds(figures.throttled),
        }
    }
}

#[derive(Serialize)]
struct RepeatsObject {
    verdicts: Vec<&'static str>,
    flaky: bool,
    cpu_min_ms: f64,
    cpu_median_ms: f64,
    cpu_max_ms: f64,
}

impl<'a> From<&'a CaseResult> for CaseLine<'a> {
    fn from(result: &'a CaseResult) -> Self {
        let usage = &result.usage;
        let first = result.nearness.and_then(|nearness| match nearness {
            Nearness::Confirmed { first, .. } => Some(first),
            Nearness::Believed => None,
        });
        let (exit_code, signal) = match result.exit {
            Some(Exit::Code(code)) => (Some(code), None),
            Some(Exit::Signal(signal)) => (None, Some(signal)),
            Some(Exit::Killed(_)) | None => (None, None),
        };
        Self {
            submission: &result.submission,
            problem: &result.problem,
            case: &result.case,
            verdict: result.verdict.code(),
            permitted: result.permitted,
            cpu_ms: milliseconds(usage.cpu()),
            cpu_clock: clock(usage.cpu_clock),
            wall_ms: milliseconds(usage.wall),
            memory_bytes: usage.peak_memory.get(),
            memory_clock: clock(usage.memory_clock),
            output_bytes: usage.output.get(),
            score: result.score,
            exit_code,
            signal,
            feedback: result.reason.as_deref(),
            input: result.input.as_ref().map(|input| input.text.as_str()),
            input_bytes: result.input.as_ref().map(|input| input.size.get()),
            diff: result.diff.as_deref().map(plain),
            stderr: result.stderr.as_deref(),
            transcript: result.transcript.as_deref(),
            confirmed: result.nearness.map(|nearness| match nearness {
                Nearness::Confirmed { one_core: true, .. } => "pinned",
                Nearness::Confirmed { .. } => "alone",
                Nearness::Believed => "believed",
            }),
            first_cpu_ms: first.map(|usage| milliseconds(usage.cpu())),
            first_wall_ms: first.map(|usage| milliseconds(usage.wall)),
            disturbance: result.disturbance.as_ref().map(Into::into),
            repeats: result.repeats.as_ref().map(|repeats| RepeatsObject {
                verdicts: repeats
                    .verdicts
                    .iter()
                    .map(|verdict| verdict.code())
                    .collect(),
                flaky: repeats.flaky(),
                cpu_min_ms: milliseconds(repeats.cpu_min),
                cpu_median_ms: milliseconds(repeats.cpu_median),
                cpu_max_ms: milliseconds(repeats.cpu_max),
            }),
        }
    }
}

#[derive(Serialize)]
struct SubmissionLine<'a> {
    submission: &'a str,
    problem: &'a str,
    language: &'a str,
    expected: &'a str,
    verdict: &'static str,
    met: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    complaint: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_judged: Option<&'a str>,
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
    slowest_case: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    slowest_cpu_ms: Option<f64>,
    memory_bytes: u64,
    limits: LimitFigures,
    build: BuildFigures<'a>,
}

#[derive(Serialize)]
struct GroupFigures<'a> {
    group: &'a str,
    score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_score: Option<f64>,
}

impl<'a> From<&'a GroupScore> for GroupFigures<'a> {
    fn from(group: &'a GroupScore) -> Self {
        Self {
            group: &group.group,
            score: group.score,
            max_score: group.max,
        }
    }
}

#[derive(Serialize)]
struct LimitFigures {
    cpu_ms: f64,
    wall_ms: f64,
    memory_bytes: u64,
    output_bytes: u64,
    stack_bytes: u64,
    processes: u32,
    time_factor: f64,
}

#[derive(Serialize)]
struct BuildFigures<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    source_blake3: Option<&'a str>,
    cached: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warnings: Option<&'a str>,
}

impl<'a> From<&'a SubmissionReport> for SubmissionLine<'a> {
    fn from(report: &'a SubmissionReport) -> Self {
        let slowest = report.slowest.as_ref();
        Self {
            submission: &report.submission,
            problem: &report.problem,
            language: &report.language,
            expected: &report.expected,
            verdict: report.verdict.code(),
            met: report.met,
            complaint: report.complaint.as_deref(),
            not_judged: report.not_judged.as_deref(),
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
            slowest_case: slowest.map(|(case, _)| case.as_str()),
            slowest_cpu_ms: slowest.map(|(_, cpu)| milliseconds(*cpu)),
            memory_bytes: report.peak_memory.get(),
            limits: LimitFigures::new(&report.limits, report.build.time_factor),
            build: BuildFigures {
                source_blake3: report.build.source_blake3.as_deref(),
                cached: report.build.cached,
                wall_ms: report.build.time.map(milliseconds),
                error: report.build.error.as_deref(),
                warnings: report.build.warnings.as_deref(),
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
}

#[derive(Serialize)]
struct SummaryLine {
    submissions: usize,
    met: usize,
    unexpected: usize,
    not_judged: usize,
    skipped: usize,
    cases: usize,
    wall_ms: f64,
    interrupted: bool,
}

impl From<&Summary> for SummaryLine {
    fn from(summary: &Summary) -> Self {
        Self {
            submissions: summary.submissions,
            met: summary.met,
            unexpected: summary.unexpected,
            not_judged: summary.not_judged,
            skipped: summary.skipped,
            cases: summary.cases,
            wall_ms: milliseconds(summary.wall),
            interrupted: summary.interrupted,
        }
    }
}

/// Milliseconds, with a resolution of a microsecond.
fn milliseconds(duration: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "2^53 µs are 285 years")]
    let micros = duration.as_micros() as f64;
    micros / 1000.0
}

/// The text without the styles of the terminal.
fn plain(styled: &str) -> String {
    anstream::adapter::strip_str(styled).to_string()
}
