//! Saves received problems to one folder, as contestants keep a contest: `a.cpp`, `a-1.in`, `a-1.out`, `b.cpp`, …
//!
//! The form has no place for limits. If the folder has cases that are named after their sources, the samples are named like
//! these. Nothing that exists is changed.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use crate::discover::{Request, discover};
use crate::import::{Draft, DraftText, names};
use crate::language::Languages;
use crate::left_behind::write_beneath;
use crate::plain_file;
use crate::problem::layouts::companion::CompanionProblem;
use crate::problem::{CaseModel, ReadOptions, TestCase};

/// The folder of a contest.
#[derive(Debug)]
pub(crate) struct FlatFolder {
    pub(crate) path: PathBuf,
    pub(crate) languages: Languages,
}

/// The longest letter of a problem: `A`, `B1`, `Ex`.
const LETTER: usize = 3;

/// The stem of a problem's files: its letter in the contest, otherwise the id of its address or title.
fn stem(problem: &CompanionProblem) -> String {
    let letter: String =
        problem.name.trim_start().chars().take_while(char::is_ascii_alphanumeric).collect();
    let rest = problem.name.trim_start()[letter.len()..].trim_start();
    let is_letter = (1..=LETTER).contains(&letter.len())
        && letter.starts_with(|c: char| c.is_ascii_alphabetic())
        && rest.starts_with(['.', '-', ':']);
    if is_letter {
        return letter.to_ascii_lowercase();
    }
    names::of_address(&problem.url).unwrap_or_else(|| names::with_words(&problem.name))
}

impl FlatFolder {
    /// The stem of a problem's files, in capital letters if the sources of the folder are called so.
    pub(super) fn stem(&self, problem: &CompanionProblem) -> String {
        let stem = stem(problem);
        let entries = self.path.read_dir().into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let sources = paths
            .filter(|path| path.extension().is_some_and(|end| self.language_of(end).is_some()));
        let stems: BTreeSet<String> =
            sources.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect();
        if let Some(known) = stems.iter().find(|known| known.eq_ignore_ascii_case(&stem)) {
            return known.clone();
        }
        let is_capital = |known: &String| {
            known.len() == 1 && known.bytes().all(|byte| byte.is_ascii_uppercase())
        };
        if stem.len() <= LETTER && stems.iter().any(is_capital) {
            return stem.to_ascii_uppercase();
        }
        stem
    }

    fn language_of(&self, extension: &OsStr) -> Option<String> {
        Some(self.languages.by_extension(extension.to_str()?)?.id.clone())
    }

    /// Writes the samples of a problem, unless the folder has cases with these inputs. Returns the path of the inputs, with
    /// `*` in the place of the number.
    pub(super) fn write_samples(&self, stem: &str, draft: &Draft) -> io::Result<PathBuf> {
        std::fs::create_dir_all(&self.path)?;
        let (model, inputs) = self.model(stem);
        let there = model.following().take_while(|place| !place.is_free(&self.path));
        let there = there.map(|place| self.path.join(place.input));
        let inputs: BTreeSet<PathBuf> = inputs.into_iter().chain(there).collect();
        let mut known: BTreeSet<Vec<u8>> =
            inputs.iter().filter_map(|path| plain_file::read(path).ok()).collect();
        let mut places = model.following().filter(|place| place.is_free(&self.path));
        for case in &draft.cases {
            let DraftText::Here(input) = &case.input else {
                continue;
            };
            if !known.insert(input.clone()) {
                continue;
            }
            let Some(place) = places.next() else { break };
            write_beneath(&self.path, &place.input, &mut input.as_slice())?;
            if let Some(DraftText::Here(answer)) = &case.answer {
                write_beneath(&self.path, &place.answer, &mut answer.as_slice())?;
            }
        }
        Ok(self.path.join(model.named("*").input))
    }

    /// The model for the names of the cases of a problem, and the inputs of the cases that it has.
    fn model(&self, stem: &str) -> (CaseModel, Vec<PathBuf>) {
        let found = discover(&Request {
            current: &self.path,
            paths: &[],
            cases: None,
            repository: None,
            read_options: ReadOptions::default(),
            language_of: &|extension| self.language_of(extension),
            language_of_text: &|extension, text| self.languages.id_of_text(extension, text),
        });
        let mut problems = found.problems;
        problems.retain(|problem| problem.dir == self.path);
        let own = problems.iter().find(|problem| problem.id.eq_ignore_ascii_case(stem));
        if let Some(own) = own
            && let Some(last) = own.cases.last()
            && let Some(model) = CaseModel::of(&self.path, own, last)
        {
            return (model, own.cases.iter().map(TestCase::input).collect());
        }
        let mut others = problems.iter().rev().filter_map(|problem| {
            let model = CaseModel::of(&self.path, problem, problem.cases.last()?)?;
            model.of_other(&problem.id, stem)
        });
        let model =
            others.next().unwrap_or_else(|| CaseModel::of_stem(stem, answer_ending(&self.path)));
        (model, Vec::new())
    }

    /// Copies the template to the problem's source, unless there is one. Returns the new source.
    pub(super) fn copy_template(&self, stem: &str, template: &Path) -> io::Result<Option<PathBuf>> {
        let mut name = PathBuf::from(stem);
        name.set_extension(template.extension().unwrap_or_default());
        let path = self.path.join(&name);
        if path.symlink_metadata().is_ok() {
            return Ok(None);
        }
        let text = plain_file::read(template)?;
        write_beneath(&self.path, &name, &mut text.as_slice())?;
        Ok(Some(path))
    }
}

/// The ending of the answers in a folder.
fn answer_ending(folder: &Path) -> &'static str {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut endings = entries.filter_map(|entry| Some(entry.path().extension()?.to_owned()));
    if endings.any(|ending| ending == "ans") { "ans" } else { "out" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stem_is_the_letter_or_the_id_of_the_address() {
        for (name, url, expected) in [
            ("G. Castle Defense", "https://codeforces.com/contest/954/problem/G", "g"),
            ("B1. Easy", "", "b1"),
            ("A - Yes or No", "https://atcoder.jp/contests/abc400/tasks/abc400_a", "a"),
            ("Ex - Hard", "", "ex"),
            ("Hello World!", "https://open.kattis.com/problems/hello", "hello"),
            ("Sum", "", "sum"),
            ("問題", "https://atcoder.jp/contests/abc400/tasks/abc400_b", "abc400_b"),
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
