//! The settings of groups and cases: `test_group.yaml`, legacy `testdata.yaml`, `<case>.yaml`.
//!
//! A folder inherits from its parent folder, key by key. How groups are scored is read by
//! `scoring`, from the same entries.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::ValidatorArgs;
use super::settings::{PackageSettings, read_filled_in, read_yaml};
use super::validator::CheckerOrigin;
use super::versions::{Dialect, OtherNames};
use super::yaml::{Key, Node, Value, words};
use super::{Additions, CaseSet, Format};
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Notice, Notices, nearest};

/// The names of the settings files of a folder: 2025-09 and legacy.
pub(super) const FILES: [(&str, Format); 2] =
    [("test_group.yaml", Format::V2025), ("testdata.yaml", Format::Legacy)];

/// Keys of cases and of folders.
const CASE_KEYS: [&str; 9] = [
    "args",
    // A key of BAPCtools.
    "answer_validator_args",
    "input_validator_args",
    "output_validator_args",
    "input_visualizer_args",
    "output_visualizer_args",
    "full_feedback",
    "hint",
    "description",
];

/// Keys of folders only.
const FOLDER_KEYS: [&str; 15] = [
    "max_score",
    "score_aggregation",
    "static_validation_score",
    "static_validator_args",
    "require_pass",
    // Legacy.
    "on_reject",
    "grading",
    "grader_flags",
    "input_validator_flags",
    "output_validator_flags",
    "accept_score",
    "reject_score",
    "range",
    // Keys that other tools use.
    "scoring",
    "name",
];

/// The entries of a settings file, with its path.
pub(super) struct Entries {
    pub(super) path: PathBuf,
    pub(super) keys: Vec<(Key, Node)>,
}

impl Entries {
    /// A key and its value.
    pub(super) fn get(&self, name: &str) -> Option<(&Key, &Node)> {
        let mut keys = self.keys.iter();
        let (key, node) = keys.find(|(key, _)| key.name == name)?;
        Some((key, node))
    }
}

/// The settings that cases share, by folder.
pub(super) struct GroupSettings<'a> {
    /// Where the checker comes from. `None`: the caller does not need checkers.
    origin: Option<&'a CheckerOrigin>,
    /// Arguments of the output validator that come before those of groups and cases.
    flags: &'a [String],
    /// The settings of cases in folders without a settings file.
    plain: Arc<CaseSet>,
    by_folder: BTreeMap<String, Arc<CaseSet>>,
    /// The entries of the folders' files, for `scoring`.
    pub(super) entries: BTreeMap<String, Entries>,
    dialect: Dialect,
    /// Files and keys of the other version of the format.
    pub(super) other_names: OtherNames,
}

impl<'a> GroupSettings<'a> {
    /// Reads the settings of `folders`. Their paths are relative to the root of `common`, the
    /// package's `data/`.
    pub(super) fn read(
        common: CaseSet,
        folders: &[String],
        (origin, settings): (Option<&'a CheckerOrigin>, &'a PackageSettings),
        notices: &mut Notices,
    ) -> Self {
        let additions = Additions { constants: settings.constants.clone(), ..Additions::default() };
        let mut groups = Self {
            origin,
            flags: &settings.validator_flags,
            plain: Arc::new(common),
            by_folder: BTreeMap::new(),
            entries: BTreeMap::new(),
            dialect: settings.dialect,
            other_names: OtherNames::default(),
        };
        let mut folders: Vec<&String> = folders.iter().collect();
        // Read each folder after its parent.
        folders.sort();
        folders.dedup();
        for folder in folders {
            groups.note_other_file(folder);
            let files = FILES.map(|(name, format)| (name, settings.dialect.reads(format)));
            let Some(path) = settings_file_of(&groups.plain.root, folder, files, notices) else {
                continue;
            };
            if settings.format == Format::V2025 && folder.matches('/').count() > 1 {
                notices.warn_help(
                    Code::InvalidValue
                        .says(format!("{} is nested too deeply", notices.show(&path)))
                        .about(&notices.show(&path)),
                    "a group is a folder directly in `data/secret/`; move its settings up",
                );
            }
            let root = read_filled_in(&path, &additions, notices);
            let known: [&[&'static str]; 2] = [&CASE_KEYS, &FOLDER_KEYS];
            let Some(mut entries) = root.and_then(|root| entries_of(root, &path, &known, notices))
            else {
                continue;
            };
            groups.drop_other_keys(folder, &mut entries);
            let base = CaseSet::clone(groups.of_folder(folder));
            let set = groups.overlaid(base, &entries, notices);
            groups.by_folder.insert(folder.clone(), Arc::new(set));
            groups.entries.insert(folder.clone(), entries);
        }
        groups
    }

    /// Notes the settings file of the other version in a folder.
    fn note_other_file(&mut self, folder: &str) {
        for (name, _) in FILES {
            if let Some(instead) = self.dialect.instead_of(name) {
                let below = Path::new(folder).join(name);
                if self.plain.root.join(&below).is_file() {
                    let shown = Path::new("data").join(below);
                    self.other_names.add(shown.to_string_lossy(), instead);
                }
            }
        }
    }

    /// Removes the keys of the other version from the settings of a folder, and notes them.
    fn drop_other_keys(&mut self, folder: &str, entries: &mut Entries) {
        let Self { dialect, other_names, .. } = self;
        let place = Path::new("data").join(folder);
        let file = entries.path.file_name().unwrap_or_default();
        let shown = place.join(file).to_string_lossy().into_owned();
        entries.keys.retain(|(key, _)| {
            // `grading` has a meaning of its own in the legacy `problem.yaml`.
            let instead = match (key.name.as_str(), &dialect) {
                ("grading", Dialect::Only(Format::V2025)) => Some("score_aggregation"),
                (name, dialect) => dialect.instead_of(name),
            };
            if let Some(instead) = instead {
                other_names.add(format!("{}: {}", shown, key.name), instead);
            }
            instead.is_none()
        });
    }

    /// Whether the package reads `test_group.yaml` only.
    pub(super) fn are_of_2025(&self) -> bool {
        self.dialect == Dialect::Only(Format::V2025)
    }

    /// Whether the `NAME.yaml` of a case is read. If not, it is noted.
    pub(super) fn reads_case_file(&mut self, name: &str) -> bool {
        let instead = self.dialect.instead_of("NAME.yaml");
        if let Some(instead) = instead {
            self.other_names.add(format!("data/{name}.yaml"), instead);
        }
        instead.is_none()
    }

    /// The settings of the cases directly in `folder`.
    pub(super) fn of_folder(&self, folder: &str) -> &Arc<CaseSet> {
        if self.by_folder.is_empty() {
            return &self.plain;
        }
        let mut folder = folder;
        loop {
            if let Some(set) = self.by_folder.get(folder) {
                return set;
            }
            if folder.is_empty() {
                return &self.plain;
            }
            folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
        }
    }

    /// The settings of a case that has a `<case>.yaml`.
    pub(super) fn of_case(&self, name: &str, folder: &str, notices: &mut Notices) -> Arc<CaseSet> {
        let path = self.plain.root.join(format!("{name}.yaml"));
        let base = self.of_folder(folder);
        let root = read_yaml(&path, notices);
        match root.and_then(|root| entries_of(root, &path, &[&CASE_KEYS], notices)) {
            Some(entries) => Arc::new(self.overlaid(CaseSet::clone(base), &entries, notices)),
            None => Arc::clone(base),
        }
    }

    /// `base` with the settings of a file applied.
    fn overlaid(&self, mut base: CaseSet, entries: &Entries, notices: &mut Notices) -> CaseSet {
        let at = |node: &Node, notices: &Notices| notices.show_at(&entries.path, node.place);
        for (key, node) in &entries.keys {
            match key.name.as_str() {
                "args" => base.args = texts(entries, key, node, notices).unwrap_or_default(),
                "answer_validator_args" => {
                    if let Some(args) = validator_args(entries, key, node, notices) {
                        base.answer_validator_args = args;
                    }
                }
                "output_visualizer_args" => {
                    base.output_visualizer_args =
                        texts(entries, key, node, notices).unwrap_or_default();
                }
                "input_validator_args" | "input_validator_flags" => {
                    if let Some(args) = validator_args(entries, key, node, notices) {
                        base.input_validator_args = args;
                    }
                }
                "output_validator_args" | "output_validator_flags" => {
                    let Some((name, args)) = output_args(entries, key, node, notices) else {
                        continue;
                    };
                    match self.checker(name, &args) {
                        Ok(checker) => base.checker = checker,
                        Err(fault) => {
                            let fault = fault.of(format_args!("`{}`", key.name));
                            notices.error(fault.at(at(node, notices)));
                        }
                    }
                }
                _ => {}
            }
        }
        base
    }

    /// The checker that a settings file selects, with its arguments. `name` selects one of several
    /// programs.
    fn checker(&self, name: Option<&str>, args: &[String]) -> Result<Option<CheckerSpec>, Notice> {
        let Some(origin) = self.origin else {
            return Ok(None);
        };
        let checker = match name {
            Some(name) => origin.select(name)?.with_more_args(self.flags, args),
            None => origin.with_more_args(self.flags, args),
        };
        checker.map(Some)
    }
}

/// The settings file of a folder, of the names that are read. Two of them are an error.
fn settings_file_of(
    root: &Path,
    folder: &str,
    files: [(&str, bool); 2],
    notices: &mut Notices,
) -> Option<PathBuf> {
    let paths = files.map(|(name, _)| root.join(folder).join(name));
    let is_read = |index: usize| files[index].1 && paths[index].is_file();
    match (is_read(0), is_read(1)) {
        (true, true) => {
            notices.error_help(
                Code::Conflict
                    .says(format!(
                        "{} and {} both exist",
                        notices.show(&paths[0]),
                        notices.show(&paths[1])
                    ))
                    .about(&notices.show(&paths[0])),
                "keep `test_group.yaml` in a 2025-09 package, `testdata.yaml` in a legacy one",
            );
            None
        }
        (true, false) => Some(paths[0].clone()),
        (false, true) => Some(paths[1].clone()),
        (false, false) => None,
    }
}

/// The entries of a settings file, with a warning for each key that is not in `known`.
fn entries_of(
    root: Node,
    path: &Path,
    known: &[&[&'static str]],
    notices: &mut Notices,
) -> Option<Entries> {
    let keys = match root.value {
        Value::Map(keys) => keys,
        Value::Null => return None,
        other => {
            notices.error(Code::InvalidValue.at(
                notices.show_at(path, root.place),
                format!("expected a table of keys, got {}", other.kind()),
            ));
            return None;
        }
    };
    let names = || known.iter().flat_map(|list| list.iter().copied());
    for (key, _) in &keys {
        if names().any(|name| name == key.name) {
            continue;
        }
        let at = notices.show_at(path, key.place);
        let name = crate::notice::visible(&key.name);
        let message = format!("unknown key `{name}`; it is ignored");
        match nearest(&key.name, names()) {
            Some(near) => notices
                .warn_help(Code::UnknownKey.at(&at, message), format!("did you mean `{near}`?")),
            None => notices.warn(Code::UnknownKey.at(&at, message)),
        }
    }
    Some(Entries { path: path.to_path_buf(), keys })
}

fn texts(entries: &Entries, key: &Key, node: &Node, notices: &mut Notices) -> Option<Vec<String>> {
    match words(node) {
        Ok(args) => Some(args),
        Err((place, got)) => {
            notices.error(Code::InvalidValue.at(
                notices.show_at(&entries.path, place),
                format!("`{}` must be a text or a list of texts, got {got}", key.name),
            ));
            None
        }
    }
}

/// A legacy table with the keys `name` and `flags`.
fn name_and_flags(node: &Node) -> Option<(Option<&Node>, Option<&Node>)> {
    let Value::Map(inner) = &node.value else {
        return None;
    };
    let get = |name: &str| inner.iter().find(|(key, _)| key.name == name);
    let known = inner.iter().all(|(key, _)| key.name == "name" || key.name == "flags");
    let found = (get("name").map(|(_, n)| n), get("flags").map(|(_, n)| n));
    (known && !inner.is_empty()).then_some(found)
}

/// The name of the selected output validator, if one is named, and its arguments.
fn output_args<'n>(
    entries: &Entries,
    key: &Key,
    node: &'n Node,
    notices: &mut Notices,
) -> Option<(Option<&'n str>, Vec<String>)> {
    let Some((name, flags)) = name_and_flags(node) else {
        return Some((None, texts(entries, key, node, notices)?));
    };
    let name = name.and_then(|name| match &name.value {
        Value::Text(name) => Some(name.as_str()),
        _ => None,
    });
    let flags = flags.map_or(Some(Vec::new()), |flags| texts(entries, key, flags, notices));
    Some((name, flags?))
}

fn validator_args(
    entries: &Entries,
    key: &Key,
    node: &Node,
    notices: &mut Notices,
) -> Option<ValidatorArgs> {
    if key.name.ends_with("flags")
        && let Some((Some(name), flags)) = name_and_flags(node)
        && let Value::Text(name) = &name.value
    {
        let flags = match flags {
            Some(flags) => texts(entries, key, flags, notices)?,
            None => Vec::new(),
        };
        return Some(ValidatorArgs::ByName([(name.clone(), flags)].into()));
    }
    let Value::Map(inner) = &node.value else {
        return texts(entries, key, node, notices).map(ValidatorArgs::All);
    };
    let each = inner
        .iter()
        .map(|(name, node)| Some((name.name.clone(), texts(entries, name, node, notices)?)));
    Some(ValidatorArgs::ByName(each.collect::<Option<_>>()?))
}
