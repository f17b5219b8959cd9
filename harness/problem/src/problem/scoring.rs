//! How the results of cases become the result of a submission, as a package defines it.
//!
//! This module only reads the definition. The scores are computed once the cases are judged.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::TestCase;
use super::groups::Entries;
use crate::notice::{Code, Notices};

mod grading;
mod points;

pub use grading::{
    DefaultGrader, GradedGroup, Grader, Grading, GradingRules, ScoreFileRule, ScoreMode,
    VerdictMode,
};
pub use points::{Aggregation, PartRule, PointGroup, Points};

/// How a problem is scored. Without it, a submission has no score, and its verdict is that of its
/// first case that is not accepted.
#[derive(Debug, Clone, PartialEq)]
pub enum Scoring {
    /// 2025-09: points for groups.
    Points(Points),
    /// Legacy: a tree of groups, each with a grader.
    Grading(Grading),
}

impl Scoring {
    /// Whether a case loses points if its run takes more than half of the time limit.
    pub fn falls_with_time(&self) -> bool {
        matches!(self, Self::Points(points) if points.fall_with_time)
    }
}

/// The input of both readers.
pub(super) struct ScoringSource<'a> {
    /// `data/`.
    pub(super) root: PathBuf,
    pub(super) cases: &'a [TestCase],
    /// The settings of folders, by their path below `data/`.
    pub(super) entries: &'a BTreeMap<String, Entries>,
}

/// Reads how a 2025-09 package with `type: scoring` is scored.
pub(super) fn read_points(source: &ScoringSource<'_>, notices: &mut Notices) -> Scoring {
    Scoring::Points(points::read(source, notices))
}

/// Reads how a legacy package is graded. `None`: it sets nothing that differs from the default
/// grading.
pub(super) fn read_grading(
    source: &ScoringSource<'_>,
    wanted: grading::GradingSettings,
    notices: &mut Notices,
) -> Option<Scoring> {
    let keys = ["on_reject", "grading", "grader_flags"];
    let says = |entries: &Entries| keys.iter().any(|key| entries.get(key).is_some());
    let needed = wanted.scoring || source.entries.values().any(says);
    needed.then(|| Scoring::Grading(grading::read(source, wanted, notices)))
}

pub(super) use grading::GradingSettings;

/// Warns of points in a 2025-09 package that is not a scoring problem.
pub(super) fn warn_of_points(source: &ScoringSource<'_>, notices: &mut Notices) {
    for entries in source.entries.values() {
        for name in ["max_score", "score_aggregation", "require_pass"] {
            if let Some((key, _)) = entries.get(name) {
                let at = notices.show_at(&entries.path, key.place);
                notices.warn_help(
                    Code::UnusedSetting
                        .at(&at, format!("`{name}` is ignored: the problem gives no scores")),
                    "write `type: scoring` in `problem.yaml`, or remove the key",
                );
            }
        }
    }
}
