//! `problem.yaml`: title, limits, validator and other settings, with an error or warning for each
//! fault.
//!
//! Formats: ICPC problem packages, 2025-09 and legacy. This module knows every key of both formats,
//! so that it can report mistyped ones.

use std::path::Path;

use super::bounds::{bounds_of, leads_out_of_bounds, link_outside};
use super::versions::{Dialect, OtherNames};
use super::yaml::{self, Key, Node, Value};
use super::{Additions, Format, Kind, Margins, ProblemLimits, additions};
use crate::notice::{Code, Notice, Notices, Place, nearest};
use crate::plain_file;

/// The settings in `problem.yaml`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct PackageSettings {
    pub(super) title: Option<String>,
    pub(super) format: Format,
    /// The version whose names the package has.
    pub(super) dialect: Dialect,
    /// Names of the other version.
    pub(super) other_names: OtherNames,
    pub(super) kind: Kind,
    pub(super) limits: ProblemLimits,
    /// `false`: the problem uses the default validator even if a validator folder exists.
    pub(super) custom_validator: Option<bool>,
    /// The legacy key `validator_flags`.
    pub(super) validator_flags: Vec<String>,
    /// The flags from `DOMjudge`'s file, used if `validator_flags` is empty.
    pub(super) judges_flags: Vec<String>,
    /// Legacy `validation: custom score`: the validator gives the scores.
    pub(super) validator_scores: bool,
    /// The margins of an inferred time limit.
    pub(super) margins: MarginSettings,
    /// Legacy `grading.objective: min`: a lower score is better.
    pub(super) minimise: bool,
    /// The error message for a program that is installed on a judge but is not in the package.
    pub(super) judges_program: Option<String>,
    /// Names and values of constants.
    pub(super) constants: Vec<(String, String)>,
}

/// The margins that `limits` sets for an inferred time limit.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct MarginSettings {
    resolution: Option<f64>,
    below: Option<f64>,
    above: Option<f64>,
}

impl MarginSettings {
    /// The margins, with the format's defaults for those that are not set.
    pub(super) fn laid_over(self, format: Format) -> Margins {
        let own = Margins::of(format);
        Margins {
            resolution: self.resolution.unwrap_or(own.resolution),
            below: self.below.unwrap_or(own.below),
            above: self.above.unwrap_or(own.above),
        }
    }
}

const VERSION: &str = "problem_format_version";

const KEYS: [&str; 24] = [
    VERSION,
    "type",
    "name",
    "uuid",
    "version",
    "credits",
    "source",
    "license",
    "rights_owner",
    "embargo_until",
    "limits",
    "keywords",
    "languages",
    "allow_file_writing",
    "constants",
    // Of BAPCtools.
    "ans_is_output",
    "comment",
    "verified",
    // Legacy.
    "author",
    "source_url",
    "validation",
    "validator_flags",
    "grading",
    "scoring",
];

pub(super) const DAY: f64 = 86_400.0;
/// Reads `problem.yaml`. Faults go to `notices`.
pub(super) fn read(path: &Path, notices: &mut Notices) -> PackageSettings {
    let mut settings = PackageSettings::default();
    let Some(root) = read_yaml(path, notices) else {
        return settings;
    };
    let mut reader = SettingsReader { path, notices };
    match root.value {
        Value::Map(entries) => reader.top(&entries, &mut settings),
        Value::Null => reader.notices.warn(
            Code::MissingSettings
                .says(format!("{} is empty; default limits apply", reader.notices.show(path)))
                .about(&reader.notices.show(path)),
        ),
        other => {
            let message = format!("expected a table of keys, got {}", other.kind());
            reader.fault(root.place, &message);
        }
    }
    settings
}

/// Reads any YAML file. `None`: it cannot be read, for the reason added to `notices`.
pub fn read_yaml(path: &Path, notices: &mut Notices) -> Option<Node> {
    read_filled_in(path, &Additions::default(), notices)
}

/// As [`read_yaml`], for a file that its own tool reads with a library for Python: of a key that is set twice the last one
/// counts, with a warning.
pub(super) fn read_yaml_of_python(path: &Path, notices: &mut Notices) -> Option<Node> {
    let text = text_inside(path, &Additions::default(), notices)?;
    parse_last(path, &text, notices)
}

/// As [`read_yaml`], with constants replaced by their values.
pub(super) fn read_filled_in(
    path: &Path,
    additions: &Additions,
    notices: &mut Notices,
) -> Option<Node> {
    let text = text_inside(path, additions, notices)?;
    // As problemtools reads it.
    if path.ends_with("testdata.yaml") {
        return parse_last(path, &text, notices);
    }
    yaml::parse(&text).map_err(|error| refuse(path, &error, notices)).ok()
}

fn parse_last(path: &Path, text: &str, notices: &mut Notices) -> Option<Node> {
    match yaml::parse(text) {
        Ok(node) => Some(node),
        Err(twice) if twice.is_duplicate => {
            let node =
                yaml::parse_last(text).map_err(|error| refuse(path, &error, notices)).ok()?;
            let at = notices.show_at(path, twice.place);
            notices.warn_help(
                Code::InvalidSyntax.at(&at, format!("{}; the last one counts", twice.message)),
                "keep one of them",
            );
            Some(node)
        }
        Err(error) => {
            refuse(path, &error, notices);
            None
        }
    }
}

fn refuse(path: &Path, error: &yaml::YamlError, notices: &mut Notices) {
    let at = notices.show_at(path, error.place);
    let fault = format!("not valid YAML: {}", error.message);
    notices.error(Code::InvalidSyntax.at(&at, fault));
}

/// The text of a file, unless it is a link that leads out of the folder.
fn text_inside(path: &Path, additions: &Additions, notices: &mut Notices) -> Option<String> {
    let folder = path.parent().unwrap_or(path);
    if path.is_symlink() && leads_out_of_bounds(&bounds_of(folder), path) {
        notices.errors.push(link_outside(path, notices));
        return None;
    }
    read_text(path, additions, notices)
}

/// The text of a file with constants replaced by their values.
fn read_text(path: &Path, additions: &Additions, notices: &mut Notices) -> Option<String> {
    let bytes = match plain_file::read(path) {
        Ok(bytes) => additions.filled_in(bytes),
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(path), &error));
            return None;
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        notices.error_help(
            Code::InvalidSyntax
                .says(format!("{} is not valid UTF-8", notices.show(path)))
                .about(&notices.show(path)),
            "save it as UTF-8 text",
        );
        return None;
    };
    Some(text)
}

struct SettingsReader<'a> {
    path: &'a Path,
    notices: &'a mut Notices,
}

impl SettingsReader<'_> {
    fn fault(&mut self, place: Place, message: &str) {
        let at = self.notices.show_at(self.path, place);
        self.notices.error(Code::InvalidValue.at(&at, message));
    }

    fn unknown(&mut self, key: &Key, inside: &str, known: &[&'static str]) {
        let at = self.notices.show_at(self.path, key.place);
        let message = format!("unknown key `{inside}{}`; it is ignored", key.name);
        match nearest(&key.name, known.iter().copied()) {
            Some(name) => self.notices.warn_help(
                Code::UnknownKey.at(&at, message),
                format!("did you mean `{inside}{name}`?"),
            ),
            None => self.notices.warn(Code::UnknownKey.at(&at, message)),
        }
    }

    fn top(&mut self, entries: &[(Key, Node)], settings: &mut PackageSettings) {
        // Other keys depend on it, and it may come last.
        let version = entries.iter().rfind(|(key, _)| key.name == VERSION);
        (settings.format, settings.dialect) = self.version(version.map(|(_, node)| node));
        for (key, node) in entries {
            if let Some(instead) = settings.dialect.instead_of(&key.name) {
                settings.other_names.add(&key.name, instead);
                continue;
            }
            match key.name.as_str() {
                "type" => self.kind(node, &mut settings.kind),
                "name" => settings.title = self.named(node),
                "limits" => self.limits(node, settings),
                "validation" => self.validation(node, settings),
                "validator_flags" => {
                    settings.validator_flags = self.words(&key.name, node).unwrap_or_default();
                }
                "ans_is_output" => {
                    settings.kind.answers_are_outputs = self.answers_are_outputs(node);
                }
                "grading" => settings.minimise = self.minimises(node),
                "constants" => settings.constants = self.constants(node),
                name if KEYS.contains(&name) => {}
                _ => self.unknown(key, "", &KEYS),
            }
        }
    }

    /// `ans_is_output`.
    fn answers_are_outputs(&mut self, node: &Node) -> Option<bool> {
        if let Value::Bool(stated) = node.value {
            return Some(stated);
        }
        let got = node.value.kind();
        let message = format!("`ans_is_output` must be `true` or `false`, got {got}");
        self.fault(node.place, &message);
        None
    }

    /// The title, unless it is empty.
    fn named(&mut self, node: &Node) -> Option<String> {
        let title = self.title(node)?;
        if title.trim().is_empty() {
            let at = self.notices.show_at(self.path, node.place);
            self.notices.warn_help(
                Code::InvalidValue.at(&at, "`name` is empty"),
                "write the title of the problem",
            );
            return None;
        }
        Some(title)
    }

    fn title(&mut self, node: &Node) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            Value::Map(entries) => {
                let mut title = None;
                for (key, node) in entries {
                    match &node.value {
                        Value::Text(text) if title.is_none() || key.name == "en" => {
                            title = Some(text.clone());
                        }
                        Value::Text(_) => {}
                        other => {
                            let got = other.kind();
                            let message = format!("`name.{}` must be a text, got {got}", key.name);
                            self.fault(node.place, &message);
                        }
                    }
                }
                title
            }
            other => {
                let got = other.kind();
                self.fault(
                    node.place,
                    &format!("`name` must be a text or a table of languages, got {got}"),
                );
                None
            }
        }
    }

    /// `constants`. Every digit of a value counts, so the file is parsed again.
    fn constants(&mut self, node: &Node) -> Vec<(String, String)> {
        let entries = match &node.value {
            Value::Map(entries) => entries.as_slice(),
            _ => &[],
        };
        for (key, node) in entries {
            let Value::Map(variants) = &node.value else {
                continue;
            };
            if !variants.iter().any(|(variant, _)| variant.name == "value") {
                let at = self.notices.show_at(self.path, node.place);
                let name = crate::notice::visible(&key.name);
                let message =
                    format!("`constants.{name}` has no `value`: `{{{{{name}}}}}` is not replaced");
                self.notices.warn(Code::UnusedSetting.at(&at, message));
            }
        }
        let text = plain_file::read_text(self.path).unwrap_or_default();
        additions::constants(&text).unwrap_or_else(|why| {
            self.fault(node.place, &why.to_string());
            Vec::new()
        })
    }

    /// The words of a text or of a list.
    fn words(&mut self, key: &str, node: &Node) -> Option<Vec<String>> {
        match yaml::words(node) {
            Ok(words) => Some(words),
            Err((place, got)) => {
                let message = format!("`{key}` must be a text or a list of texts, got {got}");
                self.fault(place, &message);
                None
            }
        }
    }
}

mod kind;
mod limits;
#[cfg(test)]
mod tests;
