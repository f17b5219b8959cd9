//! What the page needs of a run: a few bytes for each cell, and the packed details of each submission.

use std::io;
use std::time::Duration;

use crate::event::{
    CaseResult, Drawing, Event, Nearness, Outline, Repeats, SubmissionReport, Summary,
};
use crate::report::html::details;
use crate::report::matrix::RunMatrix;
use crate::show::page::clean;
use crate::verdict::Verdict;

/// The number of failures that the page shows without its script.
const SHOWN: usize = 200;

/// A run, as far as it has happened.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) outline: Option<Outline>,
    pub(super) matrix: RunMatrix<PageCell>,
    /// The details of each row, packed, if it has any.
    pub(super) details: Vec<Option<Vec<u8>>>,
    /// The first failures.
    pub(super) failures: Vec<Failure>,
    /// The number of all failures.
    pub(super) failed: usize,
    pub(super) summary: Option<Summary>,
    /// Drawings, each with the indices of its submission and case, packed.
    pub(super) drawings: Vec<(usize, usize, Vec<u8>)>,
    /// The details and failures of the submission that is judged now.
    open_details: details::SubmissionDetails,
    open_failures: Vec<Failure>,
}

/// A failure that is shown without the script.
#[derive(Clone)]
pub(super) struct Failure {
    pub(super) problem: String,
    pub(super) submission: String,
    /// `None`: of the submission as a whole.
    pub(super) case: Option<String>,
    pub(super) verdict: Verdict,
    pub(super) expected: String,
    pub(super) reason: String,
    pub(super) details: details::ShownDetails,
}

/// A submission on a case, in the units of the page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PageCell {
    pub(super) verdict: Verdict,
    pub(super) flags: u8,
    /// In tenths of a millisecond.
    pub(super) cpu: u32,
    /// In milliseconds.
    pub(super) wall: u32,
    /// In KiB.
    pub(super) memory: u32,
    /// NaN if there is none.
    pub(super) score: f64,
}

/// The bits of [`PageCell::flags`].
const NOT_PERMITTED: u8 = 1;
const CONFIRMED: u8 = 2;
const IN_DOUBT: u8 = 4;
const FLAKY: u8 = 8;
const HAS_DETAILS: u8 = 16;
const NEAR_LIMIT: u8 = 32;

impl PageCell {
    fn new(result: &CaseResult, has_details: bool) -> Self {
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        let units = |duration: Duration, unit: u128| whole(duration.as_micros() / unit);
        Self {
            verdict: result.verdict,
            flags: flag(!result.permitted, NOT_PERMITTED)
                | flag(matches!(result.nearness, Some(Nearness::Confirmed { .. })), CONFIRMED)
                | flag(result.disturbance.is_some_and(|found| found.stands), IN_DOUBT)
                | flag(result.repeats.as_ref().is_some_and(Repeats::flaky), FLAKY)
                | flag(has_details, HAS_DETAILS)
                | flag(result.near_limit, NEAR_LIMIT),
            cpu: units(result.usage.cpu(), 100),
            wall: units(result.usage.wall, 1000),
            memory: whole(u128::from(result.usage.peak_memory.get() >> 10)),
            score: result.score.unwrap_or(f64::NAN),
        }
    }
}

/// The number, or the largest that fits three bytes.
fn whole(number: u128) -> u32 {
    const MOST: u32 = 0xff_ffff;
    u32::try_from(number).unwrap_or(MOST).min(MOST)
}

impl Collected {
    /// What is missing, a sentence for each gap.
    pub(super) fn missing(&self) -> &[String] {
        self.summary.as_ref().map_or(&[], |summary| &summary.missing)
    }

    /// What a reader of a merged run must know.
    pub(super) fn remarks(&self) -> &[String] {
        self.summary.as_ref().map_or(&[], |summary| &summary.remarks)
    }

    /// Adds what happened.
    pub(super) fn add(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(outline) => self.outline = Some((*outline).clone()),
            Event::Case(result) => self.case(result),
            Event::Submission(report) => self.submission(report)?,
            Event::Finished(summary) => self.summary = Some((*summary).clone()),
            Event::Drawn(drawing) => self.drawn(drawing)?,
            Event::Working(_) | Event::Failing(_) | Event::Paused => {}
        }
        Ok(())
    }

    fn case(&mut self, result: &CaseResult) {
        let details = &mut self.open_details;
        self.matrix.case(result, |column| Some(PageCell::new(result, details.add(column, result))));
        if !result.permitted {
            self.failed += 1;
            if self.failures.len() + self.open_failures.len() < SHOWN {
                self.open_failures.push(Failure {
                    problem: result.problem.clone(),
                    submission: result.submission.clone(),
                    case: Some(result.case.clone()),
                    verdict: result.verdict,
                    expected: String::new(),
                    reason: result.reason.as_deref().map(clean::text).unwrap_or_default(),
                    details: details::ShownDetails::of(result),
                });
            }
        }
    }

    fn drawn(&mut self, drawing: &Drawing) -> io::Result<()> {
        let place = self.matrix.place(&drawing.problem, &drawing.submission, &drawing.case);
        if let Some((row, column)) = place {
            self.drawings.push((row, column, details::drawing(drawing)?));
        }
        Ok(())
    }

    fn submission(&mut self, report: &SubmissionReport) -> io::Result<()> {
        self.matrix.submission(report);
        let details = std::mem::take(&mut self.open_details).packed(report)?;
        let mut failures = std::mem::take(&mut self.open_failures);
        if !report.met && failures.is_empty() && self.failures.len() < SHOWN {
            failures.push(whole_failure(report));
        }
        if !report.met && report.failed == 0 {
            self.failed += 1;
        }
        for failure in &mut failures {
            failure.expected.clone_from(&report.expected);
        }
        self.failures.append(&mut failures);
        self.details.push(details);
        Ok(())
    }
}

/// The failure of a submission that shows in no case: it did not compile, was not judged, or missed a verdict.
fn whole_failure(report: &SubmissionReport) -> Failure {
    Failure {
        problem: report.problem.clone(),
        submission: report.submission.clone(),
        case: None,
        verdict: report.verdict,
        expected: String::new(),
        reason: clean::text(&report.why_unexpected()),
        details: details::ShownDetails::of_build(report),
    }
}
