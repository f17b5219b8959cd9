//! The results of `rejudge bench` as data, and the reports: text, JSON and Markdown.

use std::time::Duration;

use rejudge_statistics::{
    CaseGate, CaseReport, Decision, Gate, GateOptions, GateReport, Pairs, Quantity, Reason,
    SampleSummary,
};

use crate::bench::run_measurement::formatted;
use crate::sandbox::Facts;

mod bars;
mod fastest;
pub(crate) mod json;
mod labels;
pub(crate) mod markdown;
pub(crate) mod text;

pub(in crate::bench) use labels::signed_percent;

/// The confidence level of the intervals of plain measurements.
pub(crate) const LEVEL: f64 = 0.95;

/// The results of one `rejudge bench`.
#[derive(Debug)]
pub(crate) struct BenchReport {
    /// The name of the meter.
    pub(crate) meter: String,
    /// The protections and clocks of the sandbox; `None` if nothing was measured here.
    pub(crate) sandbox: Option<Facts>,
    /// The measured quantity.
    pub(crate) quantity: Quantity,
    /// Plain measurements.
    pub(crate) measured: Vec<MeasuredCase>,
    /// The comparison, if there is a base.
    pub(crate) comparison: Option<Comparison>,
    /// The solutions and cases without figures.
    pub(crate) left_out: Vec<LeftOut>,
}

/// The names of a solution, its problem and one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CaseId {
    pub(crate) submission: String,
    pub(crate) problem: String,
    pub(crate) case: String,
}

/// The figures of one solution on one case.
#[derive(Debug)]
pub(crate) struct MeasuredCase {
    pub(crate) case_id: CaseId,
    /// Each measured quantity with its samples and their summary.
    pub(crate) figures: Vec<(Quantity, Vec<f64>, SampleSummary)>,
}

/// A comparison with a base.
#[derive(Debug)]
pub(crate) struct Comparison {
    /// A description of the base.
    pub(crate) base: String,
    /// The options of the gate.
    pub(crate) options: GateOptions,
    /// The decision about all cases together.
    pub(crate) decision: Decision,
    /// The smallest increase, as a fraction, that would have been detected in every case.
    pub(crate) detectable: Option<f64>,
    pub(crate) cases: Vec<Compared>,
    /// A warning about the reliability of the decision.
    pub(crate) caution: Option<String>,
}

/// One solution on one case, compared with its base.
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
    /// The human-readable reason.
    pub(crate) why: String,
}

/// Why a solution or a case has no figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LeftOutKind {
    /// The solution fails its cases.
    Failed,
    /// The case is too short to be timed.
    TooShort,
    /// The solution has no base.
    NoBase,
    /// The solution is the same as its base.
    Unchanged,
    /// The solution cannot be measured, for example because its problem is interactive.
    Unsuitable,
}

impl Comparison {
    /// Combines a decision with the samples and the names of its cases, all in the same order.
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
    /// A case whose CPU time is too short to be timed.
    pub(crate) fn too_short(case_id: &CaseId, cpu: Duration, shortest: Duration) -> Self {
        let shown = |time: Duration| formatted(Quantity::CpuTime, time.as_secs_f64());
        Self {
            submission: case_id.submission.clone(),
            case: Some(case_id.case.clone()),
            kind: LeftOutKind::TooShort,
            why: format!(
                "it takes {}; below {}, the time to start the program dominates",
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

    /// A case on which a solution, or its base, starts processes whose instructions are not counted.
    pub(crate) fn uncounted(case_id: &CaseId) -> Self {
        Self {
            submission: case_id.submission.clone(),
            case: Some(case_id.case.clone()),
            kind: LeftOutKind::Unsuitable,
            why: "it starts other processes, but callgrind counts the instructions of the first one only; measure its CPU \
                  time instead"
                .to_owned(),
        }
    }

    /// A solution without a base.
    pub(crate) fn no_base(submission: &str, why: String) -> Self {
        Self { submission: submission.to_owned(), case: None, kind: LeftOutKind::NoBase, why }
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

/// The overall result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// No solution got worse, or nothing was compared because nothing changed.
    Pass,
    /// A solution got worse, or fails its cases.
    Regression,
    /// The measurements permit no decision.
    Inconclusive,
    /// No solution has a base.
    NoBase,
}

impl Conclusion {
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Regression => "regression",
            Self::Inconclusive => "inconclusive",
            Self::NoBase => "no_base",
        }
    }
}

impl BenchReport {
    /// The solutions and cases that are left out for this reason.
    pub(crate) fn left_out(&self, kind: LeftOutKind) -> impl Iterator<Item = &LeftOut> {
        self.left_out.iter().filter(move |one| one.kind == kind)
    }

    /// The overall result. A solution that fails its cases counts as a regression.
    pub(crate) fn answer(&self) -> Conclusion {
        let has = |kind| self.left_out(kind).next().is_some();
        let failed = has(LeftOutKind::Failed);
        let Some(comparison) = &self.comparison else {
            return if failed { Conclusion::Regression } else { Conclusion::Pass };
        };
        match &comparison.decision {
            _ if failed => Conclusion::Regression,
            Decision::Regression => Conclusion::Regression,
            Decision::Pass | Decision::Improvement => Conclusion::Pass,
            Decision::Inconclusive(Reason::NoCase) if has(LeftOutKind::Unchanged) => {
                Conclusion::Pass
            }
            Decision::Inconclusive(Reason::NoCase) => Conclusion::NoBase,
            Decision::Inconclusive(_) => Conclusion::Inconclusive,
        }
    }
}

#[cfg(test)]
mod tests;
