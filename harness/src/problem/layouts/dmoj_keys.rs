//! The keys of DMOJ's `init.yml`: which are used, and which are only named in a warning.

use super::fields::Fields;
use crate::notice::{Code, Notices};
use crate::problem::is_file_name;
use crate::problem::yaml::Value;

/// The keys of the file that rejudge uses, or that change nothing about a verdict.
const KNOWN: [&str; 17] = [
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
    "unbuffered",
    "symlinks",
];

/// The keys of DMOJ that have no effect here.
const UNUSED: [&str; 5] = [
    "output_prefix_length",
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

/// The standard streams that a link in `symlinks` may stand for.
const STREAMS: [&str; 3] = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// `symlinks`: names in the working folder for standard streams.
pub(super) fn links(table: &Fields<'_>, notices: &mut Notices) -> Vec<(String, &'static str)> {
    let mut links = Vec::new();
    let Some(inner) = table
        .has("symlinks")
        .then(|| table.table("symlinks", notices))
    else {
        return links;
    };
    for (key, node) in inner.iter().flat_map(Fields::entries) {
        let target = match &node.value {
            Value::Text(target) => STREAMS.into_iter().find(|stream| stream == target),
            _ => None,
        };
        match target {
            Some(stream) if is_file_name(&key.name) => links.push((key.name.clone(), stream)),
            _ => {
                let at = notices.show_at(table.path(), node.place);
                notices.warn_help(
                    Code::Unsupported.at(&at, format!("the link `{}` is not made", key.name)),
                    "a link has a file name, and leads to `/dev/stdin`, `/dev/stdout` or `/dev/stderr`",
                );
            }
        }
    }
    links
}
