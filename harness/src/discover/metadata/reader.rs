//! The reader of `submissions.yaml`: every key, and every fault with its line.

use std::path::Path;

use super::{Entry, Metadata};
use crate::expectation::glob::Glob;
use crate::expectation::{Bound, Meaning, Rule, VerdictFolder, Vocabulary, with_kin};
use crate::notice::{Code, Notices, Place, nearest};
use crate::problem::language_id;
use crate::problem::yaml::{Key, Node, Value, words};
use crate::problem::{LanguageOf, Problem, read_yaml};
use crate::verdict::Verdict;

/// Reads the file at `path`. Faults go to `notices`.
pub(in crate::discover) fn read(
    path: &Path,
    problem: &Problem,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Metadata {
    let Some(root) = read_yaml(path, notices) else {
        return Metadata::default();
    };
    let mut reader = MetadataReader { path, language_of, notices };
    let entries = match root.value {
        Value::Null => Vec::new(),
        Value::Map(entries) => entries,
        other => {
            let got = other.kind();
            reader.fault(root.place, &format!("expected a table of globs, got {got}"));
            Vec::new()
        }
    };
    let entries = entries.iter().filter_map(|(key, node)| reader.entry(key, node)).collect();
    let metadata = Metadata { entries };
    warn_of_unmatched_globs(path, &metadata, problem, notices);
    metadata
}

struct MetadataReader<'a> {
    path: &'a Path,
    language_of: LanguageOf<'a>,
    notices: &'a mut Notices,
}

const KEYS: [&str; 9] = [
    "language",
    "entrypoint",
    "authors",
    "model_solution",
    "permitted",
    "required",
    "score",
    "message",
    "use_for_time_limit",
];

impl MetadataReader<'_> {
    fn fault(&mut self, place: Place, message: &str) {
        let at = self.notices.show_at(self.path, place);
        self.notices.error(Code::InvalidValue.at(&at, message));
    }

    /// The file and line of a key: `submissions/submissions.yaml:3`.
    fn origin(&self, key: &Key) -> String {
        let (shown, line) = (self.notices.show(self.path), key.place.line);
        format!("{shown}:{line}")
    }

    fn glob(&mut self, key: &Key) -> Option<Glob> {
        match Glob::parse(&key.name) {
            Ok(glob) => Some(glob),
            Err(why) => {
                let name = crate::notice::visible(&key.name);
                self.fault(key.place, &format!("`{name}` is not a glob: {why}"));
                None
            }
        }
    }

    fn entry(&mut self, key: &Key, node: &Node) -> Option<Entry> {
        let glob = self.glob(key)?;
        let mut entry = Entry {
            glob,
            language: None,
            entrypoint: None,
            rule: Rule { origin: Some(self.origin(key)), ..Rule::default() },
            parts: Vec::new(),
        };
        let inner = match &node.value {
            Value::Map(inner) => inner.as_slice(),
            Value::Null => &[],
            other => {
                let message = format!("expected a table of keys, got {}", other.kind());
                self.fault(node.place, &message);
                return None;
            }
        };
        for (key, node) in inner {
            match key.name.as_str() {
                "language" => entry.language = self.language(node),
                "entrypoint" => entry.entrypoint = self.text(key, node),
                "authors" => {}
                "model_solution" => self.boolean(key, node),
                name if KEYS.contains(&name) => self.rule_key(key, node, &mut entry.rule),
                _ => entry.parts.extend(self.part(key, node)),
            }
        }
        apply_time_bound(&mut entry.rule);
        Some(entry)
    }

    /// Reads the expectations for a glob of cases.
    fn part(&mut self, key: &Key, node: &Node) -> Option<Rule> {
        let Value::Map(inner) = &node.value else {
            let at = self.notices.show_at(self.path, key.place);
            let name = crate::notice::visible(&key.name);
            let help = match nearest(&key.name, KEYS) {
                Some(known) => format!("did you mean `{known}`?"),
                None => "a glob of cases, for example `secret/*-large`, needs a table of keys"
                    .to_owned(),
            };
            let message = format!("unknown key `{name}`");
            self.notices.error_help(Code::UnknownKey.at(&at, message), help);
            return None;
        };
        let mut rule = Rule {
            origin: Some(self.origin(key)),
            cases: Some(self.glob(key)?),
            ..Rule::default()
        };
        for (key, node) in inner {
            if KEYS[4..].contains(&key.name.as_str()) {
                self.rule_key(key, node, &mut rule);
            } else {
                let at = self.notices.show_at(self.path, key.place);
                let name = crate::notice::visible(&key.name);
                self.notices.error_help(
                    Code::UnknownKey.at(&at, format!("unknown key `{name}` of a glob of cases")),
                    format!("use one of `{}`", KEYS[4..].join("`, `")),
                );
            }
        }
        apply_time_bound(&mut rule);
        Some(rule)
    }

    fn rule_key(&mut self, key: &Key, node: &Node, rule: &mut Rule) {
        match key.name.as_str() {
            "permitted" => rule.permitted = self.verdicts(key, node),
            "required" => rule.required = self.verdicts(key, node).unwrap_or_default(),
            "score" => rule.score = self.score(node),
            "message" => rule.message = self.text(key, node).filter(|text| !text.is_empty()),
            _ => rule.bound = self.bound(node),
        }
    }

    fn verdicts(&mut self, key: &Key, node: &Node) -> Option<Vec<Verdict>> {
        let listed = words(node).unwrap_or_default();
        let mut found = Vec::new();
        for word in &listed {
            let meaning = Vocabulary::Settings.meaning(word);
            let Some(verdict) = meaning.and_then(Meaning::verdict) else {
                let message = format!("`{}` lists `{word}`, which is not a verdict", key.name);
                let at = self.notices.show_at(self.path, node.place);
                self.notices.error_help(
                    Code::InvalidValue.at(&at, message),
                    "use `AC`, `WA`, `TLE`, `RTE`",
                );
                return None;
            };
            found.extend(with_kin(verdict).filter(|v| !found.contains(v)).collect::<Vec<_>>());
        }
        if found.is_empty() {
            let got = node.value.kind();
            let message = format!("`{}` must be a list of verdicts, got {got}", key.name);
            self.fault(node.place, &message);
            return None;
        }
        Some(found)
    }

    fn score(&mut self, node: &Node) -> Option<(f64, f64)> {
        let range = match &node.value {
            Value::Number(number) => Some((*number, *number)),
            Value::List(items) => match items.as_slice() {
                [
                    Node { value: Value::Number(low), .. },
                    Node { value: Value::Number(high), .. },
                ] => Some((*low, *high)),
                _ => None,
            },
            _ => None,
        };
        let range = range.filter(|(low, high)| low <= high);
        if range.is_none() {
            let got = node.value.kind();
            let message = format!(
                "`score` must be a number or a list of the lowest and the highest, got {got}"
            );
            self.fault(node.place, &message);
        }
        range
    }

    fn bound(&mut self, node: &Node) -> Option<Bound> {
        match &node.value {
            Value::Bool(false) => Some(Bound::Neither),
            Value::Bool(true) => None,
            Value::Text(text) if text == "lower" => Some(Bound::Lower),
            Value::Text(text) if text == "upper" => Some(Bound::Upper),
            other => {
                let message = format!(
                    "`use_for_time_limit` must be `true`, `false`, `lower` or `upper`, got {}",
                    other.kind()
                );
                self.fault(node.place, &message);
                None
            }
        }
    }

    fn text(&mut self, key: &Key, node: &Node) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            other => {
                let message = format!("`{}` must be a text, got {}", key.name, other.kind());
                self.fault(node.place, &message);
                None
            }
        }
    }

    fn boolean(&mut self, key: &Key, node: &Node) {
        if !matches!(node.value, Value::Bool(_)) {
            let got = node.value.kind();
            let message = format!("`{}` must be `true` or `false`, got {got}", key.name);
            self.fault(node.place, &message);
        }
    }

    fn language(&mut self, node: &Node) -> Option<String> {
        let Value::Text(code) = &node.value else {
            let got = node.value.kind();
            self.fault(node.place, &format!("`language` must be a text, got {got}"));
            return None;
        };
        let id = language_id(code, self.language_of);
        if id.is_none() {
            let at = self.notices.show_at(self.path, node.place);
            self.notices.error_help(
                Code::InvalidValue
                    .at(&at, format!("unknown `language`: `{}`", crate::notice::visible(code))),
                "`rejudge languages` lists the known languages",
            );
        }
        id
    }
}

/// `lower` expects that the submission never exceeds the time limit, `upper` that it does so on at
/// least one case.
fn apply_time_bound(rule: &mut Rule) {
    const ALL: [Verdict; 5] = [
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::RunTimeError,
        Verdict::MemoryLimit,
        Verdict::OutputLimit,
    ];
    match rule.bound {
        Some(Bound::Lower) => {
            let permitted = rule.permitted.get_or_insert_with(|| ALL.to_vec());
            permitted.retain(|verdict| *verdict != Verdict::TimeLimit);
        }
        Some(Bound::Upper) => rule.required = vec![Verdict::TimeLimit],
        Some(Bound::Neither) | None => {}
    }
}

/// Warns of globs that match nothing: usually they are mistyped.
fn warn_of_unmatched_globs(
    path: &Path,
    metadata: &Metadata,
    problem: &Problem,
    notices: &mut Notices,
) {
    let root = path.parent().unwrap_or(path);
    let walk = walkdir::WalkDir::new(root).min_depth(1).max_depth(4);
    let files: Vec<String> = walk
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.path().strip_prefix(root).ok()?.to_str()?.to_owned()))
        .collect();
    let at = |rule: &Rule| rule.origin.clone().unwrap_or_default();
    for entry in &metadata.entries {
        let glob = &entry.glob;
        if !files.iter().any(|file| glob.covers(file))
            && VerdictFolder::of_any_name(glob.text()).is_none()
        {
            notices.warn(Code::UnusedSetting.says(format!(
                "{}: no submission matches `{}`",
                at(&entry.rule),
                crate::notice::visible(glob.text())
            )));
        }
        for part in &entry.parts {
            let Some(glob) = &part.cases else { continue };
            if !problem.cases.iter().any(|case| glob.covers(case.name())) {
                notices.warn(Code::UnusedSetting.says(format!(
                    "{}: no case matches `{}`",
                    at(part),
                    crate::notice::visible(glob.text())
                )));
            }
        }
    }
}
