//! The subtasks and cases of a problem of Hydro, as `config.yaml` lists them.

use std::collections::BTreeMap;
use std::path::Path;

use super::fields::Fields;
use super::hydro_limits::stated_limits;
use super::scene::{CaseFileNames, Gatherer};
use crate::notice::{Code, Notices};
use crate::problem::ProblemLimits;
use crate::problem::yaml::{Node, Value};

/// How the score of a subtask results from its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SubtaskKind {
    Min,
    Max,
    Sum,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct SubtaskEntry {
    pub(super) id: String,
    pub(super) kind: SubtaskKind,
    pub(super) score: Option<f64>,
    /// The ids of the subtasks that must be accepted first.
    pub(super) requires: Vec<String>,
    pub(super) cases: Vec<HydroCase>,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct HydroCase {
    /// The name within the subtask.
    pub(super) name: String,
    pub(super) input: String,
    pub(super) answer: Option<String>,
    pub(super) score: Option<f64>,
    /// Its own limits, or those of its subtask.
    pub(super) limits: ProblemLimits,
}

/// The subtasks of a problem.
#[derive(Debug, Default)]
pub(super) struct HydroSubtasks {
    pub(super) all: Vec<SubtaskEntry>,
    /// Whether the cases are not in subtasks.
    pub(super) are_bare: bool,
}

impl HydroSubtasks {
    /// Reads `config.yaml`. `None`: it lists no cases.
    pub(super) fn listed_in(table: &Fields<'_>, notices: &mut Notices) -> Option<Self> {
        let mut found = Self::default();
        let (listed, cases) = (table.list("subtasks", notices), table.list("cases", notices));
        // As in Hydro, `cases` replace the subtasks.
        if !cases.is_empty() {
            let cases = read_cases(table.path(), cases, &ProblemLimits::default(), notices);
            found.are_bare = true;
            found.all.push(SubtaskEntry {
                id: "1".to_owned(),
                kind: SubtaskKind::Sum,
                score: None,
                requires: Vec::new(),
                cases,
            });
            return Some(found);
        }
        for (node, number) in listed.iter().zip(1..) {
            if let Some(subtask) = Fields::of(table.path(), node, notices) {
                found.all.extend(read_subtask(&subtask, number, notices));
            }
        }
        (!listed.is_empty()).then_some(found)
    }

    /// Subtasks that follow from the names of files.
    pub(super) fn of_names(all: Vec<SubtaskEntry>) -> Self {
        Self { are_bare: matches!(&all[..], [one] if one.kind == SubtaskKind::Sum), all }
    }

    /// Adds the cases to `gatherer`.
    pub(super) fn gather(&self, gatherer: &mut Gatherer<'_>, notices: &Notices) {
        for subtask in &self.all {
            for case in &subtask.cases {
                let named = CaseFileNames {
                    name: &format!("secret/{}", self.name_of(subtask, case)),
                    input: &case.input,
                    answer: case.answer.as_deref(),
                };
                gatherer.add(&named, notices);
            }
        }
    }

    /// The limits of the cases that have their own.
    pub(super) fn limits_of_cases(&self) -> BTreeMap<String, ProblemLimits> {
        let cases = self.all.iter().flat_map(|subtask| {
            let with_limits =
                subtask.cases.iter().filter(|case| case.limits != ProblemLimits::default());
            with_limits.map(|case| (format!("secret/{}", self.name_of(subtask, case)), case.limits))
        });
        cases.collect()
    }

    /// The name of a case below `secret/`. A case with points of its own is a group of its own.
    pub(super) fn name_of(&self, subtask: &SubtaskEntry, case: &HydroCase) -> String {
        let (id, name) = (&subtask.id, &case.name);
        match subtask.kind {
            SubtaskKind::Sum if self.are_bare => name.clone(),
            SubtaskKind::Sum => format!("{id}-{name}"),
            SubtaskKind::Min | SubtaskKind::Max => format!("{id}/{name}"),
        }
    }
}

/// Reads a subtask.
fn read_subtask(table: &Fields<'_>, number: usize, notices: &mut Notices) -> Option<SubtaskEntry> {
    let kind = match table.text("type", notices).as_deref() {
        None | Some("min") => SubtaskKind::Min,
        Some("max") => SubtaskKind::Max,
        Some("sum") => SubtaskKind::Sum,
        Some(kind) => {
            table.fault(&format!("unknown `type: {kind}` of a subtask"), notices);
            return None;
        }
    };
    let requires = table.list("if", notices).iter().filter_map(|need| match &need.value {
        Value::Number(number) => Some(number.to_string()),
        Value::Text(text) => Some(as_part(text)),
        _ => None,
    });
    let requires = requires.collect();
    let limits = stated_limits(table, notices);
    let cases = table.list("cases", notices);
    let id = table.text("id", notices);
    let cases = read_cases(table.path(), cases, &limits, notices);
    if kind == SubtaskKind::Max && cases.iter().any(|case| case.score.is_some()) {
        let shown = notices.show(table.path());
        let what = "`score` of a case in a subtask of `type: max` is not used";
        notices.warn(Code::UnusedSetting.at(&shown, what));
    }
    Some(SubtaskEntry {
        id: as_part(&id.unwrap_or_else(|| number.to_string())),
        kind,
        score: stated_score(table, notices),
        requires,
        cases,
    })
}

/// Reads a list of cases with these limits of their subtask.
fn read_cases(
    path: &Path,
    cases: &[Node],
    limits: &ProblemLimits,
    notices: &mut Notices,
) -> Vec<HydroCase> {
    let mut found = Vec::new();
    for (node, number) in cases.iter().zip(1..) {
        let Some(case) = Fields::of(path, node, notices) else {
            continue;
        };
        let Some(input) = case.text("input", notices) else {
            case.fault("the case has no `input`", notices);
            continue;
        };
        let answer = case.text("output", notices);
        found.push(HydroCase {
            name: number.to_string(),
            input,
            answer: answer.filter(|path| path != "/dev/null"),
            score: stated_score(&case, notices),
            limits: limits.replaced_by(&stated_limits(&case, notices)),
        });
    }
    found
}

/// A score of 0 is no score in Hydro.
fn stated_score(table: &Fields<'_>, notices: &mut Notices) -> Option<f64> {
    let score = table.number("score", notices);
    score.filter(|score| *score > 0.0)
}

/// A text as one part of a path.
fn as_part(text: &str) -> String {
    text.replace(['/', '\\'], "-")
}
