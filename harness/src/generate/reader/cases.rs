//! Reads one rule of `generators.yaml`: a command, files that are copied, texts, and the source of the answer.

use std::path::PathBuf;

use super::super::command::{CommandTemplate, seed};
use super::super::counts;
use super::super::recipe::{AnswerSource, GeneratorCommand, IMAGES, Recipe, TEXTS};
use super::super::yaml_text;
use super::{Includable, RecipeReader, RecipeSettings, RuleKey, RuleSolution, Table};
use crate::notice::{Code, Place};
use crate::problem::is_case_name;
use crate::problem::yaml::{Node, Value};

/// The keys of a rule besides the endings of files. `desc` and `hint` are for other tools.
const RULE_KEYS: [&str; 9] =
    ["generate", "copy", "count", "match", "solution", "random_salt", "retries", "desc", "hint"];

/// The endings of files that may be links to another file of the case.
const LINKS: [&str; 4] = ["in.statement", "ans.statement", "in.download", "ans.download"];

/// A file of a case and its contents.
enum RuleFile {
    Text(String),
    Link(&'static str),
}

/// What a rule says, before its cases are counted.
struct CaseRule<'n> {
    table: Table<'n>,
    settings: RecipeSettings,
    /// The generator's command and its place.
    command: Option<(Place, String)>,
    copies: Vec<(&'static str, PathBuf)>,
    texts: Vec<(&'static str, String)>,
    links: Vec<(&'static str, &'static str)>,
    patterns: Vec<(&'static str, String)>,
}

impl RecipeReader<'_> {
    /// The cases of a rule.
    pub(super) fn case(&mut self, key: RuleKey<'_>, node: &Node, outer: &RecipeSettings) {
        let entries = match &node.value {
            Value::Map(entries) => entries.as_slice(),
            _ => &[],
        };
        let table = Table { entries };
        let counted = match counts::of(table.get("count")) {
            Ok(counted) => counted,
            Err(error) => {
                let place = table.get("count").map_or(node.place, |count| count.place);
                self.fault(place, &error.to_string(), "");
                if key.listed {
                    // The cases after it keep their numbers.
                    self.numbers.next(key.given());
                }
                return;
            }
        };
        let mut names = Vec::new();
        for (number, end) in counted {
            let name =
                if key.listed { self.numbers.next(key.given()) } else { key.given().to_owned() };
            names.push((number, format!("{name}{end}")));
        }
        if let Some((_, name)) = names.iter().find(|(_, name)| !is_case_name(name)) {
            return self.invalid_name(key.key.place, name);
        }
        let shown = format!("{}/{}", key.folder, names[0].1);
        if names[0].1 == "test_group" {
            let help = "the settings of the group have this name; choose another one";
            return self.fault(key.key.place, &format!("invalid name `{shown}` of a case"), help);
        }
        let Some(rule) = self.rule(key, node, table, outer, &shown) else {
            return;
        };
        for (number, name) in names {
            self.one_case(key, &rule, number, &format!("{}/{name}", key.folder));
        }
    }

    /// One case of a rule: the one with this number in its `count`.
    fn one_case(&mut self, key: RuleKey<'_>, rule: &CaseRule<'_>, number: i64, name: &str) {
        if self.names.contains_key(name) {
            return self.fault(key.key.place, &format!("`{name}` is listed twice"), "");
        }
        let attempts = match &rule.command {
            Some((place, text)) => match self.attempts(name, *place, text, rule, number) {
                Some(attempts) => attempts,
                None => return,
            },
            None => Vec::new(),
        };
        let Some(answer) = self.answer(name, key.key.place, rule) else {
            return;
        };
        let index = self.rules.cases.len();
        self.names.insert(name.to_owned(), index);
        self.origins.push(index);
        self.know(key.given(), Includable::Case(index));
        self.rules.cases.push(Recipe {
            name: name.to_owned(),
            attempts,
            copies: rule.copies.clone(),
            texts: rule.texts.clone(),
            links: rule.links.clone(),
            answer,
            patterns: rule.patterns.clone(),
        });
    }

    fn rule<'n>(
        &mut self,
        key: RuleKey<'_>,
        node: &'n Node,
        table: Table<'n>,
        outer: &RecipeSettings,
        name: &str,
    ) -> Option<CaseRule<'n>> {
        let mut rule = CaseRule {
            table,
            settings: outer.clone(),
            command: None,
            copies: Vec::new(),
            texts: Vec::new(),
            links: Vec::new(),
            patterns: Vec::new(),
        };
        match &node.value {
            // The form of early versions.
            Value::Text(path) if path.strip_suffix(".in").is_some() && !path.contains(' ') => {
                rule.copies = self.copied(node.place, path)?;
            }
            Value::Text(command) => rule.command = Some((node.place, command.clone())),
            Value::Map(_) => self.rule_of_table(node, &mut rule)?,
            Value::Null => {}
            other => {
                let message =
                    format!("`{name}` must be a command or a table, not {}", other.kind());
                self.fault(node.place, &message, "");
                return None;
            }
        }
        if !self.has_input(key.folder, &rule) {
            let message = format!("`{name}` has no input");
            let help =
                "add its file with `copy`, its text with `in`, or its program with `generate`";
            self.fault(key.key.place, &message, help);
            return None;
        }
        Some(rule)
    }

    fn rule_of_table(&mut self, node: &Node, rule: &mut CaseRule<'_>) -> Option<()> {
        let known: Vec<&str> = RULE_KEYS.into_iter().chain(TEXTS).collect();
        self.table(node, &known)?;
        rule.settings = self.settings(&rule.table, &rule.settings);
        if let Some(command) = rule.table.get("generate") {
            rule.command = Some((command.place, self.text(command, "generate")?));
        }
        if let Some(node) = rule.table.get("copy") {
            let path = self.text(node, "copy")?;
            rule.copies = self.copied(node.place, &path)?;
        }
        for ending in TEXTS {
            let Some(node) = rule.table.get(ending) else {
                continue;
            };
            match self.file(ending, node)? {
                RuleFile::Text(text) => rule.texts.push((ending, text)),
                RuleFile::Link(other) => rule.links.push((ending, other)),
            }
        }
        rule.patterns = self.patterns(&rule.table)?;
        Some(())
    }

    /// Whether a rule can make an input. A sample may consist of what contestants see.
    fn has_input(&self, folder: &str, rule: &CaseRule<'_>) -> bool {
        let shown = |ending: &str| {
            rule.texts.iter().any(|(known, _)| *known == ending)
                || rule.links.iter().any(|(known, _)| *known == ending)
        };
        let is_sample = folder.split('/').next() == Some("sample");
        let talks = self.kind.interactive || self.kind.multi_pass;
        rule.command.is_some()
            || !rule.copies.is_empty()
            || shown("in")
            || (is_sample
                && shown("in.download")
                && (shown("in.statement") || talks && shown("interaction")))
    }

    /// The text of a file, or the ending of the file that it equals.
    fn file(&mut self, ending: &'static str, node: &Node) -> Option<RuleFile> {
        if let Value::Map(entries) = &node.value {
            if ending == "yaml" {
                return Some(RuleFile::Text(yaml_text::of(node, self.text)));
            }
            if let ([(key, target)], true) = (entries.as_slice(), LINKS.contains(&ending))
                && key.name == "link"
            {
                return self.link(ending, target).map(RuleFile::Link);
            }
        }
        let mut text = self.text(node, ending)?;
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        Some(RuleFile::Text(text))
    }

    fn link(&mut self, ending: &str, node: &Node) -> Option<&'static str> {
        let target = self.text(node, "link")?;
        let kind = |ending: &str| ending.split('.').next().unwrap_or_default().to_owned();
        let known = TEXTS
            .into_iter()
            .find(|known| *known == target && *known != ending && kind(known) == kind(ending));
        if known.is_none() {
            let message = format!("`{ending}` cannot be a link to `{target}`");
            self.fault(node.place, &message, "name another file of the same kind, such as `in`");
        }
        known
    }

    /// `match`: a regular expression, a list of them, or a table of them for `in` and `ans`.
    fn patterns(&mut self, table: &Table<'_>) -> Option<Vec<(&'static str, String)>> {
        let Some(node) = table.get("match") else {
            return Some(Vec::new());
        };
        let mut groups: Vec<(&'static str, &Node)> = Vec::new();
        if let Value::Map(entries) = &node.value {
            for (key, node) in entries {
                match ["in", "ans"].into_iter().find(|known| *known == key.name) {
                    Some(known) => groups.push((known, node)),
                    None => self.no_effect(key, &["in", "ans"]),
                }
            }
        } else {
            groups.push(("in", node));
        }
        let mut patterns = Vec::new();
        for (ending, node) in groups {
            let items = match &node.value {
                Value::List(items) => items.as_slice(),
                _ => std::slice::from_ref(node),
            };
            for item in items {
                patterns.push((ending, self.text(item, "match")?));
            }
        }
        Some(patterns)
    }

    /// The commands of the attempts to make the case.
    fn attempts(
        &mut self,
        name: &str,
        place: Place,
        text: &str,
        rule: &CaseRule<'_>,
        number: i64,
    ) -> Option<Vec<GeneratorCommand>> {
        let filled = self.constants.filled_in(text.as_bytes().to_vec());
        let mut text = String::from_utf8_lossy(&filled).into_owned();
        let is_counted = rule.table.get("count").is_some();
        let differs = is_counted && text.contains("{count}");
        if is_counted {
            text = text.replace("{count}", &number.to_string());
        }
        let command = match CommandTemplate::parse(&text) {
            Ok(command) => command,
            Err(error) => {
                self.fault(place, &format!("`{name}`: {error}"), "");
                return None;
            }
        };
        for field in command.unknown_fields() {
            let message =
                format!("`{{{field}}}` is not a field of a command: the program gets it unchanged");
            self.warn(Code::UnusedSetting, place, &message);
        }
        for name in command.unknown_constants() {
            let message = format!(
                "`{{{{{name}}}}}` is not a constant of problem.yaml: the program gets it unchanged"
            );
            self.warn(Code::UnusedSetting, place, &message);
        }
        let (source, files) = self.program(place, &command.program)?;
        let first = seed(&rule.settings.salt, number, &command.text);
        let seeds = if command.has_seed() { rule.settings.retries } else { 1 };
        let seeds = (0..seeds).map(|more| first.wrapping_add(more) & 0x7fff_ffff);
        let attempts: Vec<GeneratorCommand> = seeds
            .map(|seed| GeneratorCommand {
                source: source.clone(),
                files: files.clone(),
                args: command.fill(seed),
                shown: command.text.clone(),
            })
            .collect();
        if !is_counted || differs || command.has_seed() {
            self.note_repeated(name, place, &command.text, &attempts[0]);
        }
        Some(attempts)
    }

    /// Warns of a case that equals an earlier one, unless its rule is meant to repeat it.
    fn note_repeated(&mut self, name: &str, place: Place, text: &str, command: &GeneratorCommand) {
        let key = format!("{text}\n{:?}", command.args);
        if let Some(other) = self.commands.insert(key, name.to_owned()) {
            let message = format!("`{name}` has the same command as `{other}`");
            self.warn(Code::UnusedSetting, place, &message);
        }
    }

    /// Where the answer comes from if the files of the rule do not contain it.
    fn answer(&mut self, name: &str, place: Place, rule: &CaseRule<'_>) -> Option<AnswerSource> {
        let root = name.split('/').next().unwrap_or_default();
        let given = rule.texts.iter().any(|(ending, _)| *ending == "ans")
            || rule.copies.iter().any(|(ending, _)| *ending == "ans");
        let solution = match root {
            "invalid_input" | "testing_tool_test" => return Some(AnswerSource::Unneeded),
            "invalid_answer" | "invalid_output" | "valid_output" => {
                return Some(AnswerSource::Given);
            }
            _ if self.kind.interactive || self.kind.multi_pass => return Some(AnswerSource::Empty),
            _ if given => return Some(AnswerSource::Given),
            _ => match &rule.settings.solution {
                RuleSolution::Stated(command) => Some(command.clone()),
                RuleSolution::None => None,
                RuleSolution::Unstated => self.usual_solution(),
            },
        };
        match solution {
            Some(command) => Some(AnswerSource::Solved(command)),
            // The generator may write the answer.
            None if rule.command.is_some() || !needs_answer(name, rule) => {
                Some(AnswerSource::Given)
            }
            None => {
                let message = format!("`{name}` has no answer");
                let help =
                    "add the answer with `ans`, or the program that computes it with `solution`";
                self.fault(place, &message, help);
                None
            }
        }
    }

    /// The files of a case below `generators/`.
    fn copied(&mut self, place: Place, path: &str) -> Option<Vec<(&'static str, PathBuf)>> {
        let stem = path.strip_suffix(".in").unwrap_or(path);
        self.inside(place, stem)?;
        let generators = self.dir.join("generators");
        let all = TEXTS.into_iter().chain(IMAGES);
        let files = all.map(|ending| (ending, generators.join(format!("{stem}.{ending}"))));
        let files: Vec<_> = files.filter(|(_, path)| path.is_file()).collect();
        if files.is_empty() {
            let shown = self.notices.show(&generators.join(format!("{stem}.in")));
            self.fault(place, &format!("{shown} does not exist"), "");
            return None;
        }
        Some(files)
    }
}

/// Whether a case is judged: a sample without an input only shows something to contestants.
fn needs_answer(name: &str, rule: &CaseRule<'_>) -> bool {
    let has_input = rule.texts.iter().any(|(ending, _)| *ending == "in")
        || rule.copies.iter().any(|(ending, _)| *ending == "in")
        || rule.command.is_some();
    has_input || !name.starts_with("sample/")
}
