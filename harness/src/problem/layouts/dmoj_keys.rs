//! The keys of DMOJ's `init.yml`: which are used, and which are only named in a warning.

use super::fields::Fields;
use crate::notice::{Code, Notices};

/// The keys of the file that rejudge uses, or that change nothing about a verdict.
const KNOWN: [&str; 15] = [
    "archive",
    "test_cases",
    "points",
    "checker",
    "interactive",
    "custom_judge",
    "signature_grader",
    "generator",
    "file_io",
    "output_limit_length",
    "hints",
    "meta",
    "name",
    "author",
    "binary_data",
];

/// The keys of DMOJ that have no effect here.
const UNUSED: [&str; 7] = [
    "unbuffered",
    "output_prefix_length",
    "symlinks",
    "wall_time_factor",
    "short_circuit",
    "pretest_test_cases",
    "dependencies",
];

/// Names the keys that rejudge does not use.
pub(super) fn name_unused(table: &Fields<'_>, notices: &mut Notices) {
    for (key, node) in table.entries() {
        if KNOWN.contains(&key.name.as_str()) {
            continue;
        }
        let (code, words) = if UNUSED.contains(&key.name.as_str()) {
            (Code::UnusedSetting, "is not supported; it is ignored")
        } else {
            (Code::UnknownKey, "is not a key of DMOJ; it is ignored")
        };
        let at = notices.show_at(table.path(), node.place);
        notices.warn(code.at(&at, format!("`{}` {words}", key.name)));
    }
}
