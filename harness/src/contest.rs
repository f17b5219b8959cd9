//! The list of a contest's problems: their order, labels and colours, as `problems.yaml`, `problemset.yaml` and `contest.yaml`
//! state them.
//!
//! `BAPCtools` and `DOMjudge` read the same files. It decides nothing about the problems: it only orders and names them.

use std::path::{Path, PathBuf};

use crate::notice::{Code, Notice, Notices, Place, nearest, shown};
use crate::problem::yaml::{Node, Value};
use crate::problem::{Problem, read_yaml};

/// The files that may list the problems, the most specific first.
pub(crate) const FILES: [&str; 3] = ["problems.yaml", "problemset.yaml", "contest.yaml"];

/// The key of the list in a file that has other keys.
const PROBLEMS: &str = "problems";

/// The keys of a problem's folder; the later ones are older names.
const ID: [&str; 3] = ["id", "short-name", "short_name"];

/// The keys of a label; the later one is an older name.
const LABEL: [&str; 2] = ["label", "letter"];

/// The keys of a colour.
const COLOUR: [&str; 2] = ["rgb", "color"];

/// How an entry is written.
const EXAMPLE: &str = "write an entry for each problem: `- {id: NAME, label: A}`";

/// A problem in the list.
#[derive(Debug, PartialEq)]
pub(crate) struct ContestEntry {
    /// The name of its folder.
    pub(crate) id: String,
    /// What participants call it: `A`.
    pub(crate) label: String,
    /// The colour of its balloon: `#ff0000` or a name.
    pub(crate) colour: Option<String>,
    place: Place,
}

/// The problems of a contest, in order.
#[derive(Debug, Default)]
pub(crate) struct ContestList {
    /// The file that has the list; empty without one.
    file: PathBuf,
    entries: Vec<ContestEntry>,
    /// Whether all of its problems were asked for.
    is_whole: bool,
}

impl ContestList {
    /// The list in the folder that is named, or in the one that holds all problems. Without paths, that is the current folder.
    /// The error names the first fault of the file.
    pub(crate) fn of(paths: &[PathBuf], problems: &[Problem]) -> Result<Self, Notice> {
        let named = paths.first().map_or(Path::new("."), PathBuf::as_path);
        let named = named.canonicalize().unwrap_or_else(|_| named.to_path_buf());
        let above = problems.first().and_then(|one| one.dir.parent());
        let above =
            above.filter(|above| problems.iter().all(|one| one.dir.parent() == Some(*above)));
        for folder in [Some(named.as_path()), above].into_iter().flatten() {
            if let Some((file, entries)) = read(folder)? {
                let is_whole = paths.is_empty() || paths.len() == 1 && folder.starts_with(&named);
                return Ok(Self { file, entries, is_whole });
            }
        }
        Ok(Self::default())
    }

    /// The entry of a problem.
    pub(crate) fn entry(&self, problem: &str) -> Option<&ContestEntry> {
        self.entries.iter().find(|entry| entry.id == problem)
    }

    /// Puts the problems in order; those that are not listed come last.
    pub(crate) fn sort<T>(&self, problems: &mut [T], id: impl Fn(&T) -> &str) {
        problems.sort_by_key(|one| {
            self.entries.iter().position(|entry| entry.id == id(one)).unwrap_or(usize::MAX)
        });
    }

    /// What the list names and is not among the problems. Folders with errors of their own are not repeated.
    pub(crate) fn missing(&self, problems: &[Problem], has_errors: bool) -> Vec<Notice> {
        let folder = self.file.parent().unwrap_or(&self.file);
        let is_here = |id: &str| problems.iter().any(|problem| problem.id == id);
        let others = || problems.iter().map(|one| one.id.as_str());
        let unlisted = || others().filter(|id| self.entry(id).is_none());
        let lost = self
            .entries
            .iter()
            .filter(|entry| !(is_here(&entry.id) || has_errors && folder.join(&entry.id).exists()));
        let notice = |entry: &ContestEntry| {
            let at = entry.place.of(&shown_here(&self.file));
            let notice =
                Code::UnknownProblem.at(at, format!("no problem is called `{}`", entry.id));
            notice.help(match nearest(&entry.id, unlisted()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "create it in {}, or remove the entry",
                    shown_here(&folder.join(&entry.id))
                ),
            })
        };
        if self.is_whole { lost.map(notice).collect() } else { Vec::new() }
    }

    /// Whether it lists all problems that were asked for.
    pub(crate) fn is_whole(&self) -> bool {
        !self.entries.is_empty() && self.is_whole
    }

    /// Whether a problem is part of the contest. Without a list of a whole contest, every problem is.
    pub(crate) fn has(&self, problem: &str) -> bool {
        !self.is_whole() || self.entry(problem).is_some()
    }

    /// The name of the file, as messages have it.
    pub(crate) fn name(&self) -> String {
        shown_here(&self.file)
    }
}

/// A path as it is called from the current folder.
fn shown_here(path: &Path) -> String {
    let current = std::env::current_dir().ok();
    shown(path, current.as_deref())
}

/// The file with the list in a folder, and its entries.
fn read(folder: &Path) -> Result<Option<(PathBuf, Vec<ContestEntry>)>, Notice> {
    for name in FILES {
        let file = folder.join(name);
        if !file.is_file() {
            continue;
        }
        let current = std::env::current_dir().ok();
        let mut notices = Notices::relative_to(current.as_deref());
        let Some(root) = read_yaml(&file, &mut notices) else {
            let fault = notices.errors.swap_remove(0);
            return Err(if name == FILES[2] { fault } else { fault.help(EXAMPLE) });
        };
        let shown = notices.show(&file);
        let list = match &root.value {
            Value::Map(entries) => entries.iter().find(|(key, _)| key.name == PROBLEMS),
            Value::Null => continue,
            Value::List(items) => return Ok(Some((file, entries(items, &shown)?))),
            _ => None,
        };
        match list.map(|(_, node)| (&node.value, node.place)) {
            Some((Value::List(items), _)) => return Ok(Some((file, entries(items, &shown)?))),
            Some((Value::Null, _)) => {}
            Some((_, place)) => return Err(not_a_list(place, &shown)),
            // Other settings of a contest.
            None if matches!(root.value, Value::Map(_)) && name == FILES[2] => {}
            None => return Err(not_a_list(root.place, &shown)),
        }
    }
    Ok(None)
}

fn not_a_list(place: Place, file: &str) -> Notice {
    Code::InvalidValue.at(place.of(file), "expected a list of problems").help(EXAMPLE)
}

fn entries(items: &[Node], file: &str) -> Result<Vec<ContestEntry>, Notice> {
    let mut all: Vec<ContestEntry> = Vec::new();
    for item in items {
        let one = entry(item, file)?;
        for earlier in &all {
            let same = [("label", &earlier.label, &one.label), ("id", &earlier.id, &one.id)];
            if let Some((key, value, _)) = same.iter().find(|(_, left, right)| left == right) {
                let line = earlier.place.line;
                return Err(Code::Conflict
                    .at(one.place.of(file), format!("{key} `{value}` is that of line {line} too"))
                    .help(format!("give each problem its own {key}")));
            }
        }
        all.push(one);
    }
    Ok(all)
}

fn entry(item: &Node, file: &str) -> Result<ContestEntry, Notice> {
    let Value::Map(keys) = &item.value else {
        let message = "expected the `id` and the `label` of a problem";
        return Err(Code::InvalidValue.at(item.place.of(file), message).help(EXAMPLE));
    };
    let text = |names: &[&str]| {
        let mut named = names.iter().filter_map(|name| {
            keys.iter().find(|(key, node)| key.name == *name && node.value != Value::Null)
        });
        match named.next() {
            None => Ok(None),
            Some((_, Node { value: Value::Text(text), .. })) if !text.is_empty() => {
                Ok(Some(text.clone()))
            }
            Some((key, node)) => Err(Code::InvalidValue
                .at(node.place.of(file), format!("`{}` is not a text", key.name))
                .help("write it in quotes")),
        }
    };
    let missing = |name: &str, example: &str| {
        let message = format!("the entry has no `{name}`");
        Code::InvalidValue.at(item.place.of(file), message).help(format!("add `{name}: {example}`"))
    };
    let id = text(&ID)?.ok_or_else(|| missing(ID[0], "NAME"))?;
    let label = text(&LABEL)?.ok_or_else(|| missing(LABEL[0], "A"))?;
    // It names a folder in archives.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !label.chars().all(is_plain) {
        return Err(Code::InvalidValue
            .at(item.place.of(file), format!("invalid label `{label}`"))
            .help("use letters, digits, `_` and `-`"));
    }
    let colour = text(&COLOUR)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '#' || c == ' ';
    if let Some(colour) = colour.as_ref().filter(|colour| !colour.chars().all(is_plain)) {
        return Err(Code::InvalidValue
            .at(item.place.of(file), format!("invalid colour `{colour}`"))
            .help("write `rgb: '#ff0000'`, or the name of a colour"));
    }
    Ok(ContestEntry { id, label, colour, place: item.place })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;

    type Pairs = &'static [(&'static str, &'static str)];

    fn list_of(files: &[(&str, &str)]) -> Result<ContestList, Notice> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let list = ContestList::of(&[folder.path().to_owned()], &[]);
        list.map_err(|notice| {
            let place = format!("{}/", shown_here(&folder.path().canonicalize().unwrap()));
            Notice { message: notice.message.replace(&place, ""), ..notice }
        })
    }

    #[test]
    fn the_forms_of_bapctools_and_of_contest_systems_are_read() {
        let tables: [(Pairs, Pairs); 7] = [
            (
                &[("problems.yaml", "- {id: q, label: A, rgb: '#f00'}\n- id: p\n  label: B\n")],
                &[("q", "A"), ("p", "B")],
            ),
            (
                &[("problems.yaml", "problems:\n- {id: q, label: A, name: {en: Q}}\n")],
                &[("q", "A")],
            ),
            (&[("problemset.yaml", "problems:\n- {letter: A, short-name: q}\n")], &[("q", "A")]),
            (
                &[("contest.yaml", "name: C\nproblems:\n- {id: q, label: A, letter: A}\n")],
                &[("q", "A")],
            ),
            // The file of the problems decides.
            (
                &[
                    ("problems.yaml", "- {id: q, label: X}\n"),
                    ("contest.yaml", "problems: [{id: p, label: A}]\n"),
                ],
                &[("q", "X")],
            ),
            (&[("problems.yaml", ""), ("contest.yaml", "test_session: true\n")], &[]),
            (&[], &[]),
        ];
        for (files, expected) in tables {
            let list = list_of(files).unwrap();
            let got: Vec<(&str, &str)> =
                list.entries.iter().map(|one| (one.id.as_str(), one.label.as_str())).collect();
            assert_eq!(got, expected, "{files:?}");
        }
    }

    #[test]
    fn a_fault_names_the_line_and_the_edit() {
        let add = "write an entry for each problem: `- {id: NAME, label: A}`";
        for (text, message, help) in [
            ("text\n", "1:1: expected a list of problems", add),
            ("a: 1\n", "1:1: expected a list of problems", add),
            ("problems: 3\n", "1:11: expected a list of problems", add),
            ("- q\n", "1:3: expected the `id` and the `label` of a problem", add),
            ("- {id: q, label: A}\n- {label: B}\n", "2:3: the entry has no `id`", "add `id: NAME`"),
            ("- id: q\n", "1:3: the entry has no `label`", "add `label: A`"),
            ("- id: 7\n  label: A\n", "1:7: `id` is not a text", "write it in quotes"),
            (
                "- {id: q, label: a/b}\n",
                "1:3: invalid label `a/b`",
                "use letters, digits, `_` and `-`",
            ),
            (
                "- {id: q, label: A, rgb: '${X}'}\n",
                "1:3: invalid colour `${X}`",
                "write `rgb: '#ff0000'`, or the name of a colour",
            ),
            (
                "- {id: q, label: A}\n- {id: p, label: A}\n",
                "2:3: label `A` is that of line 1 too",
                "give each problem its own label",
            ),
            (
                "- {id: q, label: A}\n- {id: q, label: B}\n",
                "2:3: id `q` is that of line 1 too",
                "give each problem its own id",
            ),
        ] {
            let notice = list_of(&[("problems.yaml", text)]).unwrap_err();
            let expected = format!("problems.yaml:{message}");
            assert_eq!((notice.message, notice.help.as_deref()), (expected, Some(help)));
        }
        let notice = list_of(&[("problems.yaml", "- {id: q\n")]).unwrap_err();
        assert!(notice.message.starts_with("problems.yaml:1:3: not valid YAML: "), "{notice}");
    }

    #[test]
    fn a_listed_problem_that_is_not_here_is_named_with_the_nearest_one() {
        let list = list_of(&[("problems.yaml", "- {id: sum, label: A}\n- {id: gone, label: B}\n")])
            .unwrap();
        let mut problem = specimen::problem(1);
        problem.id = "sums".to_owned();
        let missing = list.missing(std::slice::from_ref(&problem), false);
        let of = |number: usize| missing[number].help.as_deref().unwrap();
        assert_eq!(of(0), "did you mean `sums`?");
        assert!(of(1).ends_with("/gone, or remove the entry"), "{missing:?}");
        assert!(missing[0].message.ends_with("problems.yaml:1:3: no problem is called `sum`"));
        assert_eq!((list.has("sum"), list.has("sums")), (true, false));
    }
}
