//! The subtasks and cases of a problem of Hydro, as `config.yaml` lists them.

use std::path::Path;

use super::fields::Fields;
use super::foreign_problem::{CaseFileNames, Gatherer};
use crate::notice::{Code, Notices};
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
}

/// The subtasks of a problem.
#[derive(Debug, Default)]
pub(super) struct HydroSubtasks {
    pub(super) all: Vec<SubtaskEntry>,
    /// Whether the cases are not in subtasks.
    pub(super) are_bare: bool,
    /// Whether a subtask or a case has limits of its own.
    pub(super) own_limits: bool,
}

impl HydroSubtasks {
    /// Reads `config.yaml`. `None`: it lists no cases.
    pub(super) fn listed_in(table: &Fields<'_>, notices: &mut Notices) -> Option<Self> {
        let mut found = Self::default();
        let (listed, cases) = (
            table.list("subtasks", notices),
            table.list("cases", notices),
        );
        // As in Hydro, `cases` replace the subtasks.
        if !cases.is_empty() {
            let cases = found.listed(table.path(), cases, notices);
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
                let subtask = found.subtask(&subtask, number, notices);
                found.all.extend(subtask);
            }
        }
        (!listed.is_empty()).then_some(found)
    }

    /// Subtasks that follow from the names of files.
    pub(super) fn of_names(all: Vec<SubtaskEntry>) -> Self {
        Self {
            are_bare: matches!(&all[..], [one] if one.kind == SubtaskKind::Sum),
            all,
            own_limits: false,
        }
    }

    fn subtask(
        &mut self,
        table: &Fields<'_>,
        number: usize,
        notices: &mut Notices,
    ) -> Option<SubtaskEntry> {
        let kind = match table.text("type", notices).as_deref() {
            None | Some("min") => SubtaskKind::Min,
            Some("max") => SubtaskKind::Max,
            Some("sum") => SubtaskKind::Sum,
            Some(kind) => {
                table.fault(&format!("unknown `type: {kind}` of a subtask"), notices);
                return None;
            }
        };
        let requires = table.list("if", notices).iter();
        let requires = requires.filter_map(|need| match &need.value {
            Value::Number(number) => Some(number.to_string()),
            Value::Text(text) => Some(as_part(text)),
            _ => None,
        });
        let requires = requires.collect();
        self.own_limits |= table.has("time") || table.has("memory");
        let cases = table.list("cases", notices);
        let id = table.text("id", notices);
        let cases = self.listed(table.path(), cases, notices);
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

    fn listed(&mut self, path: &Path, cases: &[Node], notices: &mut Notices) -> Vec<HydroCase> {
        let mut found = Vec::new();
        for (node, number) in cases.iter().zip(1..) {
            let Some(case) = Fields::of(path, node, notices) else {
                continue;
            };
            self.own_limits |= case.has("time") || case.has("memory");
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
            });
        }
        found
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

/// A score of 0 is no score in Hydro.
fn stated_score(table: &Fields<'_>, notices: &mut Notices) -> Option<f64> {
    let score = table.number("score", notices);
    score.filter(|score| *score > 0.0)
}

/// A text as one part of a path.
fn as_part(text: &str) -> String {
    text.replace(['/', '\\'], "-")
}
