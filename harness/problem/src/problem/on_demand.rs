//! Cases too large for a repository. `generators/large.toml` lists their hashes and sizes; the
//! generated files are in the user's cache folder.
//!
//! This module generates nothing: a later step generates the missing files before judging starts.
//! It is the only module that reads and writes the list.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use rejudge_quantity::Bytes;
use serde::Deserialize;

use super::names::is_case_name;
use crate::cache;
use crate::notice::{Code, Notice, Notices, Place};
use crate::plain_file;

/// The file of a package that says how its cases are made.
pub const GENERATORS: &str = "generators/generators.yaml";

/// A case that is generated on demand, and the hashes and sizes that its files must have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnDemand {
    /// The case's name, for example `secret/worst/wide`.
    pub name: String,
    /// The path of the generated input.
    pub input: PathBuf,
    /// The path of the generated answer.
    pub answer: PathBuf,
    /// The BLAKE3 hash of the input: 64 lower-case hexadecimal digits.
    pub input_blake3: String,
    /// The BLAKE3 hash of the answer.
    pub answer_blake3: String,
    /// The size of the input.
    pub input_bytes: Bytes,
    /// The size of the answer.
    pub answer_bytes: Bytes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListedCase {
    in_blake3: String,
    ans_blake3: String,
    in_bytes: u64,
    ans_bytes: u64,
}

/// The path of the list of the package in `dir`.
pub fn path(dir: &Path) -> PathBuf {
    dir.join("generators/large.toml")
}

/// The text of a list with these cases in this order, as [`read`] reads it.
pub fn to_toml<'a>(cases: impl IntoIterator<Item = &'a OnDemand>) -> String {
    let mut text = String::from(
        "# Sizes and checksums of the cases that are too large for this repository; `rejudge generate` creates them.\n",
    );
    for case in cases {
        // Case names contain no characters that need escaping.
        let _ = write!(
            text,
            "\n[\"{}\"]\nin_blake3 = \"{}\"\nans_blake3 = \"{}\"\nin_bytes = {}\nans_bytes = {}\n",
            case.name,
            case.input_blake3,
            case.answer_blake3,
            case.input_bytes.get(),
            case.answer_bytes.get()
        );
    }
    text
}

/// Reads the list of a package, sorted by name. Empty if there is no list.
pub fn read(dir: &Path, notices: &mut Notices) -> Vec<OnDemand> {
    let path = path(dir);
    let text = match plain_file::read_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            notices.error(Notice::unreadable(&notices.show(&path), &error));
            return Vec::new();
        }
    };
    let entries: std::collections::BTreeMap<String, ListedCase> = match toml::from_str(&text) {
        Ok(entries) => entries,
        Err(error) => {
            let place = Place::in_text(&text, error.span());
            notices.error(Code::InvalidSyntax.at(notices.show_at(&path, place), error.message()));
            return Vec::new();
        }
    };
    let folder = cache::cases_dir();
    entries
        .into_iter()
        .filter_map(|(name, entry)| match fault(&name, &entry) {
            None => Some(OnDemand {
                input: folder.join(format!("{}.in", entry.in_blake3)),
                answer: folder.join(format!("{}.ans", entry.ans_blake3)),
                input_blake3: entry.in_blake3,
                answer_blake3: entry.ans_blake3,
                input_bytes: Bytes(entry.in_bytes),
                answer_bytes: Bytes(entry.ans_bytes),
                name,
            }),
            Some(fault) => {
                notices.error(
                    Code::InvalidValue.at(&notices.show(&path), format!("[\"{name}\"]: {fault}")),
                );
                None
            }
        })
        .collect()
}

fn fault(name: &str, entry: &ListedCase) -> Option<&'static str> {
    let is_hash = |text: &str| {
        text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let mut parts = name.split('/');
    let place_is_known = matches!(parts.next(), Some("sample" | "secret"));
    if !place_is_known || name.split('/').count() < 2 || !parts.all(is_case_name) {
        return Some("a case's name is its path under `data/`, for example `secret/large`");
    }
    if !is_hash(&entry.in_blake3) {
        return Some("`in_blake3` must be 64 lower-case hexadecimal digits");
    }
    if !is_hash(&entry.ans_blake3) {
        return Some("`ans_blake3` must be 64 lower-case hexadecimal digits");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_read_back_as_written() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("generators")).unwrap();
        let case = |name: &str, digit: &str| {
            let (input, answer) = (digit.repeat(64), "f".repeat(64));
            OnDemand {
                name: name.to_owned(),
                input: cache::cases_dir().join(format!("{input}.in")),
                answer: cache::cases_dir().join(format!("{answer}.ans")),
                input_blake3: input,
                answer_blake3: answer,
                input_bytes: Bytes(5_000_000),
                answer_bytes: Bytes(1),
            }
        };
        let cases = [case("secret/a.b", "0"), case("secret/worst/wide-1", "a")];
        std::fs::write(path(dir.path()), to_toml(&cases)).unwrap();
        let mut notices = Notices::default();
        assert_eq!(read(dir.path(), &mut notices), cases);
        assert_eq!(notices.errors, []);
    }
}
