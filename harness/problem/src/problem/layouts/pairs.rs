//! Folders of cases without a describing file: the names show which answer belongs to which input.
//!
//! The table has one row per convention. The most common one, `NAME.in` with `NAME.ans` or
//! `NAME.out`, is in [`plain`](super::super::plain), because it alone must handle a hundred
//! thousand cases.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use super::coci;
use super::scene::Scene;
use crate::name_text;
use crate::notice::{Code, Few, Notice, Notices};
use crate::problem::{
    CaseFiles, CaseSet, Problem, TestCase, bounds_of, is_ignored, leads_out_of_bounds,
    link_outside, natural_order,
};

/// A naming convention.
#[derive(Debug)]
pub(super) struct NamePattern {
    /// The name for `--layout`.
    pub(super) name: &'static str,
    /// The human-readable description.
    pub(super) what: &'static str,
    /// The folder of the inputs, relative to the case folder.
    inputs: &'static str,
    /// The folder of the answers.
    answers: &'static str,
    /// Maps the name of an input to the case's name and the answer's name; `None`: it is not an
    /// input.
    reads: fn(&str) -> Option<(String, String)>,
    /// Whether inputs without any answers are still read.
    without_answers: bool,
    /// Whether names are numbered: one that has no number where others have it is an input only if its answer exists.
    numbered: bool,
}

/// The table. If two rows read the same files, only one of them finds answers.
static ROWS: [NamePattern; 18] = [
    row("sol", "`NAME.in` + `NAME.sol`", "", "", |name| end(name, ".in", ".sol")),
    row("sol", "`tests/NAME.in` + `tests/NAME.sol`", "tests", "tests", |name| {
        end(name, ".in", ".sol")
    }),
    row("hackerrank", "`input/inputN.txt` + `output/outputN.txt`", "input", "output", |name| {
        number(name, "input", ".txt", "output", ".txt")
    })
    .numbered(),
    row("input-output", "`inputN.txt` + `outputN.txt`", "", "", |name| {
        number(name, "input", ".txt", "output", ".txt")
    })
    .numbered(),
    row("polygon-tests", "`01` + `01.a`", "", "", |name| number(name, "", "", "", ".a")).numbered(),
    row("polygon-tests", "`tests/01` + `tests/01.a`", "tests", "tests", |name| {
        number(name, "", "", "", ".a")
    })
    .numbered(),
    NamePattern {
        without_answers: true,
        ..row("atcoder", "`in/X` + `out/X`", "in", "out", |name| {
            Some((name.to_owned(), name.to_owned()))
        })
    },
    NamePattern {
        without_answers: true,
        ..row("ahc", "`tools/in/X`", "tools/in", "tools/in", |name| {
            Some((name.to_owned(), String::new()))
        })
    },
    row("in-out", "`in/X.in` + `out/X.out`", "in", "out", |name| end(name, ".in", ".out")),
    row("boca", "`input/X` + `output/X`", "input", "output", |name| {
        Some((name.to_owned(), name.to_owned()))
    }),
    row("boca", "`input/X.in` + `output/X.out`", "input", "output", |name| {
        end(name, ".in", ".out")
    }),
    row("yukicoder", "`test_in/X` + `test_out/X`", "test_in", "test_out", |name| {
        Some((name.to_owned(), name.to_owned()))
    }),
    row("cf-tool", "`inN.txt` + `ansN.txt`", "", "", |name| {
        number(name, "in", ".txt", "ans", ".txt")
    })
    .numbered(),
    row("coci", "`TASK.in.N` + `TASK.out.N`", "", "", coci::reads).numbered(),
    row("usaco", "`I.N` + `O.N`", "", "", coci::reads_initials).numbered(),
    NamePattern {
        without_answers: true,
        ..row("advent", "`input.txt`, `example.txt`", "", "", |name| {
            let stem = name.strip_suffix(".txt")?;
            let known = stem == "input" || stem.starts_with("example");
            known.then(|| (stem.to_owned(), String::new()))
        })
    },
    NamePattern {
        without_answers: true,
        ..row("advent", "`inputs/X.txt`", "inputs", "inputs", |name| {
            let stem = name.strip_suffix(".txt").or_else(|| name.strip_suffix(".in"))?;
            Some((stem.to_owned(), String::new()))
        })
    },
    // Last, because it searches the subfolders for `CASE/input.txt`.
    row(FOLDERS, "`CASE/input.txt` + `CASE/output.txt`", "", "", |_| None),
];

const FOLDERS: &str = "folders";

const fn row(
    name: &'static str,
    what: &'static str,
    inputs: &'static str,
    answers: &'static str,
    reads: fn(&str) -> Option<(String, String)>,
) -> NamePattern {
    NamePattern { name, what, inputs, answers, reads, without_answers: false, numbered: false }
}

impl NamePattern {
    const fn numbered(self) -> Self {
        Self { numbered: true, ..self }
    }
}

fn end(name: &str, from: &str, to: &str) -> Option<(String, String)> {
    let stem = name.strip_suffix(from).filter(|stem| !stem.is_empty())?;
    Some((stem.to_owned(), format!("{stem}{to}")))
}

fn number(name: &str, head: &str, tail: &str, to: &str, to_tail: &str) -> Option<(String, String)> {
    let id = name.strip_prefix(head)?.strip_suffix(tail)?;
    let is_answer = head.is_empty() && id.ends_with(to_tail);
    (!id.is_empty() && !is_answer).then(|| (id.to_owned(), format!("{to}{id}{to_tail}")))
}

/// Whether the last part of a case's name begins with a digit, as `task.1a` does.
fn has_number(case: &str) -> bool {
    let last = case.rsplit(['/', '.']).next().unwrap_or(case);
    last.starts_with(|c: char| c.is_ascii_digit())
}

/// The cases that a row finds in a folder.
#[derive(Debug)]
pub(super) struct FoundPairs {
    pub(super) row: &'static NamePattern,
    cases: Vec<PairedCase>,
    /// Answer files without an input.
    stray: Vec<PathBuf>,
}

#[derive(Debug)]
struct PairedCase {
    name: String,
    input: PathBuf,
    /// The path of the answer, whether it exists or not.
    answer: Option<PathBuf>,
    answered: bool,
}

/// The readings of `dir`: by the rows that find answers, otherwise by those for which inputs are
/// enough.
pub(super) fn find(dir: &Path) -> Vec<FoundPairs> {
    let mut folders = Folders::default();
    let all: Vec<FoundPairs> = ROWS
        .iter()
        .filter_map(|row| find_pairs(row, dir, &mut folders))
        .filter(|found| !found.cases.is_empty())
        .collect();
    let (answered, unanswered): (Vec<_>, Vec<_>) =
        all.into_iter().partition(FoundPairs::has_answers);
    if answered.is_empty() {
        unanswered.into_iter().filter(|found| found.row.without_answers).collect()
    } else {
        answered
    }
}

/// The names that `--layout` accepts for these layouts.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    let mut last = "";
    ROWS.iter().map(|row| row.name).filter(move |name| {
        let new = *name != last;
        last = name;
        new
    })
}

impl FoundPairs {
    /// Whether any input has an answer.
    pub(super) fn has_answers(&self) -> bool {
        self.cases.iter().any(|case| case.answered)
    }
}

/// The file names of folders. Each folder is listed only once.
#[derive(Default)]
struct Folders(BTreeMap<PathBuf, Option<Rc<BTreeSet<String>>>>);

impl Folders {
    fn names(&mut self, folder: &Path) -> Option<Rc<BTreeSet<String>>> {
        let known = self.0.entry(folder.to_path_buf());
        known.or_insert_with(|| file_names(folder).map(Rc::new)).clone()
    }
}

fn find_pairs(row: &'static NamePattern, dir: &Path, folders: &mut Folders) -> Option<FoundPairs> {
    if row.name == FOLDERS {
        return Some(find_in_subfolders(row, dir));
    }
    let folder = dir.join(row.inputs);
    let inputs = folders.names(&folder)?;
    let answers_in = dir.join(row.answers);
    let apart = row.inputs != row.answers;
    let known = folders.names(&answers_in).unwrap_or_default();
    let mut used = BTreeSet::new();
    let mut cases = Vec::new();
    for name in inputs.iter() {
        let Some((case, answer)) = (row.reads)(name) else {
            continue;
        };
        let answered = known.contains(&answer);
        if row.numbered && !answered && !has_number(&case) {
            continue;
        }
        cases.push(PairedCase {
            name: case,
            input: folder.join(name_text::path(name)),
            answer: (!answer.is_empty()).then(|| answers_in.join(name_text::path(&answer))),
            answered,
        });
        used.insert(answer);
    }
    let stray = known.difference(&used).filter(|_| apart);
    let stray = stray.map(|name| answers_in.join(name_text::path(name))).collect();
    Some(FoundPairs { row, cases, stray })
}

fn find_in_subfolders(row: &'static NamePattern, dir: &Path) -> FoundPairs {
    let mut cases = Vec::new();
    for place in ["", "test", "tests"] {
        let place = dir.join(place);
        let Ok(entries) = std::fs::read_dir(&place) else {
            continue;
        };
        for entry in entries.flatten() {
            // There may be many entries: skip files.
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                continue;
            }
            let folder = entry.path();
            let input = folder.join("input.txt");
            let name = name_text::text(&entry.file_name()).into_owned();
            if is_ignored(&name) || !input.is_file() {
                continue;
            }
            let answer = folder.join("output.txt");
            cases.push(PairedCase {
                name,
                input,
                answered: answer.is_file(),
                answer: Some(answer),
            });
        }
        if !cases.is_empty() {
            break;
        }
    }
    FoundPairs { row, cases, stray: Vec::new() }
}

/// The names of the files in a folder; `None`: there is no such folder.
fn file_names(folder: &Path) -> Option<BTreeSet<String>> {
    let entries = std::fs::read_dir(folder).ok()?;
    let files = entries.flatten().filter_map(|entry| {
        let name = name_text::text(&entry.file_name()).into_owned();
        // Links are followed, as everywhere.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file()) || entry.path().is_file();
        (is_file && !is_ignored(&name)).then_some(name)
    });
    Some(files.collect())
}

/// Turns the cases found into a problem.
pub(super) fn load(found: FoundPairs, scene: &Scene<'_>, notices: &mut Notices) -> Problem {
    let set = Arc::new(CaseSet { root: scene.root.to_path_buf(), ..CaseSet::default() });
    let mut unanswered = Few::default();
    let mut cases = found.cases;
    let bounds = bounds_of(scene.root);
    cases.retain(|case| {
        let files = std::iter::once(&case.input).chain(&case.answer);
        let mut links = files.filter(|file| file.is_symlink());
        let outside = links.find(|link| leads_out_of_bounds(&bounds, link));
        let notice = outside.map(|link| link_outside(link, notices));
        let is_inside = notice.is_none();
        let new = notice.filter(|notice| !notices.errors.contains(notice));
        notices.errors.extend(new);
        is_inside
    });
    cases.sort_by(|a, b| natural_order(&a.name, &b.name));
    let cases = cases.into_iter().map(|case| {
        let wanted = case.answered || scene.options.answering;
        let answer = case.answer.filter(|_| wanted);
        if answer.is_none() {
            unanswered.push(|| Notice {
                code: Code::MissingAnswer,
                location: None,
                message: format!("{} has no answer; it is only run", notices.show(&case.input)),
                help: None,
            });
        }
        let files = CaseFiles { input: case.input, answer };
        TestCase::with_files(case.name, Arc::clone(&set), files)
    });
    let cases: Vec<TestCase> = cases.collect();
    let mut strays = Few::default();
    for path in &found.stray {
        strays.push(|| Notice {
            code: Code::MissingInput,
            location: None,
            message: format!("{} has no input; it is ignored", notices.show(path)),
            help: None,
        });
    }
    let unanswered = unanswered.finish("inputs without an answer");
    notices.warnings.extend(unanswered);
    let strays = strays.finish("answers without an input");
    notices.warnings.extend(strays);
    Problem { cases, ..Problem::foreign(scene.root) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_names_follow_from_input_names() {
        let table = [
            ("sol", "a.g1-2.in", Some(("a.g1-2", "a.g1-2.sol"))),
            ("sol", ".in", None),
            ("hackerrank", "input00.txt", Some(("00", "output00.txt"))),
            ("hackerrank", "input.txt", None),
            ("hackerrank", "input_a.txt", Some(("_a", "output_a.txt"))),
            ("polygon-tests", "01", Some(("01", "01.a"))),
            ("polygon-tests", "01.a", None),
            ("cf-tool", "in1.txt", Some(("1", "ans1.txt"))),
            ("cf-tool", "out1.txt", None),
            ("coci", "task.in.1a", Some(("1/task.1a", "task.out.1a"))),
            ("coci", "task.in.1ab", Some(("1/task.1ab", "task.out.1ab"))),
            ("coci", "task.in.a", Some(("task.a", "task.out.a"))),
            ("coci", "task.in.12", Some(("task.12", "task.out.12"))),
            ("coci", "task.in.4-1", Some(("task.4-1", "task.out.4-1"))),
            ("usaco", "I.3", Some(("3", "O.3"))),
            ("usaco", "I.3a", Some(("3/3a", "O.3a"))),
        ];
        for (row, name, expected) in table {
            let row = ROWS.iter().find(|known| known.name == row).unwrap();
            let expected = expected.map(|(case, answer)| (case.to_owned(), answer.to_owned()));
            assert_eq!((row.reads)(name), expected, "{name}");
        }
    }
}
