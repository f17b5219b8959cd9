//! The keys of DMOJ's `init.yml`: which are used, and which are only named in a warning.

use super::fields::Fields;
use super::keys::Keys;
use crate::notice::{Code, Notices};
use crate::problem::is_file_name;
use crate::problem::yaml::{Node, Value};

/// The keys of the tables that describe a program.
const PROGRAM: [&str; 9] = [
    "files",
    "lang",
    "type",
    "flags",
    "args_format_string",
    "feedback",
    "cached",
    "unbuffered",
    "compiler_time_limit",
];

/// The keys of a case.
const OF_CASES: [&str; 8] = [
    "in",
    "out",
    "points",
    "checker",
    "generator",
    "generator_args",
    "generator_in",
    "binary_data",
];

/// A table without keys.
const PLAIN: Keys = Keys { code_suffix: Some('+'), ..Keys::of("DMOJ") };

/// Of the file.
pub(super) const PROBLEM: Keys = Keys {
    known: &[
        "archive",
        "test_cases",
        "pretest_test_cases",
        "interactive",
        "custom_judge",
        "signature_grader",
        "file_io",
        "output_limit_length",
        "hints",
        "meta",
        "name",
        "author",
        "unbuffered",
        "symlinks",
    ],
    of_cases: &OF_CASES,
    unused: &["output_prefix_length", "wall_time_factor", "short_circuit", "dependencies"],
    ..PLAIN
};

/// Of a batch.
pub(super) const BATCH: Keys = Keys {
    what: " of a batch",
    known: &["batched", "dependencies"],
    of_cases: &OF_CASES,
    unused: &["output_prefix_length", "wall_time_factor"],
    of_problem: &["output_limit_length", "symlinks", "unbuffered", "file_io"],
    ..PLAIN
};

/// Of a case.
pub(super) const CASE: Keys = Keys { what: " of a case", known: &[], ..BATCH };

/// Of `test_cases` with patterns.
pub(super) const PATTERNS: Keys = Keys {
    what: " of `test_cases` with patterns",
    known: &["input_format", "output_format", "case_points"],
    of_problem: &["points", "checker"],
    ..PLAIN
};

/// Of `checker`.
pub(super) const CHECKER: Keys = Keys { what: " of `checker`", known: &["name", "args"], ..PLAIN };

/// Of the `args` of `bridged`.
pub(super) const BRIDGED: Keys = Keys {
    what: " of a checker",
    known: &PROGRAM,
    unused: &["time_limit", "memory_limit"],
    ..PLAIN
};

/// Of `interactive`.
pub(super) const INTERACTIVE: Keys = Keys {
    what: " of `interactive`",
    known: &PROGRAM,
    unused: &["preprocessing_time", "memory_limit"],
    ..PLAIN
};

/// Of `generator`.
pub(super) const GENERATOR: Keys = Keys {
    what: " of `generator`",
    known: &[
        "source",
        "args",
        "flags",
        "language",
        "time_limit",
        "memory_limit",
        "compiler_time_limit",
    ],
    ..PLAIN
};

/// Of `file_io`.
pub(super) const FILE_IO: Keys =
    Keys { what: " of `file_io`", known: &["input", "output"], ..PLAIN };

/// Of `signature_grader`.
pub(super) const SIGNATURE: Keys =
    Keys { what: " of `signature_grader`", known: &["entry", "header", "allow_main"], ..PLAIN };

/// Of the `args` of a checker that is built in.
pub(super) const fn of_args(known: &'static [&'static str]) -> Keys {
    Keys { what: " of the checker's `args`", known, ..PLAIN }
}

/// What all cases inherit from the file. Its other keys are read once.
pub(super) const OF_FILE: [&str; 4] = ["in", "out", "generator_args", "generator_in"];

/// What the cases of a batch inherit from it. Its checker and its generator are read once.
pub(super) const OF_BATCH: [&str; 6] =
    ["in", "out", "generator_args", "generator_in", "points", "binary_data"];

/// The table in `node` with these keys of the table above, unless it has them itself.
pub(super) fn inheriting(node: &Node, keys: &[&str], above: &Fields<'_>) -> Node {
    let Value::Map(entries) = &node.value else {
        return node.clone();
    };
    let mut entries = entries.clone();
    let is_own = |name: &str| entries.iter().any(|(key, _)| key.name == name);
    let inherited = above.entries().iter().filter(|(key, _)| {
        let name = key.name.as_str();
        keys.contains(&name) && !is_own(name)
    });
    let inherited: Vec<_> = inherited.cloned().collect();
    entries.extend(inherited);
    Node { value: Value::Map(entries), place: node.place }
}

/// The standard streams that a link in `symlinks` may stand for.
const STREAMS: [&str; 3] = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];

/// `symlinks`: names in the working folder for standard streams.
pub(super) fn links(table: &Fields<'_>, notices: &mut Notices) -> Vec<(String, &'static str)> {
    let mut links = Vec::new();
    let Some(inner) = table.has("symlinks").then(|| table.table("symlinks", notices)) else {
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
