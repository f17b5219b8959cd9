//! `score_type` and `score_type_parameters` of a CMS task: the points of cases, or of subtasks.

use std::path::Path;

use super::cms_gen::Subtask;
use super::cms_subtasks::SubtaskCases;
use super::fields::Fields;
use super::points::{self, Share};
use crate::notice::{Code, Notices, visible};
use crate::problem::TestCase;
use crate::problem::scoring::{Aggregation, Scoring};
use crate::problem::yaml::{Node, Value};

const TYPE: &str = "score_type";
const PARAMETERS: &str = "score_type_parameters";
pub(super) const COUNT: &str = "n_input";

/// How a task gives points.
#[derive(Debug, PartialEq)]
pub(super) enum ScoreType {
    /// The same points for each case.
    Sum(f64),
    /// Points for each of the subtasks.
    Subtasks(Vec<ScoredSubtask>),
}

/// A subtask, which may share cases with others.
#[derive(Debug, PartialEq)]
pub(super) struct ScoredSubtask {
    pub(super) points: f64,
    /// How the outcomes of its cases are combined.
    pub(super) aggregation: Aggregation,
    /// The numbers of its cases.
    pub(super) cases: Vec<usize>,
}

impl ScoredSubtask {
    /// The subtasks of a list of cases, in which the lowest outcome counts.
    pub(super) fn consecutive(subtasks: &[Subtask]) -> Vec<Self> {
        let mut next = 0;
        let scored = subtasks.iter().map(|subtask| {
            let first = next;
            next += subtask.cases;
            Self {
                points: subtask.points,
                aggregation: Aggregation::Min,
                cases: (first..next).collect(),
            }
        });
        scored.collect()
    }
}

/// A score type with subtasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GroupType {
    Min,
    Mul,
    Threshold,
}

const GROUPS: [(&str, GroupType); 3] = [
    ("GroupMin", GroupType::Min),
    ("GroupMul", GroupType::Mul),
    ("GroupThreshold", GroupType::Threshold),
];

impl ScoreType {
    /// Warns of subtasks without cases, for which CMS cannot compute a score.
    pub(super) fn warn_of_empty(&self, path: &Path, notices: &mut Notices) {
        let Self::Subtasks(subtasks) = self else {
            return;
        };
        for (subtask, number) in subtasks.iter().zip(1..) {
            if subtask.cases.is_empty() {
                let at = notices.show(path);
                let points = subtask.points;
                let message =
                    format!("subtask {number} has no cases; its {points} points do not count");
                notices.warn_help(
                    Code::MissingCases.at(&at, message),
                    "add cases to the subtask, or remove it",
                );
            }
        }
    }

    /// The scoring of the cases. `graded`: a checker may give a part of the points.
    pub(super) fn scoring(&self, graded: bool, cases: &[TestCase]) -> Option<Scoring> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "fewer cases than 2^53")]
            Self::Sum(points) => points::even_shares(points * cases.len() as f64, cases),
            Self::Subtasks(subtasks) => {
                let share = |(subtask, number): (&ScoredSubtask, usize)| Share {
                    aggregation: match subtask.aggregation {
                        // Without a checker, each outcome is all or nothing.
                        Aggregation::Min | Aggregation::Product if !graded => Aggregation::PassFail,
                        other => other,
                    },
                    ..Share::whole(number.to_string(), subtask.points)
                };
                points::scoring(subtasks.iter().zip(1..).map(share).collect(), cases)
            }
        }
    }
}

/// Whether the task states its score type. As in CMS, all three keys are required for that; `notices` names those without
/// effect.
pub(super) fn is_stated(table: &Fields<'_>, notices: &mut Notices) -> bool {
    let keys = [TYPE, PARAMETERS, COUNT];
    let missing: Vec<&str> = keys.into_iter().filter(|key| !table.has(key)).collect();
    if missing.is_empty() {
        return true;
    }
    for key in [TYPE, PARAMETERS] {
        let Some(node) = table.get(key) else {
            continue;
        };
        let at = notices.show_at(table.path(), node.place);
        let missing = missing.join("` and `");
        notices.warn_help(
            Code::UnusedSetting
                .at(&at, format!("`{key}` is ignored, as in CMS: `{missing}` is missing")),
            format!("add `{missing}`, or remove `{key}`"),
        );
    }
    false
}

/// Reads the score type of a task with `count` cases. `None`: it is faulty, which `notices` reports.
pub(super) fn read(table: &Fields<'_>, count: usize, notices: &mut Notices) -> Option<ScoreType> {
    let (kind, parameters) = (table.get(TYPE)?, table.get(PARAMETERS)?);
    let name = table.text(TYPE, notices)?;
    let mut reader = ScoreTypeReader { path: table.path(), name: &name, notices };
    if name == "Sum" {
        return reader.sum(parameters);
    }
    let Some((_, group)) = GROUPS.into_iter().find(|(known, _)| *known == name) else {
        let message = format!("unknown score type `{}`", visible(&name));
        let help = "use `Sum`, `GroupMin`, `GroupMul` or `GroupThreshold`; those of plugins are not supported";
        return reader.fault(kind, &message, help);
    };
    reader.subtasks(group, parameters, count)
}

struct ScoreTypeReader<'a> {
    path: &'a Path,
    name: &'a str,
    notices: &'a mut Notices,
}

impl ScoreTypeReader<'_> {
    fn fault<T>(&mut self, node: &Node, message: &str, help: &str) -> Option<T> {
        let at = self.notices.show_at(self.path, node.place);
        self.notices.error_help(Code::InvalidValue.at(&at, message), help);
        None
    }

    fn sum(&mut self, node: &Node) -> Option<ScoreType> {
        if let Some(points) = points_of(node) {
            return Some(ScoreType::Sum(points));
        }
        let got = node.value.kind();
        let message =
            format!("`{PARAMETERS}` of `Sum` must be the points of a test case, got {got}");
        self.fault(node, &message, "write a number, for example `score_type_parameters: 5`")
    }

    fn subtasks(&mut self, group: GroupType, node: &Node, count: usize) -> Option<ScoreType> {
        let (example, words) = match group {
            GroupType::Min | GroupType::Mul => {
                ("[[30, 2], [70, 3]]", "its points, and its test cases")
            }
            GroupType::Threshold => {
                ("[[30, 2, 0.5], [70, 3, 0.5]]", "its points, its test cases, and its threshold")
            }
        };
        let help = format!("write a list of subtasks, each with {words}: `{example}`");
        let entries = match &node.value {
            Value::List(entries) if !entries.is_empty() => entries,
            other => {
                let got = match other {
                    Value::List(_) => "an empty list".to_owned(),
                    other => other.kind(),
                };
                let message = format!(
                    "`{PARAMETERS}` of `{}` must be a list of subtasks, got {got}",
                    self.name
                );
                return self.fault(node, &message, &help);
            }
        };
        let mut all = Vec::new();
        let mut cases = SubtaskCases::new(count);
        for (entry, number) in entries.iter().zip(1..) {
            let field = |index, key| field(entry, index, key);
            let Some(points) = field(0, "max_score").and_then(points_of) else {
                return self.fault(
                    entry,
                    &format!("subtask {number} has no number of points"),
                    &help,
                );
            };
            let aggregation = match (group, field(2, "threshold").and_then(number_of)) {
                (GroupType::Min, _) => Aggregation::Min,
                (GroupType::Mul, _) => Aggregation::Product,
                (GroupType::Threshold, Some(threshold)) => Aggregation::Threshold(threshold),
                (GroupType::Threshold, None) => {
                    return self.fault(entry, &format!("subtask {number} has no threshold"), &help);
                }
            };
            let Some(target) = field(1, "testcases") else {
                return self.fault(entry, &format!("subtask {number} names no test cases"), &help);
            };
            match cases.of(target) {
                Ok(cases) => all.push(ScoredSubtask { points, aggregation, cases }),
                Err(fault) => {
                    let message = format!("subtask {number}: {fault}");
                    return self.fault(target, &message, fault.help());
                }
            }
        }
        Some(ScoreType::Subtasks(all))
    }
}

/// A part of the parameters of a subtask, which are a list or a table.
fn field<'n>(entry: &'n Node, index: usize, key: &str) -> Option<&'n Node> {
    match &entry.value {
        Value::List(items) => items.get(index),
        Value::Map(entries) => {
            let found = entries.iter().find(|(known, _)| known.name == key);
            found.map(|(_, node)| node)
        }
        _ => None,
    }
}

fn number_of(node: &Node) -> Option<f64> {
    match node.value {
        Value::Number(number) if number.is_finite() => Some(number),
        _ => None,
    }
}

fn points_of(node: &Node) -> Option<f64> {
    number_of(node).filter(|points| *points >= 0.0)
}

#[cfg(test)]
mod tests;
