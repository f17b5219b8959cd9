//! What was found, as data; its forms are for people, for machines, and for a page of Markdown.

use std::time::Duration;

use crate::bench::run_measurement::formatted;
use crate::sandbox::Facts;
use crate::statistics::{
    CaseGate, CaseReport, Decision, Gate, GateOptions, GateReport, Pairs, Quantity, Reason, Summary,
};

mod bars;
pub(crate) mod json;
mod labels;
pub(crate) mod markdown;
pub(crate) mod text;

/// The level of the intervals of plain measurements.
pub(crate) const LEVEL: f64 = 0.95;

/// Everything that one `rejudge bench` found.
#[derive(Debug)]
pub(crate) struct Report {
    /// What the figures were measured with.
    pub(crate) meter: String,
    /// The walls and clocks under which, if it was here.
    pub(crate) sandbox: Option<Facts>,
    /// What is looked at.
    pub(crate) quantity: Quantity,
    /// Plain measurements.
    pub(crate) measured: Vec<Measured>,
    /// A comparison, if there was one.
    pub(crate) comparison: Option<Comparison>,
    /// What has no figures, and why.
    pub(crate) left_out: Vec<LeftOut>,
}

/// One solution on one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CaseId {
    pub(crate) submission: String,
    pub(crate) problem: String,
    pub(crate) case: String,
}

/// The figures of one solution on one case.
#[derive(Debug)]
pub(crate) struct Measured {
    pub(crate) case_id: CaseId,
    /// Of each quantity that was measured: its samples and what they come to.
    pub(crate) figures: Vec<(Quantity, Vec<f64>, Summary)>,
}

/// A comparison with something older.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// What with, in words.
    pub(crate) base: String,
    /// What the decision went by.
    pub(crate) options: GateOptions,
    /// Of all cases together.
    pub(crate) decision: Decision,
    /// An increase by this fraction or more would have been seen wherever it was.
    pub(crate) detectable: Option<f64>,
    pub(crate) cases: Vec<Compared>,
    /// What to know before believing it.
    pub(crate) caution: Option<String>,
}

/// One solution on one case, and what it was.
#[derive(Debug)]
pub(crate) struct Compared {
    pub(crate) case_id: CaseId,
    pub(crate) report: CaseReport,
    /// The samples of the first pass.
    pub(crate) pairs: Pairs,
    /// The samples of the second pass.
    pub(crate) again: Option<Pairs>,
}

/// A solution, or one of its cases, without figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeftOut {
    pub(crate) submission: String,
    /// `None`: all of its cases.
    pub(crate) case: Option<String>,
    pub(crate) kind: LeftOutKind,
    /// In words.
    pub(crate) why: String,
}

/// Why something has no figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftOutKind {
    /// It does not pass its cases.
    Failed,
    /// It is too short to be timed.
    TooShort,
    /// There is nothing to compare it with.
    NoBase,
    /// It is the same as it was.
    Unchanged,
    /// No run of it by itself says anything.
    Unsuitable,
}

impl Comparison {
    /// Joins a decision with the samples and the names of its cases, all in the same order.
    pub(crate) fn new(
        base: String,
        gate: &Gate,
        report: GateReport,
        cases: Vec<CaseGate>,
        case_ids: Vec<CaseId>,
    ) -> Self {
        let detectable = report.detectable();
        let cases = report.cases.into_iter().zip(cases).zip(case_ids);
        let cases = cases.map(|((report, case), case_id)| Compared {
            case_id,
            report,
            pairs: case.first.pairs,
            again: case.again.map(|pass| pass.pairs),
        });
        Self {
            base,
            options: *gate.options(),
            decision: report.decision,
            detectable,
            cases: cases.collect(),
            caution: None,
        }
    }
}

impl LeftOut {
    /// A case whose CPU time is below the shortest that can be timed.
    pub(crate) fn too_short(case_id: &CaseId, cpu: Duration, shortest: Duration) -> Self {
        let shown = |time: Duration| formatted(Quantity::CpuTime, time.as_secs_f64());
        Self {
            submission: case_id.submission.clone(),
            case: Some(case_id.case.clone()),
            kind: LeftOutKind::TooShort,
            why: format!(
                "{}; below {} a time says more of the start than of the program",
                shown(cpu),
                shown(shortest)
            ),
        }
    }

    /// A solution that failed while it was measured.
    pub(crate) fn failed(case_id: &CaseId, why: String) -> Self {
        Self {
            submission: case_id.submission.clone(),
            case: Some(case_id.case.clone()),
            kind: LeftOutKind::Failed,
            why,
        }
    }

    /// A solution that cannot be measured.
    pub(crate) fn unsuitable(submission: &str, why: &str) -> Self {
        Self {
            submission: submission.to_owned(),
            case: None,
            kind: LeftOutKind::Unsuitable,
            why: why.to_owned(),
        }
    }

    /// A solution that cannot be compared.
    pub(crate) fn no_base(submission: &str, why: String) -> Self {
        Self {
            submission: submission.to_owned(),
            case: None,
            kind: LeftOutKind::NoBase,
            why,
        }
    }
}

impl LeftOutKind {
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Failed => "failed",
            Self::TooShort => "too_short",
            Self::NoBase => "no_base",
            Self::Unchanged => "unchanged",
            Self::Unsuitable => "unsuitable",
        }
    }
}

/// The answer, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Nothing got worse, or nothing was compared because nothing changed.
    Pass,
    /// Something got worse, or fails its cases.
    Regression,
    /// The measurements allow no answer.
    Inconclusive,
    /// There was nothing to compare with.
    NoBase,
}

impl Answer {
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Regression => "regression",
            Self::Inconclusive => "inconclusive",
            Self::NoBase => "no_base",
        }
    }
}

impl Report {
    /// How many are left out for this reason.
    pub(crate) fn left_out(&self, kind: LeftOutKind) -> impl Iterator<Item = &LeftOut> {
        self.left_out.iter().filter(move |one| one.kind == kind)
    }

    /// What it all comes to. What fails its cases is as bad as what got slower.
    pub(crate) fn answer(&self) -> Answer {
        let has = |kind| self.left_out(kind).next().is_some();
        let failed = has(LeftOutKind::Failed);
        let Some(comparison) = &self.comparison else {
            return if failed {
                Answer::Regression
            } else {
                Answer::Pass
            };
        };
        match &comparison.decision {
            _ if failed => Answer::Regression,
            Decision::Regression => Answer::Regression,
            Decision::Pass | Decision::Improvement => Answer::Pass,
            Decision::Inconclusive(Reason::NoCase) if has(LeftOutKind::Unchanged) => Answer::Pass,
            Decision::Inconclusive(Reason::NoCase) => Answer::NoBase,
            Decision::Inconclusive(_) => Answer::Inconclusive,
        }
    }
}

#[cfg(test)]
mod tests;
