//! The keys of the tables in `problem.rbx.yml`, as rbx's `rbx/box/schema.py` has them.

use super::fields::Fields;
use super::keys::Keys;
use crate::notice::{Code, Notices};
use crate::problem::yaml::Value;

const PACKAGE: Keys = Keys {
    known: &[
        "name",
        "titles",
        "type",
        "scoring",
        "timeLimit",
        "memoryLimit",
        "outputLimit",
        "timing",
        "modifiers",
        "checker",
        "interactor",
        "validator",
        "extraValidators",
        "outputValidators",
        "visualizer",
        "solutionVisualizer",
        "generators",
        "generatorScript",
        "solutions",
        "testcases",
        "stresses",
        "statements",
        "tutorials",
        "vars",
        "unitTests",
    ],
    ..Keys::of("rbx")
};

const GROUP: Keys = Keys {
    what: " of groups",
    known: &[
        "name",
        "testcases",
        "testcaseGlob",
        "generators",
        "generatorScript",
        "extraValidators",
        "outputValidators",
        "visualizer",
        "solutionVisualizer",
        "subgroups",
        "validator",
        "vars",
        "score",
        "deps",
        "model_solution",
    ],
    ..Keys::of("rbx")
};

const SOLUTION: Keys = Keys {
    what: " of solutions",
    known: &[
        "path",
        "language",
        "compilationFiles",
        "executionFiles",
        "outcome",
        "outcomePerGroup",
        "inference",
        "tags",
        "score",
    ],
    ..Keys::of("rbx")
};

const PROGRAM: Keys = Keys {
    what: " of programs",
    known: &[
        "path",
        "language",
        "compilationFiles",
        "executionFiles",
        "fallback_to",
        "mode",
        "legacy",
        "capture",
    ],
    ..Keys::of("rbx")
};

/// The keys of solutions and groups that have a meaning only if the problem gives points: rbx refuses others.
const OF_POINTS: [&str; 2] = ["outcomePerGroup", "score"];

/// The keys of limits in a language.
pub(super) const MODIFIER: Keys =
    Keys { what: " of modifiers", known: &["time", "timeMultiplier", "memory"], ..Keys::of("rbx") };

/// The keys of a profile of limits.
pub(super) const PROFILE: Keys = Keys {
    what: " of profiles",
    known: &[
        "inheritFromPackage",
        "timeLimit",
        "memoryLimit",
        "outputLimit",
        "modifiers",
        "formula",
        "multipliers",
        "groups",
        "baseEstimate",
    ],
    ..Keys::of("rbx")
};

/// Whether the problem gives points.
pub(super) fn is_scored(table: &Fields<'_>, notices: &mut Notices) -> bool {
    table.text("scoring", notices).as_deref() == Some("points")
}

/// Names the keys of the problem, its programs, groups and solutions that rbx does not know.
pub(super) fn name_unused(table: &Fields<'_>, notices: &mut Notices) {
    PACKAGE.name_unused(table, notices);
    // Faults in the values are reported where they are read.
    let mut quiet = Notices::default();
    let is_scored = is_scored(table, &mut quiet);
    for key in ["checker", "interactor", "validator"] {
        if let Some(program) = table.table(key, &mut quiet) {
            PROGRAM.name_unused(&program, notices);
        }
    }
    for (key, keys) in [("testcases", &GROUP), ("solutions", &SOLUTION)] {
        for node in table.list(key, &mut quiet) {
            if let Some(entry) = Fields::of(table.path(), node, &mut quiet) {
                keys.name_unused(&entry, notices);
                if !is_scored {
                    name_points(&entry, notices);
                }
            }
        }
    }
}

/// Names the keys of a solution or a group for points, in a problem that gives none.
fn name_points(entry: &Fields<'_>, notices: &mut Notices) {
    for (key, node) in entry.entries() {
        let is_zero = matches!(node.value, Value::Number(0.0) | Value::Null);
        if OF_POINTS.contains(&key.name.as_str()) && !is_zero {
            let at = notices.show_at(entry.path(), key.place);
            let message = format!("`{}` is ignored: the problem gives no points", key.name);
            notices.warn_help(
                Code::UnusedSetting.at(&at, message),
                "write `scoring: points`, or remove the key",
            );
        }
    }
}
