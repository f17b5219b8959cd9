//! Saves received problems to one folder, as contestants keep a contest: `a.cpp`, `a-1.in`, `a-1.out`, `b.cpp`, …
//!
//! The form has no place for limits. Answers end as those of the folder do: in `.ans` if it has any, otherwise in `.out`.

use std::io;
use std::path::{Path, PathBuf};

use crate::import::{Draft, DraftText, names};
use crate::left_behind::{remove_beneath, write_beneath};
use crate::plain_file;
use crate::problem::layouts::companion::CompanionProblem;

/// The longest letter of a problem: `A`, `B1`, `Ex`.
const LETTER: usize = 3;

/// The stem of a problem's files: its letter in the contest, otherwise the id of its address or title.
pub(super) fn stem(problem: &CompanionProblem) -> String {
    let letter: String = problem
        .name
        .trim_start()
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    let rest = problem.name.trim_start()[letter.len()..].trim_start();
    let is_letter = (1..=LETTER).contains(&letter.len())
        && letter.starts_with(|c: char| c.is_ascii_alphabetic())
        && rest.starts_with(['.', '-', ':']);
    if is_letter {
        return letter.to_ascii_lowercase();
    }
    names::of_address(&problem.url).unwrap_or_else(|| names::with_words(&problem.name))
}

/// Writes the samples of a problem, and removes those that a longer list left.
pub(super) fn write_samples(
    folder: &Path,
    stem: &str,
    draft: &Draft,
    most: usize,
) -> io::Result<()> {
    let answer = answer_ending(folder);
    let path = |number: usize, end: &str| PathBuf::from(format!("{stem}-{number}.{end}"));
    std::fs::create_dir_all(folder)?;
    for (case, number) in draft.cases.iter().zip(1..) {
        for (text, end) in [(Some(&case.input), "in"), (case.answer.as_ref(), answer)] {
            if let Some(DraftText::Here(bytes)) = text {
                write_beneath(folder, &path(number, end), &mut bytes.as_slice())?;
            }
        }
    }
    for number in draft.cases.len() + 1..=most {
        if !remove_beneath(folder, &path(number, "in"))? {
            break;
        }
        remove_beneath(folder, &path(number, answer))?;
    }
    Ok(())
}

/// The ending of the answers in a folder.
fn answer_ending(folder: &Path) -> &'static str {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut endings = entries.filter_map(|entry| Some(entry.path().extension()?.to_owned()));
    if endings.any(|ending| ending == "ans") {
        "ans"
    } else {
        "out"
    }
}

/// Copies the template to the problem's source, unless there is one. Returns the new source.
pub(super) fn copy_template(
    folder: &Path,
    stem: &str,
    template: &Path,
) -> io::Result<Option<PathBuf>> {
    let mut name = PathBuf::from(stem);
    name.set_extension(template.extension().unwrap_or_default());
    let path = folder.join(&name);
    if path.symlink_metadata().is_ok() {
        return Ok(None);
    }
    let text = plain_file::read(template)?;
    write_beneath(folder, &name, &mut text.as_slice())?;
    Ok(Some(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_is_the_letter_or_the_id_of_the_address() {
        for (name, url, expected) in [
            (
                "G. Castle Defense",
                "https://codeforces.com/contest/954/problem/G",
                "g",
            ),
            ("B1. Easy", "", "b1"),
            (
                "A - Yes or No",
                "https://atcoder.jp/contests/abc400/tasks/abc400_a",
                "a",
            ),
            ("Ex - Hard", "", "ex"),
            (
                "Hello World!",
                "https://open.kattis.com/problems/hello",
                "hello",
            ),
            ("Sum", "", "sum"),
            (
                "問題",
                "https://atcoder.jp/contests/abc400/tasks/abc400_b",
                "abc400_b",
            ),
            ("../../x", "", "x"),
            ("7. Day", "", "7-day"),
            ("Two Sum", "", "two-sum"),
        ] {
            let json = serde_json::json!({"name": name, "url": url});
            let problem: CompanionProblem = serde_json::from_value(json).unwrap();
            assert_eq!(stem(&problem), expected, "{name}");
        }
    }
}
