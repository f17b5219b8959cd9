//! Adds a case to the text of `generators.yaml`, and changes nothing else in it.
//!
//! The text keeps its comments and its form. The reader reads the new text: if it finds anything but the old cases and the
//! new one, the text stays as it is.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::recipe::Recipe;
use super::{FILE, reader};
use crate::notice::Notices;
use crate::plain_file;
use crate::problem::Kind;

/// A case that a generator makes, to be added to the cases in `secret`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewRecipe<'a> {
    /// The generator and its arguments.
    pub(crate) command: &'a str,
    /// The source of the generator.
    pub(crate) source: &'a Path,
    /// A line above the case.
    pub(crate) comment: &'a str,
}

/// What becomes of a case that is added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RecipeAddition {
    /// The file with this text lists the case by this name, such as `secret/stress-1`.
    Listed { file: PathBuf, text: String, name: String },
    /// The case with this name has the same command.
    Known(String),
}

impl NewRecipe<'_> {
    /// Adds the case to the plan of the package in `dir`, with the first of `keys` for which `is_free` is true of its name.
    /// `None`: there is no plan, or no place in it that is certainly right.
    pub(crate) fn add(
        &self,
        dir: &Path,
        kind: Kind,
        keys: impl Iterator<Item = String>,
        is_free: impl Fn(&str) -> bool,
    ) -> Option<RecipeAddition> {
        let text = plain_file::read_text(&dir.join(FILE)).ok()?;
        let before = reader::read(dir, kind, &text, &mut Notices::default())?.cases;
        if let Some(known) = before.iter().find(|one| self.makes(one)) {
            return Some(RecipeAddition::Known(known.name.clone()));
        }
        let place = RecipePlace::at_the_end_of_secret(&text)?;
        for key in keys {
            let text = place.inserted(&text, &key, self);
            let after = reader::read(dir, kind, &text, &mut Notices::default())?.cases;
            let (new, old): (Vec<&Recipe>, Vec<&Recipe>) =
                after.iter().partition(|one| !before.contains(one));
            let [new] = new[..] else { return None };
            if !self.makes(new) || old.len() != before.len() {
                return None;
            }
            if is_free(&new.name) {
                return Some(RecipeAddition::Listed {
                    file: PathBuf::from(FILE),
                    name: new.name.clone(),
                    text,
                });
            }
        }
        None
    }

    /// Whether the recipe is this one.
    fn makes(&self, recipe: &Recipe) -> bool {
        let command = recipe.attempts.first();
        let is_made =
            command.is_some_and(|found| found.shown == self.command && found.source == self.source);
        is_made && recipe.copies.is_empty() && recipe.texts.is_empty()
    }
}

/// Where a line is added.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RecipePlace {
    /// The line before which it is added.
    line: usize,
    indentation: String,
    /// Whether the cases are the items of a list.
    is_list: bool,
}

impl RecipePlace {
    fn at_the_end_of_secret(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let mut inside = 0..lines.len();
        for key in ["data:", "secret:", "data:"] {
            inside = contents(&lines, inside, key)?;
        }
        let first = lines[inside.clone()].iter().find(|line| counts(line))?;
        let level = indentation(first);
        let is_last = |at: &usize| {
            let line = lines[*at];
            !line.trim().is_empty() && (counts(line) || indentation(line) > level)
        };
        let last = inside.rev().find(is_last)?;
        Some(Self {
            line: last + 1,
            indentation: first[..level].to_owned(),
            is_list: first[level..].starts_with("- "),
        })
    }

    fn inserted(&self, text: &str, key: &str, recipe: &NewRecipe<'_>) -> String {
        let Self { line, indentation, is_list } = self;
        let dash = if *is_list { "- " } else { "" };
        let comment: String =
            recipe.comment.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let command = scalar(recipe.command);
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let new = format!("{indentation}# {comment}{end}{indentation}{dash}{key}: {command}{end}");
        let lines = text.split_inclusive('\n');
        let (before, after) = text.split_at(lines.take(*line).map(str::len).sum());
        let is_open = !before.is_empty() && !before.ends_with('\n');
        let end = if is_open { end } else { "" };
        format!("{before}{end}{new}{after}")
    }
}

/// The lines below the line with the key, which is one of the outermost lines of `inside`.
fn contents(lines: &[&str], inside: Range<usize>, key: &str) -> Option<Range<usize>> {
    let level = indentation(lines[inside.clone()].iter().find(|line| counts(line))?);
    let is_outer = |at: &usize| counts(lines[*at]) && indentation(lines[*at]) <= level;
    let is_key = |at: &usize| {
        let line = lines[*at].split(" #").next().unwrap_or_default();
        is_outer(at) && line.trim() == key
    };
    let start = inside.clone().find(is_key)? + 1;
    // The items of a list may stand as far to the left as their key.
    let is_end = |at: &usize| is_outer(at) && !lines[*at].trim_start().starts_with("- ");
    let end = (start..inside.end).find(is_end).unwrap_or(inside.end);
    Some(start..end)
}

/// Whether a line is neither blank nor a comment.
fn counts(line: &str) -> bool {
    let line = line.trim_start();
    !line.is_empty() && !line.starts_with('#')
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// A text as YAML reads it.
fn scalar(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || " _-./=+".contains(c);
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_plain) {
        return text.to_owned();
    }
    serde_json::to_string(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMAND: &str = "gen.rs 5 7";

    fn added(text: &str) -> Option<RecipeAddition> {
        let folder = tempfile::tempdir().unwrap();
        let generators = folder.path().join("generators");
        std::fs::create_dir(&generators).unwrap();
        for (name, text) in [("gen.rs", ""), ("sol.rs", ""), ("generators.yaml", text)] {
            std::fs::write(generators.join(name), text).unwrap();
        }
        std::fs::create_dir_all(folder.path().join("submissions/accepted")).unwrap();
        std::fs::write(folder.path().join("submissions/accepted/sol.rs"), "").unwrap();
        let recipe = NewRecipe {
            command: COMMAND,
            source: &generators.join("gen.rs"),
            comment: "sol.rs gets WA",
        };
        let keys = (1..5).map(|number| format!("stress-{number}"));
        recipe.add(folder.path(), Kind::default(), keys, |name| !name.ends_with("stress-1"))
    }

    fn listed(text: &str) -> Option<(String, String)> {
        match added(text)? {
            RecipeAddition::Listed { text, name, .. } => Some((text, name)),
            RecipeAddition::Known(_) => None,
        }
    }

    const HEAD: &str = "solution: /submissions/accepted/sol.rs\n";

    #[test]
    fn a_case_is_added_at_the_end_of_secret() {
        let new =
            |dash: &str| format!("      # sol.rs gets WA\n      {dash}stress-2: gen.rs 5 7\n");
        for (before, after, dash, name) in [
            (
                "data:\n  secret: # all\n    data:\n      # The first.\n      '1': gen.rs 1 2\n      two: {in: '3'}\n",
                "\n  sample:\n    data:\n      '1': {in: '3'}\n",
                "",
                "secret/stress-2",
            ),
            (
                "data:\n  sample:\n    data:\n      '1': {in: '3'}\n  secret:\n    data:\n      group:\n        \
                 data:\n          - one: gen.rs 1 2\n      grid:\n        in: |\n          ..\n          ##\n",
                "# The end.\n",
                "",
                "secret/stress-2",
            ),
            (
                "data:\n  secret:\n    data:\n      - one: gen.rs 1 2\n",
                "",
                "- ",
                "secret/2-stress-2",
            ),
        ] {
            let text = format!("{HEAD}{before}{after}");
            let expected = format!("{HEAD}{before}{}{after}", new(dash));
            let listed_as = |text: String| Some((text, name.to_owned()));
            assert_eq!(listed(&text), listed_as(expected.clone()), "{text}");
            // Every other line stays as it is.
            let windows = |text: &str| text.replace('\n', "\r\n");
            assert_eq!(listed(&windows(&text)), listed_as(windows(&expected)));
        }
    }

    #[test]
    fn no_line_ending_is_changed() {
        let before = format!("{HEAD}data:\n  secret:\r\n    data:\n      one: gen.rs 1 2");
        let new = "\r\n      # sol.rs gets WA\r\n      stress-2: gen.rs 5 7\r\n";
        let expected = (format!("{before}{new}"), "secret/stress-2".to_owned());
        assert_eq!(listed(&before), Some(expected));
    }

    #[test]
    fn a_known_command_is_not_added_again() {
        let text = format!("{HEAD}data:\n  secret:\n    data:\n      old: {COMMAND}\n");
        assert_eq!(added(&text), Some(RecipeAddition::Known("secret/old".into())));
    }

    #[test]
    fn a_text_without_a_certain_place_stays() {
        for text in [
            "data: {secret: {data: {one: gen.rs 1 2}}}\n",
            "data:\n  sample:\n    data:\n      '1': {in: '3'}\n",
            "data:\n  secret:\n    data: {one: gen.rs 1 2}\n",
            "data:\n  secret:\n    data:\n",
            "no plan\n",
            // Ten cases get numbers of two digits, so the names of the others would change.
            "data:\n  secret:\n    data:\n      - a: {in: '1'}\n      - b: {in: '2'}\n      - c: {in: '3'}\n      \
             - d: {in: '4'}\n      - e: {in: '5'}\n      - f: {in: '6'}\n      - g: {in: '7'}\n      - h: {in: '8'}\n      \
             - i: {in: '9'}\n",
        ] {
            assert_eq!(added(&format!("{HEAD}{text}")), None, "{text}");
        }
    }

    #[test]
    fn a_command_is_quoted_if_yaml_would_read_it_in_another_way() {
        assert_eq!(scalar("gen.rs -n 5 x=3"), "gen.rs -n 5 x=3");
        assert_eq!(scalar("gen.rs a: #"), "\"gen.rs a: #\"");
        assert_eq!(scalar("1.py"), "\"1.py\"");
    }
}
