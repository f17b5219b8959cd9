//! The last line.

use serde::{Deserialize, Serialize};

use super::{duration, milliseconds};
use crate::event::Summary;

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(in crate::report) struct SummaryLine {
    submissions: usize,
    met: usize,
    unexpected: usize,
    not_judged: usize,
    skipped: usize,
    cases: usize,
    wall_ms: f64,
    interrupted: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
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
            missing: summary.missing.clone(),
            remarks: summary.remarks.clone(),
        }
    }
}

impl From<SummaryLine> for Summary {
    fn from(sum: SummaryLine) -> Self {
        Self {
            submissions: sum.submissions,
            met: sum.met,
            unexpected: sum.unexpected,
            not_judged: sum.not_judged,
            skipped: sum.skipped,
            cases: sum.cases,
            wall: duration(sum.wall_ms),
            interrupted: sum.interrupted,
            missing: sum.missing,
            remarks: sum.remarks,
        }
    }
}
