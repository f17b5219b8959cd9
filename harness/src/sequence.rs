//! Sorts the workers' results into one stable order and sums them up.
//!
//! It runs on the caller's thread. Results that arrive early wait here, so reporters see the same sequence for any
//! number of workers.

use std::collections::BTreeMap;
use std::path::Path;

use crate::event::{Build, CaseResult, Event, SubmissionReport, Summary};
use crate::fail_fast::FailFast;
use crate::notice::Notice;
use crate::problem::Problem;
use crate::sandbox::Limits;
use crate::schedule::Queue;
use crate::scoring::Scorer;
use crate::submission::Submission;
use crate::tally::Tally;
use crate::verdict::Verdict;

/// The number of differences that are shown for a submission. The first failing case always gets one.
pub(crate) const DIFFERENCES_KEPT: usize = 4;

/// The result of building a submission.
#[derive(Debug)]
pub(crate) enum BuildOutcome {
    /// It can be run, under these limits.
    Ready { limits: Limits, build: Build },
    /// The compiler refused it.
    Refused { limits: Limits, build: Build },
    /// It cannot be judged, for this reason.
    Impossible { limits: Limits, why: Notice },
}

/// How failures are treated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FailurePolicy {
    /// What ends at a failure.
    pub(crate) fail_fast: FailFast,
    /// A case without an answer counts as passed.
    pub(crate) allow_unchecked: bool,
}

/// A submission and its problem.
pub(crate) type SubmissionEntry<'a> = (&'a Submission, &'a Problem);

/// Sorts results and sums them up.
pub(crate) struct Sequencer<'a> {
    entries: &'a [SubmissionEntry<'a>],
    queue: &'a Queue,
    policy: FailurePolicy,
    builds: BTreeMap<usize, BuildOutcome>,
    results: BTreeMap<(usize, usize), CaseResult>,
    submission: usize,
    open: Option<OpenSubmission<'a>>,
    stopped: bool,
    summary: Summary,
    grade: Box<Grade<'a>>,
}

/// Runs a grader for the submission with this index: source, flags, standard input.
pub(crate) type Grade<'a> = dyn FnMut(usize, &Path, &[String], &str) -> Result<String, Notice> + 'a;

/// The submission whose cases are being reported.
struct OpenSubmission<'a> {
    tally: Tally<'a>,
    scorer: Scorer<'a>,
    /// The next case.
    next: usize,
    /// The number of differences so far.
    differences: usize,
}

impl OpenSubmission<'_> {
    /// Removes the difference of a case that has enough before it: parts of a run that were judged apart have more.
    fn limit_differences(&mut self, result: &mut CaseResult) {
        self.differences += usize::from(result.diff.is_some());
        if self.differences > DIFFERENCES_KEPT {
            result.diff = None;
        }
    }
}

impl<'a> Sequencer<'a> {
    /// A sequencer without results.
    pub(crate) fn new(
        entries: &'a [SubmissionEntry<'a>],
        queue: &'a Queue,
        policy: FailurePolicy,
        grade: Box<Grade<'a>>,
    ) -> Self {
        let summary = Summary { submissions: entries.len(), ..Summary::default() };
        Self {
            entries,
            queue,
            policy,
            builds: BTreeMap::new(),
            results: BTreeMap::new(),
            submission: 0,
            open: None,
            stopped: false,
            summary,
            grade,
        }
    }

    /// Adds the build of a submission.
    pub(crate) fn built(
        &mut self,
        submission: usize,
        built: BuildOutcome,
        emit: &mut dyn FnMut(&Event),
    ) {
        self.builds.insert(submission, built);
        self.advance(emit);
    }

    /// Adds the result of a case.
    pub(crate) fn case(
        &mut self,
        submission: usize,
        case: usize,
        result: CaseResult,
        emit: &mut dyn FnMut(&Event),
    ) {
        // Results of submissions that are already reported are dropped: fail-fast has ended those.
        if submission >= self.submission {
            self.results.insert((submission, case), result);
            self.advance(emit);
        }
    }

    /// Whether everything is reported, or the run was stopped.
    #[cfg(feature = "nats")]
    pub(crate) fn is_finished(&self) -> bool {
        self.stopped || self.submission == self.entries.len()
    }

    /// The summary of everything that was reported. If the run was interrupted, this first reports the submissions that
    /// have already failed.
    pub(crate) fn finish(mut self, emit: &mut dyn FnMut(&Event)) -> Summary {
        while !self.stopped && self.submission < self.entries.len() {
            self.end_unfinished(emit);
        }
        let summary = &mut self.summary;
        let judged = summary.met + summary.unexpected + summary.not_judged;
        summary.skipped = summary.submissions - judged;
        self.summary
    }

    /// Reports the current submission with the results that have arrived, if it has failed. Otherwise skips it.
    fn end_unfinished(&mut self, emit: &mut dyn FnMut(&Event)) {
        let number = self.submission;
        let arrived = self.results.range((number, 0)..(number + 1, 0));
        let failed = arrived.clone().any(|(_, result)| !result.permitted);
        let has_failed = |open: &OpenSubmission<'_>| failed || open.tally.has_failed();
        let Some(mut open) = self.open.take().or_else(|| self.open_current(emit)) else {
            // A submission that does not compile is reported already.
            self.submission = self.submission.max(number + 1);
            return;
        };
        if !has_failed(&open) {
            self.submission += 1;
            return;
        }
        let later = self.results.split_off(&(number + 1, 0));
        for (_, result) in std::mem::replace(&mut self.results, later) {
            open.tally.add(&result);
            self.summary.cases += 1;
            emit(&Event::Case(&result));
            if let Some(report) = open.tally.failing(&result) {
                emit(&Event::Failing(&report));
            }
        }
        self.end(&open.tally.finish(), emit);
    }

    fn advance(&mut self, emit: &mut dyn FnMut(&Event)) {
        while !self.stopped && self.submission < self.entries.len() {
            let open = self.open.take().or_else(|| self.open_current(emit));
            let Some(mut open) = open else {
                // A submission with nothing to run is already reported; the next one may be built.
                if self.builds.contains_key(&self.submission) {
                    continue;
                }
                break;
            };
            if !self.report_cases(&mut open, emit) {
                self.open = Some(open);
                break;
            }
            let (submission, grade) = (self.submission, &mut self.grade);
            let outcome = open
                .scorer
                .finish(&mut |grader, flags, text| grade(submission, grader, flags, text));
            self.end(&open.tally.finish_scored(outcome), emit);
        }
    }

    /// Reports the cases that have arrived. Returns whether all cases of the submission are reported.
    fn report_cases(
        &mut self,
        open: &mut OpenSubmission<'a>,
        emit: &mut dyn FnMut(&Event),
    ) -> bool {
        let total = self.entries[self.submission].1.cases.len();
        while open.next < total {
            let Some(mut result) =
                self.skipped(open).or_else(|| self.results.remove(&(self.submission, open.next)))
            else {
                return false;
            };
            open.limit_differences(&mut result);
            open.tally.add(&result);
            open.scorer.add(open.next, result.verdict, result.score);
            self.summary.cases += usize::from(result.verdict != Verdict::Skipped);
            emit(&Event::Case(&result));
            if let Some(report) = open.tally.failing(&result) {
                emit(&Event::Failing(&report));
            }
            open.next += 1;
            let failed = !matches!(result.verdict, Verdict::Accepted | Verdict::Skipped);
            if failed && self.ends_at_failure(open) {
                open.tally.cut_short();
                self.queue.close(self.submission);
                return true;
            }
        }
        true
    }

    /// Whether a submission ends at its first failure. If it gets a score, other cases may still change it.
    fn ends_at_failure(&self, open: &OpenSubmission<'a>) -> bool {
        match self.policy.fail_fast {
            FailFast::Never => false,
            FailFast::Case => true,
            FailFast::Submission | FailFast::Run => !open.scorer.is_scored(),
        }
    }

    /// Why a case is not judged, if it is not; `None`: it is.
    fn reason_to_skip(&self, open: &OpenSubmission<'a>, case: usize) -> Option<String> {
        if let Some(required) = open.scorer.lacks(case) {
            return Some(format!("its group requires `{required}`, which did not pass"));
        }
        let stops = matches!(self.policy.fail_fast, FailFast::Submission | FailFast::Run);
        let is_decided = stops && open.scorer.is_decided(case);
        is_decided.then(|| "an earlier case decided the result of its group".to_owned())
    }

    /// The result of the next case, if earlier ones make it unnecessary.
    fn skipped(&mut self, open: &mut OpenSubmission<'a>) -> Option<CaseResult> {
        let reason = self.reason_to_skip(open, open.next)?;
        if open.scorer.lacks(open.next).is_none() {
            open.tally.cut_short();
        }
        let (submission, problem) = self.entries[self.submission];
        let more = (open.next..problem.cases.len())
            .take_while(|case| self.reason_to_skip(open, *case).is_some())
            .count();
        self.queue.skip_to(self.submission, open.next + more);
        self.results.remove(&(self.submission, open.next));
        let case = problem.cases[open.next].name();
        Some(CaseResult {
            permitted: true,
            ..CaseResult::without_run(submission, case, Verdict::Skipped, reason)
        })
    }

    /// Opens the current submission if it is built. If it has nothing to run, reports it and returns `None`.
    fn open_current(&mut self, emit: &mut dyn FnMut(&Event)) -> Option<OpenSubmission<'a>> {
        let built = self.builds.remove(&self.submission)?;
        let (submission, problem) = self.entries[self.submission];
        let tally = |limits, build| {
            let unchecked = self.policy.allow_unchecked;
            Tally::new(submission, problem.cases.len(), limits, build, unchecked)
        };
        match built {
            BuildOutcome::Ready { limits, build } => {
                return Some(OpenSubmission {
                    tally: tally(limits, build),
                    scorer: Scorer::new(problem),
                    next: 0,
                    differences: 0,
                });
            }
            BuildOutcome::Refused { limits, build } => {
                let report = tally(limits, build).end_with(Verdict::CompileError);
                self.end(&report, emit);
            }
            BuildOutcome::Impossible { limits, why } => {
                let report = tally(limits, Build::default()).not_judged(why);
                self.end(&report, emit);
            }
        }
        None
    }

    fn end(&mut self, report: &SubmissionReport, emit: &mut dyn FnMut(&Event)) {
        self.summary.count(report);
        emit(&Event::Submission(report));
        let next = (self.submission + 1, 0);
        self.results = self.results.split_off(&next);
        self.submission += 1;
        if self.policy.fail_fast == FailFast::Run && !report.met {
            self.stopped = true;
            self.queue.stop();
        }
    }
}

#[cfg(test)]
mod tests;
