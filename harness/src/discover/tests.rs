//! Discovery over real folders: layouts, and every fault with its exact words.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Found, Request, discover};
use crate::config::Repository;
use crate::verdict::Verdict;

fn language(extension: &OsStr) -> Option<String> {
    match extension.to_str()? {
        "rs" => Some("rust".to_owned()),
        "py" => Some("python3".to_owned()),
        _ => None,
    }
}

/// A folder of files, made for one test.
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
            language_of: &language,
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

/// A sound problem `a` with one solution.
const SOUND: [(&str, &str); 4] = [
    (
        "cases/a/problem.yaml",
        "problem_format_version: 2025-09\nname: A\nlimits:\n  time_limit: 2\n",
    ),
    ("cases/a/data/secret/1.in", "1\n"),
    ("cases/a/data/secret/1.ans", "1\n"),
    ("solutions/a/a.rs", "fn main() {}\n"),
];

/// [`SOUND`] with more files in it.
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
        ("cases/a/data/secret/1.out", "ignored"),
        ("cases/a/data/invalid_input/x.in", "ignored"),
        ("solutions/a/wrong_answer/w.py", "x"),
        (
            "solutions/a/rejected/r.rs",
            "// @EXPECTED_RESULTS@: timelimit\n",
        ),
        (
            "solutions/a/wrong_answer/t.rs",
            "// @EXPECTED_RESULTS@: AC\n",
        ),
        ("cases/b/1.in", ""),
        ("cases/b/1.out", ""),
        ("solutions/b/-b ü.rs", "x"),
    ]);
    let found = tree.find(&[]);
    assert_eq!(texts(&found.errors), Vec::<String>::new());
    assert_eq!(texts(&found.warnings), Vec::<String>::new());
    assert_eq!(
        cases(&found),
        ["sample/2", "secret/1", "secret/1-a", "secret/small/10", "1"]
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
    let labels: Vec<&str> = found
        .submissions
        .iter()
        .map(|s| s.expected.label.as_str())
        .collect();
    assert_eq!(
        labels,
        [
            "accepted",
            "@EXPECTED_RESULTS@: TLE",
            "wrong_answer",
            "wrong_answer",
            "accepted"
        ]
    );
    assert_eq!(found.submissions[1].expected.outcome, [Verdict::TimeLimit]);
    let a = &found.problems[0];
    assert_eq!(a.title.as_deref(), Some("A"));
    assert_eq!(a.limits.cpu_time, Some(std::time::Duration::from_secs(2)));
    assert!(a.cases[0].input().ends_with("cases/a/data/sample/2.in"));
    assert!(
        a.cases[0]
            .answer()
            .unwrap()
            .ends_with("cases/a/data/sample/2.ans")
    );
    assert!(
        found.problems[1].cases[0]
            .answer()
            .unwrap()
            .ends_with("cases/b/1.out")
    );
}

#[test]
fn every_kind_of_path_finds_its_part() {
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
        (
            &["b"],
            None,
            &["solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"],
        ),
        (
            &["cases/b"],
            None,
            &["solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"],
        ),
        (
            &["solutions/b"],
            None,
            &["solutions/b/b.rs", "solutions/b/wrong_answer/w.rs"],
        ),
        (
            &["solutions/b/wrong_answer"],
            None,
            &["solutions/b/wrong_answer/w.rs"],
        ),
        (
            &["solutions/b/wrong_answer/w.rs"],
            None,
            &["solutions/b/wrong_answer/w.rs"],
        ),
        (
            &["./solutions/../solutions/b/b.rs", "solutions/b/b.rs"],
            None,
            &["solutions/b/b.rs"],
        ),
        (
            &["."],
            None,
            &[
                "solutions/a/a.rs",
                "solutions/b/b.rs",
                "solutions/b/wrong_answer/w.rs",
            ],
        ),
        (
            &["cases"],
            None,
            &[
                "solutions/a/a.rs",
                "solutions/b/b.rs",
                "solutions/b/wrong_answer/w.rs",
            ],
        ),
        (&["elsewhere/c.rs"], Some("cases/b"), &["elsewhere/c.rs"]),
        (&["elsewhere"], Some("cases/b"), &["elsewhere/c.rs"]),
        (&["lone/d.rs"], None, &["lone/d.rs"]),
        (&["lone"], None, &["lone/d.rs"]),
        (
            &["pkg"],
            None,
            &[
                "pkg/submissions/accepted/p.rs",
                "pkg/submissions/wrong_answer/q.rs",
            ],
        ),
        (
            &["pkg/submissions/wrong_answer/q.rs"],
            None,
            &["pkg/submissions/wrong_answer/q.rs"],
        ),
    ];
    for (paths, cases, expected) in table {
        let found = tree.find_with(paths, cases);
        assert_eq!(texts(&found.errors), Vec::<String>::new(), "{paths:?}");
        assert_eq!(submissions(&found), expected, "{paths:?}");
        assert_eq!(
            found.problems.len(),
            if paths.len() == 1 && expected.len() == 3 {
                2
            } else {
                1
            }
        );
    }
    let wrong = tree.find(&["pkg/submissions/wrong_answer"]);
    assert_eq!(wrong.submissions[0].expected.label, "wrong_answer");
}

#[test]
fn one_broken_problem_does_not_hide_the_others() {
    let tree = sound_and(&[
        ("cases/b/problem.yaml", "limits: [\n"),
        ("cases/b/data/secret/1.in", ""),
        ("cases/c/data/secret/1.ans", ""),
        ("cases/c/problem.yaml", "limits:\n  memory: 0\n"),
        ("solutions/b/b.rs", "x"),
    ]);
    let found = tree.find(&[]);
    assert_eq!(found.problems.len(), 1);
    assert_eq!(submissions(&found), ["solutions/a/a.rs"]);
    let errors = texts(&found.errors).join("\n");
    assert_eq!(found.errors.len(), 4, "{errors}");
    for part in [
        "cases/b/problem.yaml:1:9: not valid YAML: unclosed bracket '['\n",
        "cases/b/data/secret/1.in has no .ans file\nhelp: write it with `rejudge answer b --from SOLUTION`",
        "cases/c/problem.yaml:2:11: `limits.memory` must be greater than zero, got `0`",
        "cases/c/data/secret/1.ans has no .in file",
    ] {
        assert!(errors.contains(part), "{part} not in:\n{errors}");
    }
}
