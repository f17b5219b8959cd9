//! ICPC problem packages, 2025-09 and legacy: `problem.yaml`, `data/sample`, `data/secret`.
//!
//! Cases are in lexicographic order of their full names, so samples come before secret cases.

use std::path::{Path, PathBuf};

use super::default_output::{self, DefaultOutput};
use super::groups::GroupSettings;
use super::names::{CaseNames, NameOrder, Role, Walk, is_case_name};
use super::package_cases;
use super::scoring::{self, GradingRules, ScoreFileRule, Scoring};
use super::settings::{self, PackageSettings};
use super::static_validation::Validation;
use super::validator::{self, CheckerOrigin};
use super::versions::{Dialect, FILE, OtherNames};
use super::{
    Additions, CaseSet, Format, LanguageOf, OnDemand, Problem, ReadOptions, TestCase, additions,
    domjudge, is_ignored, on_demand,
};
use crate::checker_spec::CheckerSpec;
use crate::notice::{Code, Notice, Notices, nearest};
use crate::shell::shell_word;

/// The names in a package's folder that the format or a common tool knows: those of 2025-09, of the legacy format, and of common
/// tools.
pub const PACKAGE_PARTS: [&str; 26] = [
    "problem.yaml",
    "statement",
    "attachments",
    "solution",
    "data",
    "generators",
    "include",
    "input_validators",
    "answer_validators",
    "answer_format_validators",
    "static_validator",
    "output_validator",
    "input_visualizer",
    "output_visualizer",
    "submissions",
    "problem_statement",
    "input_format_validators",
    "output_validators",
    "graders",
    "domjudge-problem.ini",
    "problem.pdf",
    "problem.html",
    "problem.txt",
    "README.md",
    "LICENSE",
    "LICENSE.md",
];

/// The names in `data/` that the format or a common tool knows.
pub const DATA_PARTS: [&str; 10] = [
    "sample",
    "secret",
    "invalid_input",
    "invalid_output",
    "valid_output",
    "invalid_answer",
    "testing_tool_test",
    "testdata.yaml",
    "test_group.yaml",
    "README.md",
];

/// The warning about `name` in a folder of a package, which is called `place` and whose names with a meaning are `known`;
/// `None` if it has one, or is ignored.
pub fn unread(name: &str, known: &[&str], place: &str) -> Option<Notice> {
    if is_ignored(name) || known.contains(&name) || name.ends_with(".disabled") {
        return None;
    }
    let notice = Code::UnusedFile.says(format!("has no meaning in {place} and is never read"));
    Some(match nearest(name, known.iter().copied()) {
        Some(near) => notice.help(format!("did you mean `{near}`?")),
        None => notice,
    })
}

/// The folders under `data/` that hold cases.
const PLACES: [&str; 2] = ["sample", "secret"];

/// Whether `dir` is a package: it has a `problem.yaml`, or cases in the folders of the format.
pub(super) fn is_package(dir: &Path) -> bool {
    dir.join(FILE).symlink_metadata().is_ok() || is_dir_with_cases(&dir.join("data"))
}

/// Whether `data` is a folder with a folder of cases. Most folders have no `data/`, which takes one look.
fn is_dir_with_cases(data: &Path) -> bool {
    data.is_dir() && PLACES.iter().any(|place| data.join(place).is_dir())
}

/// Reads the package in `dir`.
pub(super) fn load(
    options: ReadOptions<'_>,
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Problem {
    let mut settings = read_settings(dir, notices);
    domjudge::fill_unset(&mut settings, dir, notices);
    let wanted = (settings.custom_validator, settings.dialect);
    let origin = validator::find(dir, wanted, language_of, notices);
    settings.other_names.add_folders(dir, settings.dialect, |folder| origin.is_in(folder));
    if let (CheckerOrigin::Default, Some(message)) = (&origin, settings.judges_program.take()) {
        options.unless_checked(notices, |notices| {
            notices.error_help(
                Code::MissingSource.says(message),
                "add its source to `output_validators/`, remove the line, or choose another comparison: `--checker NAME`",
            );
        });
    }
    let flags = if settings.validator_flags.is_empty() {
        &settings.judges_flags
    } else {
        &settings.validator_flags
    };
    let checker = match origin.with_args(flags) {
        Ok(checker) => checker,
        Err(message) => {
            let path = notices.show(&dir.join(FILE));
            notices.error(Code::InvalidValue.at(&path, format!("`validator_flags`: {message}")));
            CheckerSpec::default()
        }
    };
    let on_demand = on_demand::read(dir, notices);
    let faults = notices.errors.len();
    let data = Data {
        options,
        dir,
        settings: &settings,
        origin: &origin,
        grader: validator::find_grader(dir, language_of, notices),
        static_validator: validator::find_static(dir, language_of, notices),
        on_demand: &on_demand,
    };
    let (cases, scoring, other_names) = data.read(notices);
    if cases.is_empty() && notices.errors.len() == faults {
        notices.error_help(
            Code::NoCases
                .says(format!("{} has no test cases", notices.show(dir)))
                .about(&notices.show(dir)),
            format!("add `NAME.in` and `NAME.ans` to {}", notices.show(&dir.join("data/secret"))),
        );
    }
    warn_of_unmade(dir, &cases, notices);
    settings.other_names.append(other_names);
    settings.other_names.warn(dir, settings.dialect, notices);
    Problem {
        title: settings.title,
        format: settings.format,
        kind: settings.kind,
        margins: settings.margins.laid_over(settings.format),
        limits: settings.limits,
        default_output: DefaultOutput::of_layout(default_output::OF_PACKAGE),
        additions: Additions {
            include: additions::include(dir, language_of, notices),
            constants: settings.constants,
            ..Additions::default()
        },
        checker,
        is_package: true,
        cases,
        on_demand,
        scoring,
        ..Problem::bare(dir)
    }
}

pub(super) fn read_settings(dir: &Path, notices: &mut Notices) -> PackageSettings {
    let path = dir.join(FILE);
    let other = dir.join("problem.yml");
    if other.symlink_metadata().is_ok() {
        let (shown, right) = (notices.show(&other), notices.show(&path));
        if path.symlink_metadata().is_ok() {
            notices.error_help(
                Code::Conflict.of_file(&shown, format!("and {right} both exist")),
                "keep problem.yaml",
            );
        } else {
            notices.error_help(
                Code::InvalidName.of_file(&shown, "has the wrong name"),
                format!("rename it to {right}"),
            );
        }
        return PackageSettings::default();
    }
    // A dangling link exists too: reading it reports the error.
    if path.symlink_metadata().is_ok() {
        return settings::read(&path, notices);
    }
    notices.warn_help(
        Code::MissingSettings
            .says(format!("{} has no problem.yaml; default limits apply", notices.show(dir)))
            .about(&notices.show(dir)),
        format!("write its limits to {}", notices.show(&path)),
    );
    PackageSettings::default()
}

/// Warns of a package that has only samples, and says how its other cases are made.
fn warn_of_unmade(dir: &Path, cases: &[TestCase], notices: &mut Notices) {
    let is_sample = |case: &TestCase| case.name().starts_with("sample/");
    if !cases.is_empty() && cases.iter().all(is_sample) && dir.join(on_demand::GENERATORS).is_file()
    {
        let shown = notices.show(dir);
        notices.warn_help(
            Code::MissingCases
                .says(format!("{shown} has only samples: its other cases are not made yet"))
                .about(&shown),
            format!("make them with `rejudge generate {}`", shell_word(&shown)),
        );
    }
}

/// The inputs of reading a package's cases.
struct Data<'a> {
    options: ReadOptions<'a>,
    dir: &'a Path,
    settings: &'a PackageSettings,
    origin: &'a CheckerOrigin,
    grader: Option<PathBuf>,
    static_validator: Option<PathBuf>,
    on_demand: &'a [OnDemand],
}

impl Data<'_> {
    /// The cases in order, how they are scored, and names of the other version of the format.
    fn read(&self, notices: &mut Notices) -> (Vec<TestCase>, Option<Scoring>, OtherNames) {
        let root = self.dir.join("data");
        let mut names = CaseNames::default();
        let mut folders = Vec::new();
        for name in ["test_group.yaml", "testdata.yaml"] {
            if root.join(name).is_file() {
                folders.push(String::new());
                break;
            }
        }
        for place in PLACES {
            let folder = root.join(place);
            // If the folder cannot be examined, the walk reports the error.
            if !matches!(folder.try_exists(), Ok(false)) {
                let walk = Walk {
                    root: &root,
                    folder: &folder,
                    recursive: true,
                    name_is_valid: is_case_name,
                    accepts_role: |role| role != Role::Out,
                };
                walk.run(&mut names, &mut folders, notices);
            }
        }
        names.sort(NameOrder::Lexicographic);
        let common = CaseSet {
            root: root.clone(),
            input: ".in",
            answer: Some(".ans"),
            beside: names.has(Role::Beside),
            ..CaseSet::default()
        };
        let mut groups =
            GroupSettings::read(common, &folders, (Some(self.origin), self.settings), notices);
        let found = package_cases::pair(self.options, &root, &names, &mut groups, notices);
        drop(names);
        let mut cases = package_cases::merge(self.dir, found, self.on_demand, &groups, notices);
        if self.settings.format == Format::V2025 {
            let validation = Validation {
                dir: self.dir,
                kind: self.settings.kind,
                entries: &groups.entries,
                validator: self.static_validator.as_deref(),
            };
            for case in validation.cases(notices) {
                let place = cases.partition_point(|other| other.name() < case.name());
                cases.insert(place, case);
            }
        }
        let scoring = self.scoring(&root, &cases, &groups, notices);
        (cases, scoring, groups.other_names)
    }

    fn scoring(
        &self,
        root: &Path,
        cases: &[TestCase],
        groups: &GroupSettings<'_>,
        notices: &mut Notices,
    ) -> Option<Scoring> {
        let source =
            scoring::ScoringSource { root: root.to_path_buf(), cases, entries: &groups.entries };
        let settings = self.settings;
        match settings.format {
            Format::V2025 if settings.kind.scoring => Some(scoring::read_points(&source, notices)),
            Format::V2025 => {
                scoring::warn_of_points(&source, notices);
                None
            }
            Format::Legacy => {
                let wanted = scoring::GradingSettings {
                    scoring: settings.kind.scoring,
                    minimise: settings.minimise,
                    score_files: match settings.dialect {
                        _ if settings.validator_scores => ScoreFileRule::Always,
                        Dialect::Either => ScoreFileRule::Maybe,
                        Dialect::Only(_) => ScoreFileRule::Never,
                    },
                    rules: self.grading_rules(groups),
                    grader: self.grader.clone(),
                };
                scoring::read_grading(&source, wanted, notices)
            }
        }
    }

    /// Only authors for `DOMjudge` state scores in their submissions, and they state those of `DOMjudge`. It gives scores if
    /// `data/` has settings.
    fn grading_rules(&self, groups: &GroupSettings<'_>) -> GradingRules {
        let gives_scores = self.settings.kind.scoring && groups.entries.contains_key("");
        if gives_scores && domjudge::states_scores(self.dir) {
            GradingRules::Domjudge
        } else {
            GradingRules::Format
        }
    }
}
