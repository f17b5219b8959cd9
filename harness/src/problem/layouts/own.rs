//! Cases that belong to one source among others in a folder: by its name, or by a tool's file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::parts::Parts;
use super::{compete, texts};
use crate::notice::Notices;
use crate::problem::{CaseFiles, CaseSet, TestCase, natural_order};

/// A convention of names that begin with the source's.
pub(super) struct Prefix {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    /// Between the source's name and the number, and behind that: of inputs, of answers.
    input: [&'static str; 2],
    answer: [&'static str; 2],
}

pub(super) const CP_EDITOR: &str = "cp-editor";

static PREFIXES: [Prefix; 3] = [
    Prefix {
        name: "cpbooster",
        what: "`SOURCE.inN` + `SOURCE.ansN`",
        input: [".in", ""],
        answer: [".ans", ""],
    },
    Prefix {
        name: "competitest",
        what: "`SOURCE_inputN.txt` + `SOURCE_outputN.txt`",
        input: ["_input", ".txt"],
        answer: ["_output", ".txt"],
    },
    Prefix {
        name: CP_EDITOR,
        what: "`SOURCE_N.in` + `SOURCE_N.ans`",
        input: ["_", ".in"],
        answer: ["_", ".ans"],
    },
];

/// Where a source's own cases lie.
pub(super) enum Own {
    Prefix(&'static Prefix),
    /// CPH's file.
    Prob(PathBuf),
    /// cargo-compete's file.
    Compete(PathBuf),
}

impl Own {
    /// For `--layout`, and for people.
    pub(super) fn name(&self) -> (&'static str, &'static str) {
        match self {
            Self::Prefix(prefix) => (prefix.name, prefix.what),
            Self::Prob(_) => ("cph", "`.cph/*.prob` of the source"),
            Self::Compete(_) => ("cargo-compete", "`testcases/SOURCE.yml`"),
        }
    }
}

/// The names that `--layout` knows here.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PREFIXES
        .iter()
        .map(|prefix| prefix.name)
        .chain(["cph", "cargo-compete"])
}

/// Where the own cases of a source lie; several are several readings.
pub(super) fn of_source(source: &Path) -> Vec<Own> {
    let Some(dir) = source.parent() else {
        return Vec::new();
    };
    of_source_among(source, &listing(dir))
}

/// The sources in `dir` (or in its `src/bin/`) that have cases of their own.
pub(super) fn sources(dir: &Path, is_source: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in [dir.to_path_buf(), dir.join("src/bin")] {
        let listing = listing(&folder);
        for name in &listing {
            let path = folder.join(name);
            if is_source(&path) && !of_source_among(&path, &listing).is_empty() {
                found.push(path);
            }
        }
    }
    found.sort_by(|a, b| natural_order(&a.to_string_lossy(), &b.to_string_lossy()));
    found
}

/// Of sources that share cases by their name, the first; else the source itself.
pub(super) fn first_of_name(source: &Path, is_source: &impl Fn(&Path) -> bool) -> PathBuf {
    let by_name = |own: &Own| matches!(own, Own::Prefix(_));
    let dir = source.parent().unwrap_or(source);
    let listing = listing(dir);
    if !of_source_among(source, &listing).iter().all(by_name) {
        return source.to_path_buf();
    }
    let paths = listing.iter().map(|name| dir.join(name));
    let mut same = paths.filter(|path| path.file_stem() == source.file_stem() && is_source(path));
    same.next().unwrap_or_else(|| source.to_path_buf())
}

fn listing(dir: &Path) -> BTreeSet<String> {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return BTreeSet::new();
    };
    entries
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

fn of_source_among(source: &Path, listing: &BTreeSet<String>) -> Vec<Own> {
    let (Some(dir), Some(stem), Some(name)) = (
        source.parent(),
        source.file_stem().and_then(|stem| stem.to_str()),
        source.file_name().and_then(|name| name.to_str()),
    ) else {
        return Vec::new();
    };
    let mut found: Vec<Own> = PREFIXES
        .iter()
        .filter(|prefix| !prefix.inputs(stem, listing).is_empty())
        .filter(|prefix| prefix.name != CP_EDITOR || shared(stem, listing))
        .map(Own::Prefix)
        .collect();
    found.extend(probs(dir, name).into_iter().map(Own::Prob));
    if dir.ends_with("src/bin")
        && let Some(package) = dir.ancestors().nth(2)
    {
        let file = package.join("testcases").join(format!("{stem}.yml"));
        if file.is_file() {
            found.push(Own::Compete(file));
        }
    }
    found
}

impl Prefix {
    /// The numbers of the inputs that belong to a source of this name.
    fn inputs<'a>(&self, stem: &str, listing: &'a BTreeSet<String>) -> Vec<&'a str> {
        let head = format!("{stem}{}", self.input[0]);
        // Sorted, so what begins alike lies together.
        let alike = listing.range(head.clone()..);
        let alike = alike.take_while(|name| name.starts_with(&head));
        alike
            .filter_map(|name| {
                let number = name.strip_prefix(&head)?.strip_suffix(self.input[1])?;
                is_number(number).then_some(number)
            })
            .collect()
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `a_1.in` is the source's own case only if others of the folder's cases belong to other sources:
/// else they are simply the folder's cases.
fn shared(stem: &str, listing: &BTreeSet<String>) -> bool {
    let mut owners = BTreeSet::new();
    for name in listing {
        let Some(case) = name.strip_suffix(".in") else {
            continue;
        };
        match case.rsplit_once('_') {
            Some((owner, number)) if is_number(number) => owners.insert(owner),
            _ => return false,
        };
    }
    let has_source = |owner: &&str| {
        let head = format!("{owner}.");
        let mut alike = listing.range(head.clone()..);
        alike.next().is_some_and(|name| name.starts_with(&head))
    };
    owners.len() > 1 && owners.contains(stem) && owners.iter().all(has_source)
}

/// CPH's files of the source `name`, by the name in them, since the sum in theirs is of a path that
/// may have changed. One for this very path is better than others.
fn probs(dir: &Path, name: &str) -> Vec<PathBuf> {
    let folder = dir.join(".cph");
    let head = format!(".{name}_");
    let mut found = Vec::new();
    for file in listing(&folder) {
        let path = folder.join(&file);
        if path.extension().is_none_or(|end| end != "prob") || !file.starts_with(&head) {
            continue;
        }
        let source = texts::read_companion(&path)
            .ok()
            .and_then(|prob| prob.src_path);
        let Some(source) = source else {
            found.push(path);
            continue;
        };
        let last = source.rsplit(['/', '\\']).next();
        if last == Some(name) {
            if Path::new(&source) == dir.join(name) {
                return vec![path];
            }
            found.push(path);
        }
    }
    found
}

/// Reads a source's own cases.
pub(super) fn load(own: &Own, source: &Path, notices: &mut Notices) -> Option<Parts> {
    match own {
        Own::Prefix(prefix) => Some(Parts::plain(prefix.cases(source))),
        Own::Prob(path) => texts::load_prob(path, notices),
        Own::Compete(path) => compete::load(path, notices),
    }
}

impl Prefix {
    fn cases(&self, source: &Path) -> Vec<TestCase> {
        let dir = source.parent().unwrap_or(source);
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let listing = listing(dir);
        let set = Arc::new(CaseSet {
            root: dir.to_path_buf(),
            ..CaseSet::default()
        });
        let mut numbers = self.inputs(&stem, &listing);
        numbers.sort_by(|a, b| natural_order(a, b));
        let cases = numbers.into_iter().map(|number| {
            let input = format!("{stem}{}{number}{}", self.input[0], self.input[1]);
            let answer = format!("{stem}{}{number}{}", self.answer[0], self.answer[1]);
            let files = CaseFiles {
                input: dir.join(input),
                answer: listing.contains(&answer).then(|| dir.join(answer)),
            };
            TestCase::with_files(number, Arc::clone(&set), files)
        });
        cases.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(files: &[&str]) -> BTreeSet<String> {
        files.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn numbered_cases_are_a_sources_own_only_beside_those_of_others() {
        let table: [(&[&str], bool); 5] = [
            (&["a.cpp", "a_1.in", "a_2.in"], false),
            (&["a.cpp", "a_1.in", "b.py", "b_1.in"], true),
            (&["a.cpp", "a_1.in", "b_1.in"], false),
            (&["a.cpp", "a_1.in", "b.py", "b_1.in", "big.in"], false),
            (&["c.cpp", "a.cpp", "a_1.in", "b.py", "b_1.in"], true),
        ];
        for (files, expected) in table {
            assert_eq!(shared("a", &names(files)), expected, "{files:?}");
        }
    }

    #[test]
    fn a_source_takes_the_numbers_behind_its_own_name() {
        let listing = names(&["a.in1", "a.in2", "a.in", "ab.in3", "a.inx"]);
        assert_eq!(PREFIXES[0].inputs("a", &listing), ["1", "2"]);
        assert_eq!(PREFIXES[0].inputs("b", &listing), [""; 0]);
    }
}
