//! Hydro's points: of subtasks, which may depend on others, and of cases. Scores that are not given
//! are shares of what remains of 100.

use std::path::Path;

use super::fields::Fields;
use super::points::Share;
use crate::notice::Notices;
use crate::problem::scoring::Aggregation;
use crate::problem::yaml::{Node, Value};

/// The name of a subtask: its id, otherwise its number.
pub(super) fn id(subtask: &Fields<'_>, number: usize, notices: &mut Notices) -> String {
    let id = subtask.text("id", notices);
    let id = id.unwrap_or_else(|| number.to_string());
    id.replace(['/', '\\'], "-")
}

/// The points of the cases of a problem without subtasks; empty if no case has a score.
pub(super) fn of_cases(path: &Path, cases: &[Node], notices: &mut Notices) -> Vec<Share> {
    let tables = cases.iter().zip(1..).filter_map(|(node, number)| {
        let table = Fields::of(path, node, notices)?;
        Some((number, table.number("score", notices)))
    });
    let scores: Vec<(usize, Option<f64>)> = tables.collect();
    if scores.iter().all(|(_, score)| score.is_none()) {
        return Vec::new();
    }
    let points = distributed(&scores.iter().map(|(_, score)| *score).collect::<Vec<_>>());
    let shares = scores.into_iter().zip(points);
    shares
        .map(|((number, _), points)| Share::whole(number.to_string(), points))
        .collect()
}

/// The points of subtasks.
pub(super) fn of_subtasks(path: &Path, subtasks: &[Node], notices: &mut Notices) -> Vec<Share> {
    let mut shares = Vec::new();
    let mut scores = Vec::new();
    for (node, number) in subtasks.iter().zip(1..) {
        let Some(table) = Fields::of(path, node, notices) else {
            continue;
        };
        let aggregation = match table.text("type", notices).as_deref() {
            None | Some("min") => Aggregation::PassFail,
            Some("sum") => Aggregation::Sum,
            Some(kind) => {
                let message = format!("subtasks of `type: {kind}` give no points here");
                table.fault(&message, notices);
                continue;
            }
        };
        let needs = table.list("if", notices).iter();
        let requires = needs.filter_map(|need| match &need.value {
            Value::Number(number) => Some(number.to_string()),
            Value::Text(text) => Some(text.replace(['/', '\\'], "-")),
            _ => None,
        });
        scores.push(table.number("score", notices));
        shares.push(Share {
            aggregation,
            requires: requires.collect(),
            ..Share::whole(id(&table, number, notices), 0.0)
        });
    }
    for (share, points) in shares.iter_mut().zip(distributed(&scores)) {
        share.points = points;
    }
    shares
}

/// Distributes what remains of 100 as whole points among the entries without a score. Later entries
/// get the extra points.
fn distributed(scores: &[Option<f64>]) -> Vec<f64> {
    let given: f64 = scores.iter().flatten().sum();
    let open = scores.iter().filter(|score| score.is_none()).count();
    let left = (100.0 - given).max(0.0).floor();
    #[expect(clippy::cast_precision_loss, reason = "a count of subtasks")]
    let (base, more) = {
        let count = open.max(1) as f64;
        ((left / count).floor(), left % count)
    };
    let mut still = open;
    scores
        .iter()
        .map(|score| {
            score.unwrap_or_else(|| {
                still -= 1;
                #[expect(clippy::cast_precision_loss, reason = "a count of subtasks")]
                let late = (still as f64) < more;
                if late { base + 1.0 } else { base }
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rest_of_a_hundred_points_is_distributed() {
        let table: [(&[Option<f64>], &[f64]); 4] = [
            (&[None, None, None], &[33.0, 33.0, 34.0]),
            (&[Some(40.0), None, None], &[40.0, 30.0, 30.0]),
            (&[Some(60.0), Some(60.0), None], &[60.0, 60.0, 0.0]),
            (&[], &[]),
        ];
        for (scores, expected) in table {
            assert_eq!(distributed(scores), expected, "{scores:?}");
        }
    }
}
