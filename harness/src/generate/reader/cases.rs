//! Reads one case of `generators.yaml`: a command, a copy or a text, and the source of its answer.

use std::path::{Component, Path, PathBuf};

use super::super::command::CommandTemplate;
use super::super::recipe::{AnswerSource, GeneratorCommand, InputSource, Recipe};
use super::{CASE_KEYS, RecipeReader, RecipeSettings};
use crate::notice::Place;
use crate::problem::yaml::{Key, Node, Value};

impl RecipeReader<'_> {
    pub(super) fn case(&mut self, name: &str, key: &Key, node: &Node, outer: &RecipeSettings) {
        let made = match &node.value {
            Value::Text(command) => {
                let input = self.generated(name, node.place, command, outer);
                input.map(|input| (input, None, outer.solution.clone()))
            }
            Value::Map(_) => self.case_table(name, node, outer),
            Value::Null => {
                let message = format!("`{name}` has no input");
                let help = "add its file with `copy:` or its program with `generate:`";
                return self.fault(key.place, &message, help);
            }
            other => {
                let message = format!(
                    "`{name}` must be a command or a table, not {}",
                    other.kind()
                );
                return self.fault(node.place, &message, "");
            }
        };
        let Some((input, answer, solution)) = made else {
            return;
        };
        let Some(answer) = answer.or(solution.map(AnswerSource::Solved)) else {
            let message = format!("`{name}` has no answer");
            let help =
                "add the answer with `ans:`, or the program that computes it with `solution:`";
            return self.fault(key.place, &message, help);
        };
        self.cases.push(Recipe {
            name: name.to_owned(),
            input,
            answer,
        });
    }

    fn case_table(
        &mut self,
        name: &str,
        node: &Node,
        outer: &RecipeSettings,
    ) -> Option<(InputSource, Option<AnswerSource>, Option<GeneratorCommand>)> {
        let table = self.table(node, &CASE_KEYS)?;
        let settings = self.settings(&table, outer);
        let (text, copy) = (table.get("in"), table.get("copy"));
        let (input, copied) = match (text, copy, table.get("generate")) {
            (Some(text), None, None) => (InputSource::Text(self.lines(text, "in")?), None),
            (None, Some(copy), None) => self.copied(copy)?,
            (None, None, Some(command)) => {
                let text = self.text(command, "generate")?;
                (self.generated(name, command.place, &text, &settings)?, None)
            }
            _ => {
                let message = format!("`{name}` must have one of `generate`, `copy` and `in`");
                self.fault(node.place, &message, "");
                return None;
            }
        };
        let answer = match table.get("ans") {
            Some(text) => Some(AnswerSource::Text(self.lines(text, "ans")?)),
            None => copied.map(AnswerSource::Copy),
        };
        Some((input, answer, settings.solution))
    }

    fn generated(
        &mut self,
        name: &str,
        place: Place,
        text: &str,
        settings: &RecipeSettings,
    ) -> Option<InputSource> {
        let command = match CommandTemplate::parse(text) {
            Ok(command) => command,
            Err(message) => {
                let help = "use only the fields `{name}`, `{seed}` and `{seed:N}`";
                self.fault(place, &format!("`{name}`: {message}"), help);
                return None;
            }
        };
        let salted = format!("{}{}", settings.salt, command.text);
        if let Some(other) = self.commands.insert(salted, name.to_owned()) {
            let message = format!("`{name}` has the same command as `{other}`");
            self.fault(
                place,
                &message,
                "remove one of them or give it another seed",
            );
        }
        let last = name.rsplit('/').next().unwrap_or(name);
        let source = self.beside(place, &command.program)?;
        Some(InputSource::Generated(GeneratorCommand {
            source,
            args: command.fill(last, &settings.salt),
            shown: command.text,
        }))
    }

    /// A file that is named relative to `generators/` and must exist.
    fn beside(&mut self, place: Place, name: &str) -> Option<PathBuf> {
        let inside = Path::new(name)
            .components()
            .all(|c| matches!(c, Component::Normal(_)));
        let path = self.dir.join("generators").join(name);
        let fault = if !inside {
            "must lie in `generators/`"
        } else if path.is_dir() {
            "is a folder, and only single files are supported"
        } else if !path.is_file() {
            "does not exist"
        } else {
            return Some(path);
        };
        let shown = self.notices.show(&path);
        self.fault(place, &format!("{shown} {fault}"), "");
        None
    }

    fn copied(&mut self, node: &Node) -> Option<(InputSource, Option<PathBuf>)> {
        let text = self.text(node, "copy")?;
        let stem = text.strip_suffix(".in").unwrap_or(&text);
        let input = self.beside(node.place, &format!("{stem}.in"))?;
        let answer = self.dir.join("generators").join(format!("{stem}.ans"));
        Some((InputSource::Copy(input), answer.is_file().then_some(answer)))
    }

    /// A text for a file; a newline is added if the last line has none.
    fn lines(&mut self, node: &Node, key: &str) -> Option<String> {
        let mut text = self.text(node, key)?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Some(text)
    }
}
