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
            wish: crate::problem::Wish::default(),
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
        ("cases/a/data/secret/10.in", ""),
        ("cases/a/data/secret/10.ans", ""),
        ("cases/a/data/secret/2.in", ""),
        ("cases/a/data/secret/2.ans", ""),
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
        [
            "sample/2",
            "secret/1",
            "secret/1-a",
            "secret/10",
            "secret/2",
            "secret/small/10",
            "1"
        ]
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

/// Files beside [`SOUND`], and the texts that they must lead to.
type Row = (
    &'static [(&'static str, &'static str)],
    &'static [&'static str],
);

const FAULTS: [Row; 12] = [
    (
        &[("solutions/a/wrong-answer/w.rs", "x")],
        &["solutions/a/wrong-answer is named after no verdict\nhelp: did you mean `wrong_answer`?"],
    ),
    (
        &[("solutions/a/dir.rs/x", "x")],
        &[
            "solutions/a/dir.rs is named after no verdict\nhelp: use one of `accepted`, `wrong_answer`, `time_limit_exceeded`, `run_time_error`, `memory_limit_exceeded`, `output_limit_exceeded`, `compile_error`, `brute_force`, `rejected`, `partially_accepted`",
        ],
    ),
    (
        &[
            ("solutions/a/accepted/many/x.rs", "x"),
            ("solutions/a/accepted/many/x.py", "x"),
        ],
        &[
            "solutions/a/accepted/many has sources in python3 and rust\nhelp: name its language in `submissions.yaml`: `language: ...`",
        ],
    ),
    (
        &[("solutions/a/b.rs", " \n")],
        &["solutions/a/b.rs is empty\nhelp: write the solution, or remove the file"],
    ),
    (
        &[("solutions/a/b.rs", "\u{7f}ELF\0")],
        &[
            "solutions/a/b.rs is a binary file, not a source\nhelp: keep the source there; remove compiled programs",
        ],
    ),
    (
        &[(
            "solutions/a/b.rs",
            "\n// @expected_results@: WRONG\n// @EXPECTED_RESULTS@: NO",
        )],
        &[
            "solutions/a/b.rs:3:1: `@EXPECTED_RESULTS@` stands in line 2 already\nhelp: write it as `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT`",
        ],
    ),
    (
        &[
            ("solutions/lost/b.rs", "x"),
            ("cases/last/1.in", ""),
            ("cases/last/1.out", ""),
        ],
        &["cases/lost does not exist\nhelp: did you mean the problem `last`?"],
    ),
    (
        &[("solutions/b.rs", "x")],
        &["solutions/b.rs belongs to no problem\nhelp: move it to `solutions/PROBLEM/`"],
    ),
    (
        &[("cases/b/readme.md", "x")],
        &[
            "cases/b has no test cases\nhelp: add `NAME.in` with `NAME.ans` (or `NAME.out`), or `problem.yaml` with `data/`",
        ],
    ),
    (
        &[("cases/b/problem.yaml", "")],
        &["cases/b has no test cases\nhelp: add `NAME.in` and `NAME.ans` to cases/b/data/secret"],
    ),
    (
        &[
            ("cases/b/1.in", ""),
            ("cases/b/1.out", ""),
            ("cases/b/1.ans", ""),
        ],
        &[
            "cases/b/1.ans and cases/b/1.out are both there\nhelp: keep the one that answers cases/b/1.in",
        ],
    ),
    (
        &[(
            "cases/a/data/secret/test_group.yaml",
            "output_validator_args: [case_sensitiv]\n",
        )],
        &[
            "cases/a/data/secret/test_group.yaml:1:24: `output_validator_args`: unknown flag `case_sensitiv`\nhelp: the default output validator knows `case_sensitive`, `space_change_sensitive`, `float_tolerance E`, `float_absolute_tolerance E` and `float_relative_tolerance E`",
        ],
    ),
];

#[test]
fn every_fault_of_a_repository_is_named() {
    for (files, errors) in FAULTS {
        let found = sound_and(files).find(&[]);
        assert_eq!(texts(&found.errors), errors);
    }
}

#[test]
fn what_is_ignored_is_warned_of() {
    const KNOWN: &str = "\nhelp: `rejudge languages` shows those known; `rejudge.toml` adds others under `[languages.NAME]`";
    let extension = |name: &str| format!("{name}; it is ignored{KNOWN}");
    let table: [Row; 5] = [
        (
            &[("cases/b/1.in", ""), ("solutions/b/b.rs", "x")],
            &[
                "cases/b/1.in has no answer; it is run only\nhelp: write the answer to cases/b/1.ans",
            ],
        ),
        (
            &[("cases/b/1.in", ""), ("cases/b/1.out", "")],
            &["cases/b has no solutions"],
        ),
        (
            &[
                ("cases/a/data/secret/a b.in", ""),
                ("solutions/a/.hidden.rs", ""),
                ("solutions/a/a.rs~", ""),
            ],
            &[
                "cases/a/data/secret/a b.in is not a name for a case; it is ignored\nhelp: use letters, digits, `_`, `.` and `-`, a letter, digit or `_` first",
            ],
        ),
        (
            &[
                ("cases/b/test/1.in", ""),
                ("cases/b/test/1.out", ""),
                ("cases/b/test/2.out", ""),
                ("solutions/b/b.rs", "x"),
            ],
            &[
                "cases/b/test/2.out has no input; it is ignored\nhelp: write the input to cases/b/test/2.in",
            ],
        ),
        (
            &[("cases/a/problem.yaml", "nam: A\nlimits: {time_limt: 2}\n")],
            &[
                "cases/a/problem.yaml:1:1: unknown key `nam`; it is ignored\nhelp: did you mean `name`?",
                "cases/a/problem.yaml:2:10: unknown key `limits.time_limt`; it is ignored\nhelp: did you mean `limits.time_limit`?",
            ],
        ),
    ];
    for (files, warnings) in table {
        let found = sound_and(files).find(&[]);
        assert_eq!(texts(&found.errors), Vec::<String>::new());
        assert_eq!(texts(&found.warnings), warnings);
    }
    let found = sound_and(&[
        ("solutions/a/notes.xyz", "x"),
        ("solutions/a/Makefile", "x"),
    ])
    .find(&[]);
    assert_eq!(
        texts(&found.warnings),
        [
            extension("solutions/a/Makefile is in no known language (no extension)"),
            extension("solutions/a/notes.xyz is in no known language (`.xyz`)"),
        ]
    );
}

#[test]
fn a_path_that_names_nothing_is_an_error() {
    let tree = sound_and(&[
        ("cases/klotski/1.in", ""),
        ("cases/klotski/1.out", ""),
        ("x/y.rs", "x"),
        ("x/n.foo", "x"),
    ]);
    let table: [(&[&str], Option<&str>, &str); 5] = [
        (
            &["klotsky"],
            None,
            "there is no `klotsky`\nhelp: did you mean the problem `klotski`?",
        ),
        (
            &["x/z.rs"],
            None,
            "there is no `x/z.rs`\nhelp: name a file, a folder, or a problem: `rejudge list` shows them",
        ),
        (
            &["x/y.rs"],
            None,
            "there are no test cases for x/y.rs\nhelp: put `NAME.in` and `NAME.ans` beside it in x, or name their folder: `--cases DIR`",
        ),
        (
            &["x"],
            None,
            "x has neither test cases nor problems\nhelp: add `NAME.in` with `NAME.ans`, or say where the cases are with `--cases DIR`",
        ),
        (
            &["x/n.foo"],
            Some("cases/klotski"),
            "x/n.foo is in no known language (`.foo`)\nhelp: `rejudge languages` shows those known; `rejudge.toml` adds others under `[languages.NAME]`",
        ),
    ];
    for (paths, cases, error) in table {
        assert_eq!(texts(&tree.find_with(paths, cases).errors), [error]);
    }
    let empty = Tree::new(&[]);
    assert_eq!(empty.find(&[]).errors.len(), 1);
}

#[cfg(unix)]
#[test]
fn links_that_lead_back_are_named_and_not_followed() {
    let tree = sound_and(&[]);
    let secret = tree.root().join("cases/a/data/secret");
    std::os::unix::fs::symlink(&secret, secret.join("again")).unwrap();
    let found = tree.find(&[]);
    assert_eq!(
        texts(&found.errors),
        [
            "cases/a/data/secret/again is a symbolic link that leads back to cases/a/data/secret\nhelp: remove the link, or point it elsewhere"
        ]
    );
}

#[test]
fn cases_made_on_demand_lie_in_the_cache_and_in_order() {
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
    assert_eq!(
        found.problems[0].cases[1].answer(),
        Some(made.answer.clone())
    );
    tree.add(
        "cases/a/generators/large.toml",
        "[\"secret/1\"]\nin_blake = 1\n",
    );
    assert!(
        texts(&tree.find(&["a"]).errors)[0]
            .starts_with("cases/a/generators/large.toml:2:1: unknown field `in_blake`")
    );
}
