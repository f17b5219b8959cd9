//! The events of a run, as data: the judge emits them, every reporter consumes them.
//!
//! Events of cases and submissions come in one stable order for any number of workers. Only [`Event::Working`] comes in
//! real time.

use std::borrow::Cow;
use std::sync::OnceLock;
use std::time::{Duration, SystemTime};

use rejudge_quantity::Bytes;

pub(crate) use crate::compile::FilesBeside;
use crate::machine::{Machine, Noise};
use crate::notice::Notice;
use crate::sandbox::{Contention, Exit, Facts, Limits, Usage};
use crate::verdict::Verdict;

mod shard;
mod transcript;
mod verdict_of_cases;
mod without_run;

pub use shard::Shard;
pub use transcript::{ShownLine, ShownTranscript, Speaker};
pub(crate) use verdict_of_cases::with_case;

/// An event for reporters to show or store.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The first event: the amount of work.
    Started(&'a Outline),
    /// The current activity of a worker. For live displays only, never stored.
    Working(Work<'a>),
    /// A case was judged. In stable order.
    Case(&'a CaseResult),
    /// A submission got its first verdict that its expectation does not permit. In stable order, after the case. The
    /// report contains what is known so far. For live displays only, never stored.
    Failing(&'a SubmissionReport),
    /// All cases of a submission were judged. In stable order.
    Submission(&'a SubmissionReport),
    /// There are no more results for the moment. A report that others read while it grows writes what it holds back.
    Paused,
    /// A failure was drawn, after all submissions. For pages only, never stored.
    Drawn(&'a Drawing),
    /// The last event.
    Finished(&'a Summary),
}

/// The amount of work.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Number of submissions.
    pub submissions: usize,
    /// Number of cases, each counted once for every submission.
    pub cases: usize,
    /// Number of workers.
    pub jobs: usize,
    /// The protections and clocks of their sandbox.
    pub sandbox: Facts,
    /// Where, when and how the run was started.
    pub origin: Origin,
    /// The shard that was judged, if the run was divided.
    pub shard: Option<Shard>,
}

/// Where, when and how a run was started.
#[derive(Debug, Clone)]
pub struct Origin {
    /// The version of rejudge.
    pub version: String,
    /// The time of day at the start, if it is known.
    pub time: Option<SystemTime>,
    /// The machine.
    pub machine: Machine,
    /// Its sources of noise at the start; see [`Origin::noise`].
    pub noise: OnceLock<Noise>,
    /// The arguments with which a command judges one case again in the same way.
    pub arguments: Vec<String>,
}

impl Origin {
    /// This version, machine and moment.
    #[must_use]
    pub fn here(arguments: Vec<String>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            time: Some(SystemTime::now()),
            machine: Machine::this(),
            noise: OnceLock::new(),
            arguments,
        }
    }

    /// The sources of noise of the machine. They are read when somebody asks first, because that takes longer than a short
    /// run: reports that have them ask at the start.
    #[must_use]
    pub fn noise(&self) -> &Noise {
        self.noise.get_or_init(Noise::here)
    }
}

/// A task that a worker started or finished.
#[derive(Debug, Clone, Copy)]
pub enum Work<'a> {
    /// Started to compile this submission.
    Compiling {
        /// The submission's name.
        submission: &'a str,
    },
    /// Started to run this submission on this case.
    Running {
        /// The submission's name.
        submission: &'a str,
        /// The case's name.
        case: &'a str,
    },
    /// Finished the run. The result comes later, in the stable order.
    Ran {
        /// The submission's name.
        submission: &'a str,
        /// The case's name.
        case: &'a str,
        /// Whether the submission's expectation does not permit the verdict.
        failed: bool,
    },
}

/// One submission on one case.
#[derive(Debug, Clone)]
pub struct CaseResult {
    /// The submission's name.
    pub submission: String,
    /// The problem's id.
    pub problem: String,
    /// The case's name.
    pub case: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Whether the submission's expectation permits this verdict on a case.
    pub permitted: bool,
    /// How the program ended; `None` if it was not run.
    pub exit: Option<Exit>,
    /// The resources that it used, in the run that decided.
    pub usage: Usage,
    /// The score, if the problem scores cases.
    pub score: Option<f64>,
    /// Indices of the expectation's rules whose message the checker printed.
    pub messages: Vec<usize>,
    /// The evidence for the verdict, in one line: the limit, the clock, the figure.
    pub reason: Option<String>,
    /// The path of the input, relative to the repository if it is in there.
    pub input_path: Option<String>,
    /// The path of the answer, if there is one, relative to the repository if it is in there.
    pub answer_path: Option<String>,
    /// The input of the case. Only if the verdict is not permitted.
    pub input: Option<ShownText>,
    /// The output, if it is one text. Only if the verdict is not permitted.
    pub output: Option<ShownText>,
    /// The answer of the case. Only if the verdict is not permitted.
    pub answer: Option<ShownText>,
    /// The difference between output and answer, rendered with ANSI styles.
    pub diff: Option<String>,
    /// Where output and answer differ first, if the checker knows it. Only if the verdict is not permitted.
    pub difference: Option<DifferenceOffsets>,
    /// The end of its standard error. Only if the verdict is not permitted.
    pub stderr: Option<String>,
    /// How the verdict was confirmed, if a run in parallel with others was close to its time limit.
    pub nearness: Option<Nearness>,
    /// How other processes of the machine influenced the verdict, if they may have done so.
    pub disturbance: Option<Disturbance>,
    /// The messages between submission and interactor: all of them if requested, otherwise the last lines if the verdict
    /// is not permitted.
    pub transcript: Option<ShownTranscript>,
    /// The spread, if each case was run several times.
    pub repeats: Option<Repeats>,
    /// Whether a time is so close to its limit that the verdict may differ on another machine of the same run. Only in a
    /// run that is merged from shards on unlike machines.
    pub near_limit: bool,
    /// Whether a judge error is a fault of the machine that judged: another one may be able to judge. No report has it.
    pub is_of_machine: bool,
}

/// The place of the first difference, as offsets in bytes from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DifferenceOffsets {
    /// In the output.
    pub output: u64,
    /// In the file of the answer.
    pub answer: u64,
}

/// The output of a submission on a case and the answer, drawn step by step by the problem's visualizer.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// The submission's name.
    pub submission: String,
    /// The problem's id.
    pub problem: String,
    /// The case's name.
    pub case: String,
    /// The output.
    pub output: Vec<Picture>,
    /// The answer; empty if there is none.
    pub answer: Vec<Picture>,
}

/// An image.
#[derive(Debug, Clone)]
pub struct Picture {
    /// The type of its content, for example `image/svg+xml`.
    pub media: &'static str,
    /// The content of the file.
    pub bytes: Vec<u8>,
}

/// The part of an input, output or answer that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownText {
    /// The text or its first lines, without control characters.
    pub text: String,
    /// The size of the whole text.
    pub size: Bytes,
    /// Whether `text` is only the start.
    pub cut: bool,
}

/// How a verdict was confirmed if a run, in parallel with other runs, came close to its time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// The case was run again while nothing else ran, and that run decided.
    Confirmed {
        /// The resources that the first run used.
        first: Usage,
        /// Whether the second run was pinned to one core.
        one_core: bool,
    },
    /// The first run decided, because many verdicts of this submission were confirmed and none was overturned.
    Believed,
}

/// How other processes of the machine influenced the verdict on a case: the case was run again, or would have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Disturbance {
    /// How much a run above its time limit was disturbed: the run that decided, if its verdict stands in spite of a
    /// disturbance, or otherwise the first such run.
    pub contention: Contention,
    /// The number of repeats.
    pub reruns: usize,
    /// Whether a run was killed by a SIGKILL that we did not send.
    pub killed: bool,
    /// Whether the verdict stands although the run that decided was disturbed: on an idle machine it may be different.
    pub stands: bool,
}

/// The results of several runs of one case.
#[derive(Debug, Clone)]
pub struct Repeats {
    /// The verdict of each run.
    pub verdicts: Vec<Verdict>,
    /// The least CPU time.
    pub cpu_min: Duration,
    /// The median CPU time.
    pub cpu_median: Duration,
    /// The greatest CPU time.
    pub cpu_max: Duration,
}

impl Repeats {
    /// Whether the runs did not all get the same verdict.
    #[must_use]
    pub fn flaky(&self) -> bool {
        self.verdicts.windows(2).any(|pair| pair[0] != pair[1])
    }
}

/// The result of a submission on all its cases.
#[derive(Debug, Clone)]
pub struct SubmissionReport {
    /// The submission's name.
    pub submission: String,
    /// The problem's id.
    pub problem: String,
    /// The id of its language.
    pub language: String,
    /// The expectation, human-readable.
    pub expected: String,
    /// Whether it must be rejected: the expectation requires a verdict other than AC.
    pub must_fail: bool,
    /// The verdict: that of the first case that is not accepted.
    pub verdict: Verdict,
    /// Whether it met its expectation.
    pub met: bool,
    /// Why the expectation was not met.
    pub complaint: Option<String>,
    /// Why it could not be judged at all, for example because its language is not installed.
    pub not_judged: Option<Notice>,
    /// The score, if the problem has scores and all cases were judged.
    pub score: Option<Score>,
    /// Number of its cases.
    pub cases: usize,
    /// Number of cases that were run.
    pub run: usize,
    /// Number of cases accepted.
    pub accepted: usize,
    /// Its slowest case: name and CPU time.
    pub slowest: Option<(String, Duration)>,
    /// Its largest peak memory.
    pub peak_memory: Bytes,
    /// The limits that held.
    pub limits: Limits,
    /// How it was built.
    pub build: Build,
    /// The first cases that contradict the expectation, at most [`FAILURES_KEPT`].
    pub failures: Vec<CaseResult>,
    /// Number of all cases that contradict the expectation.
    pub failed: usize,
}

impl SubmissionReport {
    /// Why it was not run: the reason for not judging it, or the compiler's message.
    pub(crate) fn why_not_run(&self) -> Option<&str> {
        let notice = self.not_judged.as_ref().map(|why| why.message.as_str());
        notice.or(self.build.error.as_deref())
    }

    /// Why it is not as expected.
    pub(crate) fn why_unexpected(&self) -> Cow<'_, str> {
        match (&self.not_judged, &self.complaint) {
            (Some(why), _) => Cow::Owned(why.to_string()),
            (None, Some(complaint)) => Cow::Borrowed(complaint),
            (None, None) => Cow::Borrowed("not as expected"),
        }
    }
}

/// The score of a submission.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The score.
    pub score: f64,
    /// The maximum score, if known.
    pub max: Option<f64>,
    /// The groups, in order.
    pub groups: Vec<GroupScore>,
}

/// The score of a submission in a group of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupScore {
    /// The group's path below `data/`.
    pub group: String,
    /// The score.
    pub score: f64,
    /// The maximum score, if known.
    pub max: Option<f64>,
}

/// Maximum number of failing cases of a submission that are kept with all details.
pub const FAILURES_KEPT: usize = 5;

/// How a submission was built.
#[derive(Debug, Clone, Default)]
pub struct Build {
    /// The BLAKE3 sum of the source, in hexadecimal, if it could be read.
    pub source_blake3: Option<String>,
    /// Whether the artefact came from the cache.
    pub cached: bool,
    /// How long the compiler took, if it ran.
    pub time: Option<Duration>,
    /// The message of the compiler, if it failed.
    pub error: Option<String>,
    /// What the compiler printed, such as warnings, if it succeeded.
    pub warnings: Option<String>,
    /// `error` or `warnings` with the compiler's colours, if it was told to use them. Only for terminals.
    pub colored: Option<String>,
    /// The files next to the source that it names.
    pub beside: Box<FilesBeside>,
    /// The factor by which the command line and the language scale its time limits, if they do.
    pub time_factor: Option<f64>,
}

/// The totals of the whole run.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Number of submissions.
    pub submissions: usize,
    /// Those that met their expectation.
    pub met: usize,
    /// Those that did not.
    pub unexpected: usize,
    /// Those that could not be judged, or had a fault of ours.
    pub not_judged: usize,
    /// Those that were skipped because the run was stopped.
    pub skipped: usize,
    /// Number of cases run.
    pub cases: usize,
    /// Wall time of the whole run.
    pub wall: Duration,
    /// Whether the user interrupted the run.
    pub interrupted: bool,
    /// What is missing in a run that was read from files, a sentence for each gap.
    pub missing: Vec<String>,
    /// What a reader of a merged run must know, a sentence for each fact.
    pub remarks: Vec<String>,
}

impl Summary {
    /// Counts a submission that was judged.
    pub(crate) fn count(&mut self, report: &SubmissionReport) {
        let judge_error = report.verdict == Verdict::JudgeError;
        match report {
            _ if report.not_judged.is_some() || judge_error => self.not_judged += 1,
            _ if report.met => self.met += 1,
            _ => self.unexpected += 1,
        }
    }

    /// Whether the run is neither interrupted nor incomplete.
    pub(crate) fn is_complete(&self) -> bool {
        !self.interrupted && self.missing.is_empty()
    }
}
