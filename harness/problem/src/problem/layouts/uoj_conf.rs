//! The `problem.conf` of UOJ: pairs of words, a key and its value.
//!
//! UOJ reads the words of the file in pairs, whatever their lines. Every file that is in use has a pair in each line, so a line
//! with other words is a mistake, and a warning names it.

use std::path::Path;

use super::fields::{Fields, TableFile};
use crate::notice::{Code, Notice, Notices, Place, visible};
use crate::plain_file;
use crate::problem::yaml::{Key, Node, Value};

/// Keys that identify UOJ's `problem.conf` among other files with this name.
const SIGNS: [&str; 6] = [
    "n_tests",
    "use_builtin_judger",
    "use_builtin_checker",
    "input_pre",
    "input_suf",
    "output_pre",
];

/// Whether the file at `path` is one of UOJ.
pub(super) fn is_at(path: &Path) -> bool {
    let text = plain_file::read_text(path).unwrap_or_default();
    text.lines().any(|line| line.split_whitespace().next().is_some_and(|key| SIGNS.contains(&key)))
}

/// Reads the file.
pub(super) fn read(path: &Path, notices: &mut Notices) -> Option<TableFile> {
    let text = match plain_file::read_text(path) {
        Ok(text) => text,
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(path), &error));
            return None;
        }
    };
    let mut entries: Vec<(Key, Node)> = Vec::new();
    for (line, number) in text.trim_start_matches('\u{feff}').lines().zip(1..) {
        let place = Place { line: number, column: 1 };
        let at = notices.show_at(path, place);
        let mut words = line.split_whitespace();
        let Some(name) = words.next().filter(|name| !name.starts_with('#')) else {
            continue;
        };
        let shown = visible(name);
        let Some(value) = words.next() else {
            let what = format!("`{shown}` has no value; it is ignored");
            notices.warn_help(
                Code::InvalidSyntax.at(&at, what),
                "write the value behind the key, in the same line",
            );
            continue;
        };
        if words.next().is_some() {
            let what = format!("only the first two words count: `{shown} {}`", visible(value));
            notices.warn_help(
                Code::InvalidSyntax.at(&at, what),
                "write one key and one value in each line: UOJ reads all words of the file in pairs",
            );
        }
        let before = entries.len();
        entries.retain(|(known, _)| known.name != name);
        if entries.len() < before {
            notices.warn_help(
                Code::InvalidSyntax
                    .at(&at, format!("the key `{shown}` is set twice; the last one counts")),
                "keep one of them",
            );
        }
        let key = Key { name: name.to_owned(), place };
        entries.push((key, Node { value: Value::Text(value.to_owned()), place }));
    }
    Some(TableFile::with_entries(path, entries))
}

/// The value of `KEY_N`, otherwise that of `KEY`, with the name of the key that is set.
pub(super) fn numbered(
    table: &Fields<'_>,
    key: &str,
    number: i64,
    notices: &mut Notices,
) -> Option<f64> {
    let own = format!("{key}_{number}");
    let set = if table.has(&own) { &own } else { key };
    table.number(set, notices)
}

/// A whole number, at most a million.
pub(super) fn count(table: &Fields<'_>, key: &str, usual: i64, notices: &mut Notices) -> i64 {
    table.number(key, notices).map_or(usual, whole)
}

/// A number without its fraction, at most a million.
#[expect(clippy::cast_possible_truncation, reason = "bounded from both sides")]
pub(super) fn whole(number: f64) -> i64 {
    number.clamp(0.0, 1e6) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_are_the_words_of_a_line() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("problem.conf");
        let text = "\u{feff}# made by hand\n\nn_tests 3\r\ninput_pre  a\ntime_limit\ninput_suf in // why\n\
                    n_tests 4\n";
        std::fs::write(&path, text).unwrap();
        assert!(is_at(&path));
        let mut notices = Notices::default();
        let file = read(&path, &mut notices).unwrap();
        let table = file.fields();
        assert_eq!(count(&table, "n_tests", 10, &mut notices), 4);
        assert_eq!(table.text("input_pre", &mut notices).as_deref(), Some("a"));
        assert_eq!(table.text("input_suf", &mut notices).as_deref(), Some("in"));
        assert!(!table.has("time_limit"));
        let found: Vec<&str> = notices.warnings.iter().map(|one| one.message.as_str()).collect();
        let ends = [
            ":5:1: `time_limit` has no value; it is ignored",
            ":6:1: only the first two words count: `input_suf in`",
            ":7:1: the key `n_tests` is set twice; the last one counts",
        ];
        assert_eq!(found.len(), ends.len(), "{found:?}");
        for (found, end) in found.iter().zip(ends) {
            assert!(found.ends_with(end), "{found}");
        }
        std::fs::write(&path, "A 0.2 255,255,255\n").unwrap();
        assert!(!is_at(&path));
    }
}
