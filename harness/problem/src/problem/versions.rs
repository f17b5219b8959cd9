//! Keys, files and folders that only one version of the package format has. A package of the other version does not read
//! them, as problemtools, and a warning names them with what takes their place.

use std::path::Path;

use super::Format;
use crate::notice::{Code, Notices};

/// The file that describes a package.
pub(super) const FILE: &str = "problem.yaml";

/// The settings of `DOMjudge`.
pub(super) const INI: &str = "domjudge-problem.ini";

/// The maximum number of names that the warning shows.
const SHOWN: usize = 6;

/// The version whose names a package has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Dialect {
    /// Both: a draft of the format, a package for `DOMjudge`, which reads both, or one without `problem.yaml`.
    #[default]
    Either,
    Only(Format),
}

impl Dialect {
    /// Whether the names of `format` count.
    pub(super) fn reads(self, format: Format) -> bool {
        self == Self::Either || self == Self::Only(format)
    }

    /// What takes the place of `name` in this dialect; `None` if the dialect reads `name`.
    pub(super) fn instead_of(self, name: &str) -> Option<&'static str> {
        let find = |list: &[(&str, &'static str)]| {
            let found = list.iter().find(|(other, _)| *other == name);
            found.map(|(_, instead)| *instead)
        };
        match self {
            Self::Either => None,
            Self::Only(Format::V2025) => find(&LEGACY),
            Self::Only(Format::Legacy) => find(&V2025),
        }
    }
}

/// Names of the legacy format only, and those of 2025-09 that take their place; empty: nothing does.
const LEGACY: [(&str, &str); 17] = [
    ("author", "credits"),
    ("source_url", "source.url"),
    ("validation", "type"),
    ("validator_flags", "output_validator_args` in `data/test_group.yaml"),
    ("grading", "score_aggregation` in `test_group.yaml"),
    ("limits.time_multiplier", "limits.time_multipliers.ac_to_time_limit"),
    ("limits.time_safety_margin", "limits.time_multipliers.time_limit_to_tle"),
    ("output_validators/", "output_validator/"),
    ("graders/", ""),
    ("testdata.yaml", "test_group.yaml"),
    ("on_reject", ""),
    ("grader_flags", "score_aggregation"),
    ("input_validator_flags", "input_validator_args"),
    ("output_validator_flags", "output_validator_args"),
    ("accept_score", "max_score"),
    ("reject_score", ""),
    ("range", "max_score"),
];

/// Names of 2025-09 only, and those of the legacy format that take their place; empty: nothing does.
const V2025: [(&str, &str); 15] = [
    ("constants", ""),
    ("output_validator/", "output_validators/"),
    ("static_validator/", ""),
    ("test_group.yaml", "testdata.yaml"),
    ("NAME.yaml", ""),
    ("args", ""),
    ("input_validator_args", "input_validator_flags"),
    ("output_validator_args", "output_validator_flags"),
    ("max_score", "range"),
    ("score_aggregation", "grader_flags"),
    ("static_validation_score", ""),
    ("static_validator_args", ""),
    ("require_pass", ""),
    ("full_feedback", ""),
    ("answer_validator_args", ""),
];

/// The names that a package does not read.
#[derive(Debug, Default, PartialEq)]
pub(super) struct OtherNames {
    /// The names as users find them, and what takes their place.
    found: Vec<(String, &'static str)>,
}

impl OtherNames {
    pub(super) fn add(&mut self, shown: impl Into<String>, instead: &'static str) {
        self.found.push((shown.into(), instead));
    }

    pub(super) fn append(&mut self, mut others: Self) {
        self.found.append(&mut others.found);
    }

    /// Adds the folders of programs in the package that are not used.
    pub(super) fn add_folders(
        &mut self,
        dir: &Path,
        dialect: Dialect,
        is_used: impl Fn(&Path) -> bool,
    ) {
        let names = ["output_validators/", "output_validator/", "graders/", "static_validator/"];
        for name in names {
            if let Some(instead) = dialect.instead_of(name)
                && dir.join(name).is_dir()
                && !is_used(&dir.join(name))
            {
                self.add(name, instead);
            }
        }
    }

    /// Reports the names, all in one warning.
    pub(super) fn warn(&self, dir: &Path, dialect: Dialect, notices: &mut Notices) {
        let (Dialect::Only(format), false) = (dialect, self.found.is_empty()) else {
            return;
        };
        let (other, own) = match format {
            Format::Legacy => ("2025-09", "legacy"),
            Format::V2025 => ("legacy", "2025-09"),
        };
        let shown = self.found.iter().take(SHOWN);
        let mut names: Vec<String> =
            shown.map(|(name, _)| format!("`{}`", crate::notice::visible(name))).collect();
        if self.found.len() > SHOWN {
            names.push(format!("{} more", self.found.len() - SHOWN));
        }
        let names = match names.as_slice() {
            [only] => format!("{only} is"),
            [most @ .., last] => format!("{} and {last} are", most.join(", ")),
            [] => return,
        };
        let mut instead: Vec<String> = Vec::new();
        for (_, name) in self.found.iter().filter(|(_, name)| !name.is_empty()) {
            let quoted = format!("`{name}`");
            if !instead.contains(&quoted) {
                instead.push(quoted);
            }
        }
        let version = format!("write `problem_format_version: {other}`");
        let help = match instead.as_slice() {
            [] => version,
            names => format!("use {}, or {version}", names.join(", ")),
        };
        let path = notices.show(&dir.join(FILE));
        notices.warn_help(
            Code::UnusedSetting
                .says(format!("{names} of the {other} format and ignored: {path} is {own}"))
                .about(&path),
            help,
        );
    }
}
