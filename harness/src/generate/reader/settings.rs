//! The settings of folders and rules.

use super::super::recipe::GroupFile;
use super::super::yaml_text;
use super::{RecipeReader, RecipeSettings, RuleSolution, Table};
use crate::problem::yaml::Value;

impl RecipeReader<'_> {
    pub(super) fn settings(&mut self, table: &Table<'_>, outer: &RecipeSettings) -> RecipeSettings {
        let mut settings = outer.clone();
        if let Some(node) = table.get("solution") {
            settings.solution = match node.value {
                Value::Null => RuleSolution::None,
                _ => self
                    .text(node, "solution")
                    .and_then(|text| self.solution(node.place, &text))
                    .map_or(RuleSolution::None, RuleSolution::Stated),
            };
        }
        if let Some(node) = table.get("random_salt") {
            settings.salt = match node.value {
                Value::Null => String::new(),
                _ => self.text(node, "random_salt").unwrap_or_default(),
            };
        }
        if let Some(node) = table.get("retries") {
            match node.value {
                Value::Number(number) if (1.0..=100.0).contains(&number) => {
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "a small number above 0"
                    )]
                    let retries = number as u32;
                    settings.retries = retries;
                }
                _ => self.fault(node.place, "`retries` must be a number from 1 to 100", ""),
            }
        }
        settings
    }

    /// `test_group.yaml` of the folder `name`.
    pub(super) fn group_file(&mut self, name: &str, table: &Table<'_>) {
        let Some(node) = table.get("test_group.yaml") else {
            return;
        };
        let text = match &node.value {
            Value::Null => None,
            Value::Map(entries) if entries.is_empty() => return,
            Value::Map(_) => Some(yaml_text::of(node, self.text)),
            other => {
                let message = format!("`test_group.yaml` must be a table, not {}", other.kind());
                return self.fault(node.place, &message, "");
            }
        };
        self.rules.groups.push(GroupFile { folder: name.to_owned(), text });
    }
}
