//! Discovery in real folders: what is found, and in which order.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Found, Request, discover};
use crate::config::Repository;
use crate::verdict::Verdict;

mod faults;
mod habits;

fn language(extension: &OsStr) -> Option<String> {
    match extension.to_str()? {
        "rs" => Some("rust".to_owned()),
        "py" => Some("python3".to_owned()),
        "c" | "cpp" | "java" => Some("other".to_owned()),
        _ => None,
    }
}

/// A temporary folder of files for one test.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            tree.add(path, text);
        }
        tree
    }

    fn add(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn find(&self, paths: &[&str]) -> Found {
        self.find_with(paths, None)
    }

    fn find_with(&self, paths: &[&str], cases: Option<&str>) -> Found {
        let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
        let repository = Repository::around(self.root(), &paths).unwrap();
        discover(&Request {
            current: self.root(),
            paths: &paths,
            cases: cases.map(Path::new),
            repository: repository.as_ref(),
            read_options: crate::problem::ReadOptions::default(),
            language_of: &language,
            language_of_text: &|_, _| None,
        })
    }
}

fn texts(notices: &[crate::notice::Notice]) -> Vec<String> {
    notices.iter().map(ToString::to_string).collect()
}

fn submissions(found: &Found) -> Vec<&str> {
    found.submissions.iter().map(|s| s.name.as_str()).collect()
}

fn cases(found: &Found) -> Vec<&str> {
    let cases = found.problems.iter().flat_map(|problem| &problem.cases);
    cases.map(crate::problem::TestCase::name).collect()
}

/// A valid problem `a` with one solution.
const SOUND: [(&str, &str); 4] = [
    (
        "cases/a/problem.yaml",
        "problem_format_version: 2025-09\nname: A\nlimits:\n  time_limit: 2\n",
    ),
    ("cases/a/data/secret/1.in", "1\n"),
    ("cases/a/data/secret/1.ans", "1\n"),
    ("solutions/a/a.rs", "fn main() {}\n"),
];

/// [`SOUND`] with additional files.
fn sound_and(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(&SOUND);
    for (path, text) in files {
        tree.add(path, text);
    }
    tree
}

#[test]
fn finds_everything_in_a_repository() {
    let tree = sound_and(&[
        ("cases/a/data/sample/2.in", ""),
        ("cases/a/data/sample/2.ans", ""),
        ("cases/a/data/secret/small/10.in", ""),
        ("cases/a/data/secret/small/10.ans", ""),
        ("cases/a/data/secret/1-a.in", ""),
        ("cases/a/data/secret/1-a.ans", ""),
        ("cases/a/data/secret/10.in", ""),
        ("cases/a/data/secret/10.ans", ""),
        ("cases/a/data/secret/2.in", ""),
        ("cases/a/data/secret/2.ans", ""),
        ("cases/a/data/secret/1.out", "ignored"),
        ("cases/a/data/invalid_input/x.in", "ignored"),
        ("solutions/a/wrong_answer/w.py", "x"),
        ("solutions/a/rejected/r.rs", "// @EXPECTED_RESULTS@: timelimit\n"),
        ("solutions/a/wrong_answer/t.rs", "// @EXPECTED_RESULTS@: AC\n"),
        ("cases/b/1.in", ""),
        ("cases/b/1.out", ""),
        ("solutions/b/-b ü.rs", "x"),
    ]);
    let found = tree.find(&[]);
    assert_eq!(texts(&found.errors), Vec::<String>::new());
    assert_eq!(texts(&found.warnings), Vec::<String>::new());
    assert_eq!(
        cases(&found),
        ["sample/2", "secret/1", "secret/1-a", "secret/10", "secret/2", "secret/small/10", "1"]
    );
    assert_eq!(
        submissions(&found),
        [
            "solutions/a/a.rs",
            "solutions/a/rejected/r.rs",
            "solutions/a/wrong_answer/t.rs",
            "solutions/a/wrong_answer/w.py",
            "solutions/b/-b ü.rs",
        ]
    );
    let labels: Vec<&str> = found.submissions.iter().map(|s| s.expected.label.as_str()).collect();
    assert_eq!(
        labels,
        ["accepted", "@EXPECTED_RESULTS@: TLE", "wrong_answer", "wrong_answer", "accepted"]
    );
    assert_eq!(found.submissions[1].expected.outcome, [Verdict::TimeLimit]);
    let a = &found.problems[0];
    assert_eq!(a.title.as_deref(), Some("A"));
    assert_eq!(a.limits.cpu_time, Some(std::time::Duration::from_secs(2)));
    assert!(a.cases[0].input().ends_with("cases/a/data/sample/2.in"));
    assert!(a.cases[0].answer().unwrap().ends_with("cases/a/data/sample/2.ans"));
    assert!(found.problems[1].cases[0].answer().unwrap().ends_with("cases/b/1.out"));
}

#[test]
fn every_kind_of_path_is_found() {
    let tree = sound_and(&[
        ("cases/b/1.in", ""),
        ("cases/b/1.ans", ""),
        ("solutions/b/b.rs", "x"),
        ("solutions/b/wrong_answer/w.rs", "x"),
        ("elsewhere/c.rs", "x"),
        ("lone/d.rs", "x"),
        ("lone/tests/1.in", ""),
        ("lone/tests/1.out", ""),
        ("pkg/problem.yaml", "name: P\n"),
        ("pkg/data/sample/1.in", ""),
        ("pkg/data/sample/1.ans", ""),
        ("pkg/submissions/accepted/p.rs", "x"),
        ("pkg/submissions/wrong_answer/q.rs", "x"),
    ]);
    let table: [(&[&str], Option<&str>, &[&str]); 14] = [
        (&["b"], None, &["solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"]),
        (&["cases/b"], None, &["solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"]),
        (&["solutions/b"], None, &["solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"]),
        (&["solutions/b/wrong_answer"], None, &["solutions/b/wrong_answer/w.rs"]),
        (&["solutions/b/wrong_answer/w.rs"], None, &["solutions/b/wrong_answer/w.rs"]),
        (&["./solutions/../solutions/b/b.rs", "solutions/b/b.rs"], None, &["solutions/b/b.rs"]),
        (&["."], None, &["solutions/a/a.rs", "solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"]),
        (
            &["cases"],
            None,
            &["solutions/a/a.rs", "solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"],
        ),
        (&["elsewhere/c.rs"], Some("cases/b"), &["elsewhere/c.rs"]),
        (&["elsewhere"], Some("cases/b"), &["elsewhere/c.rs"]),
        (&["lone/d.rs"], None, &["lone/d.rs"]),
        (&["lone"], None, &["lone/d.rs"]),
        (&["pkg"], None, &["pkg/submissions/accepted/p.rs", "pkg/submissions/wrong_answer/q.rs"]),
        (&["pkg/submissions/wrong_answer/q.rs"], None, &["pkg/submissions/wrong_answer/q.rs"]),
    ];
    for (paths, cases, expected) in table {
        let found = tree.find_with(paths, cases);
        assert_eq!(texts(&found.errors), Vec::<String>::new(), "{paths:?}");
        assert_eq!(submissions(&found), expected, "{paths:?}");
        assert_eq!(
            found.problems.len(),
            if paths.len() == 1 && expected.len() == 3 { 2 } else { 1 }
        );
    }
    let wrong = tree.find(&["pkg/submissions/wrong_answer"]);
    assert_eq!(wrong.submissions[0].expected.label, "wrong_answer");
}

#[test]
fn a_verdict_folder_next_to_the_cases_is_found_by_any_path() {
    let tree = Tree::new(&[
        ("lone/d.rs", "x"),
        ("lone/1.in", ""),
        ("lone/1.out", ""),
        ("lone/wrong_answer/e.rs", "x"),
        ("nowhere/wrong_answer/f.rs", "x"),
    ]);
    for path in ["lone", "lone/wrong_answer", "lone/wrong_answer/e.rs"] {
        let found = tree.find(&[path]);
        assert_eq!(texts(&found.errors), Vec::<String>::new(), "{path}");
        let wrong = found.submissions.last().unwrap();
        assert_eq!(wrong.name, "lone/wrong_answer/e.rs");
        assert_eq!(wrong.expected.label, "wrong_answer", "{path}");
        assert_eq!(found.submissions.len(), 1 + usize::from(path == "lone"));
    }
    let nowhere = texts(&tree.find(&["nowhere/wrong_answer/f.rs"]).errors);
    let error = "no test cases for nowhere/wrong_answer/f.rs\n";
    assert!(nowhere[0].starts_with(error), "{nowhere:?}");
}

#[test]
fn cases_on_demand_are_in_the_cache_and_sorted() {
    let hash = "0123456789abcdef".repeat(4);
    let table = format!(
        "[\"secret/0/wide\"]\nin_blake3 = \"{hash}\"\nans_blake3 = \"{hash}\"\nin_bytes = 5\nans_bytes = 7\n"
    );
    let tree = sound_and(&[
        ("cases/a/generators/large.toml", &table),
        ("cases/a/data/sample/1.in", ""),
        ("cases/a/data/sample/1.ans", ""),
    ]);
    let found = tree.find(&["a"]);
    assert_eq!(texts(&found.errors), Vec::<String>::new());
    assert_eq!(cases(&found), ["sample/1", "secret/0/wide", "secret/1"]);
    let made = &found.problems[0].on_demand[0];
    assert_eq!(found.problems[0].cases[1].input(), made.input);
    assert!(made.input.ends_with(format!("cases/{hash}.in")));
    assert_eq!(found.problems[0].cases[1].answer(), Some(made.answer.clone()));
    tree.add("cases/a/generators/large.toml", "[\"secret/1\"]\nin_blake = 1\n");
    assert!(
        texts(&tree.find(&["a"]).errors)[0]
            .starts_with("cases/a/generators/large.toml:2:1: unknown field `in_blake`")
    );
}
