//! How the results of cases become the result of a submission, as a package says it.
//!
//! Only what is read lies here; the sums are made once cases are judged.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::TestCase;
use super::groups::Entries;
use crate::notice::Notices;

mod grading;
mod points;

pub(crate) use grading::{DefaultGrader, GradedGroup, Grader, Grading, ScoreMode, VerdictMode};
pub(crate) use points::{Aggregation, PointGroup, Points};

/// How a problem is scored; without it a submission's verdict is that of its first case that is not
/// accepted, and it has no score.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Scoring {
    /// 2025-09: points for groups.
    Points(Points),
    /// Legacy: a tree of groups, each with a grader.
    Grading(Grading),
}

/// What the readers of both formats look at.
pub(super) struct Source<'a> {
    /// `data/`.
    pub(super) root: PathBuf,
    pub(super) cases: &'a [TestCase],
    /// The settings of folders, by their path below `data/`.
    pub(super) entries: &'a BTreeMap<String, Entries>,
}

/// Reads how a package of 2025-09 with `type: scoring` is scored.
pub(super) fn read_points(source: &Source<'_>, notices: &mut Notices) -> Scoring {
    Scoring::Points(points::read(source, notices))
}

/// Reads how a legacy package is graded; `None` where that is what is done without a word about it.
pub(super) fn read_grading(
    source: &Source<'_>,
    wanted: grading::Wanted,
    notices: &mut Notices,
) -> Option<Scoring> {
    let keys = ["on_reject", "grading", "grader_flags"];
    let says = |entries: &Entries| keys.iter().any(|key| entries.get(key).is_some());
    let needed = wanted.scoring || source.entries.values().any(says);
    needed.then(|| Scoring::Grading(grading::read(source, wanted, notices)))
}

pub(super) use grading::Wanted;

/// A package of 2025-09 that gives no points must not set them.
pub(super) fn warn_of_points(source: &Source<'_>, notices: &mut Notices) {
    for entries in source.entries.values() {
        for name in ["max_score", "score_aggregation", "require_pass"] {
            if let Some((key, _)) = entries.get(name) {
                let at = notices.show_at(&entries.path, key.place);
                notices.warn_help(
                    format!("{at}: `{name}` is ignored: the problem gives no scores"),
                    "write `type: scoring` in `problem.yaml`, or remove the key",
                );
            }
        }
    }
}
