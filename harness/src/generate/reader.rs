//! Reads `generators.yaml`, the format of `BAPCtools`: settings, folders of cases, and lists that
//! number cases.
//!
//! Anything unknown is an error with its line. The reader checks that the named files exist; it
//! starts no program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::numbering::Numbering;
use super::recipe::{GeneratorCommand, Recipe};
use super::{FILE, source};
use crate::notice::{Code, Notices, Place};
use crate::problem::is_case_name;
use crate::problem::yaml::{self, Key, Node, Value};

mod cases;

/// The folders under `data/` whose cases are created.
const PLACES: [&str; 2] = ["sample", "secret"];

/// The keys of a folder; each needs `data`.
const FOLDER_KEYS: [&str; 3] = ["data", "solution", "random_salt"];

/// The keys of a case. `desc` and `hint` are for other tools.
const CASE_KEYS: [&str; 8] = [
    "generate",
    "copy",
    "in",
    "ans",
    "solution",
    "random_salt",
    "desc",
    "hint",
];

/// Reads the cases from `text`, the file of the package in `dir`; `None` if there are errors.
pub(super) fn read(dir: &Path, text: &str, notices: &mut Notices) -> Option<Vec<Recipe>> {
    let mut reader = RecipeReader {
        dir,
        notices,
        faults: 0,
        cases: Vec::new(),
        names: BTreeSet::new(),
        commands: BTreeMap::new(),
    };
    match yaml::parse(text) {
        Ok(root) => reader.root(&root),
        Err(error) => reader.fault(error.place, &error.message, ""),
    }
    (reader.faults == 0).then_some(reader.cases)
}

/// The settings that a folder passes on to its contents.
#[derive(Debug, Clone, Default)]
struct RecipeSettings {
    solution: Option<GeneratorCommand>,
    salt: String,
}

struct RecipeReader<'a> {
    dir: &'a Path,
    notices: &'a mut Notices,
    faults: usize,
    cases: Vec<Recipe>,
    names: BTreeSet<String>,
    /// Commands with their salt, and the cases that they create.
    commands: BTreeMap<String, String>,
}

/// The entries of a table; all of its keys are known.
struct Table<'n> {
    entries: &'n [(Key, Node)],
}

impl<'n> Table<'n> {
    fn get(&self, key: &str) -> Option<&'n Node> {
        let found = self.entries.iter().find(|(known, _)| known.name == key);
        found.map(|(_, node)| node)
    }
}

impl RecipeReader<'_> {
    fn fault(&mut self, place: Place, message: &str, help: &str) {
        self.faults += 1;
        let place = self.notices.show_at(&self.dir.join(FILE), place);
        let message = format!("{place}: {message}");
        if help.is_empty() {
            self.notices.error(Code::InvalidValue.says(message));
        } else {
            self.notices
                .error_help(Code::InvalidValue.says(message), help);
        }
    }

    fn root(&mut self, root: &Node) {
        let Some(table) = self.table(root, &FOLDER_KEYS) else {
            return;
        };
        let settings = self.settings(&table, &RecipeSettings::default());
        let Some(data) = table.get("data") else {
            return self.fault(root.place, "missing key `data`", "");
        };
        let Value::Map(entries) = &data.value else {
            let message = format!(
                "`data` must be a table of folders, not {}",
                data.value.kind()
            );
            return self.fault(data.place, &message, "");
        };
        for (key, node) in entries {
            if PLACES.contains(&key.name.as_str()) {
                let mut numbers = Numbering::of_cases(count_listed(node));
                self.folder(&key.name, node, &settings, &mut numbers);
            } else {
                let message = format!("cannot create cases in `{}`", key.name);
                self.fault(key.place, &message, "put them in `sample` or `secret`");
            }
        }
    }

    /// The folder `name`, a path under `data/`.
    fn folder(&mut self, name: &str, node: &Node, outer: &RecipeSettings, numbers: &mut Numbering) {
        let Some(table) = self.table(node, &FOLDER_KEYS) else {
            return;
        };
        let settings = self.settings(&table, outer);
        let Some(data) = table.get("data") else {
            return;
        };
        match &data.value {
            Value::Null => {}
            Value::Map(entries) => {
                for (key, node) in entries {
                    self.entry(
                        &format!("{name}/{}", key.name),
                        key,
                        node,
                        &settings,
                        numbers,
                    );
                }
            }
            Value::List(items) => self.list(name, items, &settings, numbers),
            other => {
                let message = format!("`data` must be a table or a list, not {}", other.kind());
                self.fault(data.place, &message, "");
            }
        }
    }

    fn list(
        &mut self,
        name: &str,
        items: &[Node],
        settings: &RecipeSettings,
        numbers: &mut Numbering,
    ) {
        let folders = items
            .iter()
            .filter(|item| single(item).is_some_and(|(_, n)| is_folder(n)));
        let mut groups = Numbering::of_groups(folders.count());
        for item in items {
            let Some((key, node)) = single(item) else {
                let message = "an item of a numbered list must be a table of one case";
                self.fault(item.place, message, "write `- name: command`");
                continue;
            };
            let number = if is_folder(node) {
                &mut groups
            } else {
                &mut *numbers
            };
            let entry = format!("{name}/{}", number.next(&key.name));
            self.entry(&entry, key, node, settings, numbers);
        }
    }

    fn entry(
        &mut self,
        name: &str,
        key: &Key,
        node: &Node,
        settings: &RecipeSettings,
        numbers: &mut Numbering,
    ) {
        let last = name.rsplit('/').next().unwrap_or(name);
        if !is_case_name(last) {
            let message = format!("invalid name `{last}` of a case or folder");
            let help =
                "use letters, digits, `_`, `.` and `-`, and start with a letter, a digit or `_`";
            self.fault(key.place, &message, help);
        } else if is_folder(node) {
            self.folder(name, node, settings, numbers);
        } else if !self.names.insert(name.to_owned()) {
            self.fault(key.place, &format!("`{name}` is listed twice"), "");
        } else {
            self.case(name, key, node, settings);
        }
    }

    fn settings(&mut self, table: &Table<'_>, outer: &RecipeSettings) -> RecipeSettings {
        let mut settings = outer.clone();
        if let Some(node) = table.get("solution") {
            settings.solution = match node.value {
                Value::Null => None,
                _ => self
                    .text(node, "solution")
                    .and_then(|text| self.solution(node.place, &text)),
            };
        }
        if let Some(node) = table.get("random_salt") {
            settings.salt = match node.value {
                Value::Null => String::new(),
                _ => self.text(node, "random_salt").unwrap_or_default(),
            };
        }
        settings
    }

    fn solution(&mut self, place: Place, text: &str) -> Option<GeneratorCommand> {
        let mut words = text.split_whitespace().map(str::to_owned);
        let path = words.next().unwrap_or_default();
        match source::of_solution(self.dir, &path) {
            Ok(source) => Some(GeneratorCommand {
                source,
                args: words.collect(),
                shown: text.trim().to_owned(),
            }),
            Err(tried) => {
                let tried: Vec<String> = tried.iter().map(|path| self.notices.show(path)).collect();
                let message = format!("no such file: `solution: {path}`");
                let help = match tried.as_slice() {
                    [] => "start the path with `/`, the package's folder, as in \
                        `/submissions/accepted/NAME.rs`"
                        .to_owned(),
                    tried => format!("expected at {}", tried.join(" or ")),
                };
                self.fault(place, &message, &help);
                None
            }
        }
    }

    fn text(&mut self, node: &Node, key: &str) -> Option<String> {
        if let Value::Text(text) = &node.value {
            return Some(text.clone());
        }
        let message = format!("`{key}` must be text, not {}", node.value.kind());
        self.fault(node.place, &message, "put it in quotes");
        None
    }

    fn table<'n>(&mut self, node: &'n Node, known: &[&str]) -> Option<Table<'n>> {
        let Value::Map(entries) = &node.value else {
            let message = format!("expected a table, not {}", node.value.kind());
            self.fault(node.place, &message, "");
            return None;
        };
        let unknown = entries
            .iter()
            .filter(|(key, _)| !known.contains(&key.name.as_str()));
        let mut all_known = true;
        for (key, _) in unknown {
            let message = format!("`{}` is not supported here", key.name);
            self.fault(
                key.place,
                &message,
                &format!("known keys: `{}`", known.join("`, `")),
            );
            all_known = false;
        }
        all_known.then_some(Table { entries })
    }
}

fn is_folder(node: &Node) -> bool {
    match &node.value {
        Value::Map(entries) => entries.iter().any(|(key, _)| key.name == "data"),
        _ => false,
    }
}

/// The only entry of a list item.
fn single(item: &Node) -> Option<(&Key, &Node)> {
    match &item.value {
        Value::Map(entries) => match entries.as_slice() {
            [(key, node)] => Some((key, node)),
            _ => None,
        },
        _ => None,
    }
}

/// The number of cases in lists, in this folder and below.
fn count_listed(folder: &Node) -> usize {
    let Value::Map(keys) = &folder.value else {
        return 0;
    };
    let data = keys.iter().find(|(key, _)| key.name == "data");
    match data.map(|(_, data)| &data.value) {
        Some(Value::Map(entries)) => entries.iter().map(|(_, node)| count_listed(node)).sum(),
        Some(Value::List(items)) => {
            let nodes = items.iter().filter_map(single).map(|(_, node)| node);
            nodes
                .map(|node| {
                    if is_folder(node) {
                        count_listed(node)
                    } else {
                        1
                    }
                })
                .sum()
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests;
