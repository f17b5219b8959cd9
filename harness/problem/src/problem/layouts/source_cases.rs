//! Cases that belong to one of several sources in a folder: by the source's name, or in a tool's
//! file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{compete, json_cases};
use crate::notice::Notices;
use crate::problem::bounds::is_link_outside;
use crate::problem::{CaseFiles, CaseSet, Problem, TestCase, natural_order};

/// A naming convention of cases whose names start with the source's name.
pub(super) struct Prefix {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    /// The text between the source's name and the number, and the text after the number. `input`
    /// for inputs, `answer` for answers.
    input: [&'static str; 2],
    answer: [&'static str; 2],
    /// Whether the cases belong to the source only if other cases in the folder belong to other
    /// sources.
    is_for_shared_folders: bool,
}

static PREFIXES: [Prefix; 3] = [
    Prefix {
        name: "cpbooster",
        what: "`SOURCE.inN` + `SOURCE.ansN`",
        input: [".in", ""],
        answer: [".ans", ""],
        is_for_shared_folders: false,
    },
    Prefix {
        name: "competitest",
        what: "`SOURCE_inputN.txt` + `SOURCE_outputN.txt`",
        input: ["_input", ".txt"],
        answer: ["_output", ".txt"],
        is_for_shared_folders: false,
    },
    Prefix {
        name: "cp-editor",
        what: "`SOURCE_N.in` + `SOURCE_N.ans`",
        input: ["_", ".in"],
        answer: ["_", ".ans"],
        is_for_shared_folders: true,
    },
];

/// Where the cases of a single source are.
pub(super) enum SourceCases {
    Prefix(&'static Prefix),
    /// The file of CPH.
    Prob(PathBuf),
    /// The file of cargo-compete.
    Compete(PathBuf),
}

impl SourceCases {
    /// Whether other cases in the folder belong to other sources.
    pub(super) fn are_in_shared_folder(&self) -> bool {
        matches!(self, Self::Prefix(prefix) if prefix.is_for_shared_folders)
    }

    /// The name for `--layout`, and a human-readable description.
    pub(super) fn name(&self) -> (&'static str, &'static str) {
        match self {
            Self::Prefix(prefix) => (prefix.name, prefix.what),
            Self::Prob(_) => ("cph", "`.cph/*.prob` of the source"),
            Self::Compete(_) => ("cargo-compete", "`testcases/SOURCE.yml`"),
        }
    }
}

/// The names that `--layout` accepts for these layouts.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PREFIXES.iter().map(|prefix| prefix.name).chain(["cph", "cargo-compete"])
}

/// Where the cases of a source are. Several entries are several possible readings.
pub(super) fn of_source(source: &Path) -> Vec<SourceCases> {
    let Some(dir) = source.parent() else {
        return Vec::new();
    };
    of_source_among(source, &listing(dir))
}

/// The first of the sources that share cases by their name; otherwise the source itself.
pub(super) fn first_of_name(source: &Path, is_source: &impl Fn(&Path) -> bool) -> PathBuf {
    let by_name = |cases: &SourceCases| matches!(cases, SourceCases::Prefix(_));
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
        // The search for problems reports it.
        .filter(|entry| !is_link_outside(dir, entry))
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect()
}

fn of_source_among(source: &Path, listing: &BTreeSet<String>) -> Vec<SourceCases> {
    let (Some(dir), Some(stem), Some(name)) = (
        source.parent(),
        source.file_stem().and_then(|stem| stem.to_str()),
        source.file_name().and_then(|name| name.to_str()),
    ) else {
        return Vec::new();
    };
    let mut found: Vec<SourceCases> = PREFIXES
        .iter()
        .filter(|prefix| !prefix.inputs(stem, listing).is_empty())
        .filter(|prefix| !prefix.is_for_shared_folders || shared(stem, listing))
        .map(SourceCases::Prefix)
        .collect();
    found.extend(probs(dir, name).into_iter().map(SourceCases::Prob));
    if dir.ends_with("src/bin")
        && let Some(package) = dir.ancestors().nth(2)
    {
        let file = package.join("testcases").join(format!("{stem}.yml"));
        if file.is_file() {
            found.push(SourceCases::Compete(file));
        }
    }
    found
}

impl Prefix {
    /// The numbers of the inputs of a source with this name.
    fn inputs<'a>(&self, stem: &str, listing: &'a BTreeSet<String>) -> Vec<&'a str> {
        let head = format!("{stem}{}", self.input[0]);
        // The names are sorted, so those with the same prefix are adjacent.
        let alike = listing.range(head.clone()..).take_while(|name| name.starts_with(&head));
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

/// Whether `a_1.in` belongs to the source `a`: only if other cases in the folder belong to other
/// sources. Otherwise they are simply the folder's cases.
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

/// The CPH files of the source `name`. They are found by the path inside: the MD5 sum in a file's
/// name is that of an absolute path, which may have changed. A file for exactly this path wins.
fn probs(dir: &Path, name: &str) -> Vec<PathBuf> {
    let folder = dir.join(".cph");
    let head = format!(".{name}_");
    let mut found = Vec::new();
    for file in listing(&folder) {
        let path = folder.join(&file);
        if path.extension().is_none_or(|end| end != "prob") || !file.starts_with(&head) {
            continue;
        }
        let source = json_cases::read_companion(&path, "").ok().and_then(|prob| prob.src_path);
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

/// Reads the cases of a single source.
pub(super) fn load(cases: &SourceCases, source: &Path, notices: &mut Notices) -> Option<Problem> {
    match cases {
        SourceCases::Prefix(prefix) => Some(Problem {
            cases: prefix.cases(source),
            ..Problem::foreign(source.parent().unwrap_or(source))
        }),
        SourceCases::Prob(path) => json_cases::load_prob(path, notices),
        SourceCases::Compete(path) => compete::load(path, notices),
    }
}

impl Prefix {
    fn cases(&self, source: &Path) -> Vec<TestCase> {
        let dir = source.parent().unwrap_or(source);
        let stem = source.file_stem().unwrap_or_default().to_string_lossy();
        let listing = listing(dir);
        let set = Arc::new(CaseSet { root: dir.to_path_buf(), ..CaseSet::default() });
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
    fn numbered_cases_belong_to_a_source_only_among_cases_of_others() {
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
    fn a_source_has_the_numbers_after_its_name() {
        let listing = names(&["a.in1", "a.in2", "a.in", "ab.in3", "a.inx"]);
        assert_eq!(PREFIXES[0].inputs("a", &listing), ["1", "2"]);
        assert_eq!(PREFIXES[0].inputs("b", &listing), [""; 0]);
    }
}
