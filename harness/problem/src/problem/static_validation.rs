//! Static validation of 2025-09: each `static_validation_score` becomes a case of its group.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::groups::Entries;
use super::yaml::{Value, words};
use super::{CaseFiles, CaseSet, Kind, TestCase};
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Notices};

/// The name of such a case in its group. A case that is read from files cannot have this name.
pub(super) const NAME: &str = "@static";

const SCORE: &str = "static_validation_score";
const ARGS: &str = "static_validator_args";

/// The static validation of a package.
pub(super) struct Validation<'a> {
    pub(super) dir: &'a Path,
    pub(super) kind: Kind,
    /// The entries of the folders' settings files.
    pub(super) entries: &'a BTreeMap<String, Entries>,
    /// The source of the static validator.
    pub(super) validator: Option<&'a Path>,
}

impl Validation<'_> {
    /// A case for each folder with a static validation score.
    pub(super) fn cases(&self, notices: &mut Notices) -> Vec<TestCase> {
        let folder = notices.show(&self.dir.join("static_validator"));
        if self.validator.is_some() && self.kind.submit_answer {
            let message = format!("{folder} cannot be used: the submissions are answers");
            notices.error_help(
                Code::Unsupported.says(message),
                "remove it, or `submit-answer` from `type`",
            );
            return Vec::new();
        }
        let mut cases = Vec::new();
        for (name, entries) in self.entries {
            cases.extend(self.case(name, entries, notices));
        }
        let is_used = self.entries.values().any(|entries| entries.get(SCORE).is_some());
        if self.validator.is_some() && !is_used {
            notices.warn_help(
                Code::UnusedSetting.says(format!("{folder} is never used")).about(&folder),
                format!("write `{SCORE}` to the `test_group.yaml` of a group"),
            );
        }
        cases
    }

    fn case(&self, name: &str, entries: &Entries, notices: &mut Notices) -> Option<TestCase> {
        let Some((key, node)) = entries.get(SCORE) else {
            if let Some((key, _)) = entries.get(ARGS) {
                let at = notices.show_at(&entries.path, key.place);
                let message = format!("`{ARGS}` requires `{SCORE}`");
                notices.error_help(
                    Code::InvalidValue.at(&at, message),
                    format!("add `{SCORE}`, or remove it"),
                );
            }
            return None;
        };
        let at = notices.show_at(&entries.path, key.place);
        if let Some(why) = self.contradiction(name, entries, &node.value) {
            notices.error(Code::InvalidValue.at(&at, format!("`{SCORE}` {why}")));
        }
        let Some(source) = self.validator else {
            let folder = notices.show(&self.dir.join("static_validator"));
            notices.error_help(
                Code::MissingSource.at(&at, format!("`{SCORE}` requires a static validator")),
                format!("add its source to {folder}, or remove the key"),
            );
            return None;
        };
        let args = match entries.get(ARGS).map(|(_, node)| words(node)) {
            None => Vec::new(),
            Some(Ok(args)) => args,
            Some(Err((place, got))) => {
                let at = notices.show_at(&entries.path, place);
                notices.error(
                    Code::InvalidValue
                        .at(&at, format!("`{ARGS}` must be a list of texts, got {got}")),
                );
                return None;
            }
        };
        let set = CaseSet {
            root: self.dir.join("data"),
            checker: Some(CheckerSpec::Static { source: source.to_path_buf(), args }),
            ..CaseSet::default()
        };
        let files = CaseFiles { input: PathBuf::from(name).join(NAME), answer: None };
        let name = format!("{name}/{NAME}");
        Some(TestCase::with_files(name, Arc::new(set), files))
    }

    /// Why a group of this kind cannot have this score; `None` if it can.
    fn contradiction(&self, name: &str, entries: &Entries, score: &Value) -> Option<String> {
        let place = name.split('/').next().unwrap_or_default();
        let aggregation = match entries.get("score_aggregation").map(|(_, node)| &node.value) {
            Some(Value::Text(text)) => text.as_str(),
            _ if name == "secret" => "sum",
            _ => "pass-fail",
        };
        let all_or_nothing = !self.kind.scoring || place == "sample" || aggregation == "pass-fail";
        match score {
            _ if !["sample", "secret"].contains(&place) => {
                Some("belongs to `sample`, `secret` or a group".to_owned())
            }
            Value::Text(text) if text == "pass-fail" && all_or_nothing => None,
            Value::Text(text) if text == "pass-fail" => Some(format!(
                "must be a whole number: the group's `score_aggregation` is `{aggregation}`"
            )),
            Value::Number(score) if *score >= 0.0 && score.fract() == 0.0 => all_or_nothing
                .then(|| "must be `pass-fail`: the group has no scores to share".to_owned()),
            other => Some(format!("must be a whole number or `pass-fail`, got {}", other.kind())),
        }
    }
}
