//! `type` and the legacy key `validation`: the kind of problem.

use super::{PackageSettings, SettingsReader};
use crate::notice::{Code, Place, nearest};
use crate::problem::versions::{Dialect, INI};
use crate::problem::{Format, Kind, yaml::Node, yaml::Value};

const TYPES: [&str; 5] = ["pass-fail", "scoring", "interactive", "multi-pass", "submit-answer"];

impl SettingsReader<'_> {
    /// `problem_format_version`, and the names that go with it.
    pub(super) fn version(&mut self, node: Option<&Node>) -> (Format, Dialect) {
        let is_for_domjudge = self.path.with_file_name(INI).is_file();
        let only = |format| {
            let dialect = if is_for_domjudge { Dialect::Either } else { Dialect::Only(format) };
            (format, dialect)
        };
        let Some(node) = node else {
            return only(Format::Legacy);
        };
        if let Value::Text(text) = &node.value {
            match text.as_str() {
                "legacy" | "legacy-icpc" => return only(Format::Legacy),
                "2025-09" => return only(Format::V2025),
                "2023-07-draft" | "2023-07" | "draft" if self.has_testdata() => {
                    return (Format::Legacy, Dialect::Either);
                }
                "2025-09-draft" | "2023-07-draft" | "2023-07" | "draft" => {
                    return (Format::V2025, Dialect::Either);
                }
                _ => {}
            }
        }
        let at = self.notices.show_at(self.path, node.place);
        self.notices.error_help(
            Code::InvalidValue
                .at(&at, format!("unknown `problem_format_version`: {}", node.value.kind())),
            "use `2025-09` or `legacy`",
        );
        (Format::default(), Dialect::Either)
    }

    /// Whether the package sets its groups in the way of the legacy format, as the drafts did at first.
    fn has_testdata(&self) -> bool {
        let data = self.path.with_file_name("data");
        let folders = ["", "sample", "secret"].into_iter();
        folders.map(|folder| data.join(folder).join("testdata.yaml")).any(|file| file.is_file())
    }

    /// `type`: a word, words separated by spaces, or a list of words.
    pub(super) fn kind(&mut self, node: &Node, kind: &mut Kind) {
        let Some(words) = self.words("type", node) else {
            return;
        };
        let mut pass_fail = false;
        for (index, word) in words.iter().enumerate() {
            match word.as_str() {
                _ if words[..index].contains(word) => {
                    self.fault(node.place, &format!("`type` contains `{word}` twice"));
                }
                "pass-fail" => pass_fail = true,
                "scoring" => kind.scoring = true,
                "interactive" => kind.interactive = true,
                "multi-pass" => kind.multi_pass = true,
                "submit-answer" => kind.submit_answer = true,
                _ => self.unknown_type(node.place, word),
            }
        }
        let both = |one: bool, other: bool| one && other;
        for (clash, one, other) in [
            (both(pass_fail, kind.scoring), "pass-fail", "scoring"),
            (both(kind.submit_answer, kind.interactive), "submit-answer", "interactive"),
            (both(kind.submit_answer, kind.multi_pass), "submit-answer", "multi-pass"),
        ] {
            if clash {
                let message = format!("`type` cannot be both `{one}` and `{other}`");
                self.fault(node.place, &message);
            }
        }
    }

    fn unknown_type(&mut self, place: Place, word: &str) {
        let at = self.notices.show_at(self.path, place);
        let message = format!("unknown `type`: `{word}`");
        match nearest(word, TYPES) {
            Some(name) => self
                .notices
                .error_help(Code::InvalidValue.at(&at, message), format!("did you mean `{name}`?")),
            None => self.notices.error(Code::InvalidValue.at(&at, message)),
        }
    }

    /// The legacy key `validation`: `default`, or `custom` with its variants.
    pub(super) fn validation(&mut self, node: &Node, settings: &mut PackageSettings) {
        let Some(words) = self.words("validation", node) else {
            return;
        };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let known = |word: &&str| ["interactive", "multi-pass", "score"].contains(word);
        match words.as_slice() {
            ["default"] => settings.custom_validator = Some(false),
            ["custom", rest @ ..] if rest.iter().all(known) => {
                settings.custom_validator = Some(true);
                settings.kind.interactive |= rest.contains(&"interactive");
                settings.kind.multi_pass |= rest.contains(&"multi-pass");
                settings.validator_scores = rest.contains(&"score");
            }
            _ => {
                let message = format!("unknown `validation`: `{}`", words.join(" "));
                self.fault(node.place, &message);
            }
        }
    }

    /// The legacy table `grading`: whether its `objective` is `min`.
    pub(super) fn minimises(&mut self, node: &Node) -> bool {
        let Value::Map(entries) = &node.value else {
            return false;
        };
        let objective = entries.iter().find(|(key, _)| key.name == "objective");
        match objective.map(|(_, node)| (&node.value, node.place)) {
            None => false,
            Some((Value::Text(text), _)) if text == "max" || text == "min" => text == "min",
            Some((other, place)) => {
                let message =
                    format!("`grading.objective` must be `min` or `max`, got {}", other.kind());
                self.fault(place, &message);
                false
            }
        }
    }
}
