//! What happened, as data: the judge emits it, every reporter consumes it.
//!
//! Events of cases and submissions come in one stable order, whatever the number of workers; only
//! [`Event::Working`] tells what goes on at this moment.

use std::time::Duration;

use crate::bytes::Bytes;
use crate::sandbox::{Contention, Exit, Facts, Limits, Usage};
use crate::verdict::Verdict;

/// Something that a reporter may want to show or store.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The first event: how much there is to do.
    Started(&'a Outline),
    /// What the workers do now; for live displays, never stored.
    Working(Work<'a>),
    /// A case was judged; in order.
    Case(&'a CaseResult),
    /// All cases of a submission were judged; in order.
    Submission(&'a SubmissionReport),
    /// The last event.
    Finished(&'a Summary),
}

/// How much there is to do.
#[derive(Debug, Clone)]
pub struct Outline {
    /// Number of submissions.
    pub submissions: usize,
    /// Number of cases, each counted once for every submission.
    pub cases: usize,
    /// Number of workers.
    pub jobs: usize,
    /// The walls and clocks of their sandbox.
    pub sandbox: Facts,
}

/// What a worker began or ended.
#[derive(Debug, Clone, Copy)]
pub enum Work<'a> {
    /// Began to compile this submission.
    Compiling {
        /// The submission's name.
        submission: &'a str,
    },
    /// Began to run this submission on this case.
    Running {
        /// The submission's name.
        submission: &'a str,
        /// The case's name.
        case: &'a str,
    },
    /// Ended running it. The result comes in its turn.
    Ran {
        /// The submission's name.
        submission: &'a str,
        /// The case's name.
        case: &'a str,
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
    /// What it used, in the run that decided.
    pub usage: Usage,
    /// The score, of a problem that gives scores to cases.
    pub score: Option<f64>,
    /// The rules of the expectation, by index, whose message the checker said.
    pub messages: Vec<usize>,
    /// The evidence for the verdict, in one line: which limit, which clock, how far.
    pub reason: Option<String>,
    /// The difference between output and answer, ready to be shown (with ANSI styles).
    pub diff: Option<String>,
    /// The end of what it wrote on standard error; only where the verdict is not permitted.
    pub stderr: Option<String>,
    /// How sure the verdict is, if the run was near its time limit beside others.
    pub nearness: Option<Nearness>,
    /// What the rest of the machine had to do with it, if it may have had.
    pub disturbance: Option<Disturbance>,
    /// What the submission and the interactor said to each other, ready to be shown: all of it if that was asked
    /// for, else the last lines of a case whose verdict is not permitted.
    pub transcript: Option<String>,
    /// The spread, if each case was run several times.
    pub repeats: Option<Repeats>,
}

/// What was made of a run that, beside other runs, came near its time limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nearness {
    /// It was run again while nothing else ran, and that second run decided.
    Confirmed {
        /// What the first run used.
        first: Usage,
        /// Whether the second had to stay on one core.
        one_core: bool,
    },
    /// It decided itself, since many runs of its submission were confirmed and none was overturned.
    Believed,
}

/// What the rest of the machine had to do with the verdict on a case: the case was run again, or would have been.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Disturbance {
    /// How much a run over its time limit was disturbed: the one that decided, if that stands though it was disturbed,
    /// or else the first.
    pub contention: Contention,
    /// How often it was run again.
    pub reruns: usize,
    /// Whether a run ended by SIGKILL that was not sent by us.
    pub killed: bool,
    /// Whether the verdict stands although the run that decided was disturbed: on a quiet machine it may be another.
    pub stands: bool,
}

/// What several runs of one case gave.
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

/// One submission over all its cases.
#[derive(Debug, Clone)]
pub struct SubmissionReport {
    /// The submission's name.
    pub submission: String,
    /// The problem's id.
    pub problem: String,
    /// The id of its language.
    pub language: String,
    /// What is expected of it, in words.
    pub expected: String,
    /// The verdict: that of the first case that is not accepted.
    pub verdict: Verdict,
    /// Whether it met its expectation.
    pub met: bool,
    /// Why not.
    pub complaint: Option<String>,
    /// It could not be judged at all (its language is not installed, say), and why.
    pub not_judged: Option<String>,
    /// The score, of a problem that gives scores, if all cases were judged.
    pub score: Option<Score>,
    /// Number of cases that it has.
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
    /// The first cases that spoke against the expectation, [`FAILURES_KEPT`] at most.
    pub failures: Vec<CaseResult>,
    /// How many cases did.
    pub failed: usize,
}

/// What a submission scored.
#[derive(Debug, Clone, PartialEq)]
pub struct Score {
    /// The score.
    pub score: f64,
    /// The best that can be had, if that is known.
    pub max: Option<f64>,
    /// The groups, in order.
    pub groups: Vec<GroupScore>,
}

/// What a submission scored in a group of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupScore {
    /// The group's path below `data/`.
    pub group: String,
    /// The score.
    pub score: f64,
    /// The best that can be had, if that is known.
    pub max: Option<f64>,
}

/// How many failing cases of a submission are kept with all their details.
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
    /// What the compiler said, if it refused.
    pub error: Option<String>,
    /// By what the command line and the language scale its limits of time, if they do.
    pub time_factor: Option<f64>,
}

/// The whole run in figures.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Number of submissions.
    pub submissions: usize,
    /// Those that met their expectation.
    pub met: usize,
    /// Those that did not.
    pub unexpected: usize,
    /// Those that could not be judged, or not because of a fault of ours.
    pub not_judged: usize,
    /// Those that were left out because the run was stopped.
    pub skipped: usize,
    /// Number of cases run.
    pub cases: usize,
    /// Wall time of everything.
    pub wall: Duration,
    /// Whether the user stopped it.
    pub interrupted: bool,
}
