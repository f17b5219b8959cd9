//! Reads `generators.yaml`, the format of `BAPCtools`: settings, folders of cases, and lists that number cases.
//!
//! A fault in one rule is an error with its line; the rules without faults are read. The reader checks that the named
//! files exist; it starts no program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::FILE;
use super::numbering::Numbering;
use super::recipe::{GeneratorCommand, GroupFile, Recipe};
use crate::notice::{Code, Notices, Place, nearest};
use crate::problem::yaml::{self, Key, Node, Value};
use crate::problem::{Additions, Kind, is_case_name};

mod cases;
mod included;
mod programs;
mod settings;
mod shape;

use shape::{RULE_KEYS, count_listed, is_folder, is_rule, single};

/// The folders in `data/` whose cases are created, in the order in which their lists are numbered.
const PLACES: [&str; 8] = [
    "sample",
    "secret",
    "invalid_output",
    "invalid_answer",
    "invalid_input",
    "valid_output",
    "testing_tool_test",
    "fuzz",
];

/// The keys of a folder, and those of the whole file.
const FOLDER_KEYS: [&str; 6] =
    ["data", "solution", "random_salt", "retries", "test_group.yaml", "include"];
const ROOT_KEYS: [&str; 2] = ["generators", "version"];

/// What the file describes.
#[derive(Debug)]
pub(super) struct GenerationRules {
    pub(super) cases: Vec<Recipe>,
    pub(super) groups: Vec<GroupFile>,
    /// The folders in `data/` that it describes.
    pub(super) places: BTreeSet<String>,
    /// The number of faults.
    pub(super) faults: usize,
}

/// Reads the rules in `text`, the file of the package in `dir`; `None` if nothing in it can be read.
pub(super) fn read(
    dir: &Path,
    kind: Kind,
    text: &str,
    notices: &mut Notices,
) -> Option<GenerationRules> {
    let root = match yaml::parse(text) {
        Ok(root) => root,
        Err(error) => {
            let place = notices.show_at(&dir.join(FILE), error.place);
            notices.error(Code::InvalidSyntax.at(&place, error.message));
            return None;
        }
    };
    let mut reader = RecipeReader {
        dir,
        kind,
        text,
        constants: Additions::constants_in(dir),
        notices,
        rules: GenerationRules {
            cases: Vec::new(),
            groups: Vec::new(),
            places: BTreeSet::new(),
            faults: 0,
        },
        origins: Vec::new(),
        names: BTreeMap::new(),
        keys: BTreeMap::new(),
        commands: BTreeMap::new(),
        joined: BTreeMap::new(),
        numbers: Numbering::of(count_listed(&root)),
        usual: UsualSolution::Unsought,
    };
    reader.root(&root);
    Some(reader.rules)
}

/// The settings that a folder passes on to its contents.
#[derive(Debug, Clone)]
struct RecipeSettings {
    solution: RuleSolution,
    salt: String,
    /// How often a generator is started until it succeeds.
    retries: u32,
}

/// The program that computes answers.
#[derive(Debug, Clone)]
enum RuleSolution {
    /// No rule names one.
    Unstated,
    /// The rules state that there is none.
    None,
    Stated(GeneratorCommand),
}

/// The solution that is used if no rule names one.
#[derive(Debug, Clone)]
enum UsualSolution {
    /// Nothing needed one yet.
    Unsought,
    Missing,
    Found(GeneratorCommand),
}

/// What a name in `include` refers to.
#[derive(Debug, Clone)]
enum Includable {
    /// The case at this index.
    Case(usize),
    /// The cases in this folder.
    Folder(String),
}

struct RecipeReader<'a> {
    dir: &'a Path,
    kind: Kind,
    /// The text of the file.
    text: &'a str,
    constants: Additions,
    notices: &'a mut Notices,
    rules: GenerationRules,
    /// For each case, the index of the case that it includes; its own, unless it is included.
    origins: Vec<usize>,
    /// The origins of the cases, by name.
    names: BTreeMap<String, usize>,
    /// What the keys of the file stand for; keys may be used several times.
    keys: BTreeMap<String, Vec<Includable>>,
    /// Commands with their seeds, and the cases that they create.
    commands: BTreeMap<String, String>,
    /// The files of the programs in `generators`.
    joined: BTreeMap<String, Vec<PathBuf>>,
    numbers: Numbering,
    usual: UsualSolution,
}

/// The entries of a table.
#[derive(Clone, Copy)]
struct Table<'n> {
    entries: &'n [(Key, Node)],
}

impl<'n> Table<'n> {
    fn get(&self, key: &str) -> Option<&'n Node> {
        let found = self.entries.iter().find(|(known, _)| known.name == key);
        found.map(|(_, node)| node)
    }
}

/// A key of the file, in the folder whose contents it names.
#[derive(Clone, Copy)]
struct RuleKey<'n> {
    folder: &'n str,
    key: &'n Key,
    /// Whether it is in a list, which numbers its cases.
    listed: bool,
}

impl<'n> RuleKey<'n> {
    /// The name that the setter gave; it may be empty.
    fn given(&self) -> &'n str {
        &self.key.name
    }
}

impl RecipeReader<'_> {
    fn fault(&mut self, place: Place, message: &str, help: &str) {
        self.rules.faults += 1;
        let place = self.notices.show_at(&self.dir.join(FILE), place);
        let fault = Code::InvalidValue.says(format!("{place}: {message}"));
        if help.is_empty() {
            self.notices.error(fault);
        } else {
            self.notices.error_help(fault, help);
        }
    }

    fn warn(&mut self, code: Code, place: Place, message: &str) {
        let place = self.notices.show_at(&self.dir.join(FILE), place);
        self.notices.warn(code.at(&place, message));
    }

    fn no_effect(&mut self, key: &Key, known: &[&str]) {
        let place = self.notices.show_at(&self.dir.join(FILE), key.place);
        let message = format!("`{}` has no effect here", key.name);
        let warning = Code::UnknownKey.at(&place, message);
        // An entry with a mistyped key alone looks like a folder.
        let known = known.iter().copied().chain(RULE_KEYS);
        match nearest(&key.name, known) {
            Some(near) => {
                let help = format!("did you mean `{near}`?");
                self.notices.warn_help(warning, help);
            }
            None => self.notices.warn(warning),
        }
    }

    fn root(&mut self, root: &Node) {
        let known: Vec<&str> = FOLDER_KEYS.into_iter().chain(ROOT_KEYS).collect();
        let Some(table) = self.table(root, &known) else {
            return;
        };
        self.joined_programs(&table);
        let settings =
            RecipeSettings { solution: RuleSolution::Unstated, salt: String::new(), retries: 1 };
        let settings = self.settings(&table, &settings);
        self.group_file("", &table);
        let Some(data) = table.get("data") else {
            return self.fault(root.place, "missing key `data`", "");
        };
        let Value::Map(entries) = &data.value else {
            let message = format!("`data` must be a table of folders, not {}", data.value.kind());
            return self.fault(data.place, &message, "");
        };
        for (key, _) in entries {
            if !PLACES.contains(&key.name.as_str()) {
                let message = format!("no cases are created in `{}`", key.name);
                self.warn(Code::UnusedSetting, key.place, &message);
            }
        }
        for place in PLACES {
            let found = entries.iter().find(|(key, _)| key.name == place);
            if let Some((_, node)) = found {
                self.rules.places.insert(place.to_owned());
                self.know(place, Includable::Folder(place.to_owned()));
                self.folder(place, node, &settings);
            }
        }
    }

    /// The folder `name`, a path under `data/`.
    fn folder(&mut self, name: &str, node: &Node, outer: &RecipeSettings) {
        if node.value == Value::Null {
            return;
        }
        let Some(table) = self.table(node, &FOLDER_KEYS) else {
            return;
        };
        let settings = self.settings(&table, outer);
        self.group_file(name, &table);
        let included = self.included(&table);
        match table.get("data").map(|data| (&data.value, data.place)) {
            None | Some((Value::Null, _)) => {}
            Some((Value::Map(entries), _)) => {
                let mut entries: Vec<&(Key, Node)> = entries.iter().collect();
                entries.sort_by(|(one, _), (other, _)| one.name.cmp(&other.name));
                for (key, node) in entries {
                    let listed = false;
                    let key = RuleKey { folder: name, key, listed };
                    self.entry(key, node, &settings, None);
                }
            }
            Some((Value::List(items), _)) => self.list(name, items, &settings),
            Some((other, place)) => {
                let message = format!("`data` must be a table or a list, not {}", other.kind());
                self.fault(place, &message, "");
            }
        }
        self.include(name, node.place, &included);
    }

    fn list(&mut self, name: &str, items: &[Node], settings: &RecipeSettings) {
        let is_group = |item: &&Node| single(item).is_some_and(|(_, node)| is_folder(node));
        let mut groups = Numbering::of(items.iter().filter(is_group).count());
        for item in items {
            let Some((key, node)) = single(item) else {
                let message = "an item of a numbered list must be a table of one case";
                self.fault(item.place, message, "write `- name: command`");
                continue;
            };
            let key = RuleKey { folder: name, key, listed: true };
            self.entry(key, node, settings, Some(&mut groups));
        }
    }

    /// A case or a folder; folders in a list are numbered by `groups`.
    fn entry(
        &mut self,
        key: RuleKey<'_>,
        node: &Node,
        settings: &RecipeSettings,
        groups: Option<&mut Numbering>,
    ) {
        let given = key.given();
        if given.is_empty() && !key.listed {
            let help = "give it a name, or use a list, which numbers its cases";
            return self.fault(key.key.place, "a case or folder has no name", help);
        }
        if is_rule(node) {
            return self.case(key, node, settings);
        }
        let last = groups.map_or_else(|| given.to_owned(), |groups| groups.next(given));
        if !is_case_name(&last) {
            return self.invalid_name(key.key.place, &last);
        }
        let folder = format!("{}/{last}", key.folder);
        self.know(given, Includable::Folder(folder.clone()));
        self.folder(&folder, node, settings);
    }

    fn invalid_name(&mut self, place: Place, last: &str) {
        let message = format!("invalid name `{last}` of a case or folder");
        let help = "use letters, digits, `_`, `.` and `-`, and start with a letter, a digit or `_`";
        self.fault(place, &message, help);
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
        for (key, _) in entries {
            if !known.contains(&key.name.as_str()) {
                self.no_effect(key, known);
            }
        }
        Some(Table { entries })
    }
}

#[cfg(test)]
mod tests;
