//! What the page needs of a run: a few bytes for each cell, and the packed details of each submission.

use std::collections::HashMap;
use std::io;
use std::time::Duration;

use crate::event::{
    CaseResult, Drawing, Event, Nearness, Outline, Repeats, SubmissionReport, Summary,
};
use crate::report::html::details;
use crate::show::page::clean;
use crate::verdict::Verdict;

/// The number of failures that the page shows without its script.
const SHOWN: usize = 200;

/// A run, as far as it has happened.
#[derive(Default)]
pub(super) struct Collected {
    pub(super) outline: Option<Outline>,
    pub(super) problems: Vec<MatrixProblem>,
    pub(super) rows: Vec<Row>,
    /// The first failures.
    pub(super) failures: Vec<Failure>,
    /// The number of all failures.
    pub(super) failed: usize,
    pub(super) summary: Option<Summary>,
    /// Drawings, each with the indices of its submission and case, packed.
    pub(super) drawings: Vec<(usize, usize, Vec<u8>)>,
    /// The indices of the problems by their ids.
    by_id: HashMap<String, usize>,
    /// The cells and failures of the submission that is judged now.
    open: Vec<(usize, MatrixCell)>,
    open_details: details::SubmissionDetails,
    open_failures: Vec<Failure>,
}

/// A problem: the columns of its matrix.
pub(super) struct MatrixProblem {
    pub(super) id: String,
    /// The indices of its submissions.
    pub(super) rows: Vec<usize>,
    pub(super) cases: Vec<String>,
    pub(super) inputs: Vec<Option<String>>,
    pub(super) answers: Vec<Option<String>>,
    by_name: HashMap<String, usize>,
}

/// A submission: a row of the matrix of its problem.
pub(super) struct Row {
    /// The index of the problem.
    pub(super) problem: usize,
    pub(super) report: SubmissionReport,
    /// A cell for each case so far; later cases were not run.
    pub(super) cells: Vec<MatrixCell>,
    /// Packed.
    pub(super) details: Option<Vec<u8>>,
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
pub(super) struct MatrixCell {
    /// The index of the verdict in [`Verdict::ALL`]; [`ABSENT`] if the case was not run.
    pub(super) verdict: u8,
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

pub(super) const ABSENT: u8 = 255;

/// The bits of [`MatrixCell::flags`].
pub(super) const NOT_PERMITTED: u8 = 1;
const CONFIRMED: u8 = 2;
const IN_DOUBT: u8 = 4;
const FLAKY: u8 = 8;
const HAS_DETAILS: u8 = 16;
const NEAR_LIMIT: u8 = 32;

impl MatrixCell {
    /// A case that was not run.
    pub(super) const NONE: Self =
        Self { verdict: ABSENT, flags: 0, cpu: 0, wall: 0, memory: 0, score: f64::NAN };

    fn new(result: &CaseResult, has_details: bool) -> Self {
        let flag = |on: bool, flag: u8| if on { flag } else { 0 };
        let index = Verdict::ALL.iter().position(|all| *all == result.verdict);
        let units = |duration: Duration, unit: u128| whole(duration.as_micros() / unit);
        Self {
            verdict: index.and_then(|index| index.try_into().ok()).unwrap_or(ABSENT),
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

    fn problem(&mut self, id: &str) -> usize {
        if let Some(at) = self.by_id.get(id) {
            return *at;
        }
        let at = self.problems.len();
        self.by_id.insert(id.to_owned(), at);
        self.problems.push(MatrixProblem {
            id: id.to_owned(),
            rows: Vec::new(),
            cases: Vec::new(),
            inputs: Vec::new(),
            answers: Vec::new(),
            by_name: HashMap::new(),
        });
        at
    }

    fn case(&mut self, result: &CaseResult) {
        let problem = self.problem(&result.problem);
        let column = self.problems[problem].column(result);
        let has_details = self.open_details.add(column, result);
        self.open.push((column, MatrixCell::new(result, has_details)));
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
        let Some(at) = self.by_id.get(&drawing.problem) else {
            return Ok(());
        };
        let problem = &self.problems[*at];
        let mut rows = problem.rows.iter();
        let row = rows.find(|row| self.rows[**row].report.submission == drawing.submission);
        if let (Some(row), Some(column)) = (row, problem.by_name.get(&drawing.case)) {
            let packed = details::drawing(drawing)?;
            self.drawings.push((*row, *column, packed));
        }
        Ok(())
    }

    fn submission(&mut self, report: &SubmissionReport) -> io::Result<()> {
        let problem = self.problem(&report.problem);
        let mut cells = Vec::new();
        for (column, cell) in self.open.drain(..) {
            if cells.len() <= column {
                cells.resize(column + 1, MatrixCell::NONE);
            }
            cells[column] = cell;
        }
        cells.shrink_to_fit();
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
        self.problems[problem].rows.push(self.rows.len());
        self.rows.push(Row {
            problem,
            report: SubmissionReport { failures: Vec::new(), ..report.clone() },
            cells,
            details,
        });
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

impl MatrixProblem {
    /// The column of a result's case.
    fn column(&mut self, result: &CaseResult) -> usize {
        if let Some(column) = self.by_name.get(&result.case) {
            return *column;
        }
        self.by_name.insert(result.case.clone(), self.cases.len());
        self.cases.push(result.case.clone());
        self.inputs.push(result.input_path.clone());
        self.answers.push(result.answer_path.clone());
        self.cases.len() - 1
    }
}
