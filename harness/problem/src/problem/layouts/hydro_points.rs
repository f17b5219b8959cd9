//! Hydro's points: of subtasks, which may depend on others, and of their cases. What remains of 100, or of a subtask, is dealt
//! in whole points to those without a score.

use super::hydro_cases::{HydroSubtasks, SubtaskEntry, SubtaskKind};
use super::points::{self, Share};
use crate::problem::TestCase;
use crate::problem::scoring::{Aggregation, PartRule, Scoring};

/// The scoring of a problem with these subtasks. `partial`: an output can be accepted in part.
pub(super) fn scoring(
    subtasks: &HydroSubtasks,
    cases: &[TestCase],
    partial: bool,
) -> Option<Scoring> {
    let mut scoring = points::scoring(shares(subtasks, partial), cases);
    if let Some(Scoring::Points(points)) = &mut scoring {
        points.parts = PartRule::Hydro;
    }
    scoring
}

/// The points of the groups that the cases of these subtasks form.
fn shares(subtasks: &HydroSubtasks, partial: bool) -> Vec<Share> {
    let scores: Vec<Option<f64>> = subtasks.all.iter().map(|one| one.score).collect();
    let mut shares = Vec::new();
    for (subtask, total) in subtasks.all.iter().zip(dealt(100.0, &scores)) {
        let requires: Vec<String> =
            subtask.requires.iter().flat_map(|id| parts_of(subtasks, id)).collect();
        let scores: Vec<Option<f64>> = subtask.cases.iter().map(|case| case.score).collect();
        let own = scores.iter().map(|score| score.unwrap_or(total));
        let whole = |aggregation, points| Share {
            aggregation,
            requires: requires.clone(),
            ..Share::whole(subtask.id.clone(), points)
        };
        match subtask.kind {
            SubtaskKind::Min => {
                let kind = if partial { Aggregation::Min } else { Aggregation::PassFail };
                shares.push(whole(kind, own.fold(total, f64::min)));
            }
            SubtaskKind::Max => shares.push(whole(Aggregation::Max, total)),
            SubtaskKind::Sum => {
                let cases = subtask.cases.iter().zip(dealt(total, &scores));
                shares.extend(cases.map(|(case, points)| Share {
                    aggregation: Aggregation::Sum,
                    requires: requires.clone(),
                    ..Share::whole(subtasks.name_of(subtask, case), points)
                }));
            }
        }
    }
    shares
}

/// The groups that the cases of a subtask form.
fn parts_of(subtasks: &HydroSubtasks, id: &str) -> Vec<String> {
    let of_subtask = |subtask: &SubtaskEntry| match subtask.kind {
        SubtaskKind::Sum => {
            let cases = subtask.cases.iter();
            cases.map(|case| subtasks.name_of(subtask, case)).collect()
        }
        SubtaskKind::Min | SubtaskKind::Max => vec![subtask.id.clone()],
    };
    let mut all = subtasks.all.iter();
    all.find(|one| one.id == id).map_or_else(Vec::new, of_subtask)
}

/// Deals what remains of `total` as whole points to the entries without a score. Later entries get the extra points.
fn dealt(total: f64, scores: &[Option<f64>]) -> Vec<f64> {
    let given: f64 = scores.iter().flatten().sum();
    let open = scores.iter().filter(|score| score.is_none()).count();
    let left = (total - given).max(0.0);
    #[expect(clippy::cast_precision_loss, reason = "a count of subtasks or cases")]
    let (base, few) = {
        let count = open.max(1) as f64;
        ((left / count).floor(), count - left % count)
    };
    let mut dealt = 0_u32;
    let points = scores.iter().map(|score| {
        score.unwrap_or_else(|| {
            let late = f64::from(dealt) >= few;
            dealt += 1;
            if late { base + 1.0 } else { base }
        })
    });
    points.collect()
}

#[cfg(test)]
mod tests {
    use super::super::hydro_cases::HydroCase;
    use super::*;
    use crate::problem::ProblemLimits;

    /// The points in all, the stated ones, and those that the cases get.
    type Dealt = (f64, &'static [Option<f64>], &'static [f64]);

    #[test]
    fn the_rest_is_dealt_in_whole_points() {
        let table: [Dealt; 6] = [
            (100.0, &[None, None, None], &[33.0, 33.0, 34.0]),
            (100.0, &[Some(40.0), None, None], &[40.0, 30.0, 30.0]),
            (100.0, &[Some(60.0), Some(60.0), None], &[60.0, 60.0, 0.0]),
            (50.0, &[None, None, None, Some(2.0)], &[16.0, 16.0, 16.0, 2.0]),
            (2.0, &[None, None, None], &[0.0, 1.0, 1.0]),
            (100.0, &[], &[]),
        ];
        for (total, scores, expected) in table {
            assert_eq!(dealt(total, scores), expected, "{scores:?}");
        }
    }

    #[test]
    fn subtasks_have_the_points_of_their_kind() {
        let subtask = |id: &str, kind, score, scores: &[Option<f64>], requires: &[&str]| {
            let cases = scores.iter().zip(1..).map(|(score, number)| HydroCase {
                name: number.to_string(),
                input: String::new(),
                answer: None,
                score: *score,
                limits: ProblemLimits::default(),
            });
            SubtaskEntry {
                id: id.to_owned(),
                kind,
                score,
                requires: requires.iter().map(|&id| id.to_owned()).collect(),
                cases: cases.collect(),
            }
        };
        let subtasks = HydroSubtasks {
            all: vec![
                subtask("1", SubtaskKind::Sum, Some(10.0), &[None; 3], &[]),
                subtask("2", SubtaskKind::Max, None, &[None, None], &["1"]),
                subtask("3", SubtaskKind::Min, None, &[None, Some(20.0)], &["2"]),
            ],
            ..HydroSubtasks::default()
        };
        let shown: Vec<String> = shares(&subtasks, false)
            .iter()
            .map(|share| {
                format!(
                    "{} {} {:?} {}",
                    share.name,
                    share.points,
                    share.aggregation,
                    share.requires.join(",")
                )
            })
            .collect();
        assert_eq!(
            shown,
            ["1-1 3 Sum ", "1-2 3 Sum ", "1-3 4 Sum ", "2 45 Max 1-1,1-2,1-3", "3 20 PassFail 2"]
        );
    }
}
